"""Selects the tools that a model is offered for a question: always those over the user's documents, in a fixed order;
then at most four others, best first.

Tools that send data off this machine, and external tools, are offered only if the question asks for them; memory tools
only if it asks for the memory.
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
QUERY = "query_data"
"""The tool that queries datasets."""
DOCUMENTS = (
    "look_up_figures",
    "calculate",
    QUERY,
    "search_passages",
    "read_page",
    "read_passage",
    "read_table",
    "list_documents",
)
"""Tools over the user's documents, in the order in which they are always offered, so that a provider can cache them."""


def offered_tools(tools: Tools, state: State, success: Mapping[str, float]) -> list[RegisteredTool]:
    """Returns the tools to offer: those over documents first, then the others that the question asks for."""
    ranked = tools.rank(asked_in_full(state), success)
    further = [each for each in ranked if each.entry.name not in DOCUMENTS and _may_be_offered(each, state)]
    return [*document_tools(tools), *(each.entry for each in offered(further))]


def document_tools(tools: Tools) -> list[RegisteredTool]:
    """Returns the tools over documents that may be called now, in their fixed order."""
    there = {each.name: each for each in tools.registry.available()}
    return [there[name] for name in DOCUMENTS if name in there]


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
    return ranked.asked if category == "memory" else ranked.relevant
