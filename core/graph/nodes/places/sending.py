"""Decides where the answer to a message comes from, when rules alone do not (docs/specification.md, "Routes")."""

from __future__ import annotations

from dataclasses import dataclass

from core.events import Action
from core.graph.records import Command, CommandKind, Intent
from core.graph.services import Services
from core.graph.state import State
from core.graph.tools.one_text import tools_of_others
from core.graph.understanding.destinations.decision import OF_DOCUMENTS, Outlook, destination_by_kinds
from core.graph.understanding.destinations.fitting_tools import described, fitting_tool
from core.graph.understanding.destinations.holdings import holdings_of
from core.graph.understanding.destinations.weights import shipped
from core.graph.understanding.intent.probabilities import spoken_text
from core.question.destination import Destination, Place
from core.question.filenames import without_filenames

_COMMANDS: dict[Place, CommandKind] = {"remember": "remember", "correct": "remember", "forget": "forget"}
_ACTIONS: dict[Place, Action] = {
    "documents": "inquire",
    "data": "inquire",
    "series": "inquire",
    "summarize": "summarize",
    "compare": "compare",
    "audit": "audit",
}


@dataclass(frozen=True)
class Sent:
    """A destination with the action that it needs; ``action`` is ``None`` if the user must choose. ``command`` is the
    order to the memory, if it is one."""

    destination: Destination
    action: Action | None
    command: Command | None = None


async def sent(services: Services, state: State, intent: Intent, settled: Action | None, ruled: Destination) -> Sent:
    """Returns where a message goes. ``ruled`` is the destination by rules: a command, a tag, a tool or a web search
    that the message names, or an order on whole documents stays as it is."""
    action = settled or (None if intent.asks else intent.action)
    if ruled.place == "web" and intent.web == "asked" and not services.tools.searches_web:
        # The documents may answer all the same; the notice says what the web needs.
        nowhere = ruled.wish.model_copy(update={"place": "not_here"})
        return Sent(ruled.model_copy(update={"wish": nowhere, "sure": False}), action)
    is_open = intent.command is None and not intent.explicit and not state["asked"].ask.follows
    if not is_open or intent.several or (action != "inquire" and action is not None) or ruled.place not in _ACTIONS:
        return await _without_library(services, state, Sent(ruled, action, intent.command))
    found = await _by_kinds(services, state, intent)
    if found is None:
        return Sent(ruled, action)
    more = found.model_copy(update={"more": ruled.more})
    if kind := _COMMANDS.get(found.place):
        return Sent(more, "memory", Command(kind=kind, text=intent.text))
    if found.place not in _ACTIONS:
        return Sent(more, "inquire")
    return _about_documents(more, action)


def _about_documents(found: Destination, action: Action | None) -> Sent:
    """Rules that found a question overrule an action on whole documents; they settle nothing else."""
    wanted = _ACTIONS[found.place]
    if action is None:
        return Sent(found, wanted if found.sure else None)
    if wanted == action:
        return Sent(found, action)
    return Sent(Destination(more=found.more, sure=False), action)


async def _without_library(services: Services, state: State, ruled: Sent) -> Sent:
    """Sends an action on whole documents nowhere if there are none."""
    if ruled.destination.place not in OF_DOCUMENTS or ruled.action == "audit" or state["asked"].ask.document_ids:
        return ruled
    if await services.turn.listed(state):
        return ruled
    nowhere = ruled.destination.wish.model_copy(update={"place": "not_here"})
    return Sent(ruled.destination.model_copy(update={"wish": nowhere}), ruled.action)


async def _by_kinds(services: Services, state: State, intent: Intent) -> Destination | None:
    """Returns the destination by probabilities; ``None`` without embeddings."""
    known, text = shipped(), spoken_text(without_filenames(intent.text))
    if known is None or (vector := await services.estimator.vector_for(known.weights, text)) is None:
        return None
    held = holdings_of(intent.text, await services.turn.listed(state), state.get("recent_docs", []))
    tools = tools_of_others(services, intent.text)
    vectors = [await services.estimator.vector_for(known.weights, described(each)) for each in tools]
    name, fit = fitting_tool(
        [each for each, its in zip(tools, vectors, strict=True) if its is not None],
        known.without_common(vector),
        [known.without_common(its) for its in vectors if its is not None],
        known.tools,
    )
    outlook = Outlook(web=services.tools.searches_web, tool=name, fit=fit, now=intent.web in ("facts", "temporal"))
    return destination_by_kinds(known.kinds(text, vector), held, outlook)
