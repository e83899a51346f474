"""Renders the memory's contribution to an answer, for the Memory view of the side panel."""

from __future__ import annotations

import re
from textwrap import shorten

from markupsafe import Markup

from core.language.normalisation import fold
from core.language.terms import stem
from core.memory.items.reasons import FailureReason
from core.records.memory_meta import KnownContextItem, MemoryMeta
from core.words import Language
from viz.answer import STATES
from viz.feedback import LETTERS, TIERS
from viz.plain import question_and_answer
from viz.templating import render

_WORD = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*")
_NAME = 40
"""Number of characters of a memory's text that are shown as its name if it has no title."""


def known_context(meta: MemoryMeta, titles: dict[str, str], language: Language) -> Markup:
    """``titles`` maps the ids of cited documents to their titles."""
    names = {each.memory_id: _opening(each.content) for each in meta.known_context.known_context_items}
    names |= {each.memory_id: titles[each.doc_id] for each in meta.citations if each.doc_id in titles}
    return render(
        "known_context",
        meta=meta,
        names=names,
        said={each.memory_id: question_and_answer(each.content) for each in meta.known_context.known_context_items},
        whys={each.memory_id: _why(each, language) for each in meta.known_context.known_context_items},
        spoken=_words_by_stem(meta.retrieval.query),
        letters=LETTERS,
        tiers=TIERS,
        states=STATES,
        language=language,
    )


def _why(item: KnownContextItem, language: Language) -> str:
    failed = item.failed_before
    return FailureReason(reason=failed.reason, words=failed.words).to(language) if failed else ""


def _opening(content: str) -> str:
    asked, text = question_and_answer(content)
    return shorten(asked or text, _NAME, placeholder="…")


def _words_by_stem(question: str) -> dict[str, str]:
    """Maps each word stem of the question to the word itself, because concepts are stored by stem."""
    return {stem(fold(word).removesuffix("'s")): word for word in _WORD.findall(question)}
