"""Which tools a model is offered for a question: at most four, the best first.

What leaves this machine, and what belongs to others, is offered only where the question asks for it.
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
"""Categories of tools that look at the world outside."""
AT_HAND = frozenset(("memory", "documents"))
"""Categories that are always there: what they look at is the person's own."""
BEYOND_NOTHING = WEB | AT_HAND
"""Categories that add nothing to what is done with whole documents."""
FEWER = frozenset(("search_memory", "record_response"))
"""Of the memory's tools, those that are offered where the memory has brought what is fairly close."""


def offered_tools(tools: Tools, state: State, success: Mapping[str, float]) -> list[RegisteredTool]:
    """Of those that may be called now; none of the memory's where it brought nothing to this turn."""
    question = asked_in_full(state)
    ranked = tools.rank(question, success)
    return [each.entry for each in offered([each for each in ranked if _may_be_offered(each, state)])]


def offered_beyond_documents(
    tools: Tools, state: State, order: str, success: Mapping[str, float]
) -> list[RegisteredTool]:
    """Those that an ``order`` on whole documents bears on; these are read anyway, and the web has its own way."""
    ranked = [each for each in tools.rank(order, success) if _goes_beyond(each) and _may_be_offered(each, state)]
    return [each.entry for each in offered(ranked)]


def _goes_beyond(ranked: RankedTool) -> bool:
    category = ranked.entry.definition.category
    return ranked.asked if category == "memory" else ranked.relevant and category not in BEYOND_NOTHING


def web_is_denied(question: str) -> bool:
    """Whether the question says that the web is not to be asked."""
    return bool(lists().web["denied"].search(fold(question)))


def _may_be_offered(ranked: RankedTool, state: State) -> bool:
    entry, category = ranked.entry, ranked.entry.definition.category
    if category in WEB:
        return (ranked.asked or state["web"]) and not web_is_denied(state["question"])
    if not entry.own:
        return ranked.relevant
    if category == "memory":
        return _of_memory(ranked, state)
    return category in AT_HAND or ranked.relevant


def _of_memory(ranked: RankedTool, state: State) -> bool:
    meta = state.get("meta")
    if meta is None:
        return False
    narrowed = meta.debug.retrieval_confidence == "medium"
    return not narrowed or ranked.asked or ranked.entry.name in FEWER
