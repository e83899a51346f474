"""What concepts are called for a reader: *concept, language* → its name, also of actions and kinds of questions."""

from __future__ import annotations

from collections.abc import Mapping

from core.knowledge.views import Concept
from core.messages import message
from core.words import Language, Words
from viz.feedback import TIERS

_ACTIONS: Mapping[str, Words] = {
    "inquire": message("view.concept_names.actions.inquire"),
    "compare": message("view.concept_names.actions.compare"),
    "summarize": message("view.concept_names.actions.summarize"),
    "audit": message("view.concept_names.actions.audit"),
    "remember": message("view.concept_names.actions.remember"),
    "recall": message("view.concept_names.actions.recall"),
    "converse": message("view.concept_names.actions.converse"),
    "web_search": message("view.concept_names.actions.web_search"),
}
_CONTEXTS: Mapping[str, Words] = {
    "audit": message("view.concept_names.contexts.audit"),
    "comparison": message("view.concept_names.contexts.comparison"),
    "summary": message("view.concept_names.contexts.summary"),
    "debugging": message("view.concept_names.contexts.debugging"),
    "memory": message("view.concept_names.contexts.memory"),
    "coding_help": message("view.concept_names.contexts.coding_help"),
    "data_query": message("view.concept_names.contexts.data_query"),
    "doc_rag": message("view.concept_names.contexts.doc_rag"),
    "general": message("view.concept_names.contexts.general"),
}


def concept_name(concept: Concept, language: Language) -> str:
    """As the data name it in ``language``; what only one language names keeps that name."""
    if concept.kind == "context":
        return _CONTEXTS[concept.label].to(language) if concept.label in _CONTEXTS else concept.label
    if concept.kind == "action":
        name, _, tier = concept.label.partition(" · ")
        shown = _ACTIONS[name].to(language) if name in _ACTIONS else name
        known = next((words for key, words in TIERS.items() if key == tier), None)
        return f"{shown} · {known.to(language) if known else tier}" if tier else shown
    return concept.called(language)
