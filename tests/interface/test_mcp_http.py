"""Tests ``/mcp`` over a real socket: keys and sessions, two users, another site, and a program that is killed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.interface.conftest import ROOT, Served
from tests.servers.local import LocalServer, Request, asks_for_json, chat_stream, judgement, silence
from tests.service.programs import ERAS, data, told

pytestmark = pytest.mark.interface

POLICY = "# Travel policy\n\nA night in a hotel in Haifa is reimbursed up to 560 shekels.\n"
PUMPS = "# Pumps\n\nThe pumps in Eilat are serviced in April.\n"
PATIENCE = 60.0
KILLED = """
import asyncio, sys
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main() -> None:
    headers = {"Authorization": f"Bearer {sys.argv[2]}"}
    async with httpx2.AsyncClient(headers=headers, timeout=None) as http:
        async with Client(streamable_http_client(sys.argv[1], http_client=http), mode="2026-07-28") as client:
            print("asking", flush=True)
            await client.call_tool("ask", {"question": "slow: when are the pumps in Eilat serviced?"})

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """A model that never answers a question that begins with "slow"."""

    def respond(request: Request) -> Any:
        if asks_for_json(request):
            return judgement()
        slow = "slow" in str(request.body["messages"][-1]["content"])
        return silence() if slow else chat_stream("Up to 560 shekels a night [1].")

    with LocalServer(responder=respond) as server:
        yield server.url + "/v1"


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served], model: str) -> Served:
    return serve(
        PALIMPSEST_DENSE_ENABLED="false",
        PALIMPSEST_USERS='{"ada": "analytical", "bob": "builder"}',
        PALIMPSEST_MODEL="openai:scripted",
        OPENAI_BASE_URL=model,
        OPENAI_API_KEY="none",
    )


def signed_in(served: Served, name: str, password: str) -> httpx.Client:
    person = httpx.Client(base_url=served.url)
    assert person.post("/login", data={"name": name, "password": password}).status_code == 303
    return person


@pytest.fixture(scope="module")
def ada(served: Served) -> httpx.Client:
    return signed_in(served, "ada", "analytical")


@pytest.fixture(scope="module")
def bob(served: Served) -> httpx.Client:
    return signed_in(served, "bob", "builder")


async def posted(person: httpx.Client, endpoint: str, headers: dict[str, str] | None = None, **fields: Any) -> Any:
    """Calls an endpoint as this user and returns its last reply."""
    reply = await asyncio.to_thread(person.post, f"/api/{endpoint}", json=fields, headers=headers, timeout=PATIENCE)
    return json.loads(reply.text.splitlines()[-1])


async def key_of(person: httpx.Client, name: str = "a program") -> tuple[str, str]:
    made = await posted(person, "create_api_key", name=name)
    return made["secret"], made["key"]["id"]


@asynccontextmanager
async def program(served: Served, key: str = "", mode: str = "auto", **given: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key}"} if key else given.pop("headers", {})
    async with (
        httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(PATIENCE)) as http,
        Client(streamable_http_client(f"{served.url}/mcp", http_client=http), mode=mode, cache=None, **given) as client,
    ):
        yield client


async def refused(served: Served, key: str = "", **given: Any) -> bool:
    try:
        async with program(served, key, mode="2026-07-28", **given) as client:
            await client.list_tools()
    except (MCPError, ExceptionGroup):
        return True
    return False


@pytest.mark.parametrize("mode", ERAS)
async def test_a_key_speaks_for_its_owner_until_it_is_revoked(
    served: Served, ada: httpx.Client, bob: httpx.Client, mode: str
) -> None:
    key, key_id = await key_of(ada, f"of ada, {mode}")
    of_bob, _ = await key_of(bob, "of bob")
    async with program(served, key, mode) as adas, program(served, of_bob, mode) as bobs:
        added = data(await adas.call_tool("add_document", {"name": f"policy-{mode}.md", "text": POLICY + mode}))
        steps: list[str | None] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            steps.append(message)

        question = {"question": "What is reimbursed for a night in a hotel in Haifa?"}
        answer = data(await adas.call_tool("ask", question, progress_callback=note))
        hidden = await bobs.call_tool("list_tables", {"document_id": added["document"]["id"]})
        listed = data(await bobs.call_tool("list_documents"))
        resources = (await bobs.list_resources()).resources
    assert "560" in answer["text"]
    assert "Writing the answer" in {str(each).split(" · ")[0] for each in steps}
    assert hidden.is_error
    assert listed["total"] == 0
    assert resources == []
    row = next(each for each in (await posted(ada, "list_api_keys"))["keys"] if each["id"] == key_id)
    assert row["last_used_at"]
    assert key.startswith(row["prefix"])
    assert key not in str(row)
    assert await posted(ada, "revoke_api_key", id=key_id) == {"revoked": key_id}
    assert await refused(served, key)
    assert not await refused(served, of_bob)


async def test_a_session_opens_it_too_and_nothing_else_does(served: Served, ada: httpx.Client) -> None:
    cookie = {"Cookie": f"palimpsest_session={ada.cookies['palimpsest_session']}"}
    assert not await refused(served, headers=cookie)
    assert await refused(served)
    assert await refused(served, "pal_made-up")
    assert await refused(served, headers={**cookie, "Origin": "http://elsewhere.example"})


async def test_no_key_makes_lists_or_revokes_another(served: Served, ada: httpx.Client) -> None:
    key, key_id = await key_of(ada)
    program = httpx.Client(base_url=served.url, headers={"Authorization": f"Bearer {key}"})
    for endpoint, fields in (
        ("create_api_key", {"name": "more"}),
        ("list_api_keys", {}),
        ("revoke_api_key", {"id": key_id}),
    ):
        assert (await posted(program, endpoint, **fields))["problem"]["what"] == "You cannot do this with an API key."
    assert not await refused(served, key)


async def test_a_session_of_the_protocol_is_its_owner_s_alone(
    served: Served, ada: httpx.Client, bob: httpx.Client
) -> None:
    """In protocol versions with sessions: another user who knows a session's id cannot use it."""
    of_ada, _ = await key_of(ada)
    of_bob, _ = await key_of(bob)
    accept = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    async with httpx.AsyncClient(base_url=served.url, headers=accept) as http:
        begun = await http.post("/mcp", json=begin, headers={"Authorization": f"Bearer {of_ada}"})
        session = begun.headers["mcp-session-id"]

        async def tools(key: str) -> int:
            headers = {"Authorization": f"Bearer {key}", "Mcp-Session-Id": session}
            return (await http.post("/mcp", json=listing, headers=headers)).status_code

        assert (await tools(of_ada), await tools(of_bob)) == (200, 404)


async def test_a_killed_program_ends_its_own_calls_and_no_other(
    served: Served, ada: httpx.Client, bob: httpx.Client
) -> None:
    of_ada, _ = await key_of(ada)
    of_bob, _ = await key_of(bob)
    await posted(ada, "add_document", name="pumps.md", text=PUMPS)
    killed = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, f"{served.url}/mcp", of_ada, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert killed.stdout
    assert await killed.stdout.readline() == b"asking\n"
    async with program(served, of_bob) as bobs, program(served, of_ada) as adas:
        data(await bobs.call_tool("add_document", {"name": "pumps.md", "text": PUMPS}))
        slow = await _conversation(ada, "slow")
        busy = await posted(ada, "ask", question="And dinner?", conversation_id=slow)
        assert "still being answered" in busy["problem"]["what"]
        killed.kill()
        await killed.wait()
        question = {"question": "When are the pumps in Eilat serviced?"}
        both = await asyncio.gather(adas.call_tool("ask", question), bobs.call_tool("ask", question))
        assert ["560" in told(each) for each in both] == [True, True], [told(each) for each in both]
    await _accepted(ada, slow)


async def _conversation(person: httpx.Client, words: str) -> str:
    """The conversation with this title, once it has begun."""
    ends = asyncio.get_running_loop().time() + PATIENCE
    while True:
        found = (await posted(person, "list_conversations", search=words))["conversations"]
        if found:
            return str(found[0]["id"])
        assert asyncio.get_running_loop().time() < ends
        await asyncio.sleep(0.05)


async def _accepted(person: httpx.Client, conversation_id: str) -> None:
    """Waits until the conversation accepts a question again, because the previous run has ended."""
    ends = asyncio.get_running_loop().time() + PATIENCE
    while True:
        reply = await posted(person, "ask", question="And dinner?", conversation_id=conversation_id)
        if "outcome" in reply:
            return
        assert asyncio.get_running_loop().time() < ends, reply
        await asyncio.sleep(0.05)
