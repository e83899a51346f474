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
MORE = message("graph.ask_documents.more")
MOST_COMPARED = 4
"""Maximum number of documents that a comparison takes without asking which of them are meant."""


async def ask_documents(_: Services, state: State) -> State:
    """Asks about the first unclear document name; further ones are asked about afterwards. Asks only when there is
    nothing to assume if the personality prefers assumptions, or if the last turn asked for the same choice."""
    (doubt, *others), question = state["waiting"].doubts, state["asked"].question
    assumes = state["asked"].rules.assumes or _was_asked(state, doubt)
    if assumes and (assumed := assumed_document(state, doubt)) is not None:
        named = [*(state["asked"].document_ids or []), *assumed]
        return {
            "asked": Asked(question=question.naming(dict.fromkeys(named) or None)),
            "waiting": Waiting(doubts=others),
        }
    if not others and _means_all(state, doubt):
        every = [each.document_id for each in doubt.candidates]
        return {"asked": Asked(question=question.naming(every)), "waiting": Waiting(doubts=[])}
    reply = ask(_choice(state, doubt) if doubt.candidates else _no_match_request(state, doubt))
    candidates = [each.document_id for each in doubt.candidates]
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True), "waiting": Waiting(candidates=candidates)}
    if reply.text:
        return {"waiting": Waiting(typed=reply.text, doubts=others, candidates=candidates)}
    named = [*(state["asked"].document_ids or []), *_chosen(doubt, reply)]
    return {
        "asked": Asked(question=question.naming(dict.fromkeys(named))),
        "waiting": Waiting(doubts=others, candidates=candidates),
    }


def _means_all(state: State, doubt: UnclearReference) -> bool:
    """Returns whether all documents that fit are meant: a comparison of a few, or a series over editions."""
    asked = state["asked"]
    if asked.document_ids or not 1 < len(doubt.candidates) == doubt.total:
        return False
    if asked.question.destination.place == "series":
        return True
    return asked.action == "compare" and doubt.total <= MOST_COMPARED


def _was_asked(state: State, doubt: UnclearReference) -> bool:
    """Returns whether the last turn asked the user to choose between the same documents: two cards in a row annoy."""
    offered = {each.document_id for each in doubt.candidates}
    return bool(offered) and offered <= set(state.get("last_candidates", []))


def _choice(state: State, doubt: UnclearReference) -> Request:
    language = state["asked"].language
    choices = [
        Choice(
            id=each.document_id,
            label=each.title,
            hint=each.hint,
            samples=[doubt.answers[each.document_id]] if doubt.answers.get(each.document_id) else [],
        )
        for each in doubt.candidates
    ]
    return Request(
        kind="doc_choice",
        question=_question(doubt, language),
        choices=[*choices, Choice(id=ALL, label=ALL_OF_THESE.to(language))],
        several=len(choices) > 2 or state["asked"].action == "compare",
        allows_text=doubt.total > len(choices),
    )


def _question(doubt: UnclearReference, language: Language) -> str:
    if doubt.name:
        asked = WHICH_NAMED.to(language).format(name=doubt.name)
    else:
        asked = (WHOSE if doubt.between == "organisations" else WHICH).to(language)
    more = doubt.total - len(doubt.candidates)
    return f"{asked} {MORE.to(language).format(count=more)}" if more > 0 else asked


def _no_match_request(state: State, doubt: UnclearReference) -> Request:
    return Request(
        kind="text_input", question=NO_MATCH.to(state["asked"].language).format(name=doubt.name), allows_text=True
    )


def _chosen(doubt: UnclearReference, reply: Reply) -> list[str]:
    offered = [each.document_id for each in doubt.candidates]
    return offered if ALL in reply.choice_ids else [each for each in offered if each in reply.choice_ids]
