"""Pages of the web in the Library: read one, and read it again."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pages.actions import Call, Handlers, OneDocument, Reply, action, alias
from pages.document_row import row


class PageAddress(Call):
    """The address of a page as people write it, with or without its scheme."""

    address: Annotated[str, alias("address", "url")] = Field(max_length=2_000)


class WebPageShelf(Handlers):
    """What the script of the Library may call."""

    @action("library", endpoint="add_page")
    async def add_page(self, user_id: str, call: PageAddress) -> Reply:
        """Read a page of the web into the library, its main text, or the PDF that is there; one that was added before
        is read again."""
        added = await self._workbench.web_pages.add(user_id, call.address)
        submission = added.submission
        return {
            "status": submission.status,
            "updated": added.updated,
            "document": row(submission.document, call.ui),
        }

    @action("library", endpoint="update_page")
    async def update_page(self, user_id: str, call: OneDocument) -> Reply:
        """Read the page of a document again: what it says now takes the place of the document."""
        submission = (await self._workbench.web_pages.update(user_id, call.id)).submission
        return {"status": submission.status, "updated": True, "document": row(submission.document, call.ui)}
