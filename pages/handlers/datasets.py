"""Datasets: queries over them, changing one part of a query, and the rows behind a result."""

from __future__ import annotations

import asyncio
import base64
from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue

from core.datasets.answers.behind import behind_row
from core.datasets.answers.first_line import line_of
from core.datasets.answers.how import described
from core.datasets.answers.record import data_answer
from core.datasets.query.change import PartChange, changed, part_of
from core.datasets.query.model import DataQuery
from core.datasets.query.result import QueryResult
from core.datasets.records import Dataset
from core.datasets.service import MOST_BEHIND, rows_behind
from core.records.data_answer import MOST_ROWS, ChartKind, DataAnswer
from core.words import Language
from core.workbench import Workbench
from pages.actions import Call, Handlers, Reply, action
from pages.auth import Identity
from viz.charts.writing_direction import isolated_names
from viz.data_form import data_form
from viz.data_result import data_result, data_rows
from viz.files import data_csv
from viz.files.data_workbook import MIME, MOST_DATA, data_workbook
from viz.first_line import whole_figures

QueryText = Annotated[str, Field(min_length=2, max_length=40_000)]
PartPath = Annotated[str, Field(pattern=r"^[a-z]{3,10}(/\d{1,2})?$")]


class OneQuery(Call):
    """A query as JSON text, and the language of the answer that it belongs to."""

    query: QueryText
    language: Language = "en"


class DrawnQuery(OneQuery):
    """A query whose result is drawn; ``chart`` is the kind of chart, ``path`` and ``change`` change a part first."""

    chart: ChartKind | None = None
    path: PartPath | None = None
    change: PartChange | None = None


class OnePart(OneQuery):
    """A part of a query; ``column`` is the column that the user has chosen for it."""

    path: PartPath
    column: str = Field("", max_length=500)


class RowsBehind(OneQuery):
    """Some of the rows behind a result, or behind its row ``point`` (from 0)."""

    point: int | None = Field(None, ge=0, lt=MOST_ROWS)
    offset: int = Field(0, ge=0)
    limit: int = Field(MOST_BEHIND, ge=1, le=500)


class ExportedQuery(OneQuery):
    """A query whose result is exported."""

    format: Literal["csv", "xlsx"] = "csv"


class DataQueryCall(Call):
    """A query over datasets; ``list_datasets`` has their columns."""

    query: DataQuery


class DatasetList(BaseModel):
    """The datasets of a user."""

    datasets: list[Dataset]


class DataDesk(Handlers):
    """Runs queries over the datasets of the signed-in user."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        super().__init__(workbench, identity)
        self._datasets = workbench.datasets

    @action("chat", scope="read")
    async def run_data(self, user_id: str, call: DrawnQuery) -> Reply:
        """Runs a query, after a change of one of its parts, and draws its result."""
        query = DataQuery.model_validate_json(call.query)
        if call.path and call.change:
            query = changed(query, call.path, call.change)
        result = await self._datasets.run(user_id, query)
        answer = await asyncio.to_thread(data_answer, result, call.language)
        html = await asyncio.to_thread(data_result, answer, call.language, call.chart)
        line = line_of(result, answer.title, call.language)
        return {"html": str(html), "line": str(whole_figures(isolated_names(line, call.language)))}

    @action("chat", scope="read")
    async def data_part(self, user_id: str, call: OnePart) -> Reply:
        """Draws the form that changes a part of a query."""
        query = DataQuery.model_validate_json(call.query)
        used = await self._datasets.used_by(user_id, query)
        return {"html": str(data_form(call.path, part_of(query, call.path), used, call.language, call.column))}

    @action("chat", scope="read")
    async def data_behind(self, user_id: str, call: RowsBehind) -> Reply:
        """Draws the rows from which a result was computed."""
        query = DataQuery.model_validate_json(call.query)
        if call.point is not None:
            query = behind_row(await self._datasets.run(user_id, query), call.point)
        query = rows_behind(query, call.limit, call.offset)
        answer = await self._answer(user_id, query, call.language)
        return {"html": str(data_rows(answer, call.language)), "total": answer.used}

    @action("chat", scope="read", noted="exported")
    async def export_data(self, user_id: str, call: ExportedQuery) -> Reply:
        """Exports the result of a query as CSV, or as a workbook with the data and formulas over them."""
        result = await self._datasets.run(user_id, DataQuery.model_validate_json(call.query))
        if call.format == "csv":
            text = await asyncio.to_thread(data_csv.result_csv, result, call.language)
            return {"name": "result.csv", "type": data_csv.MIME, "text": text}
        data = await self._datasets.rows(user_id, result.datasets[0].id, MOST_DATA)
        title = "".join(part.text for part in described(result.query, result.datasets, call.language))
        content = await asyncio.to_thread(data_workbook, result, data.frame, title, call.language)
        return {"name": "result.xlsx", "type": MIME, "base64": base64.b64encode(content).decode()}

    @action(endpoint="list_datasets", scope="read")
    async def list_datasets(self, user_id: str, call: Call) -> Reply:
        """The user's datasets with their columns: type, unit, sample values, smallest and largest value."""
        return DatasetList(datasets=await self._datasets.known(user_id)).model_dump(mode="json")

    @action(endpoint="query_dataset", parameters=("query",), scope="read")
    async def query_dataset(self, user_id: str, call: DataQueryCall) -> Reply:
        """Run a query over datasets: filters, groups, measures, joins. Amounts in different units or currencies get a
        row each; they are never added."""
        answer = await self._answer(user_id, call.query, call.ui)
        reply: dict[str, JsonValue] = answer.model_dump(mode="json")
        return reply

    async def _answer(self, user_id: str, query: DataQuery, language: Language) -> DataAnswer:
        result: QueryResult = await self._datasets.run(user_id, query)
        return await asyncio.to_thread(data_answer, result, language)
