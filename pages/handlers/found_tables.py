"""Rows that a tool found for an answer: kept as a document of the library."""

from __future__ import annotations

import asyncio

from pydantic import Field

from core.errors import fail
from core.workbench import Workbench
from pages.actions import Call, Id, Reply, action
from pages.document_row import row
from pages.run_view import RunView
from pages.uploads import written
from viz.files.spreadsheet import spreadsheet
from viz.found_table import table_of

LONGEST_NAME = 80
"""Characters of a source's title that become the document's name."""


class CitedTable(Call):
    """The run, and the number of the citation."""

    run_id: Id
    number: int = Field(ge=1)


class FoundTables:
    """What the script of the evidence may call."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    @action("chat", endpoint="keep_found_table")
    async def keep_found_table(self, user_id: str, call: CitedTable) -> Reply:
        """Put the rows that a tool found into the library, as a document that is read like every other."""
        await self._workbench.run(user_id, call.run_id)
        view = RunView.of(call.run_id, "", await self._workbench.ledger.entries(user_id, call.run_id))
        source = next((each for each in view.sources if each.number == call.number), None)
        table = table_of(source) if source else None
        if source is None or table is None:
            raise fail("not_found", "pages.found_tables.none")
        content = await asyncio.to_thread(spreadsheet, table, "csv")
        path = await asyncio.to_thread(written, user_id, "found.csv", content, self._workbench.settings)
        name = f"{source.title[:LONGEST_NAME]}.csv"
        submission = await self._workbench.library.submit(user_id, path, name, choice="keep_both")
        return {"status": submission.status, "document": row(submission.document, call.ui)}
