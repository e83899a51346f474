"""Builds web search queries from a question; each query can be understood without the conversation. Also sets the time
range for the results.

A query always names its subject: if it does not mention the documents that the question is about, their name is put
before it. Personal data is left out, except the user's industry and country if the user allows these.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, Field, JsonValue

from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.graph.understanding.documents.anaphora import refers_back
from core.graph.understanding.intent.web_phrases import web_part_of, without_web_order
from core.graph.understanding.mentions import without_mentions
from core.language.entities.calendar_words import years_in
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.language.vocabulary import file_of, numbers_of, pattern_of
from core.library.records import Document
from core.models.structured import Prompt, PurposeModel, ask_json
from core.personality.records import Preferences
from core.search.documents.acceptance import firmly_accepted
from core.setting_groups import ModeName

log = logging.getLogger(__name__)

MOST_QUERIES = 3
LONGEST = 300
MOST_SUBJECTS = 2
"""Maximum number of documents that a query names."""


class _Recency(BaseModel):
    days: int
    pattern: re.Pattern[str]


class _Recencies(BaseModel):
    recency: list[_Recency]


_recencies = file_of("tools", _Recencies)


class _Queries(BaseModel):
    queries: list[str] = Field(min_length=1)


async def search_queries(services: Services, state: State, model: PurposeModel | None) -> list[str]:
    """Returns queries that a model wrote from the conversation, or else the question itself; each names its subject."""
    subjects = await subjects_of(services, state)
    person = await services.preferences.of(state["asked"].user_id)
    now = datetime.fromtimestamp(services.clock())
    queries = await _by_model(services, state, model, subjects, person, now) if model else []
    queries = queries or [local(each, person) for each in queries_of(state, now.year)]
    return list(dict.fromkeys(named(each, subjects)[:LONGEST] for each in queries))[:MOST_QUERIES]


async def subjects_of(services: Services, state: State) -> list[str]:
    """Returns the names of the documents that the question was resolved to or refers back to."""
    ids = _resolved(state)
    known = await services.turn.by_id(state)
    return [_called(known[id]) for id in ids[:MOST_SUBJECTS] if id in known]


def _resolved(state: State) -> list[str]:
    searched = state["found"].searched
    bound = [id for chip in (searched.chips if searched else []) if chip.binds for id in chip.document_ids]
    ids = state["asked"].document_ids or bound
    if not ids and _points_back(state["asked"].text):
        found = [each.document_id for each in firmly_accepted(state["found"].sources) if each.kind == "document"]
        ids = [*state.get("recent_docs", []), *found][:1]
    return list(dict.fromkeys(ids))


def _points_back(question: str) -> bool:
    """Returns whether a word of the question refers to something mentioned before."""
    folded = pattern_of("tools.pointing_nowhere").sub(" ", fold(question))
    return refers_back(question) or bool(pattern_of("tools.pointing").search(folded))


def _called(document: Document) -> str:
    """Returns the document's title, with its organisation if the title does not contain it."""
    title = document.metadata.title
    owner = next((each.name for each in document.metadata.organisations), "")
    return title if not owner or fold(owner) in fold(title) else f"{owner} {title}"


def named(query: str, subjects: Sequence[str]) -> str:
    """Adds the subjects' names to ``query`` if it contains none of their words."""
    folded = fold(query)
    lacking = [each for each in subjects if not any(covers(term, folded) for term in content_terms(each))]
    return " ".join([*lacking, query]) if len(lacking) == len(subjects) else query


def local(query: str, person: Preferences) -> str:
    """Adds the user's country to ``query`` if the user allows it and the answer depends on the country."""
    if not (person.tell_web and person.country) or fold(person.country) in fold(query):
        return query
    return f"{query} {person.country}" if pattern_of("tools.local").search(fold(query)) else query


def queries_of(state: State, year: int) -> list[str]:
    """Returns each part of the question without the words that ask for a search; adds the year if the answer changes
    over time."""
    intent = state["asked"].intent
    whole = asked_in_full(state) if state["asked"].completed else (intent.text if intent else state["asked"].text)
    parts = intent.parts if intent and len(intent.parts) > 1 else (web_part_of(whole),)
    dated = bool(intent and intent.web in ("temporal", "facts"))
    return [_query(each, year if dated else None) for each in parts][:MOST_QUERIES]


def _query(text: str, year: int | None) -> str:
    bare = " ".join(without_mentions(text).split())
    query = without_web_order(bare).rstrip(" ?.!")[:LONGEST]
    return f"{query} {year}" if year and not years_in(query) else query


async def _by_model(
    services: Services,
    state: State,
    model: PurposeModel,
    subjects: Sequence[str],
    person: Preferences,
    now: datetime,
) -> list[str]:
    past = "\n".join(
        f"user: {each['question']}\nassistant: {each['answer']}" for each in (await services.past_turns(state))[-3:]
    )
    user = f"BEGIN CONVERSATION\n{past}\nEND CONVERSATION\n\nBEGIN QUESTION\n{state['asked'].text}\nEND QUESTION"
    try:
        system = services.prompts.render(
            "web_queries",
            today=f"{now:%Y-%m-%d}",
            most=MOST_QUERIES,
            subjects=list(subjects),
            industry=(person.industry or "") if person.tell_web else "",
            country=(person.country or "") if person.tell_web else "",
        )
        found, _ = await ask_json(model, Prompt(system, user), _Queries)
    except Exception:
        log.warning("queries were written by rule", exc_info=True)
        return []
    return [" ".join(each.split()) for each in found.queries if each.strip()] if found else []


# -- time range ----------------------------------------------------------------------------


def time_arguments(question: str, mode: ModeName) -> dict[str, JsonValue]:
    """Returns ``topic``, ``days`` and ``depth`` of a search from the question's time words and the research mode."""
    folded = fold(question)
    arguments: dict[str, JsonValue] = {}
    days = _span(folded) or next((each.days for each in _recencies().recency if each.pattern.search(folded)), None)
    if days is not None:
        arguments["days"] = days
    if pattern_of("tools.news").search(folded):
        arguments["topic"] = "news"
    if mode == "deep":
        arguments["depth"] = "advanced"
    return arguments


def _span(folded: str) -> int | None:
    """Returns the number of days in "in the last three weeks"."""
    found = pattern_of("tools.span").search(folded)
    if found is None:
        return None
    count, unit = found["count"] or found["count_he"], found["unit"] or found["unit_he"]
    return int(int(count) * numbers_of("tools.span_days")[unit])
