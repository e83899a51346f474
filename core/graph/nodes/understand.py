"""Detects the question's language and the requested action."""

from __future__ import annotations

from collections.abc import Sequence

from core.graph.answering.history import shortened
from core.graph.nodes.action import model_for
from core.graph.nodes.ask_action import ACTIONS
from core.graph.nodes.datasets.data_files import data_answer
from core.graph.nodes.places.sending import sent
from core.graph.nodes.routing.order_beside_question import order_beside_question
from core.graph.planning.proposal import may_propose
from core.graph.records import Intent, IntentRequest, Message, WebReason
from core.graph.services import Services
from core.graph.state import Asked, PastTurn, State, Waiting, asked_in_full
from core.graph.tools.beside_documents import deed_beside_tools
from core.graph.tools.by_rule import plain_calls
from core.graph.tools.offering import web_is_denied
from core.graph.tracing import node_trace
from core.graph.understanding.destinations.of_intent import destination_of
from core.graph.understanding.intent.classifier import IntentClassifier
from core.messages import message_group
from core.models.by_rule import ruled
from core.question.analysed import analysed_as
from core.question.destination import Wish
from core.tools.datagov.decomposition import names_open_data
from core.tools.web.server import SEARCHING, WRITING
from core.words import Words

PAST_TURNS = 3
ASKED: tuple[WebReason, ...] = ("flag", "asked")
"""Explicit requests for a web search; inferred ones are optional."""


async def understand(services: Services, state: State) -> State:
    _, trace = node_trace("u")
    with trace.step("understanding") as step:
        question = analysed_as(state["asked"].question, state["asked"].text)
        classifier = IntentClassifier(
            services.prompts, services.clock, model_for(services, state, "intent"), services.estimator
        )
        asked = IntentRequest(
            text=state["asked"].text,
            tagged=state["asked"].ask.action,
            web=state["asked"].web_asked,
            past=past_messages(await services.past_turns(state)),
            manifold=await may_propose(services, state, question),
        )
        classified = await classifier.classify(asked)
        intent = classified.intent
        voice = await services.personalities.voice(state["asked"].user_id)
        description = _step_words(intent, state)
        step.detail(ruled(description) if classified.ruled else description)
    settled = deed_beside_tools(services.tools, intent, services.models.configured)
    if settled is None and intent.asks and not intent.several and "inquire" in intent.alternatives:
        settled = "inquire" if await data_answer(services, state, question) else None
    settled = settled or order_beside_question(intent)
    asks = intent.web in ASKED or _asks_web_tool(services, state["asked"].text)
    ruled_to = destination_of(intent, settled, _beyond_documents(services, state["asked"].text, asks))
    going = await sent(services, state, intent, settled, ruled_to)
    is_web = going.destination.place == "web" and going.destination.sure
    understood = analysed_as(question, asked_in_full(state), question.language)
    return {
        "asked": Asked(
            language=await services.answer_language(state),
            question=understood.routed(going.action or intent.action).sent_to(going.destination),
            rules=voice.rules,
            intent=intent.model_copy(update={"command": going.command}),
            web=asks or is_web or (intent.wants_web and services.tools.searches_web),
            web_asked=asks or is_web,
        ),
        "waiting": Waiting(doubtful=[] if going.action else list(intent.alternatives)),
    }


def _asks_web_tool(services: Services, question: str) -> bool:
    """Returns whether the question asks for a web tool by name or by a function that only such a tool has."""
    ranked = services.tools.rank(question, among=(SEARCHING, WRITING))
    return any(each.asked for each in ranked) and not web_is_denied(question)


def _beyond_documents(services: Services, text: str, asks_web: bool) -> list[Wish]:
    """Returns what the message wants of the web and of a tool."""
    found = [Wish(place="web")] if asks_web else []
    if names_open_data(text):
        return [*found, Wish(place="open_data")]
    calls = plain_calls(services.tools, text, ())
    return [*found, *(Wish(place="tool", tool=each.name) for each in calls)]


def past_messages(turns: Sequence[PastTurn]) -> tuple[Message, ...]:
    """Returns the conversation's messages before the current one, newest last."""
    return tuple(
        message
        for turn in turns[-PAST_TURNS:]
        for message in (
            Message(role="user", text=turn["question"]),
            Message(role="assistant", text=shortened(turn["answer"])),
        )
    )


def _step_words(intent: Intent, state: State) -> Words:
    if intent.action == "inquire" and not intent.asks:
        return _DEPTHS[state["asked"].ask.mode]
    names = [ACTIONS[each][0] for each in intent.alternatives or (intent.action,)]
    return Words.joined(names, " / ")


_DEPTHS = message_group("graph.understand.depths")
