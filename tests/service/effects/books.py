"""Effects of settings for findings from books: how much of a book a model reads, and how long it may take."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence

from langchain_core.messages import BaseMessage

import core.library.intelligence.build
from core.library.records import Document
from tests.service.effects.experiment import AT_ONCE, LONG, Bench, attempt, changes, never, waits
from tests.service.effects.workbench import opened
from tests.service.house import House, until

SENTENCE = "The Jordan rises on Mount Hermon and ends in the Dead Sea."
BOOK = "\n\n".join(f"# River {n}\n\n" + f"River {n} is described by the survey of the year. " * 30 for n in range(6))


class Reading:
    """A model that quotes one sentence of the text that it reads, or hangs."""

    asked = 0
    silent = False
    id = "openai:scripted"

    def __init__(self, *_: object) -> None: ...

    def configured(self) -> bool:
        return True

    def in_form(self, _: object) -> Reading:
        return self

    async def ready(self) -> None: ...

    async def window(self) -> int:
        return 32_768

    async def pieces(self, messages: Sequence[BaseMessage]) -> AsyncGenerator[str, None]:
        Reading.asked += 1
        if Reading.silent:
            await never()
        yield json.dumps({"quotes": [{"text": SENTENCE, "passage": 1}]})


def scripted(bench: Bench, *, silent: bool = False) -> None:
    bench.patch.setattr(core.library.intelligence.build, "PurposeModel", Reading)
    bench.patch.setattr(Reading, "asked", 0)
    bench.patch.setattr(Reading, "silent", silent)


async def read_out(house: House, text: str) -> Document:
    """Returns the document after its findings were extracted at a user's request."""
    document = await house.read("rivers.md", text)
    await house.workbench.books.begin("ada", document.id)

    async def over() -> bool:
        return not await house.workbench.books.under_way("ada")

    await until(over, "the end of reading it out")
    return await house.workbench.library.get("ada", document.id)


@changes("books.enabled", "true", "false", model="openai:m")
async def whether_a_document_is_read_out_by_itself(bench: Bench) -> object:
    scripted(bench)
    async with opened(bench) as house:
        document = await house.read("rivers.md", f"# Rivers\n\n{SENTENCE}\n")
        await house.workbench.books.catch_up()
        return (await house.workbench.library.get("ada", document.id)).extraction is None


@changes("books.part_tokens", "500", "6000", model="openai:m")
@changes("books.document_calls", "2", "20", model="openai:m", books__part_tokens="500")
async def how_many_calls_a_book_takes(bench: Bench) -> object:
    scripted(bench)
    async with opened(bench) as house:
        await read_out(house, BOOK)
        return Reading.asked


@changes("deadlines.books", AT_ONCE, LONG, model="openai:m")
async def whether_a_silent_model_of_books_is_waited_for(bench: Bench) -> object:
    scripted(bench, silent=True)
    async with opened(bench) as house:
        return await waits(read_out(house, SENTENCE))


@changes("books.sections", "true", "false", model="openai:m")
async def whether_a_section_is_read_out(bench: Bench) -> object:
    scripted(bench)
    async with opened(bench) as house:
        document = await house.read("rivers.md", f"# Rivers\n\n{SENTENCE}\n")
        return await attempt(house.workbench.sections.read("ada", document.id))


@changes("deadlines.section", AT_ONCE, LONG, model="openai:m")
async def whether_a_silent_model_of_a_section_is_waited_for(bench: Bench) -> object:
    scripted(bench, silent=True)
    async with opened(bench) as house:
        document = await house.read("rivers.md", f"# Rivers\n\n{SENTENCE}\n")
        return await waits(house.workbench.sections.read("ada", document.id))
