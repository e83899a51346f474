"""Asks the user for an action's missing input: documents, or the text to audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.events import Choice
from core.graph.interrupts import Request, ask
from core.graph.services import Services
from core.graph.state import Asked, State, TurnAnswer, Waiting
from core.graph.understanding.documents.records import MOST_OFFERED
from core.library.records import Document
from core.messages import message, message_group

_QUESTIONS = message_group("graph.ask_missing.questions")
_CHOSEN = ("second", "audited")
"""Inputs that the user chooses among the documents."""
MORE = message("graph.ask_documents.more")


async def ask_missing(services: Services, state: State) -> State:
    """Offers documents for an audit, and for the second document of a comparison, first those of the first's kind."""
    missing = state["waiting"].missing
    named = state["asked"].document_ids or []
    question = "both" if missing == "second" and not named else missing
    words = _QUESTIONS[question].to(state["asked"].language)
    others = await _others(services, state, named) if question in _CHOSEN else []
    reply = ask(
        _choice(state, words, others) if others else Request(kind="text_input", question=words, allows_text=True)
    )
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    if missing == "text":
        return {"asked": Asked(source_text=reply.text), "waiting": Waiting(missing="")}
    if reply.choice_ids:
        both = dict.fromkeys([*named, *reply.choice_ids])
        return {"asked": Asked(question=state["asked"].question.naming(both)), "waiting": Waiting(missing="")}
    return {"waiting": Waiting(typed=reply.text, missing="")}


async def _others(services: Services, state: State, named: Sequence[str]) -> list[Document]:
    """Returns the other readable documents: those of the kind of a named one first, each group newest first."""
    listed = await services.turn.listed(state)
    kinds = {each.metadata.kind for each in listed if each.id in named}
    others = [each for each in listed if each.id not in named and each.is_stored]
    return sorted(others, key=lambda each: each.metadata.kind not in kinds)


def _choice(state: State, question: str, others: Sequence[Document]) -> Request:
    offered = others[:MOST_OFFERED]
    titles = Counter(each.metadata.title for each in offered)
    more = MORE.to(state["asked"].language).format(count=len(others) - len(offered))
    choices = [
        Choice(
            id=each.id,
            label=each.metadata.title if titles[each.metadata.title] == 1 else each.filename,
            hint=each.filename,
        )
        for each in offered
    ]
    return Request(
        kind="doc_choice",
        question=f"{question} {more}" if len(others) > len(offered) else question,
        choices=choices,
        several=bool(state["asked"].document_ids),
        allows_text=True,
    )
