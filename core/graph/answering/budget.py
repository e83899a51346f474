"""Divides a model's context window among the parts of a prompt, in tokens (docs/specification.md, "Budget")."""

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
"""Number of words from which a question counts as long."""
_WEIGHTY = ("comparison", "timeline", "debate")


@dataclass(frozen=True)
class Allowance:
    """Settings for one level of task complexity: factors by which the token shares are multiplied, and the maximum
    number of tool calls."""

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
    """Token limits of a prompt's parts. ``response`` is the minimum for the answer, which also gets all unused
    tokens."""

    window: int
    user: int
    retrieved: int
    history: int
    response: int

    @property
    def prompt(self) -> int:
        """Returns the maximum number of tokens in a prompt."""
        return self.window - self.response


LEAST_RESPONSE = 0.4
"""Fraction of the answer's share that is always reserved for it."""


def shares(budget: Budget, window: int, complexity: Complexity) -> Shares:
    """Scales the token shares of ``budget`` to the context ``window`` and adjusts them for the task's complexity; a
    safety margin stays unused."""
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
    """Rates a task's complexity: several questions, comparisons, a long question and deep mode make it complex."""
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
    """Returns the token shares for answering ``question``; uses the model's own ``window`` (in tokens) if none is
    given."""
    window = window or (await services.models.capabilities(state["asked"].ask.model)).window
    return shares(
        services.settings.budget, window, complexity_of(question, state["asked"].ask.mode, state["asked"].intent)
    )


def calls_allowed(state: State, question: str) -> int:
    """Returns how many times the model may call tools."""
    return ALLOWANCES[complexity_of(question, state["asked"].ask.mode, state["asked"].intent)].tool_calls
