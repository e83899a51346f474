"""Tests a replay: a recorded model answers a whole question again, on a new data directory and without a server."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.models.chat import ChatModels
from core.words import Language
from core.workbench import Workbench
from tests.contract.providers.wire import WIRES
from tests.recordings.record import FOLDER, QUESTIONS, asked, speaking
from tests.servers.local import LocalServer
from tests.service.conftest import Open
from tests.service.house import Answer, House, settings

KEY = "sk-very-secret"
LOOPBACK = FOLDER / "loopback.jsonl"


def shown(answers: list[Answer]) -> list[object]:
    """Returns the parts of the answers that users see."""
    responses = [answer.view.response for answer in answers]
    return [(each.kind, each.text, each.support) for each in responses if each]


@pytest.mark.parametrize("name", ["compatible", "openai"])
async def test_what_was_recorded_is_answered_again_without_a_provider(
    open_house: Open, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, file = WIRES[name], tmp_path / "recording.jsonl"
    async with LocalServer(responder=speaking(wire)) as server:
        monkeypatch.setenv(wire.base, server.url + wire.root)
        recorded = await open_house(model=wire.model, model_record=file, **{wire.key: KEY})
        first = await asked(recorded)
        await recorded.workbench.stop()
        monkeypatch.delenv(wire.base)
    again = await asked(await open_house(home=tmp_path / "other", model=f"replay:{file}", model_replay_pace=0))
    assert shown(again) == shown(first)
    written = file.read_text(encoding="utf-8")
    assert not any(secret in written for secret in (KEY, server.url, *QUESTIONS))


async def test_the_recording_that_comes_along_answers_todays_prompts(open_house: Open) -> None:
    """If this fails, run ``python -m tests.recordings.record``: a prompt has changed, so the recording has no answer
    for it."""
    answers = await asked(await open_house(model=f"replay:{LOOPBACK}", model_replay_pace=0))
    assert [answer.view.response and answer.view.response.kind for answer in answers] == ["generated", "generated"]
    assert [answer.view.response and answer.view.response.text for answer in answers] == ["Paris.", "Paris."]


async def test_a_recording_answers_on_any_day(tmp_path: Path) -> None:
    """Prompts contain the day of the week; a recording must work on any day."""
    at = time.time() + 3 * 86_400
    replayed = settings(tmp_path / "home", model=f"replay:{LOOPBACK}", model_replay_pace=0)
    workbench = Workbench(replayed, clock=lambda: at)
    await workbench.start()
    try:
        (answer, *_) = await asked(House(workbench, tmp_path / "uploads"))
    finally:
        await workbench.stop()
    assert answer.view.response
    assert answer.view.response.kind == "generated"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who gives notice of a price rise?", "This request was not recorded"),
        ("מי מודיע על עליית מחיר?", "הבקשה לא הוקלטה"),
    ],
)
async def test_what_was_not_recorded_is_quoted_and_said(open_house: Open, question: str, words: str) -> None:
    (answer,) = await asked(await open_house(model=f"replay:{LOOPBACK}", model_replay_pace=0), [question])
    assert answer.view.response is not None
    assert answer.view.response.kind != "generated"
    language: Language = "he" if words[0] > "z" else "en"
    assert answer.view.response.instead
    assert "No language model is set up" not in answer.view.html()
    assert words in " ".join(notice.to(language) for notice in answer.view.notices)


async def test_a_recording_has_its_files_name_and_costs_nothing(tmp_path: Path) -> None:
    models = ChatModels(settings(tmp_path, model=f"replay:{LOOPBACK}"))
    assert [choice.label for choice in models.available()] == ["loopback"]
    assert models.provider_of(models.resolve(None)) is None
    assert models.cost(models.resolve(None), 10, 10) is None
