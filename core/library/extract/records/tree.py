"""Converts the common form of JSON, XML and YAML: *a tree of texts* → blocks.

Objects with the same fields become one table, whose columns are their fields; names of nested fields are joined by
dots. Everything else becomes lines ``path: value``, below a heading for each field of the outermost object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.library.extract import problems
from core.library.extract.cuts import Cuts
from core.library.extract.records.alike import (
    MOST_DEPTH,
    Objects,
    Tree,
    columnar,
    headed_matrix,
    matrix,
    objects_in,
    written,
)
from core.library.extract.table import table_block
from core.library.extract.text import normalise
from core.library.extract.txt import paragraphs
from core.library.extracted import Block

_LONG = 300
"""A value of at least this many characters becomes a separate text and not part of a line."""
_LINES_A_BLOCK = 40
_SAID = {"title": ("title", "name"), "author": ("author", "creator"), "created": ("date", "published", "created")}
_LONGEST_SAID = 200


@dataclass
class TreeReader:
    """Reads a tree. ``left``: characters that may still be used."""

    left: int
    blocks: list[Block] = field(default_factory=list)
    cuts: Cuts = field(default_factory=Cuts)
    _lines: list[str] = field(default_factory=list)
    _cut_rows: int = 0
    _is_cut: bool = False

    def read(self, tree: Tree) -> list[Block]:
        """The blocks of a whole file."""
        if isinstance(tree, dict) and not (objects_in(tree) or columnar(tree) or headed_matrix(tree)):
            self._object(tree)
        else:
            self._node("", tree, 0)
        self._flush()
        return self.blocks

    def notes(self, limit: int) -> list[problems.Note]:
        """Notes for the user about what was left out."""
        found = self.cuts.notes()
        if self._cut_rows:
            found.append(problems.only_table_rows(self._cut_rows))
        if self._is_cut:
            found.append(problems.only_characters(limit))
        return found

    def _object(self, tree: dict[str, Tree]) -> None:
        """The outermost object: its plain fields first, then each other field below a heading."""
        plain = {name: value for name, value in tree.items() if not isinstance(value, dict | list)}
        for name in plain:
            self._node(name, tree[name], 1)
        several = len(tree) - len(plain) > 1 or plain
        for name, value in tree.items():
            if name in plain or self.left <= 0 or not value:
                continue
            self._flush()
            if several and name:
                self.blocks.append(Block(text=name, kind="heading", level=1))
            self._node(name, value, 1)

    def _node(self, path: str, tree: Tree, depth: int) -> None:
        if self.left <= 0:
            self._is_cut = True
            return
        if isinstance(tree, str):
            self._value(path, tree)
        elif depth >= MOST_DEPTH:
            self._value(path, written(tree))
        elif (objects := objects_in(tree)) is not None:
            self._table(path, objects)
        elif (rows := columnar(tree) or headed_matrix(tree)) is not None:
            self._rows(path, rows)
        elif (rows := matrix(tree)) is not None:
            self._rows(path, rows, headings=None)
        elif isinstance(tree, list) and all(isinstance(each, str) for each in tree):
            self._value(path, written(tree))
        else:
            self._inside(path, tree, depth + 1)

    def _inside(self, path: str, tree: list[Tree] | dict[str, Tree], depth: int) -> None:
        if isinstance(tree, dict):
            for name, value in tree.items():
                self._node(_joined(path, name), value, depth)
        else:
            for number, each in enumerate(tree, 1):
                self._node(f"{path}[{number}]", each, depth)

    def _value(self, path: str, text: str) -> None:
        text = normalise(text)
        if not text:
            return
        if len(text) <= _LONG and "\n" not in text:
            self._line(f"{path}: {text}" if path else text)
            return
        self._flush()
        if path:
            self.blocks.append(Block(text=path, kind="heading", level=2))
        for part in paragraphs(text[: self.left]):
            self.blocks.append(Block(text=part))
            self.left -= len(part)

    def _table(self, path: str, objects: Objects) -> None:
        """A table; objects with long texts become sections instead, because a page of text is unreadable in a cell."""
        if objects.cut:
            self._cut_rows = max(self._cut_rows, len(objects.rows))
        if objects.has_texts(_LONG):
            for number, one in enumerate(objects.flat(), 1):
                self._section(path, number, one)
        else:
            # An element's direct text has no name except the element's own.
            own = path.rpartition(".")[2] or "value"
            self._rows(path, [[name or own for name in objects.columns], *objects.rows])
        for name, inner in objects.inner.items():
            self._table(_joined(path, name), inner)

    def _section(self, path: str, number: int, one: list[tuple[str, str]]) -> None:
        """One object, with its first short field as heading."""
        self._flush()
        if self.left <= 0:
            self._is_cut = True
            return
        name = next((value for _, value in one if value and len(value) <= _LONG // 2 and "\n" not in value), "")
        self.blocks.append(Block(text=name or f"{path}[{number}]", kind="heading", level=2))
        for column, value in one:
            if len(value) > _LONG or "\n" in value:
                self._flush()
                self.blocks += [Block(text=part) for part in paragraphs(normalise(value))]
                self.left -= len(value)
            elif value and value != name:
                self._line(f"{column}: {value}" if column else value)

    def _rows(self, path: str, rows: Sequence[Sequence[str]], headings: int | None = 1) -> None:
        self._flush()
        taken: list[list[str]] = []
        for row in rows:
            if self.left <= 0:
                self._is_cut = True
                break
            cells = self.cuts.row(list(row))
            self.left -= sum(map(len, cells))
            taken.append(cells)
        # A caption does not repeat the heading above it.
        over = self.blocks[-1].text if self.blocks and self.blocks[-1].kind == "heading" else ""
        caption = path.removeprefix(over).lstrip(".")
        block = table_block(taken, headings=headings, caption=caption or None)
        if block:
            self.blocks.append(block)

    def _line(self, line: str) -> None:
        self._lines.append(line)
        self.left -= len(line)
        if len(self._lines) == _LINES_A_BLOCK:
            self._flush()

    def _flush(self) -> None:
        if self._lines:
            self.blocks.append(Block(text="\n".join(self._lines), kind="list"))
            self._lines = []


def said_of_itself(tree: Tree) -> dict[str, str]:
    """Title, author and date, if the outermost object has them as short texts."""
    if not isinstance(tree, dict):
        return {}
    fields = {name.lower(): value for name, value in tree.items() if isinstance(value, str)}
    return {
        what: value
        for what, names in _SAID.items()
        if (value := next(_short(fields, names), "")) and (what != "created" or value[:4].isdigit())
    }


def _short(fields: dict[str, str], names: Sequence[str]) -> Iterator[str]:
    return (fields[name] for name in names if 0 < len(fields.get(name, "")) <= _LONGEST_SAID)


def _joined(path: str, name: str) -> str:
    return ".".join(part for part in (path, name) if part)
