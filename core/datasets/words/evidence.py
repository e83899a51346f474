"""Counts what a question writes out of a dataset: its columns, its values, the name of its sheet."""

from __future__ import annotations

from core.datasets.words.tagging import Tagged
from core.datasets.words.tokens import STEM, words_of
from core.datasets.words.understanding import Evidence
from core.datasets.words.vocabulary import is_filler
from core.language.terms import stem


def evidence_of(tags: Tagged) -> Evidence:
    """Returns what the question writes out of the frame; names of the same thing and parts of values do not count."""
    columns = {link.field.name for link in tags.columns if link.score >= STEM}
    values = {link.values for link in tags.values if link.score >= STEM and not link.within}
    dataset = tags.frame.dataset
    asked = {stem(token.text) for token in tags.words.tokens if not token.aside}
    names = _stems(dataset.sheet or dataset.name)
    touches = any(_stems(text) & asked for text in (dataset.name, *dataset.titles))
    return Evidence(len(columns), len(values), len(names) if names <= asked else 0, touches)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words_of(text) if not is_filler(word) and not word[0].isdigit()}
