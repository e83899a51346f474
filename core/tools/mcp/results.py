"""Converts a tool's result to text for a model, and to texts and tables that can be cited; all are limited in size."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

import mcp_types as protocol
from pydantic import JsonValue

from core.messages import message
from core.prompts.templates import Prompts
from core.tools.mcp.described import one_line, paragraph
from core.tools.tool import Cell, FoundTable, FoundText, ToolResult
from core.words import Words

MOST_ROWS = 1_000
MOST_COLUMNS = 50
LONGEST_CELL = 500
LONGEST_TITLE = 200
LEAST_FIELDS = 2
"""Minimum number of fields for a single record to be shown as a table; a record with one value is shown as text."""


@dataclass
class _Reading:
    """The state while a result is read. ``left``: how many characters all remaining texts together may use."""

    left: int
    texts: list[FoundText] = field(default_factory=list)
    dropped: int = 0
    unreadable: int = 0

    def take(self, title: str, text: str, url: str | None = None) -> None:
        shown = paragraph(text, self.left)
        self.dropped += max(0, len(text.strip()) - len(shown)) if len(text) > self.left else 0
        self.left -= len(shown)
        if shown:
            self.texts.append(FoundText(title=one_line(title, LONGEST_TITLE), text=shown, url=url))


class ResultReader:
    """Reads tool results of at most ``most`` characters."""

    def __init__(self, prompts: Prompts, most: int) -> None:
        self._prompts = prompts
        self._most = most

    def read(self, result: protocol.CallToolResult, title: str, server: str) -> ToolResult:
        """The result of a call that did not fail."""
        reading = _Reading(self._most)
        for block in result.content:
            _read_block(block, title, reading)
        tables = tables_of(result.structured_content, title)
        if not reading.texts and result.structured_content is not None:
            reading.take(title, json.dumps(result.structured_content, ensure_ascii=False, default=str))
        whole = "\n\n".join(_as_read(each, title) for each in reading.texts)
        return ToolResult(
            text=self.fenced(whole, server),
            found=bool(reading.texts or tables),
            texts=[each for each in reading.texts if not (tables and _says(each.text, result.structured_content))],
            tables=tables,
            notes=_notes(reading, tables),
        )

    def fenced(self, text: str, server: str) -> str:
        """The text between two marker lines; the markers are random, so the text cannot contain them."""
        mark = secrets.token_hex(8)
        return self._prompts.render("tools/server_result", text=text, server=one_line(server, 60), mark=mark)


def _says(text: str, value: JsonValue) -> bool:
    """Whether a text only repeats the structured result as JSON, as the MCP protocol recommends."""
    try:
        return bool(json.loads(text) == value)
    except ValueError:
        return False


def _read_block(block: protocol.ContentBlock, title: str, reading: _Reading) -> None:
    if isinstance(block, protocol.TextContent):
        reading.take(title, block.text)
    elif isinstance(block, protocol.ResourceLink):
        about = [
            block.description or "",
            block.mime_type or "",
            "" if block.title in (None, block.name) else block.name,
        ]
        told = " · ".join(each for each in about if each) or block.name
        reading.take(block.title or block.name, told, one_line(block.uri, 2_000))
    elif isinstance(block, protocol.EmbeddedResource) and isinstance(block.resource, protocol.TextResourceContents):
        uri = one_line(block.resource.uri, 2_000)
        reading.take(uri.rpartition("/")[2] or uri, block.resource.text, uri)
    else:
        reading.unreadable += 1


def _as_read(text: FoundText, title: str) -> str:
    head = [each for each in (text.title if text.title != title else "", text.url or "") if each]
    return "\n".join([" · ".join(head), text.text] if head else [text.text])


def _notes(reading: _Reading, tables: Sequence[FoundTable]) -> list[Words]:
    notes = []
    if reading.dropped:
        notes.append(message("tools.mcp.cut", dropped=reading.dropped))
    if reading.unreadable:
        notes.append(message("tools.mcp.no_text", count=reading.unreadable))
    notes += [
        message("tools.mcp.rows_of", shown=len(each.rows), total=each.total)
        for each in tables
        if each.total and each.total > len(each.rows)
    ]
    return notes


def tables_of(value: JsonValue, title: str) -> list[FoundTable]:
    """Each list of records in a structured result, or its single record."""
    if isinstance(value, list):
        return _table(value, title)
    if not isinstance(value, dict):
        return []
    found = [
        table for key, each in value.items() if isinstance(each, list) for table in _table(each, f"{title}: {key}")
    ]
    if found or len(value) < LEAST_FIELDS:
        return found
    return _table([value], title) if any(not isinstance(each, dict | list) for each in value.values()) else []


def _table(rows: Sequence[JsonValue], title: str) -> list[FoundTable]:
    records = [each for each in rows if isinstance(each, dict)]
    if not records or len(records) < len(rows):
        return []
    columns = list(dict.fromkeys(key for each in records[:MOST_ROWS] for key in each))[:MOST_COLUMNS]
    if not columns:
        return []
    shown = [[_cell(each.get(column)) for column in columns] for each in records[:MOST_ROWS]]
    return [
        FoundTable(
            title=one_line(title, LONGEST_TITLE),
            columns=[one_line(each, 80) for each in columns],
            rows=shown,
            total=len(records),
        )
    ]


def _cell(value: JsonValue) -> Cell:
    if isinstance(value, str):
        return paragraph(value, LONGEST_CELL)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        return one_line(", ".join(map(str, value)), LONGEST_CELL)
    return one_line(json.dumps(value, ensure_ascii=False, default=str), LONGEST_CELL)
