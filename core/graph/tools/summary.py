"""A long result of a tool in short, by the small model: *services, state* → who shortens, where there is a model."""

from __future__ import annotations

from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.models.structured import Prompt, PurposeModel, ask_text
from core.search.documents.context import unfenced
from core.tools.condensing import Summarise

WORDS_A_TOKEN = 0.6
"""So many words a model is asked for, of each token that there is room for."""
LONGEST = 60_000
"""Characters of a result that are read; what is behind them is not told."""


def summariser(services: Services, state: State) -> Summarise | None:
    """``None`` without a model: then the first parts are told as they stand."""
    if not services.models.configured:
        return None
    model = PurposeModel(services.models, state.get("model"), "results")

    async def summarise(text: str, most_tokens: int) -> str:
        system = services.prompts.render("tools/summary", most=int(most_tokens * WORDS_A_TOKEN))
        room = min(LONGEST, 2 * await model.window())
        user = f"QUESTION: {asked_in_full(state)}\n\nBEGIN RESULT\n{unfenced(text[:room])}\nEND RESULT"
        return (await ask_text(model, Prompt(system, user))).text

    return summarise
