"""Summarizes the documents of the turn whole [spec A6]."""

from __future__ import annotations

from core.events import Source
from core.graph.actions.records import ActionResult, Progress
from core.graph.actions.summarize import Summarizer
from core.graph.nodes.action import action
from core.graph.services import Services
from core.graph.state import Node, State
from core.models.structured import PurposeModel
from core.prompts.templates import Prompts


def summarize(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")

    async def act(state: State, sources: list[Source], model: PurposeModel | None, progress: Progress) -> ActionResult:
        summarizer = Summarizer(prompts, model, services.embeddings, length=state["rules"].length)
        return await summarizer.summarize(sources, state["language"], state.get("focus", ""), progress)

    return action(services, "summarize", "summarize", "summarizing", act)
