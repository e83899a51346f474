"""What a question names: *question* → keys of concepts, as facts and as documents are read."""

from __future__ import annotations

from core.knowledge.extraction.entities import extract
from core.knowledge.extraction.known_entities import Known
from core.knowledge.extraction.metrics import metric_key
from core.knowledge.extraction.passage import things_in
from core.knowledge.extraction.running_text import prepared
from core.knowledge.extraction.topics import subjects_in
from core.language.fields import named_figures

MOST_CHARACTERS = 4_000
"""Of a question, so many are read for names: a longer one hands over a text."""


def keys_named(question: str) -> list[str]:
    """Each once, what documents have first."""
    question = question[:MOST_CHARACTERS]
    things = things_in(prepared(question), Known(), rest=(subjects_in,))
    figures = [metric_key(figure.name) for figure in named_figures(question)]
    facts = [span.key for span in extract(question).found]
    return list(dict.fromkeys([*(span.key for span in things), *figures, *facts]))
