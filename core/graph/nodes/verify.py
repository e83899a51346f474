"""Completes the answer with further wishes, checks its sentences against their citations, and sends it to the user."""

from __future__ import annotations

import logging

from core.errors import PalimpsestError
from core.events import Notice, Response, Sentence, Source, Sources
from core.graph.nodes.action import model_for, with_usage
from core.graph.nodes.routing.serve_wishes import has_more, serve_wishes
from core.graph.nodes.tools.supplement import FOUND
from core.graph.services import Services
from core.graph.state import Found, State, TurnAnswer
from core.graph.tracing import node_trace
from core.messages import message
from core.models.structured import PurposeModel
from core.records.answer import cited_numbers
from core.review.actions.disclaimers import disclaimers, is_advice
from core.review.prompt_injection import REASONS, safe_answer
from core.review.support import AnswerSupport, SupportCheck, SupportedSentence
from core.review.support_prompt import SHARE, USUAL_ROOM
from core.runs.trace import Emit
from core.words import Words

log = logging.getLogger(__name__)

MOST_PASSAGES = 60
"""Maximum number of passages of a whole document that are stored with the answer."""


async def verify(services: Services, state: State) -> State:
    emit, trace = node_trace("k")
    if has_more(state):
        more = await serve_wishes(services, state)
        state = {**state, "answer": state["answer"] | more["answer"], "found": state["found"] | more["found"]}
    response, sources = state["answer"].response, state["found"].sources
    if response is None:
        return {}
    response = _guarded(response, state["asked"].text, emit)
    judged: list[SupportedSentence] = []
    begins = _checked_from(response)
    if begins is not None:
        with trace.step("supporting") as step:
            model = model_for(services, state, "detection")
            room = await _room(model)
            checker = SupportCheck(services.prompts, model, services.inference, room)
            ends = len(response.text) - state["found"].reported
            support = await _check_support(checker, response.text[begins:ends], sources, state["asked"].text)
            if support is None:
                step.skip(_LEFT_OUT)
            else:
                judged = support.sentences
                step.detail(_supported_share(support))
                for words in support.notices:
                    emit(Notice(words=words))
                response = _with_support(services, response, support, begins)
    if response.action not in ("inquire", "memory"):
        sources = kept_passages(sources, response, judged)
        emit(Sources(sources=sources, confidence=state["found"].confidence))
    emit(response)
    return {"answer": TurnAnswer(response=response), "found": Found(sources=sources, served=state["found"].served)}


def _checked_from(response: Response) -> int | None:
    """Returns the position in the answer from which to check it, or ``None`` to check nothing. Quotations need no
    check. An audit already names the passage that decides each clause, so only the tool results below it are
    checked."""
    if response.kind != "generated":
        return None
    if response.action != "audit":
        return 0
    place = response.text.rfind(f"\n\n## {FOUND.to(response.language)}\n\n")
    return place if place >= 0 else None


def _guarded(response: Response, question: str, emit: Emit) -> Response:
    """Replaces an answer that was hijacked by prompt injection; adds a notice to advice about health, money or law."""
    if response.kind != "generated":
        return response  # Quotations and computed values advise nothing.
    text, hijack = safe_answer(response.text, response.language)
    if hijack:
        emit(Notice(words=REASONS[hijack]))
        return response.model_copy(update={"text": text, "quotes": [], "export": "", "kind": "told"})
    if not is_advice(question, response.text, cited=bool(response.quotes or cited_numbers(response.text))):
        return response
    notices = [each.words for each in disclaimers(question, response.text)]
    return response.model_copy(update={"disclaimers": notices})


async def _room(model: PurposeModel | None) -> int:
    """Returns the tokens that the check may send to the model."""
    try:
        return int(SHARE * await model.window()) if model else USUAL_ROOM
    except PalimpsestError:
        return USUAL_ROOM


async def _check_support(
    checker: SupportCheck, text: str, sources: list[Source], question: str
) -> AnswerSupport | None:
    """Returns ``None`` if the check failed, so that a finished answer is not lost."""
    try:
        return await checker.check(text, sources, question)
    except Exception:
        log.warning("the answer's support was not checked", exc_info=True)
        return None


def _with_support(services: Services, response: Response, support: AnswerSupport, begins: int) -> Response:
    return with_usage(services, response, support.usage, response.model).model_copy(
        update={
            "support": [
                Sentence(start=begins + j.start, end=begins + j.end, verdict=j.verdict, why=j.words)
                for j in support.sentences
            ],
            "supported": support.share,
        }
    )


def kept_passages(sources: list[Source], response: Response, judged: list[SupportedSentence]) -> list[Source]:
    """Removes the passages of whole documents that the answer is not based on."""
    used = {each.item_id for each in judged} | {quote.item_id for quote in response.quotes}
    kept = []
    for source in sources:
        resting = [passage for passage in source.passages if passage.item_id in used]
        kept.append(source.model_copy(update={"passages": (resting or source.passages[:1])[:MOST_PASSAGES]}))
    return kept


def _supported_share(support: AnswerSupport) -> Words:
    good, total = sum(each.verdict == "supported" for each in support.sentences), len(support.sentences)
    unchecked = sum(each.verdict == "not_checked" for each in support.sentences)
    beside = message("graph.verify.checked", unchecked=unchecked) if unchecked else message("graph.verify.text")
    return message("graph.verify.sentences_supported", good=good, total=total, beside=beside)


_LEFT_OUT = message("graph.verify.left_out")
