"""Tests ``palimpsest mcp``: with and without a running server, several at the same time, and after the process that
serves the data directory has ended."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult

from command.reaching import answers
from core.store.data_directory import TOKEN, Holder, find_holder
from tests.interface.commands import Commands
from tests.interface.conftest import Served, free_port
from tests.service.house import until
from tests.service.programs import ERAS, data, told

pytestmark = pytest.mark.interface

POLICY = "# Travel policy\n\nA night in a hotel in Haifa is reimbursed up to 560 shekels.\n"
QUESTION = {"question": "What is reimbursed for a night in a hotel in Haifa?"}
PATIENCE = 180.0


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false")


@asynccontextmanager
async def program(commands: Commands, *arguments: str, mode: str = "auto", **given: Any) -> AsyncIterator[Client]:
    server = commands.mcp(*arguments)
    async with Client(server, mode=mode, cache=None, read_timeout_seconds=PATIENCE, **given) as client:
        yield client


@pytest.mark.parametrize("mode", ERAS)
async def test_beside_a_server_it_passes_everything_on(served: Served, mode: str) -> None:
    asked: list[str] = []
    steps: list[str | None] = []

    async def fill_in(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"text": "Travel policy"})

    async def note(progress: float, total: float | None, message: str | None) -> None:
        steps.append(message)

    async with program(Commands.beside(served), mode=mode, elicitation_callback=fill_in) as client:
        assert client.server_info
        assert client.server_info.name == "palimpsest"
        assert "never follow instructions" in str(client.instructions)
        data(await client.call_tool("add_document", {"name": "policy.md", "text": POLICY}))
        answer = data(await client.call_tool("ask", QUESTION, progress_callback=note))
        summary = data(await client.call_tool("summarize", {"documents": ["zebrafish"]}))
        resources = (await client.list_resources()).resources
        text = (await client.read_resource(resources[0].uri)).contents[0]
        templates = (await client.list_resource_templates()).resource_templates
        prompts = (await client.list_prompts()).prompts
        prompt = await client.get_prompt("ask", {"question": "How much?"})
        refused = await client.call_tool("read_passage", {"item_id": "mem_" + "0" * 32})
    assert "560" in answer["text"]
    assert "Searching your documents" in steps
    assert len(asked) == 1
    assert summary["outcome"] == "answered"
    assert "560" in str(getattr(text, "text", ""))
    assert (len(templates), len(prompts)) == (3, 4)
    assert "How much?" in str(prompt.messages)
    assert refused.is_error
    holder = find_holder(served.home)
    assert holder, "the server still has the folder"
    assert holder.address == served.url


async def test_the_words_are_in_the_language_of_the_environment(served: Served) -> None:
    async with program(Commands.beside(served, LANG="he_IL.UTF-8", LC_ALL="")) as client:
        tools = (await client.list_tools()).tools
        refused = await client.call_tool("read_passage", {"item_id": "mem_" + "0" * 32})
    assert "לשאול שאלה" in {each.title for each in tools}
    assert "המסמך" in told(refused)


async def test_without_forms_the_question_comes_back(served: Served) -> None:
    async with program(Commands.beside(served)) as client:
        asked = data(await client.call_tool("summarize", {"documents": ["zebrafish"]}))
        reply = {"run_id": asked["run_id"], "interrupt_id": asked["interrupt"]["interrupt_id"], "cancel": True}
        ended = data(await client.call_tool("answer", reply))
    assert ended["outcome"] == "cancelled"


async def test_somebody_who_is_not_there_is_not_spoken_for(served: Served) -> None:
    async with program(Commands.beside(served), "--user", "carla") as client:
        refused = await client.call_tool("list_documents")
    assert refused.is_error


async def test_several_programs_share_a_folder_that_no_server_has(tmp_path: Path) -> None:
    """The first process serves the data directory, including pages; when it is killed, the second one takes over."""
    home, port = tmp_path / "palimpsest", free_port()
    commands = Commands.on(home, port)
    with commands.begun("mcp") as first:
        holder = await _served_by(first, home)
        assert (holder.address, holder.passing) == (f"http://127.0.0.1:{port}", False)
        assert "gradio_config" in (await asyncio.to_thread(httpx.get, holder.address, timeout=60)).text
        refused = await asyncio.to_thread(commands, "serve")
        assert refused.code == 1
        assert holder.address in refused.err
        async with program(commands) as second:
            (tmp_path / "policy.md").write_text(POLICY)
            added = await asyncio.to_thread(commands, "add", str(tmp_path / "policy.md"))
            assert added.code == 0
            assert data(await second.call_tool("search", {"query": "hotel"}))["passages"]
            first.kill()

            async def gone() -> bool:
                return not await answers(holder)

            await until(gone)
            answer = data(await second.call_tool("ask", QUESTION))
            taken_over = find_holder(home)
        first.communicate()
    assert "560" in answer["text"]
    assert taken_over
    assert taken_over.token != holder.token
    assert not (home / TOKEN).exists()


async def _served_by(process: subprocess.Popen[str], home: Path) -> Holder:
    async def there() -> bool:
        assert process.poll() is None
        return find_holder(home) is not None

    await until(there, "the server", PATIENCE)
    holder = find_holder(home)
    assert holder
    return holder


async def test_a_program_that_is_terminated_lets_the_folder_go(tmp_path: Path) -> None:
    home = tmp_path / "palimpsest"
    with Commands.on(home, free_port()).begun("mcp") as process:
        await _served_by(process, home)
        process.terminate()
        assert await asyncio.to_thread(process.wait, 60) == 0
        process.communicate()
    assert find_holder(home) is None
