"""The tools that a model may call itself: *what a question is offered* → ``Toolbox``, where one can call them."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import PalimpsestError
from core.graph.services import Services
from core.graph.state import State
from core.graph.tools.calling import caller_of
from core.graph.tools.summary import summariser
from core.graph.tools.toolbox import Toolbox
from core.tools.registry import RegisteredTool

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
        summarise=summariser(services, state),
    )
    try:
        able = toolbox.offered and await services.models.can_be_offered(toolbox.specs, state.get("model"))
    except PalimpsestError:
        return None  # whoever asks it for the answer says why
    return toolbox if able else None
