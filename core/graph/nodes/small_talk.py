"""Detects greetings, thanks, statements, calculations and questions about the library, and answers them without a
search."""

from __future__ import annotations

from core.events import Response
from core.graph.nodes.places.library_overview import library_overview
from core.graph.services import Services
from core.graph.state import Asked, State, TurnAnswer, Waiting
from core.graph.understanding.arithmetic import Calculated, calculated
from core.graph.understanding.destinations.weights import shipped
from core.graph.understanding.form_wish import is_only_wish, language_wished
from core.graph.understanding.intent.small_talk import social
from core.graph.understanding.library_question import asks_for_library
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of
from core.memory.profile.statements import personal_statements
from core.messages import message, message_group
from core.question.destination import Destination, Wish
from core.tools.manifest import capabilities
from core.words import Language

_SAID = message_group("graph.small_talk.said")
_NOTED = message("graph.small_talk.form_noted")
_LANGUAGE = message("graph.small_talk.language_noted")
_KEEP = message("graph.small_talk.keep")
ORDERED = 0.8
"""Probability from which a statement about the person is an order to remember it."""


async def small_talk(services: Services, state: State) -> State:
    """Answers small talk. If a question has no subject and the conversation has none yet, asks the user what they
    mean."""
    if state["asked"].ask.follows or state["asked"].ask.action:
        return {}
    if asks_for_abilities(state["asked"].text):
        language = await services.answer_language(state)
        return {"asked": _talk(state, language), "answer": TurnAnswer(response=abilities(services, language))}
    if (found := calculated(state["asked"].text)) is not None:
        return _computed(state, found, await services.answer_language(state))
    if asks_for_library(state["asked"].text) and not await _attached(services, state):
        overview = await library_overview(services, state)
        return {"asked": _talk(state, overview.language), "answer": TurnAnswer(response=overview)}
    if is_only_wish(state["asked"].text):
        return await _noted(services, state)
    kind = social(state["asked"].text)
    if kind == "vague":
        spoken_of = state.get("recent_docs") or state.get("last_asked") or state.get("turns")
        attached = await _attached(services, state)
        return (
            {}
            if spoken_of or attached
            else {"asked": Asked(language=await services.answer_language(state)), "waiting": Waiting(missing="subject")}
        )
    if kind is None or (kind == "telling" and await _is_order(services, state["asked"].text)):
        return {}
    language = await services.answer_language(state)
    text = _SAID[kind].to(language)
    if kind == "telling" and services.profile is not None:
        kept = "\n".join(f"- {each.text}" for each in personal_statements(state["asked"].text))
        text = f"{text} {_KEEP.to(language)}\n\n{kept}"
    return {
        "asked": _talk(state, language),
        "answer": TurnAnswer(response=Response(kind="told", text=text, language=language)),
    }


def _computed(state: State, found: Calculated, language: Language) -> State:
    """Answers with the result of a calculation, and the calculation."""
    key = "exact" if found.exact else "rounded"
    text = message(f"graph.small_talk.calculated.{key}", shown=found.shown, result=found.result).to(language)
    destination = Destination(wish=Wish(place="tool", tool="calculate"))
    return {
        "asked": Asked(language=language, question=state["asked"].question.sent_to(destination)),
        "answer": TurnAnswer(response=Response(kind="told", text=text, language=language)),
    }


async def _noted(services: Services, state: State) -> State:
    """Confirms a wish about the form of the answers, which the end of the turn stores. The language is for all
    conversations, so it is remembered as an order of the user, with undo."""
    asked, language = state["asked"], await services.answer_language(state)
    wished = language_wished([asked.text])
    text = (_LANGUAGE if wished else _NOTED).to(language)
    talk = _talk(state, language)
    if wished and services.profile is not None:
        await services.profile.carry_out(asked.user_id, asked.conversation_id, asked.run_id, asked.text)
        remembered = Destination(wish=Wish(place="remember"))
        talk = Asked(language=language, question=asked.question.sent_to(remembered))
    return {"asked": talk, "answer": TurnAnswer(response=Response(kind="told", text=text, language=language))}


async def _is_order(services: Services, text: str) -> bool:
    """Returns whether a statement surely is an order to the memory."""
    known = shipped()
    vector = await services.estimator.vector_for(known.weights, text) if known else None
    if known is None or vector is None:
        return False
    kinds = known.kinds(text, vector)
    return kinds["remember"] + kinds["correct"] + kinds["forget"] >= ORDERED


def asks_for_abilities(question: str) -> bool:
    """Returns whether the message only asks what the assistant can do."""
    return bool(pattern_of("tools.abilities").fullmatch(fold(question).strip(" ?!.")))


def abilities(services: Services, language: Language) -> Response:
    """Returns what the assistant can do."""
    there = capabilities(services.tools.registry.available()).to(language)
    return Response(
        kind="told", text=message("graph.small_talk.abilities", tools=there).to(language), language=language
    )


def _talk(state: State, language: Language) -> Asked:
    destination = Destination(wish=Wish(place="small_talk"))
    return Asked(language=language, question=state["asked"].question.sent_to(destination))


async def _attached(services: Services, state: State) -> bool:
    """Returns whether "it" may refer to an attachment of the conversation."""
    seen = await services.turn.listed(state)
    return any(each.scope == state["asked"].conversation_id for each in seen)
