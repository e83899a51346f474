"""Counts what a question writes out of a dataset: its columns, its values, the name of its sheet."""

from __future__ import annotations

from core.datasets.words.tagging import Tagged
from core.datasets.words.tokens import STEM, words_of
from core.datasets.words.understanding import Evidence
from core.language.terms import is_stop_word, stem


def evidence_of(tags: Tagged) -> Evidence:
    """Returns what the question writes out of the frame; names of the same thing and parts of values do not count."""
    columns = {link.field.name for link in tags.columns if link.score >= STEM}
    values = {link.values for link in tags.values if link.score >= STEM and not link.within}
    asked = {stem(token.text) for token in tags.words.tokens if not token.aside}
    names = {stem(word) for word in words_of(tags.frame.dataset.sheet) if not is_stop_word(word)}
    return Evidence(len(columns), len(values), len(names) if names <= asked else 0)
