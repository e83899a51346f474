from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage

from core.errors import fail
from core.models.meter import Usage
from core.models.structured import Written
from core.prompts.templates import Prompts
from core.store.sqlite.truth import SqliteTruth


class ScriptedModel:
    """Returns its answers in order, repeats the last one, and records the prompts."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.asked: list[list[BaseMessage]] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append(list(messages))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return Written(answer, Usage(10, 2))


class BrokenModel:
    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        raise fail("server", "errors.server")


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[SqliteTruth]:
    truth = SqliteTruth(tmp_path / "truth.sqlite")
    await truth.start()
    yield truth
    await truth.stop()


@pytest.fixture
def prompts() -> Prompts:
    return Prompts()


@pytest.fixture
def scripted() -> type[ScriptedModel]:
    return ScriptedModel


@pytest.fixture
def broken() -> BrokenModel:
    return BrokenModel()
