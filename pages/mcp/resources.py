"""Documents and memories as MCP resources: lists them, lists address templates, and reads the text at an address."""

from __future__ import annotations

import re
from urllib.parse import quote

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from core.errors import PalimpsestError, general_problem
from core.library.records import Document
from core.memory.items.records import preview
from core.messages import message
from core.store.items import MemoryItem
from core.words import Language
from core.workbench import Workbench
from pages.actions import Actions
from pages.mcp.callers import Context, RequestOf, asking

ROOT = "palimpsest://"
PAGE = 100
"""Number of resources on one page of the list."""
PART = 100_000
"""Number of characters returned by one read."""
MARKDOWN, PLAIN = "text/markdown", "text/plain"
_DOCUMENT = re.compile(r"palimpsest://documents/(?P<id>[a-z]+_[0-9a-f]{32})(?:/parts/(?P<part>[1-9]\d{0,5}))?")
_MEMORY = re.compile(r"palimpsest://memories/(?P<id>[a-z]+_[0-9a-f]{32})")


class Resources:
    """The resources of one user; those of other users are reported as not found."""

    def __init__(self, workbench: Workbench, actions: Actions, request_of: RequestOf) -> None:
        self._workbench = workbench
        self._actions = actions
        self._request_of = request_of

    async def listed(self, context: Context, asked: PaginatedRequestParams | None) -> ListResourcesResult:
        """The documents of the library, then the facts of the memory bank, page by page."""
        user_id, language = asking(self._actions, self._request_of(context))
        begin = _begin(asked.cursor if asked else None)
        documents = [_document(each, language) for each in await self._workbench.library.find(user_id)]
        most = self._workbench.settings.memory.bank_capacity
        memories = [_memory(each) for each in await self._workbench.memory.bank.list(user_id, limit=most)]
        known = [*documents, *memories]
        more = str(begin + PAGE) if len(known) > begin + PAGE else None
        return ListResourcesResult(resources=known[begin : begin + PAGE], next_cursor=more)

    async def templates(self, context: Context, asked: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        """Address templates of a document, of a part of a long document, and of a memory."""
        _, language = asking(self._actions, self._request_of(context))
        made = (
            ("document", "documents/{document_id}", MARKDOWN),
            ("document_part", "documents/{document_id}/parts/{part}", MARKDOWN),
            ("memory", "memories/{memory_id}", PLAIN),
        )
        return ListResourceTemplatesResult(
            resource_templates=[
                ResourceTemplate(
                    name=name,
                    title=message(f"pages.mcp.templates.{name}").to(language),
                    uri_template=ROOT + path,
                    mime_type=kind,
                )
                for name, path, kind in made
            ]
        )

    async def read(self, context: Context, asked: ReadResourceRequestParams) -> ReadResourceResult:
        """The text at an address. A long document is returned in parts; each part contains the next one's address."""
        user_id, language = asking(self._actions, self._request_of(context))
        try:
            if found := _DOCUMENT.fullmatch(asked.uri):
                text = await self._part(user_id, found["id"], int(found["part"] or 1), language)
                return _contents(asked.uri, text, MARKDOWN)
            if found := _MEMORY.fullmatch(asked.uri):
                return _contents(asked.uri, await self._remembered(user_id, found["id"]), PLAIN)
        except PalimpsestError as error:
            raise _unknown(asked.uri, error.problem.what.to(language)) from error
        raise _unknown(asked.uri, general_problem("not_found").what.to(language))

    async def _part(self, user_id: str, document_id: str, part: int, language: Language) -> str:
        document = await self._workbench.library.get(user_id, document_id)
        text = await self._workbench.library.text(user_id, document_id)
        parts = max(1, -(-len(text) // PART))
        if part > parts:
            raise _unknown(_address(document_id, part), general_problem("not_found").what.to(language))
        head = f"# {document.metadata.title}\n\n" if part == 1 else ""
        rest = ""
        if part < parts:
            next_uri = _address(document_id, part + 1)
            rest = f"\n\n{message('pages.mcp.next_part', uri=next_uri, part=part, parts=parts).to(language)}"
        return f"{head}{text[(part - 1) * PART : part * PART]}{rest}"

    async def _remembered(self, user_id: str, memory_id: str) -> str:
        found = await self._workbench.memory.items(user_id, [memory_id])
        if not found:
            raise MCPError(INVALID_PARAMS, f"Unknown memory: {memory_id}")
        return found[0].text


def _document(document: Document, language: Language) -> Resource:
    about = document.metadata
    names = [about.kind, *(each.name for each in about.organisations), *(each.key for each in about.periods)]
    return Resource(
        name=document.filename,
        title=about.title,
        uri=f"{ROOT}documents/{document.id}",
        description=" · ".join(filter(None, dict.fromkeys(names))),
        mime_type=MARKDOWN,
    )


def _memory(item: MemoryItem) -> Resource:
    return Resource(
        name=item.id,
        title=preview(item, 80),
        uri=f"{ROOT}memories/{item.id}",
        description=" · ".join(item.tags),
        mime_type=PLAIN,
    )


def _address(document_id: str, part: int) -> str:
    return f"{ROOT}documents/{quote(document_id)}/parts/{part}"


def _begin(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdecimal() or len(cursor) > 9:
        raise MCPError(INVALID_PARAMS, "Unknown cursor")
    return int(cursor)


def _contents(uri: str, text: str, kind: str) -> ReadResourceResult:
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=kind, text=text)])


def _unknown(uri: str, what: str) -> MCPError:
    return MCPError(INVALID_PARAMS, what, {"uri": uri})
