"""Lists the tools of other servers that a rule can call: those with one text argument, which the message gives."""

from __future__ import annotations

from core.graph.services import Services
from core.tools.definition import ToolDefinition
from core.tools.ranking import RankedTool


def tools_of_others(services: Services, text: str) -> list[RankedTool]:
    """Returns the tools, ranked for the text, with at most one required argument, which is a text."""
    if all(each.own for each in services.tools.registry.available()):
        return []
    return [each for each in services.tools.rank(text) if not each.entry.own and takes_a_text(each.entry.definition)]


def takes_a_text(definition: ToolDefinition) -> bool:
    required = [each for each in definition.parameters if each.required]
    return len(required) <= 1 and all(each.kind in ("string", "any") for each in required)
