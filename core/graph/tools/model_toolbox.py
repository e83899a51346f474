"""The tools that a model may call itself: *what a question is offered* → ``Toolbox``, where one can call them."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import PalimpsestError
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.graph.tools.calling import caller_of
from core.graph.tools.toolbox import Toolbox
from core.models.structured import Prompt, PurposeModel, ask_text
from core.search.documents.context import unfenced
from core.tools.condensing import Summarise
from core.tools.registry import RegisteredTool

WORDS_A_TOKEN = 0.6
"""So many words a model is asked for, of each token that there is room for."""
LONGEST = 60_000
"""Characters of a result that are read; what is behind them is not told."""

Offer = Callable[[dict[str, float]], list[RegisteredTool]]
"""The share of answers that worked, by tool, to what is offered."""


async def model_toolbox(services: Services, state: State, question: str, offer: Offer) -> Toolbox | None:
    """``None`` where nothing is offered, or no model can call it."""
    if not services.models.configured:
        return None
    success = await services.memory.success(state) if services.memory else {}
    toolbox = Toolbox(
        services.tools,
        caller_of(state, services.memory.turn(state) if services.memory else None),
        offer(success),
        question,
        after=len(state["sources"]),
        summarise=_summariser(services, state),
    )
    try:
        able = toolbox.offered and await services.models.can_be_offered(toolbox.specs, state.get("model"))
    except PalimpsestError:
        return None  # whoever asks it for the answer says why
    return toolbox if able else None


def _summariser(services: Services, state: State) -> Summarise | None:
    """Who shortens a long result by the small model; ``None`` without one: then the first parts are told as they
    stand."""
    if not services.models.configured:
        return None
    model = PurposeModel(services.models, state.get("model"), "results")

    async def summarise(text: str, most_tokens: int) -> str:
        system = services.prompts.render("tools/summary", most=int(most_tokens * WORDS_A_TOKEN))
        room = min(LONGEST, 2 * await model.window())
        user = f"QUESTION: {asked_in_full(state)}\n\nBEGIN RESULT\n{unfenced(text[:room])}\nEND RESULT"
        return (await ask_text(model, Prompt(system, user))).text

    return summarise
