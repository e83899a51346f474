"""Converts the places, the year and the names in a question to row filters for a resource, with notes for the reader.

A city is searched among the values that its column really has, because published cells are padded, joined with hyphens
and spelled in several ways. A city code is compared only with code columns: in such a column 3 means Jerusalem,
elsewhere it is just a number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.language.places import Place
from core.messages import message
from core.tools.datagov.decomposition import AskedData
from core.tools.datagov.places_in_text import cell_names, plain_name
from core.tools.datagov.reading import RowReader
from core.tools.datagov.records import Column, Dataset, Resource
from core.tools.tool import Cell
from core.words import Words


@dataclass
class Narrowed:
    """Row filters. ``notes`` say what was filtered and what could not be; ``missed``: no row has the place;
    ``unmet``: a place or the year of the question could not be a filter."""

    filters: dict[str, list[Cell]] = field(default_factory=dict)
    words: str = ""
    notes: list[Words] = field(default_factory=list)
    missed: bool = False
    unmet: bool = False


async def narrow(
    reader: RowReader, asked: AskedData, dataset: Dataset, resource: Resource, own: frozenset[str]
) -> Narrowed:
    """Filters for a resource. The values of place columns are requested from the portal.

    ``own``: keys of the places that the whole data set covers, which need no filter.

    Raises:
        PalimpsestError: the portal is not available.
    """
    narrowed = Narrowed()
    columns = resource.columns or []
    places = [place for place in asked.places if place.key not in own]
    if places:
        await _to_places(reader, places, resource, columns, narrowed)
    if asked.year is not None and str(asked.year) not in dataset.title:
        _to_year(asked.year, columns, narrowed)
    return narrowed


async def _to_places(
    reader: RowReader, places: list[Place], resource: Resource, columns: list[Column], narrowed: Narrowed
) -> None:
    told = Words.joined([Words.alike(place.names[0]) for place in places], ", ")
    wanted = frozenset(name for place in places for name in cell_names(place))
    for column in (each for each in columns if each.kind == "city"):
        held = await reader.values(resource, column.name)
        fitting: list[Cell] = [value for value in held if value is not None and plain_name(str(value)) in wanted]
        if fitting:
            narrowed.filters[column.name] = fitting
            narrowed.notes.append(message("tools.datagov.in_place", place=told, column=column.name))
            return
    codes = [code for place in places for code in place.codes]
    coded = next((each for each in columns if each.kind == "place_code"), None)
    if coded and codes:
        narrowed.filters[coded.name] = [int(code) if _is_numeric(coded) else code for code in codes]
        narrowed.notes.append(message("tools.datagov.in_place", place=told, column=coded.name))
        return
    if any(each.kind == "city" for each in columns):
        narrowed.missed = True
        return
    if any(each.kind == "address" for each in columns) and len(places) == 1:
        narrowed.words = places[0].names[0]
        narrowed.notes.append(message("tools.datagov.in_words", place=told))
        return
    narrowed.unmet = True
    narrowed.notes.append(message("tools.datagov.no_place_column", place=told))


def _to_year(year: int, columns: list[Column], narrowed: Narrowed) -> None:
    column = next((each for each in columns if each.kind == "year"), None)
    if column is not None:
        narrowed.filters[column.name] = [year if _is_numeric(column) else str(year)]
        narrowed.notes.append(message("tools.datagov.in_year", year=year))
    else:
        narrowed.unmet = True


def _is_numeric(column: Column) -> bool:
    return column.type.startswith(("num", "int", "float"))
