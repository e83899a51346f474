"""Divides a model's context window among the parts of a prompt, in tokens (docs/specification.md, "Budget")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.events import Source
from core.graph.records import Intent
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.language.fields import named_figures
from core.search.documents.selection import Width
from core.setting_groups import Budget, ModeName, Search

Complexity = Literal["simple", "medium", "complex"]

SHORT = 12
LONG = 40
"""Number of words from which a question counts as long."""
_WEIGHTY = ("comparison", "timeline", "debate")


@dataclass(frozen=True)
class Allowance:
    """Settings for one level of task complexity: factors by which the token shares are multiplied."""

    retrieved: float
    history: float


ALLOWANCES: dict[Complexity, Allowance] = {
    "simple": Allowance(retrieved=0.6, history=0.5),
    "medium": Allowance(retrieved=1.0, history=1.0),
    "complex": Allowance(retrieved=1.5, history=1.0),
}

ROUNDS: dict[ModeName, int] = {"quick": 2, "enhanced": 8, "deep": 16}
"""Maximum number of rounds of tool calls for an answer."""


@dataclass(frozen=True)
class Shares:
    """Token limits of a prompt's parts. ``response`` is the minimum for the answer, which also gets all unused
    tokens; ``width`` limits the passages before ``retrieved`` does."""

    window: int
    user: int
    retrieved: int
    history: int
    response: int
    width: Width | None = None

    @property
    def prompt(self) -> int:
        """Returns the maximum number of tokens in a prompt."""
        return self.window - self.response


FIGURE_TOKENS, FIGURE_LEAST = 5_000, 0.5
"""Maximum tokens of the passages for a question about a figure of one report, and the lowest share of the best score
that a passage needs (in enhanced mode; docs/specification.md, "Budget")."""
PASSAGE_TOKENS, PASSAGE_LEAST = 9_000, 0.45
"""The same for other questions."""
REPORT_TOKENS = 2_500
"""Tokens added for each further report among the sources."""
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


def width_of(question: str, sources: Sequence[Source], mode: ModeName, modes: Search) -> Width:
    """Returns how many passages an answer needs: few for a figure of one report, more for other questions and for each
    further report. The number of sources of the research ``mode`` scales it."""
    reports = sum(each.kind == "document" and any(not p.near for p in each.passages) for each in sources)
    base, least = (FIGURE_TOKENS, FIGURE_LEAST) if named_figures(question) else (PASSAGE_TOKENS, PASSAGE_LEAST)
    scale = getattr(modes, mode).top_k / modes.enhanced.top_k
    return Width(int((base + REPORT_TOKENS * max(0, reports - 1)) * scale), least)


async def shares_for(services: Services, state: State, question: str, window: int | None = None) -> Shares:
    """Returns the token shares for answering ``question``; uses the model's own ``window`` (in tokens) if none is
    given."""
    ask = state["asked"].ask
    window = window or (await services.models.capabilities(ask.model)).window
    found = shares(services.settings.budget, window, complexity_of(question, ask.mode, state["asked"].intent))
    width = width_of(asked_in_full(state), state["found"].sources, ask.mode, services.settings.search)
    return replace(found, width=width)
