"""Detects messages that combine a document action with questions for tools, so that the user need not choose.

"Summarize the policy, and which hospitals are there by government data?" is one request: the tool results appear below
the summary.
"""

from __future__ import annotations

from core.events import Action
from core.graph.records import Intent
from core.graph.tools.offering import BEYOND_NOTHING, WEB
from core.graph.understanding.intent.rules import clauses, points_at_document, read_clause
from core.graph.understanding.intent.web_need import asks_web
from core.tools.ranking import RankedTool
from core.tools.tools import Tools

DEEDS: frozenset[Action] = frozenset(("summarize", "compare", "audit"))


def deed_beside_tools(tools: Tools, intent: Intent, calls: bool) -> Action | None:
    """Returns the intent if it has exactly one document action and its questions are all for tools; otherwise ``None``,
    and the user must choose.

    ``calls``: whether a model is available that can call tools; then a tool need only be relevant to the question.
    """
    deeds = [each for each in intent.alternatives if each in DEEDS]
    if not intent.several or len(deeds) != 1 or set(intent.alternatives) != {*deeds, "inquire"}:
        return None
    questions = [each for each in clauses(intent.text) if read_clause(each).action == "inquire"]
    asked = questions and all(_asks_tool(tools, each, calls) for each in questions)
    return deeds[0] if asked else None


def _asks_tool(tools: Tools, question: str, calls: bool) -> bool:
    if asks_web(question):
        return True
    ranked = tools.rank(question)
    return any(_is_asked(each) or (calls and _bears(each, question)) for each in ranked)


def _is_asked(ranked: RankedTool) -> bool:
    category = ranked.entry.definition.category
    return ranked.asked and (category in WEB or category not in BEYOND_NOTHING)


def _bears(ranked: RankedTool, question: str) -> bool:
    """Returns whether an external tool is relevant to the question, judged only by the tool's description; false for a
    question about a document."""
    return ranked.relevant and not ranked.entry.own and not points_at_document(question)
