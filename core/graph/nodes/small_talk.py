"""Hears what a message is before it is understood: one that asks for nothing is answered as what it is."""

from __future__ import annotations

from core.events import Response
from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.understanding.intent.small_talk import Social, social
from core.language.detection import detect
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of
from core.memory.profile.statements import personal_statements
from core.messages import message
from core.tools.manifest import capabilities
from core.words import Language, Words

_SAID: dict[Social, Words] = {
    "greeting": message("graph.small_talk.said.greeting"),
    "thanks": message("graph.small_talk.said.thanks"),
    "bye": message("graph.small_talk.said.bye"),
    "telling": message("graph.small_talk.said.telling"),
}
_KEEP = message("graph.small_talk.keep")


def small_talk(services: Services) -> Node:
    """Where somebody asks without saying what about and nothing was spoken of yet, they are asked what they mean."""

    async def node(state: State) -> State:
        if state["follows"] or state["tagged"]:
            return {}
        if asks_for_abilities(state["question"]):
            return _abilities(services, detect(state["question"]))
        kind = social(state["question"])
        if kind == "vague":
            spoken_of = state.get("recent_docs") or state.get("last_asked") or state.get("turns")
            attached = await _attached(services, state)
            return {} if spoken_of or attached else {"language": detect(state["question"]), "missing": "subject"}
        if kind is None:
            return {}
        language = detect(state["question"])
        text = _SAID[kind].to(language)
        if kind == "telling" and services.profile is not None:
            kept = "\n".join(f"- {each.text}" for each in personal_statements(state["question"], language))
            text = f"{text} {_KEEP.to(language)}\n\n{kept}"
        return {"language": language, "response": Response(kind="told", text=text, language=language)}

    return node


def asks_for_abilities(question: str) -> bool:
    """Whether the message asks what the assistant can do, and nothing else."""
    return bool(pattern_of("tools.abilities").fullmatch(fold(question).strip(" ?!.")))


def _abilities(services: Services, language: Language) -> State:
    there = capabilities(services.tools.registry.available()).to(language)
    text = message("graph.small_talk.abilities", tools=there).to(language)
    return {"language": language, "response": Response(kind="told", text=text, language=language)}


async def _attached(services: Services, state: State) -> bool:
    """Whether "it" may be what was attached to the conversation."""
    seen = await services.library.find(state["user_id"], conversation_id=state["conversation_id"])
    return any(each.scope == state["conversation_id"] for each in seen)
