"""Answers a question with rows of open data: finds the data set, filters its rows by place and year, counts them, adds
them up, and explains the result."""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import message
from core.tools.datagov.catalogue import Catalogue, Searchable
from core.tools.datagov.column_kinds import serves
from core.tools.datagov.decomposition import AskedData, decompose
from core.tools.datagov.kept_query import kept_query
from core.tools.datagov.meanings import Meanings
from core.tools.datagov.narrowing import Narrowed, narrow
from core.tools.datagov.reading import MOST_ROWS, RowReader, Rows, Wanted
from core.tools.datagov.records import Resource
from core.tools.datagov.row_keeping import ChosenResource, RowKeeping
from core.tools.datagov.search import Candidate, Found, find
from core.tools.datagov.telling import Answer, category_hint, not_found, tell
from core.tools.datagov.totals import sums_of
from core.tools.tool import Caller, ToolResult

SHOWN = 100
"""Default number of rows in an answer."""
CLOSE = 0.15
"""How much lower than the best a data set may score and still be used instead of it, if its rows are readable and
match."""
CONSIDERED, TRIED = 8, 4
"""Number of data sets to search for, and number of those whose rows are tried."""


class DataAnswers:
    """Answers questions from one portal's catalogue."""

    def __init__(self, catalogue: Catalogue, reader: RowReader, keeping: RowKeeping) -> None:
        self._catalogue = catalogue
        self._reader = reader
        self._keeping = keeping
        self.meanings = Meanings()

    async def search(self, question: str, limit: int) -> tuple[Searchable, AskedData, Found]:
        """The data sets that match the question, without their rows."""
        current = await self._catalogue.current()
        asked = decompose(question)
        deviations = await self.meanings.deviations(question, current.index)
        return current, asked, find(current.index, asked, limit, deviations=deviations)

    async def answer(self, question: str, caller: Caller, limit: int = SHOWN) -> ToolResult:
        """Rows of the best data set; if none matches, suggestions.

        Raises:
            PalimpsestError: the portal is not available.
        """
        caller.report(0.1, message("tools.datagov.choosing").to(caller.language))
        current, asked, found = await self.search(question, CONSIDERED)
        readable = _readable(found.candidates)
        if not readable:
            return not_found(asked, found, current, caller.language)
        caller.report(0.4, message("tools.datagov.reading", title=readable[0].dataset.title).to(caller.language))
        chosen, narrowed = await self._choose(asked, current, readable)
        assert chosen.resource is not None  # only candidates with a resource are tried
        rows = await self._read(asked, chosen.resource, narrowed, limit)
        caller.report(0.7, message("tools.datagov.counting").to(caller.language))
        told = Answer(
            asked=asked,
            found=found,
            chosen=chosen,
            rows=rows,
            sums=sums_of(rows) if asked.counted or asked.added_up else [],
            narrowed=narrowed,
            current=current,
            old=self._catalogue.is_old(current.map),
            hint=category_hint(asked, current) if found.vague else None,
            limit=limit,
        )
        return await self._with_kept(tell(told, caller.language), told, caller)

    async def _with_kept(self, result: ToolResult, told: Answer, caller: Caller) -> ToolResult:
        """The result with the rows of the chosen resource, which are kept for queries."""
        narrowed, resource, dataset = told.narrowed, told.chosen.resource, told.chosen.dataset
        assert resource is not None  # its rows were read
        page = told.current.map.page(dataset)
        chosen = ChosenResource(dataset, resource, page, fits=told.chosen.confidence != "low")
        wanted = Wanted(filters=narrowed.filters, words=narrowed.words)
        kept = await self._keeping.keep(caller, chosen, wanted, told.rows)
        if kept is None:
            return result
        return result.model_copy(update={"kept": [kept.model_copy(update=kept_query(told))]})

    async def _choose(
        self, asked: AskedData, current: Searchable, readable: Sequence[Candidate]
    ) -> tuple[Candidate, Narrowed]:
        """Choose among the data sets that score nearly as well as the best: the first whose rows match the requested
        place and names and that has the requested columns, else the first whose rows match, else the best."""
        names = _names(asked, current)
        tried: list[tuple[Candidate, Narrowed]] = []
        matching: list[tuple[Candidate, Narrowed]] = []
        for each in readable[:TRIED]:
            known = each.model_copy(update={"resource": await self._known(each)})
            narrowed = await self._narrow(asked, current, known)
            tried.append((known, narrowed))
            if not narrowed.missed and (not names or await self._says(known, names, narrowed)):
                matching.append((known, narrowed))
                if not _lacks(known, asked):
                    return known, narrowed
        if matching:
            return matching[0]
        chosen, narrowed = tried[0]
        if names and not narrowed.missed:
            narrowed.notes.append(message("tools.datagov.not_in_rows", words=names))
        return chosen, narrowed

    async def _known(self, chosen: Candidate) -> Resource:
        """The resource with its columns; they are requested from the portal if still unknown."""
        resource = chosen.resource
        assert resource is not None  # _readable selects only candidates with a resource
        if resource.columns is not None:
            return resource
        page = await self._reader.read(resource, Wanted(limit=1))
        return resource.looked_at(page.columns, page.total)

    async def _narrow(self, asked: AskedData, current: Searchable, known: Candidate) -> Narrowed:
        own = next(each.places for each in current.index.datasets if each.dataset.id == known.dataset.id)
        assert known.resource is not None  # _known has selected a resource
        return await narrow(self._reader, asked, known.dataset, known.resource, own)

    async def _says(self, known: Candidate, names: str, narrowed: Narrowed) -> bool:
        """Whether the resource's rows contain ``names``; if so, ``narrowed`` is filtered by them."""
        assert known.resource is not None  # _known has selected a resource
        words = f"{narrowed.words} {names}".strip()
        probe = await self._reader.read(known.resource, Wanted(filters=narrowed.filters, words=words, limit=1))
        if probe.rows:
            narrowed.words = words
            narrowed.notes.append(message("tools.datagov.in_words", place=names))
        return bool(probe.rows)

    async def _read(self, asked: AskedData, resource: Resource, narrowed: Narrowed, limit: int) -> Rows:
        if narrowed.missed:
            return Rows(resource.columns or [], [], 0, complete=True)
        most = MOST_ROWS if asked.counted or asked.added_up else limit
        return await self._reader.read(resource, Wanted(filters=narrowed.filters, words=narrowed.words, limit=most))


def _lacks(known: Candidate, asked: AskedData) -> bool:
    """Whether a resource, whose columns are known, lacks a requested column."""
    columns = known.resource.columns if known.resource else None
    kinds = [column.kind for column in columns or ()]
    return bool(kinds) and not all(serves(kind, kinds) for kind in asked.columns)


def _names(asked: AskedData, current: Searchable) -> str:
    """Words that no data set contains, in a question with other words that some data set contains: they may be names
    ("how many Toyotas")."""
    unheard = [unit.text for unit in asked.subject if unit.weight == 1 and not current.index.holding(unit)]
    unheard = [text for text in unheard if not text.isdecimal()]
    return " ".join(unheard[:2]) if len(unheard) < len(asked.subject) else ""


def _readable(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates with readable rows that score nearly as well as the best."""
    return [
        each
        for each in candidates
        if candidates[0].score - each.score <= CLOSE and each.resource is not None and can_be_read(each.resource)
    ]


def can_be_read(resource: Resource) -> bool:
    return resource.stored or (resource.format == "CSV" and bool(resource.url))
