"""Asks the user which document is meant, or for its name if none was found."""

from __future__ import annotations

from core.events import Choice
from core.graph.interrupts import ALL, Reply, Request, ask
from core.graph.services import Services
from core.graph.state import Asked, State, TurnAnswer, UnclearReference, Waiting
from core.graph.understanding.assumptions import assumed_document
from core.messages import message
from core.words import Language

WHICH = message("graph.ask_documents.which")
WHICH_NAMED = message("graph.ask_documents.which_named")
WHOSE = message("graph.ask_documents.whose")
NO_MATCH = message("graph.ask_documents.no_match")
ALL_OF_THESE = message("graph.ask_documents.all_of_these")


async def ask_documents(_: Services, state: State) -> State:
    """Asks about the first unclear document name; further ones are asked about afterwards. If the personality prefers
    assumptions, asks only when there is nothing to assume."""
    (doubt, *others), question = state["waiting"].doubts, state["asked"].question
    if state["asked"].rules.assumes and (assumed := assumed_document(state, doubt)) is not None:
        named = [*(state["asked"].document_ids or []), *assumed]
        return {
            "asked": Asked(question=question.naming(dict.fromkeys(named) or None)),
            "waiting": Waiting(doubts=others),
        }
    reply = ask(_choice(state, doubt) if doubt.candidates else _no_match_request(state, doubt))
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    if reply.text:
        return {"waiting": Waiting(typed=reply.text, doubts=others)}
    named = [*(state["asked"].document_ids or []), *_chosen(doubt, reply)]
    return {"asked": Asked(question=question.naming(dict.fromkeys(named))), "waiting": Waiting(doubts=others)}


def _choice(state: State, doubt: UnclearReference) -> Request:
    language = state["asked"].language
    choices = [Choice(id=each.document_id, label=each.title, hint=each.hint) for each in doubt.candidates]
    return Request(
        kind="doc_choice",
        question=_question(doubt, language),
        choices=[*choices, Choice(id=ALL, label=ALL_OF_THESE.to(language))],
        several=len(choices) > 2 or state["asked"].action == "compare",
        allows_text=doubt.total > len(choices),
    )


def _question(doubt: UnclearReference, language: Language) -> str:
    if doubt.name:
        return WHICH_NAMED.to(language).format(name=doubt.name)
    return (WHOSE if doubt.between == "organisations" else WHICH).to(language)


def _no_match_request(state: State, doubt: UnclearReference) -> Request:
    return Request(
        kind="text_input", question=NO_MATCH.to(state["asked"].language).format(name=doubt.name), allows_text=True
    )


def _chosen(doubt: UnclearReference, reply: Reply) -> list[str]:
    offered = [each.document_id for each in doubt.candidates]
    return offered if ALL in reply.choice_ids else [each for each in offered if each in reply.choice_ids]
