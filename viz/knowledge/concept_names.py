"""What concepts are called for a reader: *concept, language* → its name, also of actions and kinds of questions."""

from __future__ import annotations

from core.knowledge.views import Concept
from core.messages import message_group
from core.words import Language
from viz.feedback import TIERS

_ACTIONS = message_group("view.concept_names.actions")
_CONTEXTS = message_group("view.concept_names.contexts")


def concept_name(concept: Concept, language: Language) -> str:
    """As the data name it in ``language``; what only one language names keeps that name."""
    if concept.kind == "context":
        return _CONTEXTS[concept.label].to(language) if concept.label in _CONTEXTS else concept.label
    if concept.kind == "action":
        name, _, tier = concept.label.partition(" · ")
        shown = _ACTIONS[name].to(language) if name in _ACTIONS else name
        return f"{shown} · {TIERS[tier].to(language) if tier in TIERS else tier}" if tier else shown
    return concept.called(language)
