"""Converts bytes to clean text: encodings, whitespace, unprintable characters."""

from __future__ import annotations

import re
import unicodedata

from core.language.foreign_terms import word_count
from core.library.extract import problems
from core.library.extract.encodings import Encoding, encoding_label, encoding_of, known_encoding
from core.library.extract.pdf_layout.bidi import letters_are_reversed, logical_lines
from core.settings import Settings

# Word's bullets and boxes use the private use area of Symbol and Wingdings.
_SYMBOLS = {
    0xF06F: "☐", 0xF071: "☐", 0xF06E: "■", 0xF0A7: "▪", 0xF0A8: "☐", 0xF0B7: "•", 0xF076: "•", 0xF0D8: "•",
    0xF0E0: "→", 0xF0FC: "✓", 0xF0FD: "☒", 0xF0FE: "☑", 0xF078: "☒", 0xF0A3: "☐", 0xF02D: "-",
}  # fmt: skip
_PRESENTATION = re.compile("[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]")
_SPACES = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_MANY_BREAKS = re.compile(r"\n{3,}")
VISUAL = frozenset({"cp1255", "cp862"})
"""Encodings in which Hebrew may be stored in display order."""
_MOST_WORDS = 14
_NO_HEADING = (".", ",", ";", ":", "\u3002", "\uff0c", "\uff1b", "\uff1a", "\u3001")
_KEPT_CONTROLS = "\n\t"
_JOINERS = "\u200c\u200d"


def normalise(text: str) -> str:
    """The text with one kind of line ending and space, without unprintable characters, with composed letters; Hebrew
    vowel points are kept."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\v", "\n").replace("\f", "\n\n")
    text = text.replace("\u2028", "\n").replace("\u2029", "\n\n").translate(_SYMBOLS)
    text = _PRESENTATION.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)
    text = unicodedata.normalize("NFC", text) if not text.isascii() else text
    text = "".join(filter(_printable, text)) if not text.isprintable() else text
    text = _SPACES.sub(" ", text)
    text = "\n".join(line.strip() for line in text.split("\n"))
    return _MANY_BREAKS.sub("\n\n", text).strip()


def normalise_line(text: str) -> str:
    """``normalise`` for a text that must be on one line, such as a table cell."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(normalise(text).split())


def is_short_line(text: str) -> bool:
    """Whether a bold line can be a heading: a few words and no sentence."""
    return "\n" not in text and word_count(text) <= _MOST_WORDS and not text.endswith(_NO_HEADING)


def _printable(character: str) -> bool:
    if character in _KEPT_CONTROLS or character in _JOINERS:
        return True
    return character != "\ufffd" and unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def decode(data: bytes, declared: str | None = None, chosen: str = "") -> str:
    """The text of ``data``: in the ``chosen`` encoding, otherwise in the one detected by byte order mark, validity,
    declaration and the likelihood of its words."""
    return decoded(data, declared, chosen)[0]


def read_text(data: bytes, settings: Settings, declared: str | None = None) -> tuple[str, list[problems.Note]]:
    """The text of a file, and a note about its encoding if that is a guess."""
    text, encoding = decoded(data, declared, settings.reading.encoding)
    return text, [] if encoding.is_sure else [problems.guessed_encoding(encoding_label(encoding.name))]


def decoded(data: bytes, declared: str | None = None, chosen: str = "") -> tuple[str, Encoding]:
    """The result of ``decode``, and the encoding that was used."""
    encoding = Encoding(known) if (known := known_encoding(chosen)) else encoding_of(data, declared)
    return _logical(data.decode(encoding.name, errors="replace"), encoding.name), encoding


def _logical(text: str, encoding: str) -> str:
    """The text in logical order; old Hebrew files in an eight-bit encoding may be stored in display order, left to
    right."""
    return logical_lines(text) if encoding in VISUAL and letters_are_reversed(text) else text
