"""Groups similar objects: *a list of objects, or named objects* → rows with the same columns.

Nested fields become separate columns, ``address.city``. A list of objects inside an object becomes a separate table,
whose first column names the object that each row belongs to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias, Union

from core.library.record_tables.bounds import KEPT_ROWS

Tree: TypeAlias = Union[str, "list[Tree]", "dict[str, Tree]"]
"""Every value as text in its original form; null is an empty text."""

MOST_DEPTH = 40
"""Maximum number of nested levels; anything deeper becomes one text."""
DEEPEST_COLUMN = 6
"""Maximum number of names in a column's path."""
MOST_COLUMNS = 300
_MOST_SEEN = 2_000
"""Number of objects that are compared to decide whether they have the same fields."""
_LEAST_FILLED = 0.3
"""Smallest average share of filled cells for the objects of a list."""
_LEAST_FILLED_NAMED = 0.7
"""Smallest average share of filled cells for named objects, which are more often parts of one thing."""
_APART = 1.5
"""Objects without common fields fill only one cell in n for n objects; a higher share than that is required."""
_LONGEST_LIST = 2_000
KEY = "key"
"""Heading of the column with the objects' names."""


@dataclass
class Objects:
    """A table of objects. ``rows`` have a cell for each of ``columns``; ``cut``: there were more; ``inner``: inner
    lists by path."""

    columns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    inner: dict[str, Objects] = field(default_factory=dict)
    cut: bool = False
    _places: dict[str, int] = field(default_factory=dict)

    def add(self, fields: Mapping[str, str]) -> None:
        """Add a row; new columns are added at the end."""
        if len(self.rows) >= KEPT_ROWS:
            self.cut = True
            return
        for name in fields:
            if name not in self._places and len(self.columns) < MOST_COLUMNS:
                self._places[name] = len(self.columns)
                self.columns.append(name)
        row = [""] * len(self.columns)
        for name, value in fields.items():
            if name in self._places:
                row[self._places[name]] = value
        self.rows.append(row)

    def has_texts(self, long: int) -> bool:
        """Whether some column contains long texts: a quarter of its values are longer than ``long``."""
        for place in range(len(self.columns)):
            values = [row[place] for row in islice(self.rows, _MOST_SEEN) if place < len(row) and row[place]]
            if values and sum(len(value) > long for value in values) >= max(1, len(values) / 4):
                return True
        return False

    def flat(self) -> Iterator[list[tuple[str, str]]]:
        """Each object as its columns and values, without missing values."""
        for row in self.rows:
            yield [(name, value) for name, value in zip(self.columns, row, strict=False) if value]


def objects_in(tree: Tree) -> Objects | None:
    """The objects of a list, or the named objects; ``None`` if their fields differ too much."""
    if isinstance(tree, list):
        objects = [each for each in tree if isinstance(each, dict)]
        if len(objects) < sum(each != "" for each in tree) or not objects or not _are_alike(objects, _LEAST_FILLED):
            return None
        return _gathered([({}, each) for each in objects])
    if isinstance(tree, dict):
        named = [(name, each) for name, each in tree.items() if isinstance(each, dict)]
        if len(named) < max(2, len(tree)) or not _are_alike([each for _, each in named], _LEAST_FILLED_NAMED):
            return None
        return _gathered([({KEY: name}, each) for name, each in named])
    return None


def columnar(tree: Tree) -> list[list[str]] | None:
    """Named lists of equal length, as headings and rows."""
    if not isinstance(tree, dict) or len(tree) < 2:
        return None
    columns = [each for each in tree.values() if isinstance(each, list) and all(isinstance(one, str) for one in each)]
    lengths = {len(each) for each in columns}
    if len(columns) < len(tree) or len(lengths) > 1 or max(lengths) < 2:
        return None
    texts = [[str(one) for one in each] for each in columns]
    return [list(tree), *map(list, islice(zip(*texts, strict=True), KEPT_ROWS))]


def matrix(tree: Tree) -> list[list[str]] | None:
    """Rows of plain values, most of them of the same width."""
    if not isinstance(tree, list) or len(tree) < 2:
        return None
    rows = [[str(cell) for cell in row] for row in tree if isinstance(row, list) and all(map(_is_plain, row))]
    widths = Counter(map(len, rows))
    width, count = max(widths.items(), key=lambda item: item[1], default=(0, 0))
    return rows[: KEPT_ROWS + 1] if width > 1 and len(rows) == len(tree) and count >= 0.8 * len(rows) else None


def headed_matrix(tree: Tree) -> list[list[str]] | None:
    """A matrix together with a list of its headings, as in ``{"columns": [...], "data": [[...], ...]}``."""
    if not isinstance(tree, dict):
        return None
    found = [rows for value in tree.values() if (rows := matrix(value)) is not None]
    if len(found) != 1:
        return None
    lists = [value for value in tree.values() if isinstance(value, list) and value and all(map(_is_plain, value))]
    heads = [[str(each) for each in value] for value in lists if len(value) == len(found[0][0])]
    others = [value for value in tree.values() if isinstance(value, dict)]
    return [heads[0], *found[0]] if len(heads) == 1 and not others else None


def _is_plain(tree: Tree) -> bool:
    return isinstance(tree, str)


def written(tree: Tree, depth: int = 0) -> str:
    """A tree as one text."""
    if isinstance(tree, str):
        return tree
    if depth >= MOST_DEPTH:
        return "…"
    if isinstance(tree, dict):
        return "; ".join(f"{name}: {written(value, depth + 1)}" for name, value in tree.items())
    return "; ".join(written(each, depth + 1) for each in tree)


def _are_alike(objects: list[dict[str, Tree]], least: float) -> bool:
    seen = objects[:_MOST_SEEN]
    names = {name for each in seen for name in each}
    share = sum(map(len, seen)) / max(1, len(names) * len(seen))
    return bool(names) and share >= max(least, _APART / len(seen) if len(seen) > 1 else 0.0)


def _gathered(owned: list[tuple[dict[str, str], dict[str, Tree]]]) -> Objects:
    """Collect the objects. ``owned``: the owner's name and the object, for each."""
    gathered = Objects()
    inner: dict[str, list[tuple[dict[str, str], dict[str, Tree]]]] = {}
    for owner, one in owned:
        fields = dict(owner)
        lists: list[tuple[str, list[dict[str, Tree]]]] = []
        _flatten("", one, fields, lists, 1)
        gathered.add(fields)
        name, value = next(iter(fields.items()), (KEY, ""))
        for path, objects in lists:
            inner.setdefault(path, []).extend(({name: value}, _apart(each, name)) for each in objects)
    gathered.inner = {path: _gathered(objects) for path, objects in inner.items()}
    return gathered


def _apart(one: dict[str, Tree], name: str) -> dict[str, Tree]:
    """Rename a field if it has the same name as the column with the owners' names."""
    return {f"{each}.{each}" if each == name else each: value for each, value in one.items()}


def _flatten(
    path: str, tree: Tree, fields: dict[str, str], lists: list[tuple[str, list[dict[str, Tree]]]], depth: int
) -> None:
    if isinstance(tree, dict) and depth <= DEEPEST_COLUMN:
        for name, value in tree.items():
            _flatten(".".join(part for part in (path, name) if part), value, fields, lists, depth + 1)
    elif isinstance(tree, list) and tree and depth <= DEEPEST_COLUMN and all(isinstance(each, dict) for each in tree):
        lists.append((path, [each for each in tree if isinstance(each, dict)]))
    else:
        fields[path] = tree if isinstance(tree, str) else written(tree)[:_LONGEST_LIST]
