"""The read side of the three graphs, as pages and the agent know it [spec K4]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.memory.knowledge.views import (
    AnswerConcepts,
    Colour,
    ConceptDetail,
    GraphView,
    History,
    Order,
    Path,
    Period,
    Related,
)

TOP = 20
MOST_NODES = 2_000


class Knowledge(Protocol):
    """Bound to the user each call is for; ids of other users do not exist."""

    async def graph(
        self,
        user_id: str,
        *,
        colours: Sequence[Colour] = (),
        period: Period = "all",
        sort: Order = "importance",
        search: str = "",
        top: int = TOP,
        session: str | None = None,
        focus: Sequence[str] = (),
    ) -> GraphView:
        """At most ``top`` concepts (bounded by ``MOST_NODES``) and the edges among them.

        ``colours`` empty: all. ``session`` is a conversation's id, for ``period="session"``. ``search`` looks in labels
        and aliases. ``focus``: these concepts whatever the other filters say, then their neighbours up to ``top``.
        """

    async def concept(self, user_id: str, concept_id: str) -> ConceptDetail:
        """Raises ``PalimpsestError`` ("not_found")."""

    async def neighbours(self, user_id: str, concept_id: str, limit: int = TOP) -> list[Related]:
        """The strongest first; empty for an unknown concept."""

    async def path(self, user_id: str, a: str, b: str) -> Path:
        """The fewest steps between two concepts, over the strongest edges among equals."""

    async def concepts_of_answer(self, user_id: str, run_id: str) -> AnswerConcepts:
        """By the id of the answer, its run or its message; empty where nothing is known of it."""

    async def history(self, user_id: str, days: int = 30) -> History: ...
