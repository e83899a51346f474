"""Lets a model query datasets: without a query it lists them, with one it returns the result with its citation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, JsonValue, ValidationError

from core.datasets.answers.evidence import passage_of
from core.datasets.answers.first_line import line_of, remarks_of, table_of
from core.datasets.answers.how import described
from core.datasets.answers.record import data_answer
from core.datasets.fetched.rows import fetched_documents
from core.datasets.query.model import DataQuery
from core.datasets.query.result import QueryResult
from core.datasets.records import Dataset
from core.datasets.service import Datasets
from core.datasets.tools.schemas import schema_of
from core.errors import fail
from core.events import Source
from core.language.normalisation import fold
from core.library.library import Library
from core.tools.definition_files import definition_of
from core.tools.tool import Caller, RunTool, Tool, ToolResult

MOST_LISTED = 12
"""Maximum number of datasets that are listed with their columns."""


class QueryDataCall(BaseModel):
    """The arguments of ``query_data``; their descriptions are in the tool's definition."""

    query: dict[str, JsonValue] | None = None
    search: str = ""


class QueryingData:
    """The tool ``query_data``."""

    def __init__(self, library: Library, datasets: Datasets) -> None:
        self._library, self._datasets = library, datasets

    async def call(self, asked: QueryDataCall, caller: Caller) -> ToolResult:
        """The result of the query; without a query the datasets with their columns.

        Raises:
            PalimpsestError: the query cannot be used ("validation"); the error says what to change.
        """
        documents = await self._library.find(caller.user_id, conversation_id=caller.conversation_id)
        documents += await fetched_documents(self._library, caller.user_id, caller.conversation_id)
        known = await self._datasets.known(caller.user_id, [document.id for document in documents])
        if not asked.query:
            return _listed(known, {each.id: each.metadata.title for each in documents}, asked.search)
        try:
            query = DataQuery.model_validate(asked.query)
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:6])
            raise fail("validation", "datasets.query", why=problems) from error
        result = await self._datasets.run(caller.user_id, query)
        titles = {document.id: (document.metadata.title, document.filename) for document in documents}
        return _answered(result, caller, titles)


def query_tool(library: Library, datasets: Datasets) -> Tool:
    """Returns ``query_data`` over the datasets of ``library``."""
    return RunTool(definition_of("query_data"), QueryDataCall, QueryingData(library, datasets).call)


def _listed(known: Sequence[Dataset], titles: Mapping[str, str], search: str) -> ToolResult:
    words = fold(search).split()
    schemas = {each.id: schema_of(each, titles) for each in known}
    chosen = [each for each in known if all(word in fold(schemas[each.id]) for word in words)]
    if not chosen:
        text = definition_of("query_data").messages.none_found.en
        return ToolResult(text=text, found=False)
    parts = [schemas[dataset.id] for dataset in chosen[:MOST_LISTED]]
    left = [dataset.name for dataset in chosen[MOST_LISTED:]]
    if left:
        parts.append(f"More datasets, without their columns: {', '.join(left[:100])}. Give search words to see them.")
    return ToolResult(text="\n\n".join(parts), parts=parts)


def _answered(result: QueryResult, caller: Caller, titles: dict[str, tuple[str, str]]) -> ToolResult:
    how = "".join(part.text for part in described(result.query, result.datasets, caller.language))
    dataset = result.datasets[0]
    title, filename = titles.get(dataset.document_id, (dataset.name, ""))
    source = Source(
        number=1, document_id=dataset.document_id, title=title, filename=filename, score=1.0,
        passages=[passage_of(result, caller.language)], data=data_answer(result, caller.language),
    )  # fmt: skip
    number = caller.evidence.cite(source)[0][0]
    parts = [line_of(result, how, caller.language), table_of(result, caller.language)]
    parts += [*remarks_of(result, caller.language), f"Used {result.rows_used} of {result.rows_total} rows."]
    text = "\n\n".join(filter(None, parts))
    return ToolResult(text=f"[{number}] {text}", parts=[f"[{number}] {text}"], cited=True)
