"""Decides from the values whether a page has a form: a form's values are of many kinds, a table column's of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.library.tables.cells import cell, is_figure, is_nil

NO_VALUE = "—"
_FEWEST = 3
_FEWEST_VALUES = 2
_MOST_OF_ONE_KIND = 0.75
_MOST_LABELS = 0.7
"""Smallest share of a form's labels that end in a colon, or are bold next to values that are not."""
_LEAST_NAMED = 0.8
_LONGEST_LABEL = 60
_MOST_WORDS = 8

Kind = Literal["none", "words", "figure", "share", "money", "date", "measure"]


@dataclass
class Entry:
    """A label and its value; either may be empty. ``bold``: the label is bolder than its value."""

    label: str
    value: str
    bold: bool = False

    @property
    def line(self) -> str:
        if not self.label:
            return self.value
        if self.label.endswith((":", "?")):
            return f"{self.label} {self.value}".strip()
        return f"{self.label}: {self.value or NO_VALUE}"


def is_form(blocks: Sequence[Sequence[Entry]]) -> bool:
    """Decide for entries one below the other, in one or several adjacent blocks."""
    entries = [entry for block in blocks for entry in block]
    filled = [entry for entry in entries if entry.value]
    if len(entries) < _FEWEST or len(filled) < max(_FEWEST_VALUES, 0.5 * len(entries)):
        return False
    if not all(map(_are_labels, blocks)) or all(is_figure(entry.value) for entry in filled):
        return False
    if end_in_colons([entry.label for entry in entries]):
        return True
    mixed = sum(_is_mixed(block) for block in blocks)
    if sum(entry.bold for entry in filled) >= _MOST_LABELS * len(filled) and mixed:
        return True
    return 2 * mixed >= len(blocks)


def end_in_colons(labels: Sequence[str]) -> bool:
    """Whether most labels end in a colon."""
    return sum(label.endswith(":") for label in labels) >= _MOST_LABELS * len(labels)


def _are_labels(block: Sequence[Entry]) -> bool:
    """Whether the texts are short and all different, and none is a number or part of a sentence."""
    labels = [entry.label for entry in block if entry.label]
    fits = sum(
        len(label) <= _LONGEST_LABEL
        and len(label.split()) <= _MOST_WORDS
        and not label[0].islower()
        and not label.endswith((".", ",", ";"))
        for label in labels
    )
    if len(labels) < len(block) or len(set(labels)) < len(labels) or fits < _LEAST_NAMED * len(labels):
        return False
    return not any(
        is_figure(label) or cell(label).kind != "text" or sum(map(str.isalpha, label)) < 2 for label in labels
    )


def _is_mixed(block: Sequence[Entry]) -> bool:
    """Whether the values include words and other kinds, with no kind far more frequent than the others."""
    kinds = Counter(kind for entry in block if (kind := kind_of(entry.value)) != "none")
    return (
        kinds.total() >= _FEWEST
        and len(kinds) > 1
        and kinds["words"] > 0
        and max(kinds.values()) <= _MOST_OF_ONE_KIND * kinds.total()
    )


def kind_of(value: str) -> Kind:
    """The kind of a value; ``measure``: a number followed by words."""
    if not value or is_nil(value):
        return "none"
    kind = cell(value).kind
    if kind == "date" or kind == "share" or kind == "money":
        return kind
    if kind == "number":
        return "figure"
    if any(map(str.isdigit, value[:2])):
        return "measure"
    return "words" if sum(map(str.isalpha, value)) > 2 else "none"
