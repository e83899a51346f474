"""Reads Markdown: headings, paragraphs, lists, tables and code, without the markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.library.extract import problems
from core.library.extract.printed import Place, Printed, shown
from core.library.extract.table import table_block
from core.library.extract.text import normalise, normalise_line, read_text
from core.library.extract.txt import paragraphs
from core.library.extracted import Block, Extracted
from core.settings import Settings

MIME = "text/markdown"
_FRONT = re.compile(r"\A---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)

_NOTE = re.compile(r"^ {0,3}\[\^([^\]\s\[\\]{1,20})\]:[ \t]*", re.MULTILINE)
_NOTE_MARK = re.compile(r"\[\^([^\]\s\[\\]{1,20})\]")
_PLAIN_MARKS = re.compile(r"(?<=[\w.,%)])\^(\d{1,2}|[a-z*†‡])\^(?![\w^])|(?<=[A-Za-z])~(\d{1,2})~(?!~)")
"""``38^2^`` and ``H~2~O``, as some programs write superscript and subscript."""
_HTML = re.compile(r"<!--(?:[^-]|-(?!->))*+(?:-->|\Z)|<[^<>]*>", re.DOTALL)
_RAISED_HTML = re.compile(r"<(sup|sub)\b[^<>]{0,200}>([^<>]{0,20})</(?:sup|sub)>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(sup|sub)\b[^<>]{0,200}>", re.IGNORECASE)


def extract_md(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the file; title, author and date come from the front matter."""
    limit = settings.limits.extracted_characters
    text, notes = read_text(path.read_bytes(), settings)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    notes += [problems.only_characters(limit)] if len(text) > limit else []
    front, text = _front_matter(text[:limit])
    text = _with_notes(text)
    reader = _Reader()
    reader.read(MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text))
    # With absurdly deep nesting the parser returns nothing; the text itself is still there.
    blocks = reader.blocks or [Block(text=part) for part in paragraphs(normalise(text))]
    return Extracted(
        blocks=blocks,
        mime=MIME,
        title=front.get("title"),
        author=front.get("author") or front.get("authors"),
        created=front.get("date"),
        notes=notes,
    )


def _with_notes(text: str) -> str:
    """Footnote marks as superscript, and the footnotes as paragraphs with their mark in brackets; otherwise the parser
    would treat them as links."""
    labels = frozenset(_NOTE.findall(text))
    if not labels:
        return text
    text = _NOTE.sub(lambda found: f"\n\\[{found.group(1)}\\] ", text)
    return _NOTE_MARK.sub(lambda found: _mark_of(found.group(1)) if found.group(1) in labels else found.group(), text)


def _mark_of(label: str) -> str:
    mark = shown(label, Place.RAISED)
    return mark if mark != label else f"\\[{label}\\]"


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    found = _FRONT.match(text)
    if not found or "&" in found.group(1):
        return {}, text
    try:
        front = yaml.safe_load(found.group(1))
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}, text
    if not isinstance(front, dict):
        return {}, text
    simple = {str(key).lower(): _simple(value) for key, value in front.items()}
    return {key: value for key, value in simple.items() if value}, text[found.end() :]


def _simple(value: object) -> str | None:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value if isinstance(item, str)) or None
    return normalise_line(str(value)) if value is not None and not isinstance(value, dict) else None


class _Reader:
    """Processes the flat list of tokens; only the outermost list becomes a block."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._lists: list[int | None] = []
        self._items: list[str] = []
        self._rows: list[list[str]] | None = None
        self._level = 0

    def read(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            kind = token.type
            if kind in ("bullet_list_open", "ordered_list_open"):
                self._lists.append(int(token.attrGet("start") or 1) if kind.startswith("ordered") else None)
            elif kind in ("bullet_list_close", "ordered_list_close"):
                self._close_list()
            elif kind == "list_item_open":
                self._open_item()
            elif kind == "heading_open":
                self._level = int(token.tag[1:])
            elif kind == "inline":
                self._handle_text(_inline_text(token))
            elif kind in ("fence", "code_block"):
                self._code(token.content)
            elif kind == "html_block":
                self._handle_text(_HTML.sub(" ", _RAISED_HTML.sub(_shown_html, token.content)))
            else:
                self._handle_table(kind)

    def _open_item(self) -> None:
        number = self._lists[-1]
        sign = "-" if number is None else f"{number}."
        if number is not None:
            self._lists[-1] = number + 1
        self._items.append("  " * (len(self._lists) - 1) + sign)

    def _close_list(self) -> None:
        self._lists.pop()
        if not self._lists and self._items:
            self.blocks.append(Block(text="\n".join(self._items), kind="list"))
            self._items = []

    def _handle_text(self, text: str) -> None:
        level, self._level = self._level, 0
        text = normalise(text)
        if self._rows is not None:
            self._rows[-1].append(text)
        elif text and self._lists:
            self._items[-1] += " " + " ".join(text.split())
        elif text:
            self.blocks.append(Block(text=text, kind="heading" if level else None, level=level))

    def _code(self, text: str) -> None:
        if self._lists:
            self._items[-1] += "\n" + text.rstrip()
        elif text.strip():
            self.blocks.append(Block(text=text.rstrip().replace("\x00", ""), kind="code"))

    def _handle_table(self, kind: str) -> None:
        if kind == "table_open":
            self._rows = []
        elif kind == "tr_open" and self._rows is not None:
            self._rows.append([])
        elif kind == "table_close" and self._rows is not None:
            block = table_block(
                self._rows, headings=1, above=[block.text for block in self.blocks[-2:] if block.kind != "table"]
            )
            self._rows = None
            if block:
                self.blocks.append(block)


def _inline_text(token: Token) -> str:
    """Text of an inline token without emphasis, links and images; a line break becomes a space."""
    line = Printed()
    places = [Place.PLAIN]
    for child in token.children or []:
        if child.type == "text":
            _add_marked(line, child.content, places[-1])
        elif child.type in ("code_inline", "image"):
            line.add(child.content, places[-1])
        elif child.type == "softbreak":
            line.add(" ")
        elif child.type == "hardbreak":
            line.add("\n")
        elif child.type == "html_inline" and (tag := _TAG.fullmatch(child.content)):
            if not tag.group(1):
                places.append(Place.RAISED if tag.group(2).lower() == "sup" else Place.LOWERED)
            elif len(places) > 1:
                places.pop()
    return line.text()


def _shown_html(found: re.Match[str]) -> str:
    return shown(found.group(2), Place.RAISED if found.group(1).lower() == "sup" else Place.LOWERED)


def _add_marked(line: Printed, text: str, place: Place) -> None:
    position = 0
    for found in _PLAIN_MARKS.finditer(text):
        line.add(text[position : found.start()], place)
        line.add(found.group(1) or found.group(2), Place.RAISED if found.group(1) else Place.LOWERED)
        position = found.end()
    line.add(text[position:], place)
