"""Reads a resource's rows: returns columns, rows, and the portal's row count.

Rows come from the portal's data store. If a file is not in the store, or its rows there are missing, they are read from
the file itself, if it is comma-separated. The portal's count is kept in addition to the number of rows read, because
they can differ.
"""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from charset_normalizer import from_bytes
from pydantic import JsonValue

from core.errors import PalimpsestError, fail
from core.tools.datagov.ckan import StorePage
from core.tools.datagov.portal import Portal
from core.tools.datagov.records import Column, Resource
from core.tools.tool import Cell

PAGE = 1_000
"""Number of rows per request."""
LARGE_PAGE = 10_000
"""The same if a whole resource is read."""
MOST_ROWS = 10_000
"""Maximum number of rows that one call returns, over all pages."""
MOST_VALUES = 5_000
"""Maximum number of distinct values read from one column."""
MOST_FILE_ROWS = 200_000
FROM_FILE = ("CSV",)

Filters = Mapping[str, Sequence[Cell]]
"""Row filters: column → allowed values."""


@dataclass(frozen=True)
class Wanted:
    """A request for rows. ``words``: each must occur somewhere in a row. ``columns``: the columns to return, all if
    empty. ``sort``: a column and "asc" or "desc"."""

    filters: Filters = field(default_factory=dict)
    words: str = ""
    columns: Sequence[str] = ()
    limit: int = 100
    offset: int = 0
    sort: str = ""


@dataclass(frozen=True)
class Rows:
    """The rows that were read. ``total``: the portal's count. ``complete``: these are all matches. ``from_file``: they
    were read from the file and not from the data store. ``miscounted``: the portal's count was wrong."""

    columns: list[Column]
    rows: list[list[Cell]]
    total: int | None
    complete: bool
    from_file: bool = False
    miscounted: bool = False


class RowReader:
    """Reads rows through one portal."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal

    async def read(self, resource: Resource, wanted: Wanted) -> Rows:
        """At most ``wanted.limit`` rows, and at most ``MOST_ROWS``.

        Raises:
            PalimpsestError: the portal is not available, or this resource's rows cannot be read ("validation").
        """
        if not resource.stored:
            return await self._of_file(resource, wanted)
        rows = await self._of_store(resource, wanted)
        if not rows.rows and not wanted.filters and not wanted.words and not wanted.offset and _is_csv(resource):
            try:  # For hours after an upload, the data store may be empty although the file is not.
                return await self._of_file(resource, wanted)
            except PalimpsestError:
                return rows
        return rows

    async def values(self, resource: Resource, column: str) -> list[Cell]:
        """A column's distinct values as stored, including padding; empty if the portal cannot list them."""
        try:
            page = await self._portal.action(
                "datastore_search",
                StorePage,
                resource_id=resource.id,
                fields=column,
                distinct="true",
                limit=MOST_VALUES,
            )
        except PalimpsestError as error:
            if error.problem.category in ("validation", "not_found"):
                return []
            raise
        return [_stored(record.get(column)) for record in page.records]

    async def _of_store(self, resource: Resource, wanted: Wanted) -> Rows:
        return await self._pages(resource, wanted, min(wanted.limit, MOST_ROWS), PAGE)

    async def whole(self, resource: Resource, wanted: Wanted, most: int) -> Rows:
        """All rows that match ``wanted``, up to ``most``, in few requests.

        Raises:
            PalimpsestError: as ``read``.
        """
        if not resource.stored:
            return await self._of_file(resource, replace(wanted, limit=most))
        rows = await self._pages(resource, wanted, most, LARGE_PAGE)
        is_empty = not rows.rows and not wanted.filters and not wanted.words
        return await self._of_file(resource, replace(wanted, limit=most)) if is_empty and _is_csv(resource) else rows

    async def _pages(self, resource: Resource, wanted: Wanted, limit: int, size: int) -> Rows:
        columns: list[Column] = []
        rows: list[list[Cell]] = []
        total: int | None = None
        ended = False
        while len(rows) < limit and not ended:
            asked = min(size, limit - len(rows))
            page = await self._page(resource, wanted, asked, wanted.offset + len(rows))
            columns = columns or page.columns
            total = page.total if total is None else total
            rows += page.rows([column.name for column in columns])
            # A portal may return fewer rows than requested although it has more.
            is_short = len(page.records) < asked
            ended = is_short and (not page.records or total is None or wanted.offset + len(rows) >= total)
        seen = wanted.offset + len(rows)
        complete = ended or (total is not None and seen >= total)
        wrong = total is not None and ((ended and bool(rows) and seen != total) or seen > total)
        return Rows(columns, rows, seen if wrong and ended else total, complete, miscounted=wrong)

    async def _page(self, resource: Resource, wanted: Wanted, limit: int, offset: int) -> StorePage:
        filters: dict[str, JsonValue] = {name: list(values) for name, values in wanted.filters.items()}
        return await self._portal.action(
            "datastore_search",
            StorePage,
            resource_id=resource.id,
            filters=filters or None,
            q=wanted.words or None,
            fields=",".join(wanted.columns) or None,
            limit=limit,
            offset=offset,
            sort=wanted.sort or None,
        )

    async def _of_file(self, resource: Resource, wanted: Wanted) -> Rows:
        if not _is_csv(resource):
            raise fail("validation", "tools.datagov.not_readable", format=resource.format or "?")
        raw = await self._portal.download(resource.url)
        return await asyncio.to_thread(_rows_of_file, raw, wanted)


def _is_csv(resource: Resource) -> bool:
    return resource.format in FROM_FILE and bool(resource.url)


def _stored(value: JsonValue) -> Cell:
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def _rows_of_file(raw: bytes, wanted: Wanted) -> Rows:
    """Parse the whole file; this blocks."""
    lines = csv.reader(io.StringIO(_text(raw), newline=""))
    heads = [head.strip() for head in next(lines, [])]
    if not any(heads):
        raise fail("server", "tools.datagov.unreadable", detail="a file without a first line")
    kept: list[list[Cell]] = []
    for count, line in enumerate(lines):
        if count >= MOST_FILE_ROWS:
            break
        row = {head: cell.strip() for head, cell in zip(heads, line, strict=False)}
        if _fits(row, wanted):
            kept.append([_number(row.get(head)) for head in heads])
    if wanted.sort:
        _sort(kept, heads, wanted.sort)
    names = [name for name in wanted.columns if name in heads] or heads
    places = [heads.index(name) for name in names]
    page = kept[wanted.offset : wanted.offset + wanted.limit]
    rows = [[row[place] for place in places] for row in page]
    complete = wanted.offset + len(rows) >= len(kept)
    return Rows([Column(name=name) for name in names], rows, len(kept), complete, from_file=True)


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode(_encoding(raw), errors="replace")


def _encoding(raw: bytes) -> str:
    """Encoding of a file that is not UTF-8: the likeliest one by its letters, else the usual one for Hebrew
    spreadsheets."""
    best = from_bytes(raw[:200_000]).best()
    return best.encoding if best else "cp1255"


def _fits(row: Mapping[str, str], wanted: Wanted) -> bool:
    for name, values in wanted.filters.items():
        if row.get(name, "") not in {str(value).strip() for value in values}:
            return False
    whole = " ".join(row.values())
    return all(word in whole for word in wanted.words.split())


def _sort(rows: list[list[Cell]], heads: Sequence[str], sort: str) -> None:
    name, _, way = sort.rpartition(" ") if sort.endswith((" asc", " desc")) else (sort, "", "asc")
    if name in heads:
        place = heads.index(name)
        rows.sort(key=lambda row: _order(row[place]), reverse=way == "desc")


def _order(cell: Cell) -> tuple[int, float, str]:
    """Sort key: empty cells first, then numbers, then text."""
    if cell is None or cell == "":
        return 0, 0.0, ""
    return (1, float(cell), "") if isinstance(cell, (int, float)) else (2, 0.0, str(cell))


def _number(cell: str | None) -> Cell:
    """A numeric cell as a number. A cell with a leading zero is not a number but a code or a telephone number."""
    if cell is None or cell == "":
        return None
    plain = cell.replace(",", "")
    if plain.removeprefix("-")[:1] == "0" and len(plain) > 1 and plain.removeprefix("-")[1:2] != ".":
        return cell
    try:
        number = float(plain)
    except ValueError:
        return cell
    return int(number) if number.is_integer() and "." not in plain and abs(number) < 1e15 else number
