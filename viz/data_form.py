"""Renders the form that changes one part of a query: a filter, a group, a measure, the order or the limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from markupsafe import Markup

from core.datasets.answers.phrases import OPERATION_NAMES
from core.datasets.query.change import Part
from core.datasets.query.model import AnyOf, Bucket, Comparison, Condition, Function, Group, Measure, Order
from core.datasets.records import Column, Dataset
from core.words import Language
from viz.templating import render

_MOST_VALUES = 200
_FORMS = {"where": "filter", "having": "filter", "group": "group", "measures": "measure", "order": "order"}
OPERATIONS: tuple[Comparison, ...] = get_args(Comparison)
BUCKETS: tuple[Bucket, ...] = get_args(Bucket)
FUNCTIONS: tuple[Function, ...] = tuple(name for name in get_args(Function) if name not in ("share", "correlation"))


def data_form(
    path: str, part: Part | int | None, datasets: Sequence[Dataset], language: Language, column: str = ""
) -> Markup:
    """Returns the HTML of the form for the ``part`` at ``path``; for a part that cannot be changed, a sentence. Without
    a part, a filter or a group is added. ``column`` is another column that the user has chosen."""
    kind = path.partition("/")[0]
    form = "limit" if kind == "limit" else _FORMS.get(kind, "")
    columns = [column for dataset in datasets for column in dataset.columns]
    is_new = part is None and form in ("filter", "group")
    if is_new:
        first = column or columns[0].name
        part = Group(column=first) if form == "group" else Condition(column=first, value="")
    elif column and isinstance(part, Condition | Group):
        part = part.model_copy(update={"column": column, "bucket": None} | ({} if form == "group" else {"value": ""}))
    chosen = _chosen(part, columns)
    return render(
        "data_form",
        path=path,
        form="" if part is None or isinstance(part, AnyOf) else form,
        removable=not is_new and part is not None and path != "measures/0",
        part=part,
        columns=columns,
        chosen=chosen,
        values=chosen.values[:_MOST_VALUES] if chosen else (),
        value=_text(part.value) if isinstance(part, Condition) else "",
        operations=OPERATIONS,
        names=OPERATION_NAMES,
        buckets=BUCKETS,
        functions=FUNCTIONS,
        language=language,
    )


def _chosen(part: Part | int | None, columns: Sequence[Column]) -> Column | None:
    named = (
        part.by if isinstance(part, Order) else part.column if isinstance(part, Condition | Group | Measure) else None
    )
    return next((column for column in columns if named in (column.name, column.key)), None)


def _text(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
