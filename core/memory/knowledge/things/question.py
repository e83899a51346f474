"""What a question names: *question* → keys of concepts, as facts and as documents are read."""

from __future__ import annotations

from core.language.fields import named_figures
from core.memory.knowledge.extraction import extract
from core.memory.knowledge.things.known import Known
from core.memory.knowledge.things.metrics import metric_key
from core.memory.knowledge.things.passage import things_in
from core.memory.knowledge.things.prose import prepared
from core.memory.knowledge.things.subjects import subjects_in


def keys_named(question: str) -> list[str]:
    """Each once, what documents have first."""
    things = things_in(prepared(question), Known(), rest=(subjects_in,))
    figures = [metric_key(figure.name) for figure in named_figures(question)]
    facts = [span.key for span in extract(question).found]
    return list(dict.fromkeys([*(span.key for span in things), *figures, *facts]))
