"""How the window of a model is shared out (docs/specification.md, "Budget")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.graph.records import Intent
from core.graph.services import Services
from core.graph.state import State
from core.setting_groups import Budget, ModeName

Complexity = Literal["simple", "medium", "complex"]

SHORT = 12
LONG = 40
"""Words of a question."""
_WEIGHTY = ("comparison", "timeline", "debate")


@dataclass(frozen=True)
class Allowance:
    """What a task of some complexity may use of the shares, and how often it may call a tool."""

    retrieved: float
    history: float
    tool_calls: int


ALLOWANCES: dict[Complexity, Allowance] = {
    "simple": Allowance(retrieved=0.6, history=0.5, tool_calls=1),
    "medium": Allowance(retrieved=1.0, history=1.0, tool_calls=2),
    "complex": Allowance(retrieved=1.5, history=1.0, tool_calls=4),
}


@dataclass(frozen=True)
class Shares:
    """Tokens. ``response`` is what is left for the answer at least: whatever the rest leaves free is its, too."""

    window: int
    user: int
    retrieved: int
    history: int
    response: int

    @property
    def prompt(self) -> int:
        """The most that a prompt may have."""
        return self.window - self.response


LEAST_RESPONSE = 0.4
"""Of the share of the answer, what nothing else may take."""


def shares(budget: Budget, window: int, complexity: Complexity) -> Shares:
    """The shares of ``budget`` scaled to ``window``, moved by the complexity of the task; the margin stays free."""
    allowance = ALLOWANCES[complexity]

    def scaled(tokens: float) -> int:
        return int(tokens * window / budget.window)

    return Shares(
        window=window - scaled(budget.margin),
        user=scaled(budget.user),
        retrieved=scaled(budget.retrieved * allowance.retrieved),
        history=scaled(budget.history * allowance.history),
        response=scaled(budget.response * LEAST_RESPONSE),
    )


def complexity_of(question: str, mode: ModeName, intent: Intent | None) -> Complexity:
    """Several questions, things to be set against each other, a long question and a deep mode make a task complex."""
    words = len(question.split())
    weight = 0 if mode == "quick" else 1 if mode == "enhanced" else 2
    weight += words > LONG
    if intent:
        weight += len(intent.parts) > 1
        weight += intent.format in _WEIGHTY
    if weight >= 2:
        return "complex"
    return "medium" if weight or words > SHORT else "simple"


async def shares_for(services: Services, state: State, question: str, window: int | None = None) -> Shares:
    """The shares of a turn that is asked ``question``; of its model's own ``window`` where none is given (tokens)."""
    window = window or (await services.models.capabilities(state.get("model"))).window
    return shares(services.settings.budget, window, complexity_of(question, state["mode"], state["intent"]))


def calls_allowed(state: State, question: str) -> int:
    """How often it may call a tool."""
    return ALLOWANCES[complexity_of(question, state["mode"], state["intent"])].tool_calls
