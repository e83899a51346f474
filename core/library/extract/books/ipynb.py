"""Reads Jupyter notebooks: the texts and code of their cells, and the cells' output."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from core.library.extract import problems
from core.library.extract.books.parts import read_html, read_markdown
from core.library.extract.text import decode, normalise
from core.library.extract.txt import paragraphs
from core.library.extracted import Block, Extracted
from core.settings import Settings

MIME = "application/x-ipynb+json"
MOST_CELLS = 20_000
_COLOURS = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")
_LONGEST_OUTPUT = 20_000
"""Maximum number of characters of one cell's output, because a training log can be endless."""
_NO_NEWS = re.compile(r"<[\w.]{1,100} at 0x[0-9a-fA-F]{4,16}>|<Figure size [^>]{1,60}>")


def extract_ipynb(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract a notebook. Raises ``ValueError`` if the file is not a notebook."""
    notebook = json.loads(decode(path.read_bytes()).lstrip("\ufeff"))
    if not isinstance(notebook, dict):
        raise ValueError("a notebook is an object")
    cells = list(_cells(notebook))
    notes = [problems.only_pages(MOST_CELLS, len(cells))] if len(cells) > MOST_CELLS else []
    blocks: list[Block] = []
    left = settings.limits.extracted_characters
    for cell in cells[:MOST_CELLS]:
        found = list(_blocks(cell, settings))
        left -= sum(len(block.text) for block in found)
        blocks += found
        if left <= 0:
            break
    title = next((block.text for block in blocks if block.kind == "heading"), None)
    return Extracted(blocks=blocks, mime=MIME, title=title, notes=notes)


def _cells(notebook: dict[str, object]) -> Iterator[dict[str, object]]:
    """The cells; old notebooks store them in worksheets."""
    sheets = notebook.get("worksheets")
    for part in [notebook, *(sheets if isinstance(sheets, list) else [])]:
        cells = part.get("cells") if isinstance(part, dict) else None
        yield from (cell for cell in (cells if isinstance(cells, list) else []) if isinstance(cell, dict))


def _blocks(cell: dict[str, object], settings: Settings) -> Iterator[Block]:
    kind = cell.get("cell_type")
    text = _text(cell.get("source", cell.get("input")))
    if kind == "markdown":
        yield from read_markdown(text, settings).blocks
    elif kind == "heading":
        level = cell.get("level")
        yield Block(
            text=normalise(text), kind="heading", level=level if isinstance(level, int) and 0 < level < 7 else 1
        )
    elif kind == "code":
        if text.strip():
            yield Block(text=_printable(text).strip("\n"), kind="code")
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            if isinstance(output, dict):
                yield from _printed(output, settings)
    else:
        yield from (Block(text=part) for part in paragraphs(normalise(text)))


def _printed(output: dict[str, object], settings: Settings) -> Iterator[Block]:
    """The output: a table as a table, otherwise as plain text; images are left out."""
    data = output.get("data", output)
    forms = data if isinstance(data, dict) else {}
    html = _text(forms.get("text/html", forms.get("html")))
    if "<table" in html.lower():
        yield from read_html(html[: 50 * _LONGEST_OUTPUT], settings).blocks
        return
    if markdown := _text(forms.get("text/markdown")):
        yield from read_markdown(markdown[:_LONGEST_OUTPUT], settings).blocks
        return
    error = "\n".join(_text(output.get(name)) for name in ("ename", "evalue")).strip()
    plain = _text(output.get("text")) or _text(forms.get("text/plain")) or error
    plain = _printable(_NO_NEWS.sub("", _COLOURS.sub("", plain[:_LONGEST_OUTPUT])))
    if plain.strip():
        yield Block(text=plain.strip("\n"), kind="code")


def _text(value: object) -> str:
    """A text, which may be stored as a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _printable(text: str) -> str:
    """The text without unprintable characters. Lines keep their layout, because columns matter in code and in its
    output."""
    return "".join(letter for letter in text if letter in "\n\t" or letter.isprintable())
