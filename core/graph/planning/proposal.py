"""Asks a model for the steps of a question that the rules see no plan for, if the question looks as if it has several.

The steps come with the intent if a model classifies the message; otherwise the call runs next to the search, so that
only one model call comes before the answer.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from pydantic import BaseModel

from core.figures.panel.records import SubQuestion
from core.graph.records import Intent
from core.graph.services import Services
from core.graph.state import State, called_before, question_of
from core.language.phrases import words
from core.messages import message
from core.models.structured import Prompt, PurposeModel, ask_json
from core.question.analysed import AnalysedQuestion
from core.question.known_entities import KnownDocument, organisations_in
from core.runs.trace import Trace
from core.words import Words

log = logging.getLogger(__name__)

LEAST, MOST = 2, 6
"""Number of steps of a plan."""
LONG = 40
"""Number of words from which a message may ask for several things."""
LONGEST = 300
"""Maximum characters of a step."""
_QUESTION_MARK = "?"


class _Steps(BaseModel):
    steps: list[str] = []


async def may_propose(services: Services, state: State, question: AnalysedQuestion) -> bool:
    """Returns whether a model may propose steps: only in Enhanced and Deep, and for a question that looks as if it has
    several."""
    asked, found = state["asked"], state["found"]
    if asked.action != "inquire" or asked.ask.mode == "quick" or asked.ask.follows:
        return False
    if found.plan or found.proposed or not services.models.configured:
        return False
    if called_before(state):
        return bool(asked.intent and asked.intent.steps)
    return looks_manifold(question, asked.intent, await services.turn.known(state))


def looks_manifold(question: AnalysedQuestion, intent: Intent | None, known: Sequence[KnownDocument]) -> bool:
    """Returns whether a question may need several look-ups: it compares, names several organisations, asks several
    questions, is long, or asks for several measures of several periods."""
    owners = {each.document_id: each for each in organisations_in(question.text, known)}
    names = {document.organisation for document in known if document.id in owners}
    return (
        (intent is not None and intent.format == "comparison")
        or len(names) > 1
        or question.text.count(_QUESTION_MARK) > 1
        or len(words(question.text)) >= LONG
        or (len(question.named_periods) > 1 and len(question.figures) > 1)
    )


async def proposed_steps(services: Services, state: State, trace: Trace) -> list[SubQuestion]:
    """Returns the steps that a model has proposed with the intent, or proposes now; none if one look-up is enough, or
    if it fails."""
    intent = state["asked"].intent
    with trace.step("planning") as step:
        texts = _usable(intent.steps if intent and intent.steps else await _proposed(services, state))
        step.detail(Words.alike(" · ".join(texts)) if texts else message("graph.planning.one_search"))
    return [SubQuestion(id=f"s{place}", text=text) for place, text in enumerate(texts, 1)]


async def _proposed(services: Services, state: State) -> list[str]:
    model = PurposeModel(services.models, state["asked"].ask.model, "resolution")
    language = state["asked"].language
    try:
        system = services.prompts.render("planning", least=LEAST, most=MOST, language=language)
        prompt = Prompt(system, f"BEGIN QUESTION\n{question_of(state).text}\nEND QUESTION")
        said, _ = await ask_json(model, prompt, _Steps)
    except Exception:
        log.warning("no steps were proposed", exc_info=True)
        return []
    return said.steps if said else []


def _usable(steps: Sequence[str]) -> list[str]:
    """Returns the steps without repetitions; none if they are no plan."""
    texts = list(dict.fromkeys(" ".join(each.split()) for each in steps if each.strip()))
    fitting = LEAST <= len(texts) <= MOST and all(len(each) <= LONGEST for each in texts)
    return texts if fitting else []
