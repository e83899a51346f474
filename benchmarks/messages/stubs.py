"""Makes what the items of the routes have: stub files, and tools that repeat their arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import openpyxl
from docx import Document as Word
from pydantic import BaseModel, JsonValue
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from core.tools.definition import Effects, Parameter, ToolDefinition, ToolMessages
from core.tools.definition_files import definition_of
from core.tools.tool import Caller, Tool, ToolResult
from core.words import Words

FONT = "DejaVuSans.ttf"


class ServedTool(BaseModel):
    name: str
    description: str = ""


class StubTool:
    """A tool that repeats its arguments."""

    def __init__(self, definition: ToolDefinition) -> None:
        self.definition = definition

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        return ToolResult(text=json.dumps(dict(arguments), ensure_ascii=False))


class StubServer:
    def __init__(self, name: str, tools: Sequence[Tool]) -> None:
        self.name = name
        self._tools = tools

    def tools(self) -> Sequence[Tool]:
        return self._tools

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass


def served_tool(tool: ServedTool) -> StubTool:
    said = Words.alike(tool.name)
    return StubTool(
        ToolDefinition(
            name=tool.name,
            server=tool.name,
            category="external",
            title=said,
            description=tool.description or tool.name,
            parameters=[Parameter(name="query", kind="string", required=True)],
            messages=ToolMessages(progress=said, none_found=said, suggestion=said, failure=said),
            effects=Effects(reads_only=True, deletes=False, sends=True, spends=False),
        )
    )


# -- stubs ----------------------------------------------------------------------------------


def write_stub(path: Path) -> None:
    """Writes a valid file whose text is its title."""
    kinds: dict[str, Callable[[Path], None]] = {".pdf": _pdf, ".docx": _docx, ".xlsx": _xlsx}
    kinds.get(path.suffix.lower(), _text)(path)


def _pdf(path: Path) -> None:
    pdfmetrics.registerFont(TTFont("stub", FONT))
    canvas = Canvas(str(path))
    canvas.setFont("stub", 14)
    canvas.drawString(60, 760, _visual(path.stem))
    canvas.save()


def _visual(text: str) -> str:
    """Returns the text in the order in which a page shows it: Hebrew from right to left."""
    if not re.search("[\u05d0-\u05ea]", text):
        return text
    return re.sub(r"[\w.]*\d[\w.]*", lambda number: number.group()[::-1], text[::-1])


def _docx(path: Path) -> None:
    document = Word()
    document.add_paragraph(path.stem)
    document.save(str(path))


def _xlsx(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append([path.stem])
    book.save(path)


def _text(path: Path) -> None:
    path.write_text(path.stem, encoding="utf-8")


def web_search() -> StubTool:
    return StubTool(definition_of("tavily_search"))
