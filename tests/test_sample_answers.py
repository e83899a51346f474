"""Tests the suggested questions on the sample documents: each answer quotes what the list of samples promises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from benchmarks.modes import BROAD, MODES, WIDER, ask, figures
from core.errors import Problem
from core.events import Response
from core.library.samples import SampleQuestion, load_samples
from core.settings import Settings
from core.workbench import Workbench

USER = "noga"
PATIENCE = 60.0
SERVERS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MONGODB_URI", "QDRANT_URL", "EMBEDDING_URL", "RERANK_URL")


async def watched(workbench: Workbench, run_id: str | None) -> list[object]:
    """Returns a run's events after it has ended."""
    async with asyncio.timeout(PATIENCE):
        return [entry.event async for entry in workbench.ledger.tail(USER, run_id or "")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def workbench(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workbench]:
    """A workbench that has read the samples. It uses keyword search only, which is fast and the harder case."""
    with pytest.MonkeyPatch.context() as patch:
        for name in SERVERS:
            patch.delenv(name, raising=False)
        settings = Settings(_env_file=None, home=tmp_path_factory.mktemp("home"), dense_enabled=False)  # type: ignore[call-arg]
        made = Workbench(settings)
    await made.start()
    for submission in await made.load_samples(USER):
        await watched(made, submission.document.run_id)
    yield made
    await made.stop()


async def asked(workbench: Workbench, question: str) -> Response:
    run = await workbench.ask(USER, question)
    events = await watched(workbench, run.run_id)
    assert not [event for event in events if isinstance(event, Problem)]
    return next(event for event in events if isinstance(event, Response))


@pytest.mark.parametrize("question", load_samples().questions, ids=lambda each: each.text[:40])
@pytest.mark.asyncio(loop_scope="module")
async def test_the_first_line_says_what_the_samples_promise_and_its_words_are_quoted(
    workbench: Workbench, question: SampleQuestion
) -> None:
    response = await asked(workbench, question.text)
    # Several questions of one message have their lines below their headings.
    line = response.answer.line if response.answer else response.text
    assert [part for part in question.says if part not in line] == [], line
    quoted = " ".join(quote.text for quote in response.quotes) or response.text
    assert any(answer in quoted for answer in question.answers), response.text


@pytest.mark.asyncio(loop_scope="module")
async def test_an_unrelated_question_is_not_answered(workbench: Workbench) -> None:
    response = await asked(workbench, "Who won the football world cup in 1998?")
    assert response.kind == "nothing_found"
    assert response.confidence is None
    assert "all 6 documents" in response.opening
    assert "hold nothing" not in response.text
    assert len(response.quotes) <= 3


@pytest.mark.asyncio(loop_scope="module")
async def test_a_deeper_mode_reads_quotes_and_asks_for_more(workbench: Workbench) -> None:
    found = {
        mode: figures([await ask(workbench, question, mode, USER) for question in (BROAD[0], BROAD[4], BROAD[6])])
        for mode in MODES
    }
    for name in WIDER:
        quick, enhanced, deep = (found[mode][name] for mode in MODES)
        assert quick <= enhanced <= deep, name
        assert quick < deep, name
    assert found["quick"]["quotes"] < found["enhanced"]["quotes"] < found["deep"]["quotes"]
