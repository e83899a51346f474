"""The tools: their servers, statistics and the user's consents. Administrators can switch tools off and test them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, JsonValue

from core.messages import message_group
from core.tools.records import ServerRow, ToolOutcome, ToolRow
from core.words import Language
from pages.actions import Call, Chosen, Handlers, Reply, action

ToolName = Annotated[str, Field(min_length=1, max_length=100)]
LONGEST_TOLD = 20_000
"""Maximum number of characters of a result that are shown when a tool is tested."""
MOST_ROWS = 200


class OneTool(Call):
    """A tool, by its name."""

    name: ToolName


class SwitchedTool(OneTool):
    """A tool. ``on``: whether it may be called from now on."""

    on: bool


class TriedTool(OneTool):
    """A tool to test; ``arguments`` are as a model would send them."""

    arguments: dict[str, Any] = Field({}, max_length=50)


class ToolDesk(Handlers):
    """Actions that the page's script can call."""

    @action("tools", endpoint="list_tools", scope="read")
    async def tools(self, user_id: str, call: Call) -> Reply:
        """All servers and tools with their state and statistics, and the user's consents."""
        view = await self._workbench.tools.view(user_id)
        return {
            "servers": [_server_row(each, call.ui) for each in view.servers],
            "tools": [_tool_row(each, call.ui) for each in view.tools],
            "agreements": [each.model_dump(mode="json", exclude={"digest"}) for each in view.agreements],
            "acting": view.acting,
            "may_change": self._identity.is_administrator(user_id),
        }

    @action("tools", endpoint="switch_tool", who="administrator", noted="changed")
    async def switch_tool(self, user_id: str, call: SwitchedTool) -> Reply:
        """Allow or forbid calls of a tool. The change applies immediately to all users."""
        await self._workbench.tools.switch(call.name, on=call.on)
        return await self.tools(user_id, call)

    @action("tools", endpoint="try_tool", who="administrator")
    async def try_tool(self, user_id: str, call: TriedTool) -> Reply:
        """Test a tool: call it as an answer would. Returns the result and how the arguments were repaired."""
        outcome = await self._workbench.tools.try_out(user_id, call.ui, call.name, call.arguments)
        return outcome_of(outcome, call.ui)

    @action("tools", endpoint="forget_agreement", noted="deleted")
    async def forget_agreement(self, user_id: str, call: Chosen) -> Reply:
        """Withdraw the consent to a tool, or the refusal. The user is then asked again."""
        await self._workbench.tools.withdraw(user_id, call.id)
        return await self.tools(user_id, call)


def _server_row(row: ServerRow, language: Language) -> Reply:
    return {**row.model_dump(mode="json"), "trouble": row.trouble.to(language) if row.trouble else None}


def _tool_row(row: ToolRow, language: Language) -> Reply:
    """A row about a tool. The product's own tools are described in the reader's language, others in their server's
    words."""
    shown = {**row.model_dump(mode="json", exclude={"title"}), "title": row.title.to(language)}
    about = message_group("tools.about").get(row.name)
    if row.own and about is not None:
        shown["description"] = about.to(language)
        shown["parameters"] = [_with_hint(row.name, each, language) for each in row.parameters]
    return shown


def _with_hint(tool: str, parameter: dict[str, JsonValue], language: Language) -> dict[str, JsonValue]:
    hint = message_group(f"tools.argument_hints.{tool}").get(str(parameter["name"]))
    return {**parameter, "description": hint.to(language)} if hint else parameter


def outcome_of(outcome: ToolOutcome, language: Language) -> Reply:
    """The result of a call for display: what was found, or why there is nothing."""
    result, problem = outcome.result, outcome.problem
    return {
        "tool": outcome.tool,
        "title": outcome.title.to(language),
        "arguments": outcome.arguments,
        "warnings": [each.to(language) for each in outcome.warnings],
        "kept_aside": outcome.kept_aside,
        "runs": [each.model_dump(mode="json") for each in outcome.runs],
        "trouble": {"category": problem.category, **problem.told(language)} if problem else None,
        "found": bool(result and result.found),
        "text": result.text[:LONGEST_TOLD] if result else "",
        "notes": [each.to(language) for each in result.notes] if result else [],
        "sources": [each.title for each in result.sources] if result else [],
        "texts": [{"title": each.title, "url": each.url, "date": each.date} for each in result.texts] if result else [],
        "tables": [
            {**each.model_dump(mode="json"), "rows": [[*row] for row in each.rows[:MOST_ROWS]]}
            for each in (result.tables if result else ())
        ],
    }
