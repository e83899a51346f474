"""Loads ``answering/figure_questions.yaml``: patterns of questions about figures, as compiled rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from core.language.vocabulary import Entry, Pattern, WordSet, file_of

Operation = Literal[
    "value", "change", "percentage change", "percentage difference", "difference", "share", "ratio", "sum", "average",
    "count periods", "count parts", "which period", "which part", "periods", "parts", "comparison", "trend", "who",
]  # fmt: skip
"""The operation on cells: read; calculate from two cells of one row, or from two rows; sum or average; count; choose
the largest or smallest; list; compare two; answer yes or no about a change."""

Relation = Literal["more", "less", "at least", "at most"]


WholeWords = Annotated[
    re.Pattern[str], BeforeValidator(lambda written: re.compile(rf"(?<!\w)(?:{written})(?!\w)", re.IGNORECASE))
]


class Rule(Entry):
    """The patterns by which users ask for an operation."""

    operation: Operation
    says: list[Pattern]


class Rules(Entry):
    """Rules in the order in which they are tried; ``words`` replace placeholders in braces in other patterns; ``glue``
    words do not help to identify a row, ``weak`` words only a little."""

    words: dict[str, WholeWords]
    rules: list[Rule]
    total: Pattern
    each: Pattern
    going: dict[Literal["up", "down"], WholeWords]
    apart: WholeWords
    wordy: Pattern
    span: list[Pattern]
    all_periods: Pattern = Field(alias="all periods")
    before: Pattern
    bounds: dict[Relation, WholeWords]
    scales: dict[str, float]
    wish: dict[Literal["scale", "percent", "decimals", "rest"], Pattern]
    glue: WordSet
    weak: WordSet

    @model_validator(mode="before")
    @classmethod
    def _with_words(cls, file: Mapping[str, Mapping[str, str]]) -> object:
        return _filled_in(file, file["words"])

    @property
    def operations(self) -> list[tuple[Operation, re.Pattern[str]]]:
        return [(rule.operation, pattern) for rule in self.rules for pattern in rule.says]

    @property
    def extremes(self) -> dict[Literal["largest", "smallest"], re.Pattern[str]]:
        return {"largest": self.words["largest"], "smallest": self.words["smallest"]}


def _filled_in(content: object, words: Mapping[str, str]) -> object:
    """Replaces the placeholders in braces in all texts of ``content`` with the words that they name."""
    if isinstance(content, Mapping):
        return {key: _filled_in(value, words) for key, value in content.items()}
    if isinstance(content, list):
        return [_filled_in(each, words) for each in content]
    return (
        re.sub(r"\{(\w+)\}", lambda name: words.get(name[1], name[0]), content) if isinstance(content, str) else content
    )


rules = file_of("answering/figure_questions", Rules)
