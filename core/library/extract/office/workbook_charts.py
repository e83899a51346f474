"""Reads charts of workbooks whose values are not in the cells that are read: *a sheet* → their tables.

Most charts draw cells that are read anyway. For these only one line is written (title, series and axes), because their
values would be repeated. Others draw a hidden sheet or another workbook, so their values appear nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from core.library.extract.office.charts import ReadChart, chart_blocks, chart_tables
from core.library.extract.workbooks.workbook_parts import WorkbookParts
from core.library.extracted import Block

_KINDS = frozenset(("chart", "chartEx"))
_MOST_CHARTS = 200
_LONGEST = 1_000
"""Maximum number of characters of a cell reference."""
_MOST_BYTES = 16 * 1024 * 1024
_ENDINGS = (".xlsx", ".xlsm", ".xltx")


def charts_on(parts: WorkbookParts, place: str, name: str, read: Collection[str]) -> list[Block]:
    """The tables of a sheet's charts whose values are not read elsewhere.

    Args:
        place: the path of the sheet's part.
        name: the sheet's name, which its blocks carry.
        read: names of the sheets whose cells are read.
    """
    blocks: list[Block] = []
    known = frozenset(each.casefold() for each in read)
    for drawing in parts.related(place, "drawing"):
        charts = [each.target for each in parts.relations(drawing).values() if each.kind in _KINDS]
        for target in charts[:_MOST_CHARTS]:
            chart = chart_tables(_bytes(parts, target))
            if not _repeats(chart, known):
                blocks += chart_blocks(chart, sheet=name)
            elif chart.title and chart.line:
                blocks.append(Block(text=chart.line, kind="paragraph", sheet=name))
    return blocks


def _repeats(chart: ReadChart, known: Collection[str]) -> bool:
    """Whether all values come from cells that are read; a defined name may refer to any of them."""
    if not chart.sources:
        return False
    sheets = {name.casefold() for each in chart.sources for name in _sheets_in(each[:_LONGEST])}
    return all(sheet in known or sheet == "[0]" or sheet.endswith(_ENDINGS) for sheet in sheets)


def _sheets_in(reference: str) -> Iterator[str]:
    """The sheets in a reference: ``Data!$A$1``, ``'My data'!$A$1``, ``[1]Data!$A$1`` of another workbook."""
    for before in reference.split("!")[:-1]:
        if before.endswith("'"):
            name = before[:-1].replace("''", "\0")
            yield name[name.rfind("'") + 1 :].replace("\0", "'")
        else:
            yield before[max(map(before.rfind, "(,=")) + 1 :]


def _bytes(parts: WorkbookParts, place: str) -> bytes:
    name = parts.names.get(place.lower())
    try:
        with parts.archive.open(name or place) as part:
            return part.read(_MOST_BYTES)
    except MemoryError:
        raise
    except Exception:  # zlib.error and similar errors have no common base class
        return b""
