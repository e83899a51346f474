"""Asks a workbench a question about data and collects what its user gets: values, rows, readings, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from core.events import Response
from core.records.data_answer import DataAnswer
from core.workbench import Workbench


@dataclass(frozen=True)
class GivenAnswer:
    """What the product answered. ``values`` are those that answer, ``line`` is its first line, ``is_found`` is set if
    it is shown as *Found*, ``is_absent`` if it says that something is not in the data, and ``readings`` are those to
    choose from."""

    line: str
    conversation_id: str
    values: tuple[str, ...] = ()
    data: DataAnswer | None = None
    is_found: bool = False
    is_absent: bool = False
    readings: tuple[str, ...] = ()


async def ask(workbench: Workbench, user_id: str, text: str, conversation_id: str | None = None) -> GivenAnswer:
    """Asks ``text``; chooses the first reading if the product asks back."""
    asked = await workbench.ask(user_id, text, conversation_id=conversation_id)
    response: Response | None = None
    readings: tuple[str, ...] = ()
    async for entry in workbench.ledger.tail(user_id, asked.run_id):
        if entry.event.type == "response":
            response = entry.event
        elif entry.event.type == "interrupt":
            if entry.event.kind == "column_choice":
                readings = tuple(choice.label for choice in entry.event.choices)
            first = [choice.id for choice in entry.event.choices[:1]]
            await workbench.reply(user_id, asked.run_id, entry.event.interrupt_id, first, "")
    if response is None:
        return GivenAnswer("", asked.conversation.id, readings=readings)
    answer = response.answer
    value = answer.value if answer else None
    values = value if isinstance(value, list) else [] if value is None else [value]
    return GivenAnswer(
        line=(answer.line if answer else response.text)[:200],
        conversation_id=asked.conversation.id,
        values=tuple(f"{each:.10g}" if isinstance(each, float) else str(each) for each in values),
        data=answer.data if answer else None,
        is_found=answer is not None and response.confidence == "high",
        is_absent=response.kind == "nothing_found",
        readings=readings,
    )
