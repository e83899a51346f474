"""Rewinds a conversation to the beginning of a turn, so that the turn is asked again with another question.

The new version runs in a thread of its own, which begins with what the agent knew before the turn. The thread of the
earlier version stays as it is, so that the user can go back to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Response
from core.graph.answering.history import uncited
from core.graph.build import Agent
from core.graph.state import MOST_TURNS, Digest, LastAsked, PastTurn, State, turns_so_far
from core.graph.stream import thread_state
from core.runs.ledger import RunLedger
from core.runs.records import Message, Turn, TurnStart


async def turn_start(agent: Agent, thread: str) -> TurnStart:
    """Returns what a thread knows before its next turn."""
    state = await thread_state(agent, thread)
    asked, digest = state.get("last_asked"), state.get("digest")
    return TurnStart(
        number=turns_so_far(state),
        documents=state.get("conversation_docs", {}),
        recent=state.get("recent_docs", []),
        asked=asked.text if asked else "",
        asked_of=asked.document_ids if asked else [],
        digest=digest["text"] if digest else "",
        digested=digest["through"] if digest else 0,
        wishes=state.get("wishes", []),
        queries=state.get("last_queries", []),
        unsure=state.get("last_unsure", False),
    )


async def rewound(agent: Agent, ledger: RunLedger, thread: str, before: Sequence[Turn], start: TurnStart) -> State:
    """Returns the state with which a new thread begins, after the turns ``before``; ``thread`` has run these turns.

    Older turns than a thread keeps are read from the record of their runs.
    """
    state = await thread_state(agent, thread)
    kept = [turn for turn in state.get("turns", []) if turn.get("number", 0) <= start.number]
    turns = kept if len(kept) >= min(len(before), MOST_TURNS) else await _told(ledger, before, start.number)
    begun = State(
        turns=turns,
        conversation_docs=start.documents,
        recent_docs=start.recent,
        digest=Digest(text=start.digest, through=start.digested) if start.digest else None,
        last_asked=LastAsked(text=start.asked, document_ids=start.asked_of) if start.asked else None,
        wishes=start.wishes,
        last_queries=start.queries,
        last_unsure=start.unsure,
    )
    if tone := state.get("tone"):
        begun["tone"] = tone
    return begun


def start_of(turn: Message, before: Sequence[Turn]) -> TurnStart:
    """Returns what was known before a turn; of turns of earlier versions, which did not store it, only the last
    question is known."""
    return turn.start or TurnStart(number=len(before), asked=before[-1].asked.text if before else "")


async def _told(ledger: RunLedger, before: Sequence[Turn], last: int) -> list[PastTurn]:
    """Returns past turns from the answers that their runs recorded; ``last`` is the number of the newest."""
    found: list[PastTurn] = []
    newest = before[-MOST_TURNS:]
    for place, turn in enumerate(newest):
        asked, number = turn.asked, last - (len(newest) - place - 1)
        run_id = turn.answers[-1].run_id if turn.answers else None
        entries = await ledger.entries(asked.user_id, run_id) if run_id else []
        said = next((each for each in reversed(entries) if isinstance(each.event, Response)), None)
        if said is not None and isinstance(said.event, Response):
            answer = uncited(said.event.text)
            found.append(PastTurn(question=asked.text, answer=answer, number=number, at=said.at))
    return found
