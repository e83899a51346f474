"""The Library tab: upload files, follow their reading progress, view, delete and restore them."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from core.errors import fail
from core.library.records import Choice, CorrectedField, WebOrigin
from core.reading_settings import Encoding, ReadingOptions
from core.search.documents.records import FoundIn
from pages.actions import (
    Blank,
    Call,
    Handlers,
    Id,
    OneDocument,
    ProgramCall,
    Reply,
    Search,
    Tool,
    UploadPath,
    action,
    alias,
)
from pages.answer_given import Trouble
from pages.document_row import row, unpacked_reply
from pages.run_view import RunView
from viz.document import detail
from viz.files.spreadsheet import spreadsheet
from viz.found_table import table_of
from viz.knowledge.contradictions import by_figure, contradictions_section

LONGEST_NAME = 80
"""Maximum length, in characters, of a document name made from a source's title."""
MOST_SHOWN = 200
"""Maximum number of passages shown for a document that is a table of records."""
FEW = 50
"""Number of documents returned if a program does not request a number."""
LIST = (
    "List the documents in the library, newest first. With `search`, list only those whose title, filename, "
    "organisation, period, author or keywords contain its words. `company`, `period` and `kind` narrow the list, which "
    "is then sorted by the end of the period covered."
)
ADD = (
    "Add a document to the library: `name` with its file extension (.md, .txt, .csv, .html, .pdf, .docx, .xlsx), and "
    "its content as `text` or, for binary formats, as `base64`. It is read in the background; questions wait until it "
    "is ready."
)


MOST_SHOWN = 1_000
"""Maximum number of passages listed in a document's details."""


class Uploaded(Call):
    """``path``: where the interface stored the uploaded file. Paths outside the server's upload folder are refused."""

    path: Annotated[UploadPath, alias("file", "path")]
    name: str = Field(max_length=500)
    choice: Choice = "ask"


class Correction(OneDocument):
    """A correction of a document's metadata. ``value`` is as the user wrote it; several organisations or periods are
    separated by ";"."""

    field: CorrectedField
    value: str = Field(max_length=2_000)


class AnotherReading(OneDocument):
    """Options for reading a document again: with or without its hidden parts, and the encoding of a text file."""

    hidden: bool = False
    encoding: Encoding = ""


class Listing(Search, ProgramCall):
    """Which documents to list: of a company, a period ("2023" includes its quarters) and a kind. ``limit``: their
    maximum number; if not given, all for a page and ``FEW`` for a program."""

    limit: Annotated[int | None, Blank] = Field(None, ge=1, le=1_000)
    company: str = Field("", max_length=200)
    period: str = Field("", max_length=100)
    kind: str = Field("", max_length=100)


class Given(Call):
    """A document by its content: ``text``, or ``base64`` for binary formats."""

    name: str = Field(min_length=1, max_length=500)
    text: str | None = None
    base64: str | None = None
    choice: Choice = "ask"


class CitedTable(Call):
    """A table that a tool found: the run, and the number of its citation."""

    run_id: Id
    number: int = Field(ge=1)


class DocumentListed(BaseModel):
    """A document in the list. ``chunks``: its number of passages; ``searchable``: how many of them keyword search can
    find; ``embedded``: how many semantic search can find too. ``state``: whether the document is still being read.
    ``owner``: the group member who shares it; ``group``: the group it is shared with. ``origin``: for a web page,
    its address and when it was read.
    """

    id: str
    title: str
    filename: str
    kind: str
    organisations: list[str]
    periods: list[str]
    date: str | None = None
    language: str
    pages: int | None = None
    state: str
    owner: str | None = None
    group: str | None = None
    chunks: int
    searchable: int
    embedded: int
    added_at: float
    origin: WebOrigin | None = None


class DocumentsListed(BaseModel):
    """The first documents of the library; ``total`` is the number of all."""

    documents: list[DocumentListed]
    total: int


class LeftOutFile(BaseModel):
    """A file of an archive that was not added, and the reason."""

    name: str
    problem: Trouble


class DocumentAdded(BaseModel):
    """The result of adding a document. ``duplicate``: the same file already exists. ``namesake``: another document has
    this name; add the file again with ``choice`` replace or keep_both. ``unpacked``: the file is an archive;
    ``documents`` are its files that were added, ``known`` those that already existed, ``left_out`` those that were
    refused.
    """

    status: str
    document: DocumentListed | None = None
    documents: list[DocumentListed] = []
    known: list[DocumentListed] = []
    left_out: list[LeftOutFile] = []


class Shelf(Handlers):
    """Actions that the script of the Library tab can call."""

    @action(
        "library",
        "frame",
        endpoint="list_documents",
        part="documents",
        tool=Tool("list_documents", DocumentsListed, LIST, reads=True),
    )
    async def documents(self, user_id: str, call: Listing) -> Reply:
        """The documents of the library."""
        found = await self._workbench.library.find(user_id, call.search)
        if call.company or call.period or call.kind:
            found = self._workbench.tools.narrowed(found, call.company, call.period, call.kind)
        standing = await self._workbench.progress.of(await self._workbench.library.busy(user_id))
        most = call.limit or (FEW if call.program else len(found))
        pairs = await self._workbench.contradictions.of_user(user_id)
        differing = Counter(cell.document_id for pair in pairs for cell in (pair.first, pair.second))
        return {
            "documents": [
                {
                    **row(document, call.ui, standing.get(document.id), reader=user_id),
                    "differing": differing[document.id],
                }
                for document in found[:most]
            ],
            "contradictions": len(by_figure(pairs)),
            "contradictions_html": str(contradictions_section(pairs, call.ui)),
            "total": len(found),
            "group": self._workbench.accounts.group_of(user_id),
            "reads_web": self._workbench.web_pages.offered,
            "most_bytes": self._workbench.settings.limits.file_bytes,
            "most_table_bytes": self._workbench.settings.limits.table_file_bytes,
        }

    @action("library", endpoint="find_text", scope="read")
    async def find_text(self, user_id: str, call: Search) -> Reply:
        """Search words in all documents. Returns each document's best matches, with the words highlighted."""
        found = await self._workbench.retrieval.text.find(user_id, call.search)
        return {"found": [_found_reply(each) for each in found]}

    @action("library", endpoint="upload_document", several=("library",))
    async def submit(self, user_id: str, call: Uploaded) -> Reply:
        """Add an uploaded file to the library. Each file of an archive becomes a document."""
        path = self._workbench.uploads.received(user_id, call.path)
        try:
            reply = await self._taken_in(user_id, path, call)
        except BaseException:
            await asyncio.to_thread(path.unlink, missing_ok=True)
            raise
        if reply["status"] != "namesake":  # keep it: the page submits it again, with the user's choice
            await asyncio.to_thread(path.unlink, missing_ok=True)
        return reply

    async def _taken_in(self, user_id: str, path: Path, call: Uploaded | Given) -> Reply:
        """The result for a file, or for each document in it if it is an archive."""
        library = self._workbench.library
        unpacked = await library.unpack(user_id, path, call.name, choice=call.choice)
        if unpacked is not None:
            return unpacked_reply(unpacked, call.ui)
        submission = await library.submit(user_id, path, call.name, choice=call.choice)
        return {"status": submission.status, "document": row(submission.document, call.ui)}

    @action(endpoint="add_document", tool=Tool("add_document", DocumentAdded, ADD, repeatable=True))
    async def add(self, user_id: str, call: Given) -> Reply:
        """Add a document to the library from a text or from base64 content, without a file upload."""
        content = await asyncio.to_thread(_content, call)
        path = await asyncio.to_thread(self._workbench.uploads.written, user_id, "given", content)
        try:
            return await self._taken_in(user_id, path, call)
        finally:
            await asyncio.to_thread(path.unlink, missing_ok=True)

    @action("chat", endpoint="keep_found_table")
    async def keep_found_table(self, user_id: str, call: CitedTable) -> Reply:
        """Save rows that a tool found for an answer as a document in the library."""
        await self._workbench.run(user_id, call.run_id)
        view = RunView.of(call.run_id, "", await self._workbench.ledger.entries(user_id, call.run_id))
        source = next((each for each in view.sources if each.number == call.number), None)
        table = table_of(source) if source else None
        if source is None or table is None:
            raise fail("not_found", "pages.found_tables.none")
        content = await asyncio.to_thread(spreadsheet, table, "csv")
        path = await asyncio.to_thread(self._workbench.uploads.written, user_id, "found.csv", content)
        name = f"{source.title[:LONGEST_NAME]}.csv"
        submission = await self._workbench.library.submit(user_id, path, name, choice="keep_both", move=True)
        return {"status": submission.status, "document": row(submission.document, call.ui)}

    @action("library", endpoint="discard_upload", noted="deleted")
    async def discard(self, user_id: str, call: Uploaded) -> Reply:
        """Delete an uploaded file that is no longer needed. Documents in the library are not affected."""
        await asyncio.to_thread(self._workbench.uploads.received(user_id, call.path).unlink, missing_ok=True)
        return {}

    @action("chat", "library", "knowledge", "settings", endpoint="load_samples", part="documents")
    async def load_samples(self, user_id: str, call: Call) -> Reply:
        """Add the sample documents to the library."""
        submissions = await self._workbench.load_samples(user_id)
        return {"documents": [row(submission.document, call.ui) for submission in submissions]}

    @action("library", endpoint="cancel_document")
    async def cancel(self, user_id: str, call: OneDocument) -> Reply:
        """Stop reading a document."""
        await self._workbench.library.cancel(user_id, call.id)
        return {}

    @action("library", "frame", endpoint="retry_document")
    async def retry(self, user_id: str, call: OneDocument) -> Reply:
        """Read a failed or cancelled document again."""
        return {"document": row(await self._workbench.library.retry(user_id, call.id), call.ui)}

    @action("frame", endpoint="list_unseen_failures", part="documents", scope="read")
    async def unseen_failures(self, user_id: str, call: Call) -> Reply:
        """Files of the library that could not be read, if the user has not been shown that yet."""
        failed = await self._workbench.library.unseen_failures(user_id)
        return {"documents": [row(each, call.ui) for each in failed]}

    @action("library", "frame", endpoint="note_failures_seen")
    async def note_failures_seen(self, user_id: str, call: Call) -> Reply:
        """Record that the user was shown which files could not be read, so that they are not reported again."""
        await self._workbench.library.note_failures_seen(user_id)
        return {}

    @action("library", "frame", endpoint="delete_document", several=("library",), noted="deleted")
    async def remove(self, user_id: str, call: OneDocument) -> Reply:
        """Delete a document. For a limited time, ``undo_remove`` restores it."""
        await self._workbench.library.delete(user_id, call.id)
        return {"deleted": call.id}

    @action("library", endpoint="undelete_document", several=("library",), noted="restored")
    async def undo_remove(self, user_id: str, call: OneDocument) -> Reply:
        """Restore a deleted document."""
        return {"document": row(await self._workbench.library.undelete(user_id, call.id), call.ui)}

    @action("library", endpoint="share_document", several=("library",), noted="changed")
    async def share(self, user_id: str, call: OneDocument) -> Reply:
        """Share a document with the members of the caller's group. They can read it; only the owner can change it."""
        return {"document": row(await self._workbench.sharing.share(user_id, call.id), call.ui)}

    @action("library", endpoint="take_back_document", several=("library",), noted="changed")
    async def take_back(self, user_id: str, call: OneDocument) -> Reply:
        """Stop sharing a document."""
        return {"document": row(await self._workbench.sharing.take_back(user_id, call.id), call.ui)}

    @action(endpoint="get_document", scope="read")
    async def get_document(self, user_id: str, call: OneDocument) -> Reply:
        """One document, with its reading progress."""
        document = await self._workbench.library.get(user_id, call.id)
        standing = await self._workbench.progress.of(await self._workbench.library.busy(user_id))
        return {"document": row(document, call.ui, standing.get(document.id), reader=user_id)}

    @action("library", scope="read")
    async def document_detail(self, user_id: str, call: OneDocument) -> Reply:
        """Metadata, outline and passages of one document."""
        library = self._workbench.library
        document = await library.get(user_id, call.id)
        chunks = await library.chunks(user_id, call.id, MOST_SHOWN if document.without_vectors else document.chunks)
        outline = await library.outline(user_id, call.id)
        readable = self._workbench.sections.offered and self._workbench.books.configured
        datasets = await self._workbench.datasets.known(user_id, [call.id])
        pairs = await self._workbench.contradictions.of_documents(user_id, [call.id])
        drawn = partial(
            detail, document, chunks, outline, call.ui, sections=readable, reader=user_id, datasets=datasets,
            differing=pairs,
        )  # fmt: skip
        return {"html": str(await asyncio.to_thread(drawn))}

    @action("library", endpoint="correct_document")
    async def correct(self, user_id: str, call: Correction) -> Reply:
        """Correct a document's metadata. Separate several organisations or periods with ";"; an empty value removes the
        entry."""
        return {
            "document": row(await self._workbench.library.correct(user_id, call.id, call.field, call.value), call.ui)
        }

    @action("library", endpoint="read_again")
    async def read_again(self, user_id: str, call: AnotherReading) -> Reply:
        """Read a document's file again, including its hidden parts or in another encoding."""
        options = ReadingOptions(hidden=call.hidden, encoding=call.encoding)
        return {"document": row(await self._workbench.library.read_again(user_id, call.id, options), call.ui)}


def _content(given: Given) -> bytes:
    """The document's bytes. Raises ``PalimpsestError`` if nothing is given, ``ValueError`` for invalid base64."""
    if given.text is not None:
        return given.text.encode()
    if given.base64 is None:
        raise fail("validation", "pages.library.nothing_given")
    return b64decode(given.base64, validate=True)


def _found_reply(found: FoundIn) -> Reply:
    return {
        "document": found.document_id,
        "more": found.more,
        "places": [
            {
                "item": place.item_id,
                "page": place.page,
                "section": place.section,
                "pieces": [[piece.text, piece.found] for piece in place.pieces],
            }
            for place in found.places
        ],
    }
