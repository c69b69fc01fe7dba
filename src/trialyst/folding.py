"""Text to tokens: the one place that decides when two spellings are the same word.

This is Essie's Term level: case, accents, hyphens, possessives, plurals and British or American
spelling do not matter. Letters and digits are split, so `MK-3475`, `MK3475` and `MK 3475` agree.
Index, queries, vocabulary and the tests' oracle all fold with these functions, and nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from types import ModuleType

NATIVE_VERSION = 3
native: ModuleType | None
try:
    from trialyst import _native as native

    # Compiled from an older checkout it would write documents that are read differently now.
    if getattr(native, "VERSION", 1) != NATIVE_VERSION:
        native = None
except ImportError:
    # Installed without a C compiler: the same words, more slowly.
    native = None

__all__ = ["PlainFolder", "fold", "fold_phrase", "fold_word", "native", "phrase_variants"]

_TOKEN = re.compile(r"[^\W\d_]+|[0-9]+")
_POSSESSIVE = re.compile(r"(?<=[^\W\d_])'s\b")
_MARKS = re.compile(r"[\u0300-\u036f]+")

_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
        "sigma tau upsilon phi chi psi omega".split(),
        strict=True,
    )
)
_SPECIAL = str.maketrans(
    {
        **{letter: f" {name} " for letter, name in _GREEK.items()},
        **{letter.upper(): f" {name} " for letter, name in _GREEK.items()},
        **dict.fromkeys("’‘ʼ´", "'"),
        "ς": " sigma ",
        "µ": " mu ",
        "ß": "ss",
        "ẞ": "ss",
        "æ": "ae",
        "Æ": "ae",
        "œ": "oe",
        "Œ": "oe",
        "ø": "o",
        "Ø": "o",
        "ł": "l",
        "Ł": "l",
        "đ": "d",
        "Đ": "d",
        "ı": "i",
    }
)

# Whole words whose plural or spelling no rule below gets right.
_IRREGULAR = {
    "aids": "aids",
    "children": "child",
    "women": "woman",
    "men": "man",
    "feet": "foot",
    "teeth": "tooth",
    "mice": "mouse",
    "criteria": "criterion",
    "bacteria": "bacterium",
    "vertebrae": "vertebra",
    "metastases": "metastasis",
    "programme": "program",
    "programmes": "program",
    "ageing": "aging",
    "grey": "gray",
}
_SIS = re.compile(
    r"(analy|dialy|paraly|diagno|progno|metasta|steno|thrombo|psycho|neuro|hypothe|prosthe|synthe"
    r"|anastomo|cri|hemosta|sclero|fibro|necro)ses$"
)
_US = re.compile(r"(vir|sin|fet|thromb|call|ile|foc|hippocamp)uses$")
_SPELLINGS = (
    (re.compile(r"aem"), "em"),
    (re.compile(r"oedem"), "edem"),
    (re.compile(r"oesoph"), "esoph"),
    (re.compile(r"oestr"), "estr"),
    (re.compile(r"paed"), "ped"),
    (re.compile(r"gynaec"), "gynec"),
    (re.compile(r"anaesth"), "anesth"),
    (re.compile(r"aetiolog"), "etiolog"),
    (re.compile(r"faec"), "fec"),
    (re.compile(r"^caec"), "cec"),
    (re.compile(r"^foet"), "fet"),
    (re.compile(r"rrhoea"), "rrhea"),
    (re.compile(r"leuc(?=ocyt|open)"), "leuk"),
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"(tum|col|lab|fav|behavi|neighb|hum|od|vap)our"), r"\1or"),
    (re.compile(r"(fib|cent|lit|met|calib)re(?=s?$)"), r"\1er"),
    (re.compile(r"isation"), "ization"),
    (
        re.compile(
            r"(random|optim|hospital|immun|standard|character|minim|maxim|normal|stabil|steril"
            r"|local|general|catheter|vascular|organ|recogn|util|categor|summar|priorit)is"
            r"(?=e|ing)"
        ),
        r"\1iz",
    ),
)
# One quick look tells that a word needs none of the rules above, as nearly all do.
_MAYBE_BRITISH = re.compile(r"a[em]|o[eu]|is|uc|ulph|res?$")
_SPLIT_PREFIX = re.compile(r"^(non|anti|post|multi)([a-z]{4,})$")
_INNER_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011](?=[^\W\d_])")


# Apostrophes stay, to tell a possessive.
_PLAIN = {
    code: chr(code).lower() if chr(code).isalnum() else " "
    for code in range(128)
    if chr(code) != "'"
}


class PlainFolder(dict[str, str]):
    """Folds texts in Python; after the first time a word costs one look-up."""

    # A word with its punctuation takes about 150 bytes here; this bounds a process to 75 MB.
    LIMIT = 500_000

    def __missing__(self, word: str) -> str:
        if len(self) >= self.LIMIT:
            self.clear()
        self[word] = folded = fold_word(word)
        return folded

    def __call__(self, text: str) -> str:
        # Without case and punctuation the same word is nearly always written the same way.
        plain = text.translate(_PLAIN) if text.isascii() else text
        return " ".join(" ".join(map(self.__getitem__, plain.split())).split())


def fold(text: str) -> list[str]:
    """Split a text into folded tokens.

    >>> fold("Patients’ non-small-cell tumours, MK-3475")
    ['patient', 'non', 'small', 'cell', 'tumor', 'mk', '3475']
    """
    return _folder(text).split()


def fold_phrase(text: str) -> str:
    """Give the folded tokens of a text as one string, a key for equality.

    >>> fold_phrase("Diabetes Mellitus, Type 2") == fold_phrase("diabetes mellitus type-2")
    True
    """
    return _folder(text)


def phrase_variants(text: str) -> tuple[tuple[str, ...], ...]:
    """Give the token sequences that spell the phrase: as written, hyphen joined, prefix split.

    >>> phrase_variants("non-alcoholic")
    (('non', 'alcoholic'), ('nonalcoholic',))
    >>> phrase_variants("nonalcoholic")
    (('nonalcoholic',), ('non', 'alcoholic'))
    """
    written = tuple(fold(text))
    variants = {written: None}
    if _INNER_HYPHEN.search(text):
        variants[tuple(fold(_INNER_HYPHEN.sub("", text)))] = None
    if any(map(_SPLIT_PREFIX.match, written)):
        split: list[str] = []
        for token in written:
            match = _SPLIT_PREFIX.match(token)
            split.extend(match.groups() if match else (token,))
        variants[tuple(split)] = None
    return tuple(variants)


def fold_word(word: str) -> str:
    """Fold one written word, which may hold several tokens or none."""
    if word.isascii():
        if word.isalpha():
            return _fold_token(word.lower())
    else:
        spelled = unicodedata.normalize("NFKC", word).translate(_SPECIAL)
        word = _MARKS.sub("", unicodedata.normalize("NFKD", spelled))
    word = _POSSESSIVE.sub(" ", word.lower().replace("_", " "))
    return " ".join(_fold_token(token) for token in _TOKEN.findall(word))


def _fold_token(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and _MAYBE_BRITISH.search(word):
        for pattern, replacement in _SPELLINGS:
            word = pattern.sub(replacement, word)
    return _singular(word)


def _singular(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if _SIS.search(word):
        return word[:-2] + "is"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")) or _US.search(word):
        return word[:-2]
    return word[:-1]


_folder: Callable[[str], str] = PlainFolder() if native is None else native.Folder(fold_word)
