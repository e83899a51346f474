"""Finds the concepts in a question: *question* → concept keys, by the rules for facts and for documents."""

from __future__ import annotations

from core.knowledge.extraction.entities import extract
from core.knowledge.extraction.known_entities import Known
from core.knowledge.extraction.metrics import metric_key
from core.knowledge.extraction.passage import things_in
from core.knowledge.extraction.running_text import prepared
from core.knowledge.extraction.topics import subjects_in
from core.language.fields import named_figures

MOST_CHARACTERS = 4_000
"""Maximum number of a question's characters that are searched for names: longer questions contain a pasted text."""


def keys_named(question: str) -> list[str]:
    """Keys of the concepts in a question, each once; those found by the rules for documents come first."""
    question = question[:MOST_CHARACTERS]
    text = prepared(question)
    things = [*things_in(text, Known()), *subjects_in(text)]
    figures = [metric_key(figure.name) for figure in named_figures(question)]
    facts = [span.key for span in extract(question).found]
    return list(dict.fromkeys([*(span.key for span in things), *figures, *facts]))
