"""Detects the encoding of bytes: by byte order mark, validity, declaration, and the likelihood of the words."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from itertools import islice
from pathlib import Path

from core.language.code_pages import Encoding, likeliest

__all__ = ["Encoding", "encoding_of", "encoding_of_file", "known_encoding"]

_BOMS: list[tuple[bytes, str]] = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
_SUPERSETS = {
    "iso8859-8": "cp1255", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030",
    "shift_jis": "cp932", "euc_kr": "cp949", "big5": "cp950", "tis-620": "cp874", "iso8859-11": "cp874",
}  # fmt: skip
"""Text declared in a standard encoding is mostly written in the Windows code page that contains it."""
_LABELS = {
    "cp932": "Shift-JIS", "cp949": "EUC-KR", "cp950": "Big5", "euc_jp": "EUC-JP", "koi8_r": "KOI8-R",
    "koi8_u": "KOI8-U",    "cp874": "Windows-874", "mac_roman": "Mac Roman",
    "mac_latin2": "Mac Latin 2", "mac_cyrillic": "Mac Cyrillic",
}  # fmt: skip
_SEVERAL_BYTES = frozenset({"cp932", "gb18030", "cp950", "cp949", "euc_jp", "big5hkscs", "iso2022_jp", "iso2022_kr"})
_TELLS_NOTHING = frozenset({"ascii", "utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7"})
_SHIFTED = re.compile(rb"\x1b\$[@B]")
_PIECE = 1 << 20
_WORD = re.compile(rb"[\x80-\xff][\x30-\xff]{0,199}")
"""Matches a word from its first byte above ASCII to its end; bytes below 0x30 never occur inside a multi-byte
character."""
_BEFORE = re.compile(rb"[\x30-\x7f]{1,12}\Z")
_LONGEST_BEFORE = 12
_PLAIN = re.compile(rb"(?<![\x30-\xff])[A-Za-z]{2,20}(?![\x30-\xff])")
_MOST_BYTES = 8_000
"""Number of different words, some hundred lines of text; more would not improve the result."""
_MOST_OF_A_PIECE = 1_500
_MOST_PLAIN = 400
_VALID_FOR_BROKEN = 5
"""Valid characters per broken one in a text that still counts as UTF-8; texts in other encodings rarely contain any
valid ones."""
_WIDE_HEAD = 2_000


def encoding_of(data: bytes, declared: str | None = None) -> Encoding:
    """The encoding of ``data``, which may be the start of a file; ``declared`` may be any name, or none."""
    if marked := _marked_encoding(data):
        return marked
    sample = _Sample()
    sample.add(data)
    found = sample.encoding(declared)
    wide = known_encoding(declared) or ""
    return Encoding(wide) if found.name != "utf-8" and wide.startswith("utf-16") and _decodes(data, wide) else found


def encoding_of_file(path: Path) -> Encoding:
    """The encoding of a file of any size. Words with non-ASCII bytes may begin late, so the file is scanned to its end
    unless enough of them are found."""
    sample = _Sample()
    with path.open("rb") as file:
        data = file.read(_PIECE)
        if marked := _marked_encoding(data):
            return marked
        while data:
            line = file.readline(_PIECE)  # A line end never splits a character.
            sample.add(data + line, _MOST_OF_A_PIECE)
            if sample.is_enough:
                break
            data = file.read(_PIECE)
    return sample.encoding(None)


def known_encoding(declared: str | None) -> str | None:
    """Python's name of a declared encoding; pages that declare Latin-1 or ISO Hebrew get their Windows superset."""
    if not declared:
        return None
    try:
        name = codecs.lookup(declared.strip().lower().removesuffix("-i").removesuffix("-e")).name
        "".encode(name)
    except (LookupError, ValueError):
        return None
    return _SUPERSETS.get(name, name)


def encoding_label(name: str) -> str:
    """The common name of an encoding with this Python name: ``cp1250`` is Windows-1250."""
    if name in _LABELS:
        return _LABELS[name]
    return f"Windows-{name[2:]}" if name.startswith("cp125") else name.replace("iso8859_", "ISO-8859-").upper()


def _marked_encoding(data: bytes) -> Encoding | None:
    """The encoding by a mark at the beginning, or by byte patterns of UTF-16 and of encodings with shift sequences."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return Encoding(name)
    if wide := _wide_encoding(data):
        return Encoding(wide)
    return Encoding("iso2022_jp_ext") if _SHIFTED.search(data[:_PIECE]) and data[:_PIECE].isascii() else None


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark: its spaces and Latin letters have zeros at every other byte, or it has as many zero bytes
    as a text has spaces and decodes to letters of one other alphabet."""
    head = data[: _WIDE_HEAD // 2 * 2]
    if len(head) < 4 or b"\x00" not in head:
        return None
    half = len(head) // 2
    zeros = {"utf-16-le": head[1::2].count(0), "utf-16-be": head[0::2].count(0)}
    name = max(zeros, key=lambda each: zeros[each])
    if zeros[name] > 0.4 * half and min(zeros.values()) < 0.1 * half:
        return name
    return next((each for each in zeros if zeros[each] and _is_plausible(head, each)), None)


def _is_plausible(head: bytes, name: str) -> bool:
    text = head.decode(name, errors="replace")
    letters = sum(map(str.isalpha, text))
    strange = sum(not (each.isprintable() or each in "\r\n\t\ufeff") for each in text)
    planes = Counter(ord(each) >> 8 for each in text if each.isalpha())
    # Chinese and Japanese use many blocks of 256 characters; alphabets use one or two.
    known = sum(
        count for plane, count in planes.items() if plane <= 0x0E or 0x30 <= plane <= 0x9F or 0xAC <= plane <= 0xD7
    )
    return letters >= 0.5 * len(text) and not strange and known >= 0.98 * letters and b"\x00" in head


class _Sample:
    """A sample of words: those that contain bytes above ASCII, and some of the others."""

    def __init__(self) -> None:
        self._high: dict[bytes, None] = {}
        self._bytes = 0
        self._plain: list[bytes] = []
        self._valid = self._broken = 0

    @property
    def is_enough(self) -> bool:
        return self._bytes >= _MOST_BYTES and not self._is_utf8

    @property
    def _is_utf8(self) -> bool:
        return self._broken == 0 or self._valid >= _VALID_FOR_BROKEN * self._broken

    def add(self, data: bytes, most: int = _MOST_BYTES) -> None:
        """Add ``data``, which must end at a character boundary; only a limited number of word bytes is kept."""
        if data.isascii():
            return
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            text = data.decode("utf-8", errors="replace")
            broken = text.count("\ufffd")
            self._broken += broken
            self._valid += len(text) - broken - len(text.encode("ascii", "ignore"))
            self._keep(data, most)
        else:
            self._valid += 1

    def _keep(self, data: bytes, most: int) -> None:
        most = min(self._bytes + most, _MOST_BYTES)
        for found in _WORD.finditer(data):
            if self._bytes >= most:
                break
            before = _BEFORE.search(data, max(found.start() - _LONGEST_BEFORE, 0), found.start())
            word = (before.group() if before else b"") + found.group()
            if word not in self._high:
                self._high[word] = None
                self._bytes += len(word)
        if len(self._plain) < _MOST_PLAIN:
            self._plain += [found.group() for found in islice(_PLAIN.finditer(data), _MOST_PLAIN)]

    def encoding(self, declared: str | None) -> Encoding:
        """UTF-8 if it is that, even with some broken characters; otherwise the most likely encoding of the words."""
        if self._is_utf8:
            return Encoding("utf-8")
        data = b"\n".join(self._high)
        if (name := known_encoding(declared)) in _TELLS_NOTHING:
            name = None
        if name in _SEVERAL_BYTES and _decodes(data, name):
            return Encoding(name)
        return likeliest(data, b" ".join(self._plain).decode("ascii"), name)


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except (UnicodeDecodeError, LookupError):
        return False
    return True
