"""Tests the description of the actions: it is valid and complete, matches ``docs/api.md``, and lists only callable
actions.

After a change of an action, run ``make api`` to write the document again.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from core.settings import Settings
from core.workbench import Workbench
from pages.actions import Actions
from pages.auth import Identity
from pages.handlers import all_handlers
from pages.openapi import JSON, LINES, description
from tests.people import Named

DOCUMENT = Path(__file__).parents[2] / "docs" / "api.md"
HEAD = """# API

This page lists every action of the workbench. It is generated from the description at `GET /api/openapi.json` (OpenAPI
3.1). `make api` writes that description to `openapi.json`, for client generators. Call an action with
`POST /api/<name>`, a JSON object of its fields, and a session or an API key (`Authorization: Bearer …`). Gradio clients
find an endpoint of the same name. To pass a file, upload it first with `PUT /api/uploads`; the `path` in the reply is
the `file` of the action. Errors are returned as `{"problem": {what, why, remedy}}`, in the language of
`Accept-Language`.

A *streaming* action returns its last reply as JSON. With `Accept: application/x-ndjson` it returns each reply as one
line of JSON when it is ready; the last one is complete. OpenAPI 3.1 cannot describe the schema of a line, so the
description contains only the last reply. A reply without a named model is an object with the action's own fields.

This file is written by `tests/pages/test_openapi.py`.
"""

SERVED_BY = {
    "ask": "ask",
    "run_data": "query_dataset",
    "data_part": "list_datasets",
    "data_behind": "query_dataset",
    "export_data": "query_dataset",
    "resume": "resume_run",
    "open_conversation": "export_conversation",
    "evidence": "read_passage",
    "preview": "read_passage",
    "detach": "delete_document",
    "undo_detach": "undelete_document",
    "retry_attachment": "retry_document",
    "feedback": "record_feedback",
    "undo_correction": "remove_correction",
    "known": "get_memory_meta",
    "document_detail": "get_document",
    "data_view": "query_dataset",
    "data_page": "query_dataset",
    "data_column": "query_dataset",
    "concept": "concept",
    "neighbours": "concept_neighbours",
    "path": "concept_path",
    "find_concept": "explore_concept",
    "find_names": "knowledge_graph",
    "answer_graph": "answer_concepts",
    "charts": "knowledge_history",
    "choices": "list_documents",
    "timeline": "list_events",
    "export_timeline": "list_events",
    "memory_state": "get_settings",
    "list_aims": "list_goals",
    "add_aim": "add_goal",
    "remove_aim": "remove_goal",
    "example": "get_personality",
    "tool_server_news": "list_tool_servers",
    "health": "doctor",
    "assistant": "get_personality",
}
"""Maps each page action that returns HTML to the endpoint that returns the same content as data for programs."""


def registry(home: Path) -> Actions:
    settings = Settings(_env_file=None, home=home)
    identity = Identity(settings, Named())
    return Actions(identity, all_handlers(Workbench(settings), identity))


@pytest.fixture(scope="module")
def actions(tmp_path_factory: pytest.TempPathFactory) -> Actions:
    return registry(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def described(actions: Actions) -> dict[str, Any]:
    return description(actions.all)


def test_it_is_openapi(described: dict[str, Any]) -> None:
    assert list(OpenAPIV31SpecValidator(described).iter_errors()) == []


def test_every_action_of_a_page_is_an_endpoint_or_has_one_that_does_the_same(actions: Actions) -> None:
    endpoints = {each.doors.endpoint for each in actions.all if each.doors.endpoint}
    without = {each.name for each in actions.all if each.doors.tabs and not each.doors.endpoint}
    assert without == set(SERVED_BY)
    assert set(SERVED_BY.values()) <= endpoints


def test_every_endpoint_is_described_with_what_it_takes(actions: Actions, described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    for each in actions.all:
        if not each.doors.endpoint:
            continue
        operation = described["paths"][f"/api/{each.doors.endpoint}"]["post"]
        taken = operation["requestBody"]["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
        assert set(schemas[taken].get("properties", {})) == set(each.fields), each.doors.endpoint
        needed = {name for name, field in each.fields.items() if field.is_required()}
        assert set(schemas[taken].get("required", [])) == needed, each.doors.endpoint
        assert (LINES in operation["responses"]["200"]["content"]) == each.streams
        assert operation["summary"], each.doors.endpoint


def test_what_comes_back_of_a_refusal_is_described(described: dict[str, Any]) -> None:
    for path in described["paths"].values():
        for operation in path.values():
            assert {"200", "400", "401", "404", "429", "500"} <= set(operation["responses"])


# -- the document ------------------------------------------------------------------------------


def document(told: dict[str, Any]) -> str:
    """The text of ``docs/api.md``."""
    lines = [line for path, methods in told["paths"].items() for line in _told(path, methods, told)]
    return "\n".join([HEAD, *lines])


def _told(path: str, methods: dict[str, Any], told: dict[str, Any]) -> Iterator[str]:
    ((method, operation),) = methods.items()
    yield f"## {operation['operationId']}\n"
    content = operation["responses"]["200"]["content"]
    reply = content[JSON]["schema"]["$ref"].rpartition("/")[2]
    streams = " Streams." if LINES in content else ""
    gives = "" if reply == "AnyReply" else f" Returns `{reply}`."
    yield f"`{method.upper()} {path}`{gives}{streams}\n"
    yield f"{operation.get('description') or operation['summary']}\n"
    taken = operation["requestBody"]["content"].get(JSON)
    if taken is None:
        return
    schema = told["components"]["schemas"][taken["schema"]["$ref"].rpartition("/")[2]]
    if fields := schema.get("properties"):
        yield "| Field | Type | Default |"
        yield "|---|---|---|"
        for name, field in fields.items():
            default = "required" if name in schema.get("required", []) else f"`{json.dumps(field.get('default'))}`"
            yield f"| `{name}` | {_kind(field)} | {default} |"
        yield ""


def _kind(field: dict[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_kind(each) for each in field["anyOf"])
    if "enum" in field:
        return "one of " + ", ".join(f"`{each}`" for each in field["enum"])
    if field.get("type") == "array":
        return f"list of {_kind(field['items'])}" if field.get("items") else "list"
    return str(field.get("type", field.get("const", "anything")))


def test_the_document_is_as_the_actions_are(described: dict[str, Any]) -> None:
    assert DOCUMENT.read_text("utf-8") == document(described), "make api"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = description(registry(Path(folder)).all)
    DOCUMENT.write_text(document(found), encoding="utf-8")
    (DOCUMENT.parents[1] / "openapi.json").write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")
