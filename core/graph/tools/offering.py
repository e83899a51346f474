"""Selects the tools that a model is offered for a question: at most four, best first.

Tools that send data off this machine, and external tools, are offered only if the question asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.graph.state import State, asked_in_full
from core.graph.understanding.wording import lists
from core.language.normalisation import fold
from core.tools.ranking import RankedTool, offered
from core.tools.registry import RegisteredTool
from core.tools.tools import Tools

WEB = frozenset(("web_search", "web_answer", "web_page"))
"""Categories of web tools."""
AT_HAND = frozenset(("memory", "documents"))
"""Categories that are always available, since they read only the user's own data."""
BEYOND_NOTHING = WEB | AT_HAND
"""Categories that add nothing to an action on whole documents."""
FEWER = frozenset(("search_memory", "record_response"))
"""Memory tools that are offered only if the memory already found items that are fairly relevant."""


def offered_tools(tools: Tools, state: State, success: Mapping[str, float]) -> list[RegisteredTool]:
    """Returns the tools to offer; no memory tools if the memory found nothing for this turn."""
    question = asked_in_full(state)
    ranked = tools.rank(question, success)
    return [each.entry for each in offered([each for each in ranked if _may_be_offered(each, state)])]


def offered_beyond_documents(
    tools: Tools, state: State, order: str, success: Mapping[str, float]
) -> list[RegisteredTool]:
    """Returns the tools that are relevant to an ``order`` on whole documents, except document tools (already read) and
    web tools (a separate node)."""
    ranked = [each for each in tools.rank(order, success) if _goes_beyond(each) and _may_be_offered(each, state)]
    return [each.entry for each in offered(ranked)]


def _goes_beyond(ranked: RankedTool) -> bool:
    category = ranked.entry.definition.category
    return ranked.asked if category == "memory" else ranked.relevant and category not in BEYOND_NOTHING


def web_is_denied(question: str) -> bool:
    """Returns whether the question says not to use the web."""
    return bool(lists().web["denied"].search(fold(question)))


def _may_be_offered(ranked: RankedTool, state: State) -> bool:
    entry, category = ranked.entry, ranked.entry.definition.category
    if category in WEB:
        return (ranked.asked or state["asked"].web) and not web_is_denied(state["asked"].text)
    if not entry.own:
        return ranked.relevant
    if category == "memory":
        return _of_memory(ranked, state)
    return category in AT_HAND or ranked.relevant


def _of_memory(ranked: RankedTool, state: State) -> bool:
    meta = state["found"].meta
    if meta is None:
        return False
    narrowed = meta.debug.retrieval_confidence == "medium"
    return not narrowed or ranked.asked or ranked.entry.name in FEWER
