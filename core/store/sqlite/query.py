"""Translates filters, sort orders and indexes to SQL over JSON documents.

Every field is compared by its *key*, one SQL value that sorts as MongoDB sorts: null (and missing) is minus infinity,
which no JSON number can be; then numbers; then text by code point; then, as blobs, objects, lists, false and true. So a
key is never NULL, a plain ``=`` never confuses ``1``, ``"1"`` and ``true``, and comparisons between types are excluded
by a range that an index can use.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Collection, Sequence

from pydantic import JsonValue

from core.store.filters import COMPARISONS, AllOf, AnyOf, Node, Test, lookup, number_text
from core.store.truth import Json

Parameter = str | int | float | bytes
Clause = tuple[str, list[Parameter]]
"""A piece of SQL and the values for its placeholders."""

NULL = float("-inf")
OBJECT, LIST, FALSE, TRUE = b"\x01", b"\x02", b"\x03\x00", b"\x03\x01"
EVERYTHING: Clause = ("1", [])
NOTHING: Clause = ("0", [])
PLACEHOLDERS = 500
"""Lists longer than this are passed as one JSON parameter."""

_KEY = (
    "CASE {type} WHEN 'true' THEN x'0301' WHEN 'false' THEN x'0300' WHEN 'array' THEN x'02' "
    "WHEN 'object' THEN x'01' ELSE coalesce({value}, -9e999) END"
)
ELEMENT = f"({_KEY.format(type='e.type', value='e.atom')})"
_COMPARE = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


def encode(value: JsonValue) -> Parameter:
    """The key of a JSON value."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, list):
        return LIST
    return OBJECT if isinstance(value, dict) else value


def as_text(key: Parameter | None) -> str:
    """A key in readable form; null is the empty text."""
    if key is None or key == NULL:
        return ""
    if isinstance(key, bytes):
        return {TRUE: "true", FALSE: "false", LIST: "[]", OBJECT: "{}"}[key]
    return number_text(key) if isinstance(key, int | float) else key


def path_literal(field: str) -> str:
    """The JSON path of a checked field, quoted for SQL."""
    return "'$" + "".join(f'."{segment}"' for segment in field.split(".")) + "'"


def column(field: str) -> str:
    """The generated column with the key of an indexed field."""
    return "id" if field == "_id" else f'"key {field}"'


def key_expression(field: str) -> str:
    path = path_literal(field)
    return f"({_KEY.format(type=f'json_type(body, {path})', value=f'json_extract(body, {path})')})"


class Translator:
    """Converts filters of one collection to SQL.

    ``indexed`` fields have their own column. ``listed`` are those among them that have ever contained a list. The
    others can be compared by column only, which makes composite indexes usable.
    """

    def __init__(self, indexed: Collection[str], listed: Collection[str], *, by_id: bool = False) -> None:
        self._indexed = indexed
        self._listed = listed
        self._by_id = by_id

    def key(self, field: str) -> str:
        if field == "_id":
            return column(field)
        if field in self._indexed:
            # The unary plus stops SQLite from scanning a whole index when only a few ids are named.
            return f"+{column(field)}" if self._by_id else column(field)
        return key_expression(field)

    def where(self, node: Node) -> Clause:
        if not self._by_id and _names_ids(node):
            return Translator(self._indexed, self._listed, by_id=True).where(node)
        if isinstance(node, Test):
            return self._test(node)
        if isinstance(node, AllOf) and not node.parts:
            return EVERYTHING
        if isinstance(node, AnyOf) and (rows := self._row_values(node)):
            return rows
        joiner = " AND " if isinstance(node, AllOf) else " OR "
        return _join(joiner, [self.where(part) for part in node.parts])

    def _row_values(self, node: AnyOf) -> Clause | None:
        """Alternatives that each give values for the same two or more indexed fields, as row values: SQLite looks each
        up in the index of these fields, instead of reading all rows for a long list of alternatives."""
        named = [_named_values(part) for part in node.parts]
        fields = list(named[0] or ()) if named else []
        plain = all(field in self._indexed and field not in self._listed for field in fields)
        if len(fields) < 2 or not plain or any(each is None or set(each) != set(fields) for each in named):
            return None
        rows = [row for each in named if each for row in itertools.product(*(each[field] for field in fields))]
        keys = ", ".join(self.key(field) for field in fields)
        values = ", ".join(f"value ->> {place}" for place in range(len(fields)))
        return f"(({keys}) IN (SELECT {values} FROM json_each(?)))", [json.dumps(rows, ensure_ascii=False)]

    def _test(self, test: Test) -> Clause:
        if test.operator == "$exists":
            negation = "NOT " if test.operand else ""
            present = "id" if test.field == "_id" else f"json_type(body, {path_literal(test.field)})"
            return f"{present} IS {negation}NULL", []
        if test.operator in COMPARISONS:
            return self._on_value_or_element(test.field, lambda key: _comparison_clause(key, test))
        clause = self._on_value_or_element(test.field, lambda key: _one_of(key, test))
        return (f"NOT {clause[0]}", clause[1]) if test.operator in ("$ne", "$nin") else clause

    def _on_value_or_element(self, field: str, predicate: Callable[[str], Clause]) -> Clause:
        """As in MongoDB, a condition on a list is true if it is true for one of its elements."""
        own = predicate(self.key(field))
        if field == "_id" or (field in self._indexed and field not in self._listed):
            return own
        element, values = predicate(ELEMENT)
        inside = f"EXISTS (SELECT 1 FROM json_each(body, {path_literal(field)}) AS e WHERE {element})"
        return f"({own[0]} OR ({self.key(field)} = x'02' AND {inside}))", [*own[1], *values]

    def order(self, order: Sequence[tuple[str, int]]) -> str:
        return ", ".join(f"{self.key(field)} {'ASC' if direction == 1 else 'DESC'}" for field, direction in order)

    def beyond(self, order: Sequence[tuple[str, int]], after: Json) -> Clause:
        """The condition for documents that come after the document ``after`` in ``order``."""
        steps: list[Clause] = []
        same: list[Clause] = []
        for field, direction in order:
            key, value = self.key(field), encode(lookup(after, field))
            steps.append(_join(" AND ", [*same, (f"{key} {'>' if direction == 1 else '<'} ?", [value])]))
            same.append((f"{key} = ?", [value]))
        field, direction = order[0]
        # Redundant, but the index needs a range on the first field to start from.
        bound = (f"{self.key(field)} {'>=' if direction == 1 else '<='} ?", [encode(lookup(after, field))])
        return _join(" AND ", [bound, _join(" OR ", steps)])


def _names_ids(node: Node) -> bool:
    """Whether only a few named documents can match."""
    if isinstance(node, Test):
        return node.field == "_id" and node.operator not in (*COMPARISONS, "$exists", "$ne", "$nin")
    return isinstance(node, AllOf) and any(_names_ids(part) for part in node.parts)


def _named_values(node: Node) -> dict[str, list[str | int | float]] | None:
    """The texts and numbers that ``node`` allows for each field; ``None`` if it has other conditions."""
    tests = node.parts if isinstance(node, AllOf) else (node,)
    named: dict[str, list[str | int | float]] = {}
    for test in tests:
        if not isinstance(test, Test) or test.operator not in ("$eq", "$in") or test.field in named:
            return None
        named[test.field] = []
        for value in test.values:
            if value is None or isinstance(value, bool):
                return None
            named[test.field].append(value)
    return named


def _one_of(key: str, test: Test) -> Clause:
    values = [encode(value) for value in test.values]
    if len(values) == 1:
        return f"({key} = ?)", values
    if len(values) <= PLACEHOLDERS or any(isinstance(value, bytes) or value == NULL for value in values):
        return f"({key} IN ({', '.join('?' * len(values))}))", values
    return f"({key} IN (SELECT value FROM json_each(?)))", [json.dumps(values, ensure_ascii=False)]


def _comparison_clause(key: str, test: Test) -> Clause:
    value = encode(test.values[0])
    upwards = test.operator in ("$gt", "$gte")
    if isinstance(value, str):
        border = f"{key} < x''" if upwards else f"{key} >= ''"
    else:
        border = f"{key} < ''" if upwards else f"{key} > -9e999"
    return f"({key} {_COMPARE[test.operator]} ? AND {border})", [value]


def _join(joiner: str, clauses: Sequence[Clause]) -> Clause:
    text = joiner.join(clause for clause, _ in clauses)
    return f"({text})", [value for _, values in clauses for value in values]
