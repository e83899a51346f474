"""Defines the draft of a query: what a question's words were assigned to, and the parts made of them so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.datasets.query.model import (
    AnyOf,
    Calculation,
    Changing,
    DataQuery,
    Derived,
    Filter,
    Function,
    Group,
    Measure,
    Order,
)
from core.datasets.words.dated import date_fields
from core.datasets.words.filters import Filters, Limit
from core.datasets.words.frames import Field, Frame
from core.datasets.words.links import ColumnLink
from core.datasets.words.tagging import Tagged
from core.datasets.words.tokens import words_of
from core.datasets.words.vocabulary import groups_of, headings


@dataclass(frozen=True)
class Quantity:
    """What is measured: a numeric column, or one calculated from columns."""

    name: str
    field: Field | None = None
    derived: Derived | None = None
    needs: tuple[str, ...] = ()
    is_averaged: bool = False
    is_assumed: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that it needs."""
        return self.needs or (self.name,)


def quantity_of(field_: Field, is_assumed: bool = False) -> Quantity:
    """Returns a numeric column as a quantity."""
    return Quantity(field_.name, field_, is_averaged=is_averaged(field_), is_assumed=is_assumed)


def is_averaged(field_: Field) -> bool:
    """Returns whether values of a column are averaged rather than added up: prices, rates, percentages."""
    words = words_of(field_.column.name)
    column = field_.column
    per_unit = "/" in column.unit or "/" in column.name
    return column.type == "percent" or per_unit or any(word in headings().averaged for word in words)


def is_rank(field_: Field) -> bool:
    """Returns whether a numeric column holds ranks, of which 1 is the highest."""
    groups = groups_of("rank")
    return field_.column.is_numeric and any(groups_of(word) & groups for word in words_of(field_.column.name))


@dataclass
class Draft:
    """The parts of a query. ``explained`` are column links with a role; others are left."""

    tags: Tagged
    filters: Filters
    explained: list[ColumnLink] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

    @property
    def frame(self) -> Frame:
        return self.tags.frame

    @property
    def free(self) -> list[ColumnLink]:
        """The column links without a role yet."""
        return [link for link in self.tags.columns if link not in self.explained and link not in self.filters.used]

    def kept(self) -> tuple[list[ColumnLink], list[str], list[Limit], list[int]]:
        """Returns what a step may change, for ``restore``."""
        return list(self.explained), list(self.assumed), list(self.filters.limits), list(self.tags.left)

    def restore(self, kept: tuple[list[ColumnLink], list[str], list[Limit], list[int]]) -> None:
        self.explained, self.assumed, self.filters.limits, self.tags.left = kept

    def explain(self, link: ColumnLink) -> Field:
        self.explained.append(link)
        return link.field

    def date(self) -> Field | None:
        """The column of dates that the question is about."""
        dated = [field_ for field_ in date_fields(self.tags) if field_.column.is_dated]
        return dated[0] if dated else None

    def query(
        self,
        *,
        measures: Sequence[Measure] = (),
        group: Sequence[Group] = (),
        columns: Sequence[str] = (),
        calculations: Sequence[Calculation] = (),
        changes: Sequence[Changing] = (),
        having: Sequence[Filter] = (),
        order: Sequence[Order] = (),
        limit: int | None = None,
        offset: int = 0,
        extreme: bool = False,
        distinct: bool = False,
        derive: Sequence[Derived] = (),
        where: Sequence[Filter] | None = None,
        step: int = 0,
        needs: Sequence[str] = (),
    ) -> DataQuery:
        """Returns the query with the conditions of the question, or ``where``, and the joins that its columns need."""
        conditions = list(self.filters.conditions if where is None else where)
        query = DataQuery(
            dataset=self.frame.dataset.id, derive=list(derive), where=conditions, columns=list(columns),
            distinct=distinct, group=list(group), measures=list(measures), calculations=list(calculations),
            changes=list(changes), having=list(having), order=list(order), limit=limit, offset=offset,
            extreme=extreme, step=step, repeated="once" if self.tags.has("rows_once") else "keep",
        )  # fmt: skip
        return query.model_copy(update={"joins": self.frame.joins_for([*named_columns(query), *needs])})

    def measure(self, function: Function, quantity: Quantity, name: str = "", where: Sequence[Filter] = ()) -> Measure:
        return Measure(function=function, column=quantity.name, where=list(where), name=name)


def named_columns(query: DataQuery) -> list[str]:
    """Returns the columns that a query names."""
    names = [*query.columns, *(group.column for group in query.group)]
    names += [column for measure in query.measures for column in (measure.column, measure.other) if column]
    for condition in [*query.where, *(each for measure in query.measures for each in measure.where)]:
        parts = condition.any_of if isinstance(condition, AnyOf) else [condition]
        names += [name for part in parts for name in (part.column, part.other or "") if name]
    for derived in query.derive:
        names += [part.split("]")[0] for part in derived.expression.split("[")[1:]]
    names += [order.by for order in query.order]
    return names
