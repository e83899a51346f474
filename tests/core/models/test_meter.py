from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from langchain_core.messages import HumanMessage

from core.errors import PalimpsestError
from core.models.chat import ChatModels
from core.models.meter import Usage, UsageMeter, metered, record
from core.records.spent import Spent
from core.setting_groups import Deadlines
from core.settings import Settings
from tests.servers.local import LocalServer, Reply, chat_stream, json_reply, silence

LIMITED = json_reply({"error": {"message": "slow down"}}, 429)
REFUSED = json_reply({"error": {"message": "no such key"}}, 401)
QUESTION = [HumanMessage("What is reimbursed for a night?")]


def test_calls_add_up_and_an_unknown_price_is_told() -> None:
    meter = UsageMeter()
    meter.add(Usage(10, 5), 0.25)
    meter.add(Usage(1, 2), None)
    assert meter.spent == Spent(calls=2, tokens_in=11, tokens_out=7, cost=0.25, unpriced=True)


async def test_a_meter_counts_the_tasks_begun_within_and_nothing_else() -> None:
    async def call(tokens: int) -> None:
        record(Usage(tokens, 0), None)

    async def run(tokens: int) -> UsageMeter:
        with metered() as meter:
            await asyncio.gather(call(tokens), asyncio.create_task(call(tokens)))
        return meter

    first, second = await asyncio.gather(run(1), run(100))
    record(Usage(1_000, 0), None)
    assert (first.spent.tokens_in, second.spent.tokens_in) == (2, 200)


@pytest.fixture
def spent() -> Callable[..., Awaitable[UsageMeter]]:
    """Calls a server that gives ``replies`` in order, and returns the meter's counts."""

    async def ask(*replies: Reply, stop_after: int | None = None, **deadlines: float) -> UsageMeter:
        async with LocalServer(list(replies)) as server:
            settings = Settings(
                _env_file=None,  # type: ignore[call-arg]
                model="openai:m",
                model_base_url=f"{server.url}/v1",
                deadlines=Deadlines(**deadlines),  # type: ignore[arg-type]
            )
            models = ChatModels(settings)
            with metered() as meter:
                pieces = models.stream(None, QUESTION)
                try:
                    seen = 0
                    async for _ in pieces:
                        seen += 1
                        if seen == stop_after:
                            break
                except PalimpsestError:
                    pass
                finally:
                    await pieces.aclose()
            await models.close()
        return meter

    return ask


async def test_what_the_provider_tells_is_what_counts(spent) -> None:
    meter = await spent(chat_stream("a", "b", usage=(11, 7)))
    assert (meter.spent.calls, meter.spent.tokens_in, meter.spent.tokens_out) == (1, 11, 7)


async def test_a_refused_attempt_is_no_call_and_its_repetition_is_one(spent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.stream.RATE_LIMIT_PAUSE", 0.0)
    meter = await spent(LIMITED, chat_stream("a", usage=(11, 7)))
    assert (meter.spent.calls, meter.spent.tokens_in, meter.spent.tokens_out) == (1, 11, 7)
    assert (await spent(REFUSED)).spent.calls == 0


async def test_an_attempt_that_ran_out_of_time_is_counted_and_not_repeated(spent) -> None:
    meter = await spent(silence(), chat_stream("a", usage=(11, 7)), model_first_token=1.0)
    assert meter.spent.calls == 1
    assert meter.spent.tokens_in > 0
    assert meter.spent.tokens_out == 0


async def test_an_answer_that_was_stopped_has_cost_what_it_said(spent) -> None:
    meter = await spent(chat_stream("one two three ", "four", ending="hang"), stop_after=1)
    assert meter.spent.calls == 1
    assert meter.spent.tokens_in > 0
    assert 1 <= meter.spent.tokens_out <= 5
