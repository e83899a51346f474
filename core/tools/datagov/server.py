"""Offers open data as tools: answer a question with rows, find data sets, show one, read its rows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field, JsonValue, RootModel

from core.clock import Clock
from core.errors import fail
from core.memory.items.sourced import TakenIn
from core.memory.memory import Memory
from core.messages import message
from core.models.embeddings import Embeddings
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.settings import Settings
from core.tools.datagov.answers import SHOWN, DataAnswers
from core.tools.datagov.build import Progress, silent
from core.tools.datagov.catalogue import Catalogue, CatalogueState
from core.tools.datagov.ckan import Package, entry_of
from core.tools.datagov.ingestion import SOURCE, ingest
from core.tools.datagov.listings import dataset_shown, listed, rows_told, sets_found
from core.tools.datagov.map_files import MapFiles
from core.tools.datagov.portal import PAUSES, Portal, Sleep
from core.tools.datagov.reading import RowReader, Wanted
from core.tools.datagov.records import Dataset, Resource
from core.tools.datagov.row_keeping import ChosenResource, RowKeeping
from core.tools.datagov.telling import category_hint
from core.tools.definition_files import definition_of
from core.tools.tool import Caller, Cell, RunTool, Tool, ToolResult

FOLDER = "datagov"
"""Name of the map's folder in the data directory."""


class _Question(BaseModel):
    question: str = Field(min_length=1)
    limit: int = SHOWN


class _Search(BaseModel):
    query: str = Field(min_length=1)
    limit: int = 5


class _Dataset(BaseModel):
    dataset: str


class _Rows(BaseModel):
    resource: str
    filters: dict[str, Cell | list[Cell]] = {}
    words: str = ""
    columns: list[str] = []
    limit: int = SHOWN
    offset: int = 0
    sort: str = ""


class _Listing(BaseModel):
    kind: Literal["organizations", "groups", "tags", "categories"] = "organizations"


class _Answered(RootModel[list[JsonValue]]):
    pass


class DatagovServer:
    """Offers the open data tools, unless open data is switched off. The portal is only called when a tool is called."""

    name = "datagov"

    def __init__(self, settings: Settings, clock: Clock, sleep: Sleep = asyncio.sleep) -> None:
        chosen, seconds = settings.datagov, settings.deadlines.datagov
        breaker = CircuitBreaker.of(settings.breakers)
        attempts = len(PAUSES) + 1
        dependency = Dependency("The portal of open data", seconds * attempts + sum(PAUSES) * 10 + 0.5, breaker)
        self._portal = Portal(chosen.url, seconds, dependency, sleep)
        self.catalogue = Catalogue(self._portal, MapFiles(settings.folder / FOLDER), clock, chosen.map_days)
        self._reader = RowReader(self._portal)
        self.keeping = RowKeeping(self._reader, chosen.url, clock)
        self._answers = DataAnswers(self.catalogue, self._reader, self.keeping)
        self._chosen = chosen
        self._tools: list[Tool] = [
            RunTool(definition_of("datagov_query"), _Question, self._query),
            RunTool(definition_of("datagov_search"), _Search, self._search),
            RunTool(definition_of("datagov_dataset"), _Dataset, self._dataset),
            RunTool(definition_of("datagov_rows"), _Rows, self._rows),
            RunTool(definition_of("datagov_list"), _Listing, self._list),
        ]

    def tools(self) -> Sequence[Tool]:
        return self._tools if self._chosen.enabled else []

    async def start(self) -> None:
        """Load the map, also while open data is switched off, because it may be switched on later."""
        await self.catalogue.start()

    def compare_by(self, embeddings: Embeddings | None) -> None:
        """Compares questions with data sets by these embeddings too, not only by words."""
        self._answers.meanings.embeddings = embeddings

    async def stop(self) -> None:
        await self._answers.meanings.stop()
        await self.catalogue.stop()

    async def ingest(self, memory: Memory, user_id: str) -> TakenIn:
        """Import the whole catalogue into a user's memory and graph; a repeated import writes only changes.

        Raises:
            PalimpsestError: there is no map, and the portal is not available; or open data is switched off.
        """
        self.demand_enabled()
        return await ingest(self.catalogue, memory, user_id)

    async def forget(self, memory: Memory, user_id: str) -> int:
        """Remove the imported catalogue from a user's memory and graph; returns how many data sets were removed."""
        return await memory.forget_source(user_id, SOURCE)

    async def taken_in(self, memory: Memory, user_id: str) -> int:
        """How many data sets have been imported into a user's memory and graph."""
        return await memory.inspection.of_source(user_id, SOURCE)

    async def build(self, progress: Progress = silent) -> CatalogueState:
        """Rebuild the catalogue's map, as ``palimpsest datagov build`` does.

        Raises:
            PalimpsestError: the portal is not available, and the old map is kept; or open data is switched off.
        """
        self.demand_enabled()
        return await self.catalogue.build(progress)

    def demand_enabled(self) -> None:
        """Raises ``PalimpsestError`` while open data is switched off."""
        if not self._chosen.enabled:
            raise fail("validation", "tools.datagov.switched_off")

    async def _query(self, asked: _Question, caller: Caller) -> ToolResult:
        return await self._answers.answer(asked.question, caller, asked.limit)

    async def _search(self, given: _Search, caller: Caller) -> ToolResult:
        current, asked, found = await self._answers.search(given.query, given.limit)
        hint = category_hint(asked, current) if found.vague else None
        return sets_found(found, current, hint, caller.language)

    async def _dataset(self, asked: _Dataset, caller: Caller) -> ToolResult:
        """The data set as it is on the portal now, with the columns from the map."""
        wanted = asked.dataset.rstrip("/").rpartition("/")[2]
        current = await self.catalogue.current()
        known = current.map.find(wanted)
        package = await self._portal.action("package_show", Package, id=known.id if known else wanted)
        return dataset_shown(_with_columns(package.record(), known), current.map, caller.language)

    async def _rows(self, asked: _Rows, caller: Caller) -> ToolResult:
        current = await self.catalogue.current()
        dataset = current.map.find(asked.resource)
        resource = _resource(dataset, asked.resource)
        if dataset is None or resource is None:
            raise fail("not_found", "tools.datagov.no_such_resource", detail=asked.resource)
        wanted = Wanted(
            filters={name: value if isinstance(value, list) else [value] for name, value in asked.filters.items()},
            words=asked.words,
            columns=asked.columns,
            limit=asked.limit,
            offset=asked.offset,
            sort=asked.sort,
        )
        rows = await self._reader.read(resource, wanted)
        told = rows_told(dataset, resource, rows, asked.offset, current.map, caller.language)
        chosen = ChosenResource(dataset, resource, current.map.page(dataset))
        kept = await self.keeping.keep(caller, chosen, wanted, rows)
        return told.model_copy(update={"kept": [kept]}) if kept else told

    async def _list(self, asked: _Listing, caller: Caller) -> ToolResult:
        title = message(f"tools.datagov.lists.{asked.kind}").to(caller.language)
        if asked.kind == "categories":
            current = await self.catalogue.current()
            entries = [(each, len(sets)) for each, sets in current.index.categories.items() if each]
            return listed(title, [(name, name, count) for name, count in entries], caller.language)
        action = {"organizations": "organization_list", "groups": "group_list", "tags": "tag_list"}[asked.kind]
        answered = await self._portal.action(action, _Answered, all_fields=None if asked.kind == "tags" else True)
        return listed(title, list(map(entry_of, answered.root)), caller.language)


def _resource(dataset: Dataset | None, identifier: str) -> Resource | None:
    """The resource with this id; for a data set's id, its first resource whose rows can be queried."""
    if dataset is None:
        return None
    named = next((each for each in dataset.resources if each.id == identifier), None)
    return (
        named or next((each for each in dataset.resources if each.stored), None) or next(iter(dataset.resources), None)
    )


def _with_columns(fresh: Dataset, known: Dataset | None) -> Dataset:
    before = {each.id: each for each in known.resources} if known else {}

    def filled(one: Resource) -> Resource:
        seen = before.get(one.id)
        return one.looked_at(seen.columns, seen.rows) if seen else one

    return fresh.with_resources(filled)
