"""What concepts are called for a reader: *concept, language* → its name, also of actions and kinds of questions."""

from __future__ import annotations

from collections.abc import Mapping

from core.knowledge.views import Concept
from core.words import Language, Words
from viz.feedback import TIERS

_ACTIONS: Mapping[str, Words] = {
    "inquire": Words(en="answer from passages", he="תשובה מתוך קטעים"),
    "compare": Words(en="compare", he="השוואה"),
    "summarize": Words(en="summarize", he="סיכום"),
    "audit": Words(en="audit", he="בדיקת התאמה"),
    "remember": Words(en="remember", he="זכירה"),
    "recall": Words(en="recall", he="היזכרות"),
    "converse": Words(en="converse", he="שיחה"),
    "web_search": Words(en="search the web", he="חיפוש באינטרנט"),
}
_CONTEXTS: Mapping[str, Words] = {
    "audit": Words(en="audits", he="בדיקות התאמה"),
    "comparison": Words(en="comparisons", he="השוואות"),
    "summary": Words(en="summaries", he="סיכומים"),
    "debugging": Words(en="errors in programs", he="שגיאות בתוכנה"),
    "memory": Words(en="what was said before", he="מה שנאמר קודם"),
    "coding_help": Words(en="programming", he="תכנות"),
    "data_query": Words(en="questions about numbers", he="שאלות על מספרים"),
    "doc_rag": Words(en="questions about documents", he="שאלות על מסמכים"),
    "general": Words(en="other questions", he="שאלות אחרות"),
}


def called(concept: Concept, language: Language) -> str:
    """As the data name it in ``language``; what only one language names keeps that name."""
    if concept.kind == "context":
        return _CONTEXTS[concept.label].to(language) if concept.label in _CONTEXTS else concept.label
    if concept.kind == "action":
        name, _, tier = concept.label.partition(" · ")
        shown = _ACTIONS[name].to(language) if name in _ACTIONS else name
        known = next((words for key, words in TIERS.items() if key == tier), None)
        return f"{shown} · {known.to(language) if known else tier}" if tier else shown
    return concept.called(language)
