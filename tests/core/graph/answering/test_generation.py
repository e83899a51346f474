"""What tools bring has room of its own, and a model whose room is used up has to answer."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any, cast

import pytest
from core.graph.memory.toolbox import MemoryToolbox, specs
from langchain_core.messages import BaseMessage, HumanMessage

from core.graph.answering.generation import LEAST_ROOM, PartialAnswer, ToolCalling, write
from core.language.tokens import count_tokens
from core.memory.memory import Memory
from core.memory.recall.records import Citation, MemoryHit
from core.memory.recall.turn import Turn
from core.memory.tools import Found
from core.models.chat import StreamedPiece, ToolCall, ToolSpec
from core.runs.trace import Trace
from core.store.items import ItemSource, MemoryItem, Timestamps
from core.words import Words

CALL = ToolCall("a", "search_memory", {"q": "hotels"})
MEMORY = "Hotels in Haifa are booked by Dana. " * 20
DESCRIBED = sum(each.tokens for each in specs())


class Tools:
    async def search_memory(self, _: object) -> Found:
        return Found(hits=[hit(number) for number in range(1, 6)])


def hit(number: int) -> MemoryHit:
    item = MemoryItem(
        _id=f"m{number}",
        user_id="ada",
        tier="working",
        text=MEMORY,
        source=ItemSource(type="assistant"),
        timestamps=Timestamps(created_at=0, updated_at=0),
    )
    return MemoryHit.model_construct(
        position=number,
        memory_id=item.id,
        tier="working",
        text=f"{number}: {MEMORY}",
        citation=Citation(),
        age="today",
        uses=0,
        score=0.5,
        wilson_score=0.0,
        last_outcome=None,
        item=item,
    )


def toolbox() -> MemoryToolbox:
    box = MemoryToolbox(cast("Memory", None), Turn("ada", "msg", "Who books?"))
    box._tools = cast("Any", Tools())
    return box


@pytest.mark.parametrize(("most", "numbers"), [(10_000, [1, 2, 3, 4, 5]), (600, [1, 2]), (20, [])])
async def test_whole_memories_by_rank_are_told_as_far_as_there_is_room(most: int, numbers: list[int]) -> None:
    result = await toolbox().run(CALL, "en", most)
    assert count_tokens(result) <= most
    told = json.loads(result)
    assert [each["M"] for each in told["memories"]] == numbers
    assert all(each["text"].endswith(MEMORY) for each in told["memories"])
    assert told.get("left_out", 0) == 5 - len(numbers)


class Insatiable:
    """A model that asks for a tool whenever it is offered one."""

    def __init__(self) -> None:
        self.rounds: list[tuple[int, int]] = []

    async def stream(
        self, _: str, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[StreamedPiece, None]:
        self.rounds.append((len(tools), sum(count_tokens(each.text) for each in messages)))
        if tools:
            yield StreamedPiece("calls", calls=(CALL,))
        yield StreamedPiece("text", "Dana.")


@pytest.mark.parametrize(
    ("room", "offered"),
    [(100_000, [6, 6, 6, 6, 0]), (1_700, [6, 6, 0]), (1_000, [6, 0]), (LEAST_ROOM - 1, [0])],
)
async def test_tools_are_offered_while_there_is_room(room: int, offered: list[int]) -> None:
    events: list[object] = []
    trace = Trace(events.append)
    model = Insatiable()
    with trace.step("generating") as step:
        writing = PartialAnswer(events.append, step, Words.alike("m"))
        consulting = ToolCalling(toolbox(), DESCRIBED + room, trace, step, "en")
        await write(cast("Any", model), "m", [HumanMessage("Who books?")], writing, consulting, 4)
    assert [count for count, _ in model.rounds] == offered
    assert model.rounds[-1][1] - model.rounds[0][1] <= room
