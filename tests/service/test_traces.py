"""Tests the trace of a question as an OpenTelemetry collector receives it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import langsmith
import pytest
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith.utils import get_env_var, get_tracer_project
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from core.errors import PalimpsestError
from core.traces import Traces
from tests.servers.local import LocalServer, answering, asks_for_json, chat_stream, json_reply, tool_stream
from tests.service.conftest import Open
from tests.service.house import POLICY, settings

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"
KEY = "sk-canary-4711"


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                import gzip

                raw = gzip.decompress(raw)
            bodies.append(raw)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/traces", bodies
    finally:
        server.shutdown()
        server.server_close()


def spans(bodies: list[bytes]) -> list[Any]:
    requests = [ExportTraceServiceRequest.FromString(body) for body in bodies]
    return [s for r in requests for resource in r.resource_spans for scope in resource.scope_spans for s in scope.spans]


def attributes(span: Any) -> dict[str, Any]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


async def asked(open_house: Open, traces: str, **given: object) -> str:
    """Asks a question for which the model calls a tool; returns the answer after the whole trace has been delivered."""
    calls = tool_stream(("search_memory", {"query": "canary hotel"}))
    async with LocalServer(responder=answering(calls, chat_stream("Up to 560 [1]."))) as server:
        model = {"model": "openai:m", "model_base_url": f"{server.url}/v1", "openai_api_key": KEY, "model_tools": True}
        house = await open_house(traces=traces, **model, **given)
        await house.read("policy.md", POLICY)
        answer = await house.ask(QUESTION)
        await house.workbench.stop()
    assert any(not asks_for_json(request) for request in server.requests)
    assert answer.view.response is not None
    return answer.view.response.text


async def test_a_question_is_a_tree_of_run_steps_models_and_tools(open_house: Open) -> None:
    with collector() as (url, bodies):
        await asked(open_house, url)
    every = spans(bodies)
    by_id = {each.span_id: each for each in every}
    (run,) = [each for each in every if not each.parent_span_id]
    answer = next(each for each in every if each.name == "answer")
    (tool,) = [each for each in every if each.name == "execute_tool search_memory"]
    chats = [each for each in every if each.name == "chat m" and each.parent_span_id == answer.span_id]
    assert attributes(run)["gen_ai.operation.name"] == "invoke_agent"
    assert by_id[answer.parent_span_id] is run
    assert by_id[tool.parent_span_id] is answer
    assert attributes(tool)["gen_ai.operation.name"] == "execute_tool"
    assert len(chats) == 2
    for chat, tokens in zip(sorted(chats, key=lambda each: each.start_time_unix_nano), (5, 11), strict=True):
        said = attributes(chat)
        assert (said["gen_ai.operation.name"], said["gen_ai.provider.name"]) == ("chat", "openai")
        assert (said["gen_ai.request.model"], said["gen_ai.usage.input_tokens"]) == ("m", tokens)
    raw = b"".join(bodies)
    assert all(secret.encode() not in raw for secret in (KEY, "canary", "Haifa", "Up to 560"))


async def test_texts_are_told_when_wanted_and_keys_never(open_house: Open) -> None:
    with collector() as (url, bodies):
        await asked(open_house, url, traces_content=True)
    raw = b"".join(bodies)
    assert all(text in raw for text in (b"canary hotel", b"Haifa", b"Up to 560"))
    assert KEY.encode() not in raw


async def test_a_model_that_refuses_is_a_span_that_failed_and_says_its_kind_alone(open_house: Open) -> None:
    refused = json_reply({"error": {"message": f"The key {KEY} is canary-refused.", "type": "auth"}}, 401)
    with collector() as (url, bodies):
        async with LocalServer(replies=refused) as server:
            model = {"model": "openai:m", "model_base_url": f"{server.url}/v1", "openai_api_key": KEY}
            house = await open_house(traces=url, traces_content=True, **model)
            await house.read("policy.md", POLICY)
            await house.ask(QUESTION)
            await house.workbench.stop()
    every = spans(bodies)
    failed = [each for each in every if each.name == "chat m"]
    assert failed
    assert all(each.status.code == each.status.STATUS_CODE_ERROR for each in failed)
    assert {attributes(each)["error.type"] for each in failed} == {"auth"}
    assert KEY.encode() not in b"".join(bodies)
    (run,) = [each for each in every if not each.parent_span_id]
    assert run.status.code != run.status.STATUS_CODE_ERROR


def test_a_collector_without_its_packages_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    with pytest.raises(PalimpsestError) as refused:
        Traces(settings(tmp_path, traces="http://127.0.0.1:9/v1/traces"))
    assert "[traces]" in refused.value.problem.remedy.en


async def test_a_collector_that_is_gone_harms_no_answer(open_house: Open) -> None:
    with collector() as (url, _):
        pass
    async with asyncio.timeout(60):
        assert await asked(open_house, url) == "Up to 560 [1]."


LANGSMITH = (
    "LANGSMITH_TRACING",
    "LANGCHAIN_TRACING_V2",
    "LANGSMITH_TRACING_V2",
    "LANGCHAIN_TRACING",
    "LANGCHAIN_HANDLER",
)
"""Environment variables that switch tracing on. With the last two, LangChain refuses every call if tracing is off."""


@pytest.mark.parametrize("wanted", [False, True])
async def test_langsmith_is_sent_prompts_only_where_a_setting_says_so(
    wanted: bool, open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collector() as (url, bodies):
        for name in LANGSMITH:
            monkeypatch.setenv(name, "true")
        for prefix in ("LANGSMITH", "LANGCHAIN"):
            monkeypatch.setenv(f"{prefix}_API_KEY", "lsv2_canary")
            monkeypatch.setenv(f"{prefix}_ENDPOINT", url.removesuffix("/v1/traces"))
        monkeypatch.setattr("langsmith.run_trees._CLIENT", None)
        get_env_var.cache_clear()
        get_tracer_project.cache_clear()
        try:
            said = await asked(open_house, "", langsmith=wanted)
            await asyncio.to_thread(wait_for_all_tracers)
        finally:
            monkeypatch.undo()
            get_env_var.cache_clear()
            get_tracer_project.cache_clear()
            langsmith.configure(enabled=False)
    sent = b"".join(bodies)
    assert said == "Up to 560 [1]."
    assert (b"Haifa" in sent) is wanted, "the prompt"
    assert bool(bodies) is wanted, "anything at all"
    assert KEY.encode() not in sent
