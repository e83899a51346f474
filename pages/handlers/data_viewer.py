"""The data viewer: a dataset page by page, the summary of a column, and corrections of its name and type."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import BaseModel, Field

from core.datasets.answers.values import cells
from core.datasets.query.model import Condition, DataQuery, Group, Measure, Order
from core.datasets.query.result import QueryResult
from core.datasets.records import ROW, ColumnType, Dataset
from core.datasets.rows.row_hits import holding
from core.errors import fail
from core.workbench import Workbench
from pages.actions import Call, Handlers, Id, Reply, action
from pages.auth import Identity
from viz.data_viewer import Frequent, Shown, data_column, data_page, data_viewer

PAGE = 100
"""Number of rows of a page."""
FREQUENT = 8
"""Number of the most frequent values in the summary of a column."""
Key = Annotated[str, Field(pattern=r"^c\d{1,5}$")]


class OneDataset(Call):
    """A dataset, by its id."""

    dataset: Id


class RowsShown(OneDataset):
    """Which rows of a dataset are shown: those with all ``words`` in their texts and under all conditions of
    ``filters``, sorted by the column ``sort`` (by default as in the sheet), from ``offset``, or on the page with the
    row ``row`` of the sheet."""

    words: str = Field("", max_length=200)
    filters: list[Condition] = Field(default=[], max_length=20)
    sort: Key | None = None
    descending: bool = False
    offset: int = Field(0, ge=0)
    row: int | None = Field(None, ge=1)


class OneColumn(OneDataset):
    """A column of a dataset; ``list_datasets`` has its key."""

    key: Key


class ColumnCorrection(OneColumn):
    """A correction of a column: its ``name``, its ``type``, or both."""

    name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    type: ColumnType | None = None


class Drawn(BaseModel):
    """A part of the page, as HTML."""

    html: str


class CorrectedDataset(BaseModel):
    """A dataset after the correction of a column."""

    dataset: Dataset


class DataViewer(Handlers):
    """Shows the rows and columns of datasets, and corrects columns."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        super().__init__(workbench, identity)
        self._datasets = workbench.datasets

    @action("library", scope="read")
    async def data_view(self, user_id: str, call: RowsShown) -> Reply:
        """Draws the viewer of a dataset with a page of its rows."""
        dataset = await self._dataset(user_id, call.dataset)
        document = await self._workbench.library.get(user_id, dataset.document_id)
        others = await self._datasets.known(user_id, [dataset.document_id])
        page = await self._page(user_id, dataset, call)
        html = await asyncio.to_thread(data_viewer, dataset, document.metadata.title, others, page, call.ui)
        return Drawn(html=str(html)).model_dump()

    @action("library", scope="read")
    async def data_page(self, user_id: str, call: RowsShown) -> Reply:
        """Draws a page of the rows of a dataset."""
        page = await self._page(user_id, await self._dataset(user_id, call.dataset), call)
        return Drawn(html=str(await asyncio.to_thread(data_page, page, call.ui))).model_dump()

    @action("library", scope="read")
    async def data_column(self, user_id: str, call: OneColumn) -> Reply:
        """Draws the summary of a column: type, unit, blank cells, range and most frequent values."""
        dataset = await self._dataset(user_id, call.dataset)
        column = next((each for each in dataset.columns if each.key == call.key), None)
        if column is None:
            names = ", ".join(each.name for each in dataset.columns)
            raise fail("not_found", "datasets.no_column", name=call.key, columns=names)
        document = await self._workbench.library.get(user_id, dataset.document_id)
        found = await self._datasets.run(user_id, _frequent(call))
        frequent = [Frequent(row[0], int(str(row[-1]))) for row in cells(found.frame, FREQUENT)]
        is_own = document.user_id == user_id
        html = await asyncio.to_thread(data_column, dataset, column, frequent, call.ui, is_own=is_own)
        return Drawn(html=str(html)).model_dump()

    @action("library", endpoint="correct_dataset_column", parameters=("dataset", "key", "name", "type"))
    async def correct_data_column(self, user_id: str, call: ColumnCorrection) -> Reply:
        """Correct the name or the type of a dataset's column. The file itself is not changed, and the correction is
        kept when the document is read again."""
        dataset = await self._datasets.correct_column(user_id, call.dataset, call.key, name=call.name, type=call.type)
        return CorrectedDataset(dataset=dataset).model_dump(mode="json")

    @action("library", endpoint="restore_dataset_column", parameters=("dataset", "key"))
    async def restore_data_column(self, user_id: str, call: OneColumn) -> Reply:
        """Remove the corrections of a dataset's column: it is again as read from the file."""
        dataset = await self._datasets.restore_column(user_id, call.dataset, call.key)
        return CorrectedDataset(dataset=dataset).model_dump(mode="json")

    async def _dataset(self, user_id: str, identifier: str) -> Dataset:
        """A dataset of the library, of an attachment, or of rows that were fetched for a conversation."""
        (dataset,) = await self._datasets.used_by(user_id, DataQuery(dataset=identifier))
        return dataset

    async def _page(self, user_id: str, dataset: Dataset, call: RowsShown) -> Shown:
        if call.row is not None:
            before = await self._datasets.run(user_id, _rows_before(dataset, call.row))
            call = call.model_copy(update={"offset": before.rows_used // PAGE * PAGE})
        result: QueryResult = await self._datasets.run(user_id, _page_query(dataset, call))
        return Shown(dataset, result, PAGE, call.offset, call.sort, call.descending, tuple(call.filters))


def _page_query(dataset: Dataset, call: RowsShown) -> DataQuery:
    """The query for the rows of a page, with their numbers in the sheet."""
    return DataQuery(
        dataset=dataset.id,
        columns=[ROW, *(column.key for column in dataset.columns)],
        where=[*call.filters, *holding(dataset, call.words)],
        order=[Order(by=call.sort or ROW, descending=call.descending)],
        limit=PAGE,
        offset=call.offset,
    )


def _rows_before(dataset: Dataset, row: int) -> DataQuery:
    """The query for the rows of the sheet above ``row``."""
    return DataQuery(dataset=dataset.id, columns=[ROW], where=[Condition(column=ROW, op="<", value=row)], limit=1)


def _frequent(call: OneColumn) -> DataQuery:
    """The query for the most frequent values of a column."""
    return DataQuery(
        dataset=call.dataset,
        where=[Condition(column=call.key, op="is not empty")],
        group=[Group(column=call.key)],
        measures=[Measure(function="count", name="count")],
        order=[Order(by="count", descending=True)],
        limit=FREQUENT,
    )
