"""Builds the ``Toolbox`` of tools that a model may call for a question, if the model can call tools."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import PalimpsestError
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.graph.tools.calling import caller_of
from core.graph.tools.offering import QUERY, document_tools
from core.graph.tools.toolbox import Toolbox, spec_of
from core.models.structured import Prompt, PurposeModel, ask_text
from core.search.documents.context import unfenced
from core.tools.condensing import Summarise
from core.tools.registry import RegisteredTool

WORDS_A_TOKEN = 0.6
"""Words per token: the length in words to request from a model is this times the available tokens."""
LONGEST = 60_000
"""Maximum characters of a result that are read; the rest is dropped."""

Offer = Callable[[dict[str, float]], list[RegisteredTool]]
"""Takes the success rate of each tool; returns the tools to offer."""


async def model_toolbox(services: Services, state: State, question: str, offer: Offer) -> Toolbox | None:
    """Returns ``None`` if no tool is offered, or no model can call one."""
    if not services.models.configured:
        return None
    success = await services.memory.success(state) if services.memory else {}
    toolbox = Toolbox(
        services.tools,
        caller_of(state, services.memory.turn(state) if services.memory else None),
        offer(success),
        question,
        after=len(state["found"].sources),
        summarise=_summariser(services, state),
    )
    try:
        able = toolbox.offered and await services.models.can_be_offered(toolbox.specs, state["asked"].ask.model)
    except PalimpsestError:
        return None  # This error is ignored here: the code that requests the answer from the model reports it.
    return toolbox if able else None


async def can_query(services: Services, state: State) -> bool:
    """Returns whether a model is configured that can query datasets itself."""
    offered = [spec_of(each) for each in document_tools(services.tools)]
    if not services.models.configured or not any(each.name == QUERY for each in offered):
        return False
    try:
        return await services.models.can_be_offered(offered, state["asked"].ask.model)
    except PalimpsestError:
        return False


def _summariser(services: Services, state: State) -> Summarise | None:
    """Returns a function that shortens a long tool result with the small model. Returns ``None`` if there is no such
    model; then only the first parts of the result are used."""
    if not services.models.configured:
        return None
    model = PurposeModel(services.models, state["asked"].ask.model, "results")

    async def summarise(text: str, most_tokens: int) -> str:
        system = services.prompts.render("tools/summary", most=int(most_tokens * WORDS_A_TOKEN))
        room = min(LONGEST, 2 * await model.window())
        user = f"QUESTION: {asked_in_full(state)}\n\nBEGIN RESULT\n{unfenced(text[:room])}\nEND RESULT"
        return (await ask_text(model, Prompt(system, user))).text

    return summarise
