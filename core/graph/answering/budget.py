"""Divides a model's context window among the parts of a prompt, in tokens (docs/specification.md, "Budget")."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.events import Source
from core.figures.compound import parts_of
from core.graph.answering.answer_form import numbers_asked
from core.graph.answering.evidence import asked_question
from core.graph.records import Intent
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.language.fields import named_figures
from core.records.answer import Answer
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
CERTAIN_TOKENS, CERTAIN_LEAST = 2_500, 0.7
"""The same for a question about one figure that the tables gave for certain: the passages around its row and a few
others, since a model only words it."""
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


def width_of(
    question: str,
    sources: Sequence[Source],
    mode: ModeName,
    modes: Search,
    certain: Answer | None = None,
    planned: Sequence[Answer] = (),
) -> Width:
    """Returns how many passages an answer needs: few for a figure of one report, more for other questions and for each
    further report. The number of sources of the research ``mode`` scales it.

    Args:
        certain: the only figure that the question asks for, if the tables gave it for certain.
        planned: the answers of a plan; what they cite is sent, and only the best of the other passages.
    """
    cited = frozenset(cell.item_id for answer in (certain, *planned) if answer for cell in answer.cells)
    found = [each for each in sources if each.kind == "document" and any(not p.near for p in each.passages)]
    # For a model, each passage is a source; a report counts once. A certain figure needs only the reports of its cells.
    reports = len({each.document_id for each in found})
    base, least = (FIGURE_TOKENS, FIGURE_LEAST) if named_figures(question) else (PASSAGE_TOKENS, PASSAGE_LEAST)
    if planned:
        least = CERTAIN_LEAST
    if certain:
        reports, base, least = len({cell.document_id for cell in certain.cells}), CERTAIN_TOKENS, CERTAIN_LEAST
    scale = getattr(modes, mode).top_k / modes.enhanced.top_k
    return Width(int((base + REPORT_TOKENS * max(0, reports - 1)) * scale), least, cited)


def certain_figure(state: State) -> Answer | None:
    """Returns the answer of the tables if it is certain and all that the question asks for."""
    line, intent = state["found"].line, state["asked"].intent
    if line is None or line.table or (intent and len(intent.parts) > 1):
        return None
    question = asked_question(state)
    is_whole = len(parts_of(question.focus)) == 1 and numbers_asked(question, line) == "one"
    return line if is_whole else None


async def shares_for(services: Services, state: State, question: str, window: int | None = None) -> Shares:
    """Returns the token shares for answering ``question``; uses the model's own ``window`` (in tokens) if none is
    given."""
    ask = state["asked"].ask
    window = window or (await services.models.capabilities(ask.model)).window
    found = shares(services.settings.budget, window, complexity_of(question, ask.mode, state["asked"].intent))
    certain = await asyncio.to_thread(certain_figure, state)
    width = width_of(
        asked_in_full(state),
        state["found"].sources,
        ask.mode,
        services.settings.search,
        certain,
        state["found"].planned,
    )
    return replace(found, width=width)
