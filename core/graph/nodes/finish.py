"""Saves the question and answer in the history; a cancelled question leaves only the documents that it named."""

from __future__ import annotations

import logging
import re

from core.graph.answering.answer_form import form_wishes
from core.graph.answering.history import summarise, turns_to_summarise, uncited
from core.graph.document_registry import updated_registry
from core.graph.memory.orders import forgets
from core.graph.nodes.action import model_for
from core.graph.services import Services
from core.graph.state import Digest, LastAsked, PastTurn, State, asked_in_full, turns_so_far
from core.question.subject import without_chips

log = logging.getLogger(__name__)

_MARKERS = re.compile(r"(?:(?<!\s)\s++)?+\[(\d{1,3})\]")


async def finish(services: Services, state: State) -> State:
    library = await services.library.find(state["asked"].user_id, conversation_id=state["asked"].conversation_id)
    names = updated_registry(state.get("conversation_docs", {}), spoken_of(state), library)
    if state["answer"].cancelled:
        return {"conversation_docs": names, "last_candidates": state["waiting"].candidates}
    response = state["answer"].response
    past = await services.past_turns(state)
    turn = PastTurn(
        question=state["asked"].text,
        answer=uncited(response.text) if response else "",
        number=_turn_number(state),
        # An order to forget repeats what is forgotten; it counts as said before.
        at=0.0 if forgets(state) else services.clock(),
    )
    recent = list(dict.fromkeys(spoken_of(state)))
    return {
        "conversation_docs": names,
        "recent_docs": recent,
        "last_candidates": state["waiting"].candidates,
        "last_asked": await _last_asked(services, state),
        "turns": [turn],
        "digest": await _digest(services, state, [*past, turn]),
        "wishes": form_wishes(state.get("wishes", []), state["asked"].ask.question),
    }


async def _last_asked(services: Services, state: State) -> LastAsked | None:
    """Returns the question from which the next one may take over parts: the last one for which documents were searched,
    without removed chips (search filters)."""
    if state["asked"].action != "inquire" or state["found"].searched is None:
        return state.get("last_asked")
    text = asked_in_full(state)
    if state["asked"].ask.without:
        known = await services.turn.known(state)
        text = without_chips(text, known, state["asked"].ask.without)
    return LastAsked(text=text, document_ids=state["asked"].document_ids or [])


def _turn_number(state: State) -> int:
    """Returns the next turn number; a full answer has the number of the partial one that it replaces."""
    if state["asked"].ask.follows:
        for turn in reversed(state.get("turns", [])):
            if turn["question"] == state["asked"].text and "number" in turn:
                return turn["number"]
    return turns_so_far(state) + 1


async def _digest(services: Services, state: State, turns: list[PastTurn]) -> Digest | None:
    """Summarises older turns after an answer, so that users do not wait for it before the next. Without a model,
    nothing is summarised."""
    before = state.get("digest")
    waiting, model = turns_to_summarise(turns, before), model_for(services, state, "history")
    if not waiting or model is None:
        return before
    try:
        return await summarise(services.prompts, model, waiting, before)
    except Exception:
        log.warning("earlier turns were not summarised", exc_info=True)
        return before


def spoken_of(state: State) -> list[str]:
    """Returns the documents that were named and those that the answer cites."""
    response = state["answer"].response
    if response is None or response.kind == "nothing_found":
        return state["asked"].document_ids or []
    cited = {int(number) for number in _MARKERS.findall(response.text)} | {quote.number for quote in response.quotes}
    return [
        *(state["asked"].document_ids or []),
        *dict.fromkeys(
            source.document_id
            for source in state["found"].sources
            if source.number in cited and source.kind == "document"
        ),
    ]
