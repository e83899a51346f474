"""How questions about figures are worded: ``data/questions.yaml`` → compiled rules."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from pydantic import BaseModel, Field

from core.language.vocabulary import read_vocabulary

Operation = Literal[
    "value", "change", "percentage change", "percentage difference", "difference", "share", "ratio", "sum", "average",
    "count periods", "count parts", "which period", "which part", "periods", "parts", "comparison", "trend", "who",
]  # fmt: skip
"""What is to be done with the cells: read; worked out of two of one row, or of two rows; summed or averaged; counted;
the largest or smallest chosen; listed; two compared; yes or no of a change."""

Relation = Literal["more", "less", "at least", "at most"]


class _Rule(BaseModel, extra="forbid", frozen=True):
    operation: Operation
    says: list[str]


class _File(BaseModel, extra="forbid", frozen=True):
    words: dict[str, str]
    rules: list[_Rule]
    total: str
    each: str
    going: dict[Literal["up", "down"], str]
    apart: str
    wordy: str
    span: list[str]
    all_periods: str = Field(alias="all periods")
    before: str
    bounds: dict[Relation, str]
    scales: dict[str, float]
    wish: dict[Literal["scale", "percent", "decimals", "rest"], str]
    glue: str
    weak: str


class Rules(BaseModel, frozen=True, arbitrary_types_allowed=True):
    """Patterns in the order in which they are tried; ``glue`` words say nothing of which row, ``weak`` ones little."""

    operations: list[tuple[Operation, re.Pattern[str]]]
    total: re.Pattern[str]
    each: re.Pattern[str]
    going: dict[Literal["up", "down"], re.Pattern[str]]
    apart: re.Pattern[str]
    wordy: re.Pattern[str]
    extremes: dict[Literal["largest", "smallest"], re.Pattern[str]]
    time: re.Pattern[str]
    span: list[re.Pattern[str]]
    all_periods: re.Pattern[str]
    before: re.Pattern[str]
    bounds: dict[Relation, re.Pattern[str]]
    scales: dict[str, float]
    wish: dict[Literal["scale", "percent", "decimals", "rest"], re.Pattern[str]]
    glue: frozenset[str]
    weak: frozenset[str]


@cache
def rules() -> Rules:
    """The rules of both languages."""
    file = _File.model_validate(read_vocabulary("answering/figure_questions"))
    words = file.words

    def compiled(pattern: str, whole_words: bool = False) -> re.Pattern[str]:
        for name in words:
            pattern = pattern.replace("{" + name + "}", words[name])
        return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)" if whole_words else pattern, re.IGNORECASE)

    return Rules(
        operations=[(rule.operation, compiled(expression)) for rule in file.rules for expression in rule.says],
        total=compiled(file.total),
        each=compiled(file.each),
        going={way: compiled(expression, True) for way, expression in file.going.items()},
        apart=compiled(file.apart, True),
        wordy=compiled(file.wordy),
        extremes={"largest": compiled(words["largest"], True), "smallest": compiled(words["smallest"], True)},
        time=compiled(words["time"], True),
        span=[compiled(expression) for expression in file.span],
        all_periods=compiled(file.all_periods),
        before=compiled(file.before),
        bounds={relation: compiled(expression, True) for relation, expression in file.bounds.items()},
        scales=file.scales,
        wish={name: compiled(expression) for name, expression in file.wish.items()},
        glue=frozenset(file.glue.split()),
        weak=frozenset(file.weak.split()),
    )
