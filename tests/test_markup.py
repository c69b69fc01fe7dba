from __future__ import annotations

import pytest

from trialyst.markup import MAX_DEPTH, BadMarkup, parse_markup

LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>
<Pathway>&lol2;</Pathway>"""
OUTSIDE = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'
PARAMETER = b'<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p.dtd"> %p;]><a/>'


@pytest.mark.parametrize("text", [LAUGHS, OUTSIDE, PARAMETER])
def test_entities_are_refused_before_they_are_used(text: bytes) -> None:
    with pytest.raises(BadMarkup, match="declares entities"):
        parse_markup(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "empty"),
        (b"  \n ", "empty"),
        (b"<a><b></a>", "not whole XML"),
        (b"<a>", "not whole XML"),
        (b"plain words", "not whole XML"),
        (b"<a>\xff\xfe</a>", "not whole XML"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "not whole XML|cannot be read"),
        (b"<a>" * (MAX_DEPTH + 1) + b"</a>" * (MAX_DEPTH + 1), "nest more than"),
    ],
)
def test_what_is_no_xml_of_ours_is_told(text: bytes, told: str) -> None:
    with pytest.raises(BadMarkup, match=told):
        parse_markup(text)


def test_a_file_beyond_the_bound_is_not_read() -> None:
    with pytest.raises(BadMarkup, match="more than the 10"):
        parse_markup(b"<a>far too long</a>", max_bytes=10)


def test_namespaces_go_and_attributes_are_renamed() -> None:
    text = b'<p:A xmlns:p="urn:x" Name="n" GraphId="g"><p:B p:C="c">t</p:B></p:A>'
    root, namespace = parse_markup(text, rename={"GraphId": "elementId"})
    assert namespace == "urn:x"
    assert (root.tag, root.attrib) == ("A", {"name": "n", "elementId": "g"})
    assert [(child.tag, child.attrib, child.text) for child in root] == [("B", {"c": "c"}, "t")]
