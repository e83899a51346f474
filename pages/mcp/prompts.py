"""The four actions as prompts that a user can select in an MCP program: a prompt's name and arguments → a message to
the program's model."""

from __future__ import annotations

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from core.messages import message
from pages.actions import Actions
from pages.mcp.callers import Context, RequestOf, asking

PROMPTS: dict[str, tuple[str, ...]] = {
    "ask": ("question",),
    "summarize": ("document",),
    "compare": ("documents",),
    "audit": ("text", "documents"),
}
"""Each prompt with its arguments, all required."""
LONGEST = 200_000


class Prompts:
    """The prompts, in the language that the user's program requests."""

    def __init__(self, actions: Actions, request_of: RequestOf) -> None:
        self._actions = actions
        self._request_of = request_of

    async def listed(self, context: Context, asked: PaginatedRequestParams | None) -> ListPromptsResult:
        """Lists the four prompts."""
        _, language = asking(self._actions, self._request_of(context))
        prompts = [
            Prompt(
                name=name,
                title=message(f"pages.mcp.tools.{name}").to(language),
                description=message(f"pages.mcp.prompts.{name}.about").to(language),
                arguments=[
                    PromptArgument(
                        name=each, description=message(f"pages.mcp.arguments.{each}").to(language), required=True
                    )
                    for each in arguments
                ],
            )
            for name, arguments in PROMPTS.items()
        ]
        return ListPromptsResult(prompts=prompts)

    async def get(self, context: Context, asked: GetPromptRequestParams) -> GetPromptResult:
        """The prompt's message to the model."""
        _, language = asking(self._actions, self._request_of(context))
        arguments = asked.arguments or {}
        if asked.name not in PROMPTS:
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {asked.name}")
        missing = [each for each in PROMPTS[asked.name] if not arguments.get(each, "").strip()]
        if missing:
            raise MCPError(INVALID_PARAMS, f"Missing argument: {', '.join(missing)}")
        given = {each: arguments[each].strip()[:LONGEST] for each in PROMPTS[asked.name]}
        text = message(f"pages.mcp.prompts.{asked.name}.text", **given).to(language)
        return GetPromptResult(
            description=message(f"pages.mcp.prompts.{asked.name}.about").to(language),
            messages=[PromptMessage(role="user", content=TextContent(text=text))],
        )
