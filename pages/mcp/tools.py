"""The marked actions, and the tools over documents that models call, as MCP tools. For each call, finds the user and
the arguments, runs the action or the tool, and returns its reply as text and as data."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from functools import partial
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ElicitResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool
from pydantic import BaseModel, JsonValue, ValidationError

from core.messages import message
from core.tools.records import ProgramReply, ProgramTool
from core.workbench import Workbench
from pages.actions import OURS, Action, Actions, Tool, language_of, plain, problem_of
from pages.answer_given import AnswerGiven, AskedBack
from pages.mcp.callers import Context, RequestOf, asking, is_stateless, may_ask, program_of, put_to_person
from pages.mcp.questions import KEY, form_of, put, reply_to

ANSWER = "answer"
"""Name of the tool that replies to a run's question to the user."""
READ_TABLE = "read_table"
NUMBER: dict[str, JsonValue] = {
    "type": "integer",
    "minimum": 0,
    "description": "The table's number in list_tables and in answers, counted from 0; it replaces the argument table.",
}
"""A further argument of ``read_table``, for the numbers that the other tools for programs return."""


class Tools:
    """The tools. Each call runs as the user of its request and can access only that user's data."""

    def __init__(self, workbench: Workbench, actions: Actions, request_of: RequestOf) -> None:
        self._workbench = workbench
        self._actions = actions
        self._request_of = request_of
        self._by_name = {mark.name: each for each in actions.all if (mark := each.doors.tool)}

    async def listed(self, context: Context, asked: PaginatedRequestParams | None) -> ListToolsResult:
        """All tools, with titles in the reader's language."""
        _, language = asking(self._actions, self._request_of(context))
        listed = []
        for name, action in self._by_name.items():
            title = message(f"pages.mcp.tools.{name}").to(language)
            listed.append(_listed(action, _mark(action), title))
        listed += [_over_documents(each, each.title.to(language)) for each in self._over_documents()]
        return ListToolsResult(tools=listed)

    def _over_documents(self) -> list[ProgramTool]:
        """The tools of the model, without those that an action offers under the same name."""
        return [each for each in self._workbench.tools.for_programs() if each.name not in self._by_name]

    async def call(self, context: Context, asked: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        """The tool's result, or a question that the user must answer first."""
        action = self._by_name.get(asked.name)
        if action is None and any(each.name == asked.name for each in self._over_documents()):
            return await self._looked_up(context, asked)
        if action is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {asked.name}")
        given: Mapping[str, object] = asked.arguments or {}
        if asked.request_state:
            answered = (asked.input_responses or {}).get(KEY)
            given = reply_to(asked.request_state, answered if isinstance(answered, ElicitResult) else None)
            action = self._by_name[ANSWER]
        try:
            result = await self._result(context, action, given)
            while (asked_back := _pending(result)) and may_ask(context):
                assert isinstance(result, AnswerGiven)
                if is_stateless(context):
                    return put(result, asked_back)
                said = await self._said(context, result, asked_back)
                if said is None:
                    break
                result = await self._result(context, self._by_name[ANSWER], said)
        except Exception as error:
            return self._refused(context, error)
        return _told(result)

    async def _looked_up(self, context: Context, asked: CallToolRequestParams) -> CallToolResult:
        """The result of a tool over documents."""
        request = self._request_of(context)
        try:
            user_id = self._actions.reader_of(request)
            arguments = _with_table(asked.arguments or {}) if asked.name == READ_TABLE else asked.arguments or {}
            tools = self._workbench.tools
            reply = await tools.call_for_program(user_id, language_of(request), asked.name, arguments)
        except Exception as error:
            return self._refused(context, error)
        return CallToolResult(content=[TextContent(text=reply.text)], structured_content=reply.model_dump(mode="json"))

    async def _said(self, context: Context, answer: AnswerGiven, asked: AskedBack) -> Mapping[str, object] | None:
        """The user's reply to the run's question; ``None`` if the program could not show it. If the program cancels the
        call before a reply, the run ends."""
        form, state = form_of(asked, answer.language), f"{answer.run_id} {asked.interrupt_id}"
        leave = partial(self._result, context, self._by_name[ANSWER], reply_to(state, None))
        said = await put_to_person(context, form, leave)
        return reply_to(state, said) if said else None

    async def _result(self, context: Context, action: Action, given: Mapping[str, object]) -> BaseModel:
        request = self._request_of(context)
        call = {**given, "ui": language_of(request), "program": program_of(context)}
        if not action.streams:
            return _given(action, plain(await self._actions.perform(action, call, request)))
        reply: JsonValue = None
        step, steps = "", 0
        async with aclosing(self._actions.stream(action, call, request)) as replies:
            async for each in replies:
                reply = plain(each)
                now = str(reply.get("step", "")) if isinstance(reply, dict) else ""
                if now != step:
                    step, steps = now, steps + 1
                    await context.session.report_progress(steps, message=step or None)
        return _given(action, reply)

    def _refused(self, context: Context, error: Exception) -> CallToolResult:
        """The error as a result: what happened, why and the remedy. It also lists the invalid arguments, so that a
        model can correct them."""
        problem = problem_of(error, language_of(self._request_of(context)))["problem"]
        assert isinstance(problem, dict)
        text = f"{problem['what']} {problem['why']} {problem['remedy']}"
        if isinstance(error, ValidationError):
            wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
            text = "\n".join([text, *wrong])
        return CallToolResult(content=[TextContent(text=text)], is_error=True)


def _mark(action: Action) -> Tool:
    assert action.doors.tool is not None, action.name
    return action.doors.tool


def _given(action: Action, reply: JsonValue) -> BaseModel:
    """The reply in the form that the tool declares. A mismatch is a bug in this code, not an error in the arguments."""
    try:
        return _mark(action).gives.model_validate(reply)
    except ValidationError as error:
        raise TypeError(f"{action.name} gives something else") from error


def _listed(action: Action, mark: Tool, title: str) -> ListedTool:
    return ListedTool(
        name=mark.name,
        title=title,
        description=mark.about or action.handler.__doc__,
        input_schema=input_schema(action.request),
        output_schema=mark.gives.model_json_schema(mode="serialization"),
        annotations=ToolAnnotations(
            title=title,
            read_only_hint=mark.reads,
            destructive_hint=mark.destroys,
            idempotent_hint=mark.reads or mark.repeatable,
            open_world_hint=mark.outside,
        ),
    )


def _with_table(arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments of ``read_table`` with a table that counts from 1, as the tool expects it."""
    given = dict(arguments)
    number = given.pop("number", None)
    if number is not None and "table" not in given:
        counted = isinstance(number, int) or (isinstance(number, str) and number.strip().isdecimal())
        given["table"] = str(int(number) + 1) if counted else number  # type: ignore[arg-type]
    return given


def _over_documents(tool: ProgramTool, title: str) -> ListedTool:
    schema = tool.arguments
    if tool.name == READ_TABLE and isinstance(properties := schema["properties"], dict):
        schema = {**schema, "properties": {**properties, "number": NUMBER}}
    return ListedTool(
        name=tool.name,
        title=title,
        description=tool.description,
        input_schema=schema,
        output_schema=ProgramReply.model_json_schema(mode="serialization"),
        annotations=ToolAnnotations(
            title=title, read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )


def input_schema(request: type[BaseModel]) -> dict[str, Any]:
    """The arguments that a program may send, by the names that clients know."""
    schema = request.model_json_schema()
    schema["properties"] = {name: each for name, each in schema["properties"].items() if name not in OURS}
    schema["required"] = [each for each in schema.get("required", []) if each not in OURS]
    return schema


def _pending(result: BaseModel) -> AskedBack | None:
    return result.interrupt if isinstance(result, AnswerGiven) else None


def _told(result: BaseModel) -> CallToolResult:
    text = result.told() if isinstance(result, AnswerGiven) else result.model_dump_json()
    failed = isinstance(result, AnswerGiven) and result.outcome == "failed"
    data = result.model_dump(mode="json")
    return CallToolResult(content=[TextContent(text=text)], structured_content=data, is_error=failed)
