"""Builds the MCP server: connects the workbench and its actions to the protocol's requests."""

from __future__ import annotations

from typing import Any

from mcp.server.lowlevel import Server

from core.workbench import Workbench
from pages.actions import Actions
from pages.mcp.about import named_server
from pages.mcp.callers import RequestOf, http_request
from pages.mcp.prompts import Prompts
from pages.mcp.resources import Resources
from pages.mcp.tools import Tools


def build_server(workbench: Workbench, actions: Actions, request_of: RequestOf = http_request) -> Server[Any]:
    """Builds one server for all users; each request identifies its user."""
    tools = Tools(workbench, actions, request_of)
    resources = Resources(workbench, actions, request_of)
    prompts = Prompts(actions, request_of)
    return named_server(
        on_list_tools=tools.listed,
        on_call_tool=tools.call,
        on_list_resources=resources.listed,
        on_list_resource_templates=resources.templates,
        on_read_resource=resources.read,
        on_list_prompts=prompts.listed,
        on_get_prompt=prompts.get,
    )
