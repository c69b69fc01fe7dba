"""The page: ids, dates and numbers stay on one line, and paper shows what a screen scrolls to."""

from __future__ import annotations

import re

from trialyst.agents.document import Document, Grid, Section
from trialyst.agents.page import render_page

TITLE = "A Study of Something in Adults With Something Else"


def page() -> str:
    grid = Grid(("Trial", "Start", "Title"), (("NCT00000001", "2020-06-16", TITLE),))
    return render_page(Document("a", "b", (), (Section("c", (grid,)),), synthetic=True))


def test_what_is_short_is_not_broken_at_a_hyphen() -> None:
    assert '<td class="short">2020-06-16</td>' in page()
    assert f"<td>{TITLE}</td>" in page()


def test_a_wide_table_is_not_cut_on_paper() -> None:
    (printed,) = re.findall(r"@media print\{(.*)</style>", page(), flags=re.S)
    assert ".scroll{overflow:visible}" in printed
