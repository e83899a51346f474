"""Web pages in the Library: add a page, or read it again."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pages.actions import Call, Handlers, OneDocument, Reply, action, alias
from pages.document_row import row


class PageAddress(Call):
    """A page's address, with or without a scheme such as https."""

    address: Annotated[str, alias("address", "url")] = Field(max_length=2_000)


class WebPageShelf(Handlers):
    """Actions that the Library's script can call."""

    @action("library", endpoint="add_page")
    async def add_page(self, user_id: str, call: PageAddress) -> Reply:
        """Add the main text of a web page, or a PDF at the address, to the library. If it was added before, it is read
        again."""
        added = await self._workbench.web_pages.add(user_id, call.address)
        submission = added.submission
        return {
            "status": submission.status,
            "updated": added.updated,
            "document": row(submission.document, call.ui),
        }

    @action("library", endpoint="update_page")
    async def update_page(self, user_id: str, call: OneDocument) -> Reply:
        """Read the web page of a document again. The new content replaces the document."""
        submission = (await self._workbench.web_pages.update(user_id, call.id)).submission
        return {"status": submission.status, "updated": True, "document": row(submission.document, call.ui)}
