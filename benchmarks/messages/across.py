"""Asks questions in the language of a text and in the other language, over all documents in one library.

A question counts by the place of the quotation with its sentence. Of the questions that no document answers, those
count for which the reply says that nothing was found. ``ACROSS_HALF`` limits the questions to the half of the documents
that rules were tuned on (``tuned``) or to the other half (``fresh``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from benchmarks.messages.figures import Figure
from benchmarks.messages.made_documents import LIBRARY, Reply, ask, made_library, says
from core.parsed_yaml import parse_yaml

FIRST, AMONG, SHOWN = 0.70, 0.85, 3
TUNED = frozenset(("lease_unit7", "policy_travel", "memo_warehouse", "schirut_dira", "nohal_bait", "mazkar_mizon"))
"""The documents whose questions were looked at: the first three of each language."""


class Item(BaseModel):
    id: str
    question: str
    same_language: bool
    gold: str
    sentence: str
    reply: Reply
    place: int | None = None
    said: bool = False

    @property
    def answerable(self) -> bool:
        return bool(self.sentence)


async def run(data: Path, only: Sequence[str], details: Path | None) -> list[Figure]:
    """Measures the questions with these ids; all if there are none."""
    read: Any = parse_yaml((data / "messages" / "across.yaml").read_text(encoding="utf-8"))
    half, items = os.environ.get("ACROSS_HALF", ""), []
    async with made_library(data, []) as workbench:
        for question in read["questions"]:
            if (only and question["id"] not in only) or not in_half(question["id"], question["document"], half):
                continue
            items.append(_item(question, await ask(workbench, LIBRARY, question["question"])))
            if details:
                with details.open("a", encoding="utf-8") as file:
                    file.write(items[-1].model_dump_json() + "\n")
    return figures_of(items)


def in_half(id: str, document: str | None, half: str) -> bool:
    """Returns whether a question is in a half; of those without a document, odd numbers were looked at."""
    tuned = document in TUNED if document else int(id[1:]) % 2 == 1
    return not half or tuned == (half == "tuned")


def _item(question: dict[str, Any], reply: Reply) -> Item:
    sentence = question["sentence"] or ""
    return Item(
        id=question["id"],
        question=question["question"],
        same_language=question["text_lang"] == question["question_lang"],
        gold=question["answer"] or "",
        sentence=sentence,
        reply=reply,
        place=reply.place_of(sentence) if sentence else None,
        said=bool(sentence) and says(reply.line, question["answer"]),
    )


def figures_of(items: Sequence[Item]) -> list[Figure]:
    answerable = [each for each in items if each.answerable]
    others = [each for each in items if not each.answerable]
    figures = [
        Figure(name=f"across: sentence first, of {len(answerable)}", value=_first(answerable), goal=FIRST),
        Figure(name=f"across: sentence among the first {SHOWN}", value=_among(answerable), goal=AMONG),
    ]
    for name, same in (("same language", True), ("other language", False)):
        own = [each for each in answerable if each.same_language == same]
        figures += [
            Figure(name=f"across: {name}, first, of {len(own)}", value=_first(own)),
            Figure(name=f"across: {name}, among {SHOWN}", value=_among(own)),
            Figure(name=f"across: {name}, answer in the first line", value=_share(sum(e.said for e in own), own)),
        ]
    refused = sum(each.reply.state == "not_found" for each in others)
    sure = sum(each.reply.state == "found" for each in others)
    return [
        *figures,
        Figure(name=f"across: says not found, of {len(others)}", value=_share(refused, others)),
        Figure(name="across: Found where nothing answers", value=_share(sure, others)),
        Figure(
            name="across: not found though it is there",
            value=_share(sum(each.reply.state == "not_found" for each in answerable), answerable),
        ),
    ]


def _first(items: Sequence[Item]) -> float:
    return _share(sum(each.place == 0 for each in items), items)


def _among(items: Sequence[Item]) -> float:
    return _share(sum(each.place is not None and each.place < SHOWN for each in items), items)


def _share(count: int, of: Sequence[object]) -> float:
    return count / max(1, len(of))
