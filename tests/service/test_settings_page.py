"""Tests the choice of models while the workbench runs, and that an API key is never shown."""

from __future__ import annotations

import asyncio
import logging
import os
import stat
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.events import Notice
from core.store.secrets import KEY_FILE
from pages.auth import Identity
from tests.contract.providers.wire import WIRES
from tests.people import Named
from tests.servers.local import (
    LocalServer,
    Reply,
    Request,
    answering,
    asks_for_json,
    chat_stream,
    json_reply,
    judgement,
)
from tests.service.calling import Endpoints
from tests.service.conftest import Open
from tests.service.house import POLICY, House, until

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"
CANARY = "sk-canary-4f1c9d27aa"
ANSWER = chat_stream("Up to 560 ", "shekels [1].")


def page_of(house: House, user: str = "ada") -> Endpoints:
    """Returns the page's endpoints for this user; ada, the first user, is an administrator."""
    identity = Identity(house.workbench.settings, Named("ada", "bob"))
    identity.user = lambda request: user  # type: ignore[method-assign]
    return Endpoints(house, user, identity)


def own(server: LocalServer, **given: object) -> dict[str, object]:
    return {"provider": "own", "address": f"{server.url}/v1", "answers": "qwen3:8b", **given}


async def test_a_chosen_model_answers_at_once_and_after_the_next_start(house: House, open_house: Open) -> None:
    await house.read("policy.md", POLICY)
    assert (await house.ask(QUESTION)).view.response.kind == "extractive"
    async with LocalServer(responder=answering(ANSWER)) as server:
        page = page_of(house)
        chosen = await page.choose_model(**own(server, key=CANARY))
        assert chosen["models"]["answers"] == "qwen3:8b"
        assert (await house.ask(QUESTION)).view.response.kind == "generated"
        await house.workbench.stop()
        again = await open_house()
        assert (await again.ask(QUESTION)).view.response.kind == "generated"
        assert {each.headers["authorization"] for each in server.requests} == {f"Bearer {CANARY}"}
        quoting = await page_of(again).quote_only()
        assert quoting["models"]["answers"] is None
        assert (await again.ask(QUESTION)).view.response.kind == "extractive"


async def test_the_key_is_told_to_nobody(house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await house.read("policy.md", POLICY)
    refusal = json_reply(
        {"error": {"message": f"Incorrect API key provided: {CANARY}", "code": "invalid_api_key"}}, 401
    )
    async with LocalServer(responder=lambda request: refusal, describes_itself=True) as server:
        page = page_of(house)
        replies = [await page.choose_model(**own(server, key=CANARY)), await page.get_settings()]
        replies += [await page.try_model(**own(server)), await page.list_offered_models(**own(server))]
        answer = await house.ask(QUESTION)
        await house.workbench.memory.export_backup("ada", tmp_path / "ada.zip")
    assert any(CANARY in str(request.headers) for request in server.requests), "the key was used"
    assert replies[1]["models"]["providers"][0]["key_given"] is True
    assert CANARY not in str(replies)
    assert CANARY not in answer.view.html() + " ".join(entry.model_dump_json() for entry in answer.entries)
    assert CANARY not in caplog.text
    await house.workbench.stop()
    home = house.workbench.settings.folder
    assert [path.name for path in home.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()] == []
    with ZipFile(tmp_path / "ada.zip") as backup:
        assert backup.namelist()
        assert [name for name in backup.namelist() if CANARY.encode() in backup.read(name)] == []


async def test_the_key_of_a_tool_that_its_service_repeats_is_told_to_nobody(
    open_house: Open, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    refusal = json_reply({"detail": {"error": f"Unauthorized: the key {CANARY} is not known."}}, 401)
    async with LocalServer(refusal) as web, LocalServer(responder=answering(ANSWER)) as model:
        house = await open_house(
            tavily_api_key=CANARY, tavily_url=web.url, model="openai:m", model_base_url=f"{model.url}/v1",
            openai_api_key=CANARY,
        )  # fmt: skip
        await house.read("policy.md", POLICY)
        answer = await house.ask(QUESTION, web=True)
        replies = [await page_of(house).get_settings()]
    assert any(CANARY in str((request.headers, request.body)) for request in web.requests), "the key was used"
    assert not any(CANARY in str(request.body) for request in model.requests)
    assert CANARY not in answer.view.html() + " ".join(entry.model_dump_json() for entry in answer.entries)
    assert CANARY not in str(replies) + caplog.text
    await house.workbench.stop()
    home = house.workbench.settings.folder
    assert [path.name for path in home.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()] == []


@pytest.mark.skipif(os.name == "nt", reason="permissions of Windows are lists")
async def test_what_decrypts_it_is_the_owners_alone_and_in_no_backup(house: House, tmp_path: Path) -> None:
    await page_of(house).choose_model(provider="anthropic", key=CANARY, answers="claude-sonnet-4-5")
    file = house.workbench.settings.folder / KEY_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    await house.workbench.memory.export_backup("ada", tmp_path / "ada.zip")
    assert file.read_bytes() not in (tmp_path / "ada.zip").read_bytes()


async def test_a_key_does_not_follow_to_another_address(house: House) -> None:
    page = page_of(house)
    await page.choose_model(provider="anthropic", key=CANARY, answers="claude-sonnet-4-5")
    refused = await page.choose_model(provider="anthropic", address="https://example.org", answers="claude-sonnet-4-5")
    assert "again" in str(refused)
    assert (await page.get_settings())["models"]["providers"][2]["host"] == "https://api.anthropic.com"
    async with LocalServer(responder=answering(ANSWER)) as first, LocalServer(responder=answering(ANSWER)) as second:
        await page.choose_model(**own(first, key=CANARY))
        await page.choose_model(**own(second))
        await house.ask(QUESTION)
    assert not any(CANARY in str(request.headers) for request in second.requests)


async def test_where_it_goes_is_said(house: House) -> None:
    page = page_of(house)
    told = [
        (await page.get_destination(provider="own", address=address))["reach"]
        for address in (
            "http://127.0.0.1:11434/v1",
            "http://192.168.1.4/v1",
            "http://gpu.local/v1",
            "https://llm.example.com",
        )
    ]
    assert told == ["machine", "network", "network", "internet"]
    assert (await page.get_destination(provider="cohere"))["reach"] == "internet"


async def test_only_an_administrator_chooses(house: House) -> None:
    page = page_of(house, "bob")
    for refused in (
        await page.choose_model(provider="openai", key=CANARY, answers="gpt-4.1"),
        await page.quote_only(),
        await page.limit_spending(value=1.0),
        await page.try_model(provider="openai", answers="gpt-4.1"),
        await page.list_offered_models(provider="openai"),
        await page.get_destination(provider="openai"),
    ):
        assert "administrator" in str(refused).lower()
    shown = await page.get_settings()
    assert shown["may_change"] is False
    assert shown["storage"] is None
    assert house.workbench.models.available() == []


async def test_what_the_environment_sets_wins_and_is_said(monkeypatch: pytest.MonkeyPatch, open_house: Open) -> None:
    monkeypatch.setenv("PALIMPSEST_MODEL", "openai:gpt-4.1")
    house = await open_house(model="openai:gpt-4.1", openai_api_key="sk-outside")
    page = page_of(house)
    assert (await page.get_settings())["models"]["fixed"] == ["model"]
    refused = await page.choose_model(provider="anthropic", key=CANARY, answers="claude-sonnet-4-5")
    assert "environment" in str(refused)
    assert house.workbench.models.resolve(None) == "openai:gpt-4.1"
    assert house.workbench.settings.anthropic_api_key is None, "all of it holds, or none"


async def test_what_one_person_may_cost_in_a_month_holds(house: House) -> None:
    await house.read("policy.md", POLICY)
    await house.read("policy.md", POLICY, "bob")
    wire = WIRES["openai"]
    dear = chat_stream("Up to 560 shekels [1].", usage=(1_000_000, 10))
    async with LocalServer(responder=answering(dear)) as server:
        page = page_of(house)
        await page.choose_model(provider="openai", key=CANARY, answers="gpt-4.1")
        house.workbench.settings.model_base_url = server.url + wire.root
        house.workbench.models.reload()
        await page.limit_spending(value=1.0)
        first = await house.ask(QUESTION)
        spent = (await page.get_settings())["spent"]
        second = await house.ask(QUESTION)
        other = await house.ask(QUESTION, "bob")
    assert first.view.response.kind == "generated"
    assert spent["cost"] >= 2.0, "gpt-4.1 takes two dollars for a million tokens"
    assert second.view.response.kind == "extractive"
    assert any("month" in entry.event.words.en for entry in second.entries if isinstance(entry.event, Notice))
    assert other.view.response.kind == "generated", "what one has spent is not another's"


async def test_questions_at_the_same_time_do_not_each_pass_the_limit(house: House) -> None:
    """Each answer costs a cent, but more is reserved while it is written, so a limit of 3.5 cents does not admit five
    at the same time."""
    await house.read("policy.md", POLICY)
    wire, together = WIRES["openai"], asyncio.Event()

    def reply(request: Request) -> Reply:
        async def answer(writer: asyncio.StreamWriter) -> None:
            await together.wait()
            await chat_stream("Up to 560 shekels [1].", usage=(1_000, 1_000))(writer)

        return judgement() if asks_for_json(request) else answer

    async with LocalServer(responder=reply) as server:
        page = page_of(house)
        await page.choose_model(provider="openai", key=CANARY, answers="gpt-4.1")
        house.workbench.settings.model_base_url = server.url + wire.root
        house.workbench.models.reload()
        await page.limit_spending(value=0.035)
        asking = [asyncio.create_task(house.ask(QUESTION)) for _ in range(5)]

        async def all_have_begun() -> bool:
            written = sum(not asks_for_json(each) for each in server.requests)
            return written + sum(each.done() for each in asking) == len(asking)

        await until(all_have_begun)
        together.set()
        answers = await asyncio.gather(*asking)
        spent = (await page.get_settings())["spent"]
    kinds = {each.view.response.kind for each in answers if each.view.response}
    assert kinds == {"extractive", "generated"}
    assert 0.01 <= spent["cost"] <= 0.035


async def test_how_the_page_is_liked_is_each_persons_own(house: House) -> None:
    ada, bob = page_of(house), page_of(house, "bob")
    await ada.set_preferences(language="he")
    await ada.set_preferences(theme="dark")
    await ada.set_preferences(country="Israel", tell_web=True)
    unsaid = dict.fromkeys(("language", "theme", "mode", "industry", "country", "tell_web"))
    said = {"language": "he", "theme": "dark", "country": "Israel", "tell_web": True}
    assert (await ada.get_preferences())["preferences"] == {**unsaid, **said}
    assert (await bob.get_preferences())["preferences"] == unsaid
