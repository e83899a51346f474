"""Loads the one-page documents of the sets over languages and first lines, and asks questions about them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import BaseModel

from benchmarks.temporary_workbench import open_workbench, upload
from core.answering.prose.vocabulary import vocabulary
from core.events import Response
from core.language.hebrew import PREFIXES, is_hebrew
from core.language.normalisation import fold
from core.language.transliteration import sounds_like
from core.parsed_yaml import parse_yaml
from core.records.answer import CITATION
from core.workbench import Workbench
from viz.answer import State, answer_state

LIBRARY = "all"
"""The user who has all documents; each document also has a user of its own."""
_WORD = re.compile(r"\d+(?:[.:]\d+)*|[^\W\d_]+(?:[\"'’״׳][^\W\d_]+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_SHARED = 0.6
"""Minimum share of an answer's words in a line that gives the answer in substance."""


class Reply(BaseModel):
    """A reply: its first ``line`` without citations, the ``quotes`` below it and the ``state`` that the page shows."""

    line: str = ""
    quotes: list[str] = []
    state: State | None = None
    asked_back: bool = False

    def place_of(self, sentence: str) -> int | None:
        """Returns the index of the quotation with ``sentence``; ``None`` if no quotation has it."""
        return next((place for place, text in enumerate(self.quotes) if text in sentence or sentence in text), None)


def owner_of(document: str) -> str:
    """Returns the user who has only one document."""
    return document.replace("_", "-")


@asynccontextmanager
async def made_library(data: Path, documents: Sequence[str]) -> AsyncIterator[Workbench]:
    """Yields a workbench with all documents in one library, and each of ``documents`` in one by itself."""
    read: Any = parse_yaml((data / "messages" / "across.yaml").read_text(encoding="utf-8"))
    async with open_workbench() as workbench:
        with TemporaryDirectory(prefix="palimpsest-messages-") as folder:
            for document in read["documents"]:
                path = Path(folder) / f"{document['id']}.txt"
                path.write_text(f"{document['title']}\n\n{document['text']}\n", encoding="utf-8")
                await upload(workbench, LIBRARY, path)
                if document["id"] in documents:
                    await upload(workbench, owner_of(document["id"]), path)
        yield workbench


async def ask(workbench: Workbench, user: str, question: str) -> Reply:
    """Asks a question; takes the first choice when asked back, or continues with what was found."""
    asked = await workbench.ask(user, question)
    response, asked_back = None, False
    async for entry in workbench.ledger.tail(user, asked.run_id):
        event = entry.event
        if event.type == "response":
            response = event
        elif event.type == "interrupt":
            asked_back = True
            ids = [each.id for each in event.choices]
            chosen = ["continue"] if "continue" in ids else ids[:1]
            await workbench.reply(user, asked.run_id, event.interrupt_id, chosen, "" if chosen else question)
    return _reply(response, asked_back)


def _reply(response: Response | None, asked_back: bool) -> Reply:
    if response is None:
        return Reply(asked_back=asked_back)
    line = response.answer.line if response.answer else ""
    return Reply(
        line=CITATION.sub("", line),
        quotes=[quote.text for quote in response.quotes],
        state=answer_state(response, None, None),
        asked_back=asked_back,
    )


def says(line: str, answer: str) -> bool:
    """Returns whether a line gives an answer in substance: all its numbers, and most of its other words; names may be
    in the other script."""
    said, wanted = _words(line), _words(answer)
    numbers = [word for word in wanted if word[0].isdigit()]
    words = [word for word in wanted if not word[0].isdigit()]
    if not all(any(_is_same(word, other) for other in said) for word in numbers):
        return False
    held = sum(any(_is_same(word, other) for other in said) for word in words)
    return bool(wanted) and (held >= _SHARED * len(words) if words else True)


def _words(text: str) -> list[str]:
    numbers = {fold(word): f"{number:g}" for word, number in vocabulary().numbers.items() if number >= 1}
    units = {word for word in vocabulary().currencies if word.isalpha()}
    plain = _THOUSANDS.sub("", fold(text))
    words = [numbers.get(word, word) for word in _WORD.findall(plain)]
    return [f"{float(word):g}" if word.replace(".", "", 1).isdigit() else word for word in words if word not in units]


def _is_same(one: str, other: str) -> bool:
    if one == other:
        return True
    if one[0].isdigit() or other[0].isdigit():
        return False
    if is_hebrew(one) and is_hebrew(other):
        return _bare(one) == _bare(other) or one.lstrip(PREFIXES) == other.lstrip(PREFIXES)
    if is_hebrew(one) != is_hebrew(other):
        hebrew, latin = (one, other) if is_hebrew(one) else (other, one)
        return sounds_like(hebrew, latin) >= 2
    return min(len(one), len(other)) >= 5 and one[:5] == other[:5]


def _bare(word: str) -> str:
    return word[1:] if len(word) > 3 and word[0] in PREFIXES else word
