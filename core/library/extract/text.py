"""From bytes to clean text: encodings, whitespace, unprintable characters."""

from __future__ import annotations

import codecs
import re
import unicodedata

from charset_normalizer import from_bytes

from core.library.extract.pdf_layout.bidi import letters_are_reversed, logical_lines

_BOMS: list[tuple[bytes, str]] = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
# Word's bullets and boxes live in the private use area of Symbol and Wingdings.
_SYMBOLS = {
    0xF06F: "☐", 0xF071: "☐", 0xF06E: "■", 0xF0A7: "▪", 0xF0A8: "☐", 0xF0B7: "•", 0xF076: "•", 0xF0D8: "•",
    0xF0E0: "→", 0xF0FC: "✓", 0xF0FD: "☒", 0xF0FE: "☑", 0xF078: "☒", 0xF0A3: "☐", 0xF02D: "-",
}  # fmt: skip
_PRESENTATION = re.compile("[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]")
_SPACES = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_MANY_BREAKS = re.compile(r"\n{3,}")
_HIGH = re.compile(rb"[\x80-\xff]")
_HEBREW_BYTE = re.compile(rb"[\xe0-\xfa]")
_NOT_HEBREW_BYTE = re.compile(rb"[\xd9-\xdf\xfb\xfc\xff]")
_WESTERN_BYTE = re.compile("[àâäéèêëîïôöùûüçñáíóúßœåãõÀÂÉÈÊÎÔÇÄÖÜÑÁÍÓÚŒÅ‘’“”–—…€«»°·©®¿¡\xa0]".encode("cp1252"))
_HEBREW_PAIR = re.compile(rb"[\xe0-\xfa]{2}")
_MOST_WORDS = 14
_KEPT_CONTROLS = "\n\t"
_JOINERS = "\u200c\u200d"


def normalise(text: str) -> str:
    """One kind of line ending and space, no unprintable characters, composed letters; nikud stays."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\v", "\n").replace("\f", "\n\n")
    text = text.replace("\u2028", "\n").replace("\u2029", "\n\n").translate(_SYMBOLS)
    text = _PRESENTATION.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)
    text = unicodedata.normalize("NFC", text) if not text.isascii() else text
    text = "".join(filter(_printable, text)) if not text.isprintable() else text
    text = _SPACES.sub(" ", text)
    text = "\n".join(line.strip() for line in text.split("\n"))
    return _MANY_BREAKS.sub("\n\n", text).strip()


def normalise_line(text: str) -> str:
    """``normalise`` for a text that must stay on one line, such as a table cell."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(normalise(text).split())


def is_short_line(text: str) -> bool:
    """Whether a bold line can be a heading: a few words, no sentence."""
    return "\n" not in text and len(text.split()) <= _MOST_WORDS and not text.endswith((".", ",", ";", ":"))


def _printable(character: str) -> bool:
    if character in _KEPT_CONTROLS or character in _JOINERS:
        return True
    return character != "\ufffd" and unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of ``data``, its encoding found by byte order mark, declaration, validity and then statistics."""
    name = encoding_of(data, declared)
    return _logical(data.decode(name, errors="replace"), name)


def encoding_of(data: bytes, declared: str | None = None) -> str:
    """The encoding of ``data`` as Python names it; the start of a file is enough where it does not end within a
    character."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    if wide := _wide_encoding(data):
        return wide
    for name in filter(None, ("utf-8", _known_encoding(declared))):
        try:
            data.decode(name)
        except UnicodeDecodeError:
            continue
        return name
    if _looks_hebrew(data):
        return "cp1255"
    if _looks_western(data):
        return "cp1252"
    best = from_bytes(data[:200_000]).best()
    return best.encoding if best else "cp1252"


def _known_encoding(declared: str | None) -> str | None:
    """A declared encoding as Python knows it; pages that declare Latin-1 or ISO Hebrew mean their Windows superset."""
    if not declared:
        return None
    try:
        name = codecs.lookup(declared.strip().lower().removesuffix("-i").removesuffix("-e")).name
    except (LookupError, ValueError):
        return None
    return {"iso8859-8": "cp1255", "iso8859-1": "cp1252", "ascii": "cp1252"}.get(name, name)


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark shows as zeros at every other byte."""
    head = data[:2000]
    if len(head) < 4 or b"\x00" not in head:
        return None
    half = len(head) // 2
    if head[1::2].count(0) > 0.4 * half and head[0::2].count(0) < 0.1 * half:
        return "utf-16-le"
    if head[0::2].count(0) > 0.4 * half and head[1::2].count(0) < 0.1 * half:
        return "utf-16-be"
    return None


def _looks_hebrew(data: bytes) -> bool:
    """Hebrew letters fill 0xE0-0xFA in both cp1255 and ISO-8859-8, and stand beside each other.

    Western accents use the same bytes but singly, between ASCII letters.
    """
    high = len(_HIGH.findall(data))
    letters = len(_HEBREW_BYTE.findall(data))
    paired = 2 * len(_HEBREW_PAIR.findall(data))
    impossible = len(_NOT_HEBREW_BYTE.findall(data))
    return high > 0 and letters >= 0.75 * high and paired >= 0.6 * letters and impossible <= 0.005 * high


def _looks_western(data: bytes) -> bool:
    """Nearly all accented letters are those of French, German, Spanish … in Windows' own encoding.

    Statistics alone confuse short texts of these languages with those of Central Europe.
    """
    high = len(_HIGH.findall(data))
    return len(_WESTERN_BYTE.findall(data)) >= 0.9 * high


def _logical(text: str, encoding: str) -> str:
    """Old Hebrew files in an eight-bit encoding may be stored as they look, left to right."""
    return logical_lines(text) if encoding == "cp1255" and letters_are_reversed(text) else text
