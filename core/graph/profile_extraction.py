"""Extracts facts about the author of a message, with rules and optionally a model, whose output is verified."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Literal, get_args

from pydantic import BaseModel, Field, RootModel

from core.graph.understanding.intent.rules import clauses
from core.graph.understanding.wording import lists
from core.language.detection import detect
from core.language.normalisation import fold, strip_nikud
from core.language.terms import index_terms
from core.language.vocabulary import pattern_of
from core.memory.bank.deduplication import compare
from core.memory.profile.statements import (
    LONGEST_CLAUSE,
    MOST,
    Category,
    PersonalStatement,
    of_category,
    own_statements,
    personal_statements,
)
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.words import Language

log = logging.getLogger(__name__)

SECONDS = 15.0
"""Maximum seconds that a finished answer waits for the suggestions below it."""
OWN_WORDS = 0.7
"""Minimum share of a suggestion's terms that must be in the message."""
_FIRST_PERSON = pattern_of("graph/patterns.profile_extraction.first_person")
_STRICT = re.compile(r"\d[\d.,:/-]*|[A-Z][\w'-]+")


class _Found(BaseModel, extra="ignore"):
    text: str = Field(min_length=3, max_length=LONGEST_CLAUSE)
    category: str
    confidence: Literal["high", "medium", "low"]
    quote: str = Field(min_length=3)


class _Offers(RootModel[list[_Found]]):
    pass


def _only_asks(sentence: str) -> bool:
    """Returns whether each clause begins with a word of questions, so that the sentence states nothing."""
    return all(lists().interrogative.match(fold(each)) for each in clauses(sentence))


async def extract_profile(
    prompts: Prompts, model: TextModel | None, message: str, language: Language
) -> list[PersonalStatement]:
    """Returns statements to suggest, most important first. Never raises: wrong model output is dropped."""
    by_rule = personal_statements(message, language)
    statements = "\n".join(each for each in own_statements(message).splitlines() if not _only_asks(each))
    if model is None or not _FIRST_PERSON.search(statements):
        return by_rule
    try:
        async with asyncio.timeout(SECONDS):
            prompt = prompts.render("profile", categories=get_args(Category), message=statements)
            found, _ = await ask_json(model, Prompt(system=_SYSTEM, user=prompt), _Offers)
    except Exception:
        log.warning("a model noticed nothing; the rules stand alone", exc_info=True)
        return by_rule
    by_model = [each for offer in (found.root if found else []) if (each := _verified_statement(offer, statements))]
    together = [*by_rule, *(each for each in by_model if not _repeats(each, by_rule))]
    return sorted(together, key=lambda each: -each.importance)[:MOST]


_SYSTEM = "You read messages for what people say about themselves. You answer with JSON alone."


def _verified_statement(offer: _Found, statement: str) -> PersonalStatement | None:
    """Returns the suggestion if the message supports it: it contains the quoted text exactly, every name and number,
    and most other words."""
    if offer.confidence == "low" or offer.category not in get_args(Category) or "?" in offer.text:
        return None
    spoken, text = fold(strip_nikud(statement)), fold(strip_nikud(offer.text))
    if fold(strip_nikud(offer.quote)).strip(" .") not in spoken:
        return None
    strict = [fold(each) for each in _STRICT.findall(offer.text) if each not in ("I", "My", "We", "Our", "The")]
    if any(each.strip(".,:") not in spoken for each in strict):
        return None
    terms = set(index_terms(text, detect(text)))
    known = terms & set(index_terms(spoken, detect(spoken)))
    if not terms or len(known) < OWN_WORDS * len(terms):
        return None
    category: Category = next(each for each in get_args(Category) if each == offer.category)
    return of_category(offer.text, category, offer.confidence)


def _repeats(each: PersonalStatement, others: Sequence[PersonalStatement]) -> bool:
    """Returns whether the statement repeats, fully or partly, what the rules found."""
    text = fold(each.text).strip(" .")
    return any(
        compare(other.text, each.text) != "different"
        or text in fold(other.text)
        or fold(other.text).strip(" .") in text
        for other in others
    )
