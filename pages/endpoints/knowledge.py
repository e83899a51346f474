"""What the Knowledge tab can do, as named endpoints."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

import gradio as gr

from core.knowledge.views import Colour, Order, Period
from core.workbench import Workbench
from pages.answers import Reply, problem_of, user_of
from pages.identity import Identity
from pages.knowledge import Explorer, Exported, OneAnswer, View

Endpoint = Callable[..., Awaitable[Reply]]


class KnowledgeApi:
    """The endpoints; their names are the methods'."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._explorer = Explorer(workbench)
        self._identity = identity

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return (
            self.knowledge_graph,
            self.concept,
            self.concept_neighbours,
            self.concept_path,
            self.answer_concepts,
            self.knowledge_history,
            self.export_graph,
        )

    async def knowledge_graph(
        self,
        search: str = "",
        colours: list[Colour] | None = None,
        period: Period = "all",
        sort: Order = "importance",
        top: int = 20,
        conversation_id: str = "",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """The concepts that pass the filters, with places and sizes, and the edges among them. ``period`` "session"
        means one conversation."""
        try:
            view = View(
                search=search,
                colours=colours or [],
                period=period,
                sort=sort,
                top=top,
                session=conversation_id or None,
            )
            return await self._explorer.graph(user_of(self._identity, request), view)
        except Exception as error:
            return problem_of(error, "en")

    async def concept(self, concept_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """One concept: definition, success by tier, outcomes, what is related, and everything behind it."""
        try:
            found = await self._workbench.memory.knowledge.concept(user_of(self._identity, request), concept_id)
            return found.model_dump(mode="json")
        except Exception as error:
            return problem_of(error, "en")

    async def concept_neighbours(self, concept_id: str, limit: int = 20, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """The concepts beside one, the strongest first."""
        try:
            user_id = user_of(self._identity, request)
            found = await self._workbench.memory.knowledge.neighbours(user_id, concept_id, max(1, min(limit, 200)))
            return {"neighbours": [each.model_dump(mode="json") for each in found]}
        except Exception as error:
            return problem_of(error, "en")

    async def concept_path(self, a: str, b: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """The shortest way between two concepts, with the evidence of each edge."""
        try:
            path = await self._workbench.memory.knowledge.path(user_of(self._identity, request), a, b)
            return {"found": path.found, **path.model_dump(mode="json")}
        except Exception as error:
            return problem_of(error, "en")

    async def answer_concepts(self, answer_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """What an answer was about, by the id of its message or its run, with the small graph of it."""
        try:
            user_id = user_of(self._identity, request)
            found = await self._workbench.memory.knowledge.concepts_of_answer(user_id, answer_id)
            drawn = await self._explorer.answer_graph(user_id, OneAnswer(id=answer_id))
            return {"concepts": [each.model_dump(mode="json") for each in found.concepts], "graph": drawn}
        except Exception as error:
            return problem_of(error, "en")

    async def knowledge_history(self, days: int = 30, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Outcomes by day, memories by tier over time, and success by tier."""
        try:
            return (await self._workbench.memory.knowledge.history(user_of(self._identity, request), days)).model_dump(
                mode="json"
            )
        except Exception as error:
            return problem_of(error, "en")

    async def export_graph(
        self,
        format: Literal["json", "html"] = "json",
        top: int = 20,
        search: str = "",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """The graph as one file: ``text`` is its content, and needs nothing from anywhere."""
        try:
            call = Exported(format=format, top=top, search=search)
            return await self._explorer.export_graph(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")
