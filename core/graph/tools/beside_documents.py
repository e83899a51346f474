"""Whether all that is asked beside a deed with documents is asked of a tool: *message* -> there is nothing to choose.

"Summarize the policy, and which hospitals are there by government data?" is one order: what the tools say is set below.
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
    """The one deed of ``intent``, where its questions ask tools alone; else a person has to choose, or nobody was to.

    ``calls``: a model is there that may call what a question only bears on.
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
    """Of others a tool is known by its description alone; a question about a document is not taken for its own."""
    return ranked.relevant and not ranked.entry.own and not points_at_document(question)
