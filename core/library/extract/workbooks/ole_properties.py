"""Reads the properties of an old Office file: *its summary information* ([MS-OLEPS] 2.20) → title, author, date."""

from __future__ import annotations

import codecs
import datetime
import io
from typing import NamedTuple

from xlrd.compdoc import CompDoc

from core.library.extract.text import normalise_line

_STREAM = "\x05SummaryInformation"
_CODE_PAGE, _TITLE, _AUTHOR, _CREATED = 1, 2, 4, 12
_TEXTS = frozenset((0x1E, 0x1F))
_WIDE, _TIME, _SHORT = 0x1F, 0x40, 0x02
_UTF_8 = 65001
_EPOCH = datetime.datetime(1601, 1, 1)
_FIRST_YEAR = 1980
"""Earlier dates are invalid, because programs write zero for no date."""
_MOST = 200
_LONGEST = 1_000


class OleProperties(NamedTuple):
    """The properties; ``created`` is an ISO date."""

    title: str | None = None
    author: str | None = None
    created: str | None = None


def ole_properties(data: bytes) -> OleProperties:
    """The properties of a file; empty if it has none or they are damaged."""
    try:
        found = CompDoc(data, logfile=io.StringIO()).get_named_stream(_STREAM)
        return _properties(bytes(found)) if found else OleProperties()
    except MemoryError:
        raise
    except Exception:  # the parser can raise anything; a file is still readable without its properties
        return OleProperties()


def _properties(stream: bytes) -> OleProperties:
    start = _whole(stream, 44)
    count = min(_whole(stream, start + 4), _MOST)
    places = {_whole(stream, start + 8 + 8 * at): start + _whole(stream, start + 12 + 8 * at) for at in range(count)}
    page = places.get(_CODE_PAGE)
    encoding = _encoding(_whole(stream, page + 4, 2) if page and _whole(stream, page, 2) == _SHORT else 0)
    title, author = (_text(stream, places.get(each), encoding) for each in (_TITLE, _AUTHOR))
    return OleProperties(title, author, _date(stream, places.get(_CREATED)))


def _whole(data: bytes, place: int, size: int = 4) -> int:
    return int.from_bytes(data[place : place + size], "little")


def _encoding(page: int) -> str:
    name = "utf-8" if page == _UTF_8 else "utf-16-le" if page == 1200 else f"cp{page}"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


def _text(stream: bytes, place: int | None, encoding: str) -> str | None:
    if place is None or (kind := _whole(stream, place)) not in _TEXTS:
        return None
    length = min(_whole(stream, place + 4), _LONGEST) * (2 if kind == _WIDE else 1)
    text = stream[place + 8 : place + 8 + length].decode("utf-16-le" if kind == _WIDE else encoding, "replace")
    return normalise_line(text.split("\0")[0]) or None


def _date(stream: bytes, place: int | None) -> str | None:
    """The ISO date of a property; the file counts times in tenths of a microsecond."""
    if place is None or _whole(stream, place) != _TIME:
        return None
    moment = _EPOCH + datetime.timedelta(microseconds=_whole(stream, place + 4, 8) // 10)
    return moment.date().isoformat() if moment.year >= _FIRST_YEAR else None
