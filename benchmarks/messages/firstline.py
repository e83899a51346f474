"""Asks plain questions of a document, the only one in its library, and judges the first line of the reply.

The line is right if it gives the answer in substance and no tempting wrong one, or the answer first; it is trapped if
it gives a wrong one only. *Closest match* holds the answer if its line or one of its first three quotations does.
``ACROSS_HALF`` as in ``across``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from benchmarks.messages.across import SHOWN, in_half
from benchmarks.messages.figures import Figure
from benchmarks.messages.made_documents import Reply, ask, made_library, owner_of, says
from core.parsed_yaml import parse_yaml

FOUND_RIGHT, FOUND_GIVEN, CLOSEST_HOLDS, WRONG_AND_FOUND = 0.95, 0.40, 0.60, 0.02

Verdict = Literal["right", "trapped", "missed"]


class Item(BaseModel):
    id: str
    language: str
    kind: str
    question: str
    gold: str
    sentence: str
    reply: Reply
    verdict: Verdict

    @property
    def holds(self) -> bool:
        place = self.reply.place_of(self.sentence)
        return self.verdict == "right" or (place is not None and place < SHOWN)


async def run(data: Path, only: Sequence[str], details: Path | None) -> list[Figure]:
    """Measures the questions with these ids; all if there are none."""
    read: Any = parse_yaml((data / "messages" / "firstline.yaml").read_text(encoding="utf-8"))
    half, items = os.environ.get("ACROSS_HALF", ""), []
    asked = [
        each
        for each in read["questions"]
        if (not only or each["id"] in only) and in_half(each["id"], each["document"], half)
    ]
    async with made_library(data, sorted({each["document"] for each in asked})) as workbench:
        for question in asked:
            items.append(_item(question, await ask(workbench, owner_of(question["document"]), question["question"])))
            if details:
                with details.open("a", encoding="utf-8") as file:
                    file.write(items[-1].model_dump_json() + "\n")
    return figures_of(items)


def _item(question: dict[str, Any], reply: Reply) -> Item:
    return Item(
        id=question["id"],
        language=question["lang"],
        kind=question["kind"],
        question=question["question"],
        gold=question["answer"],
        sentence=question["sentence"],
        reply=reply,
        verdict=verdict_of(reply.line, question["answer"], question["wrong"], question["sentence"]),
    )


def verdict_of(line: str, answer: str, wrong: Sequence[str], sentence: str) -> Verdict:
    """Judges a first line; the quoted sentence is right, since it says itself which of its values applies. A line that
    starts with *no* for an answer that is *yes*, or the reverse, is trapped."""
    head, gold_head = (text.split(",")[0].split(":")[0].strip().casefold() for text in (line, answer))
    verdicts = {"yes", "no", "כן", "לא"}
    if head in verdicts and gold_head in verdicts and head != gold_head:
        return "trapped"
    if (sentence and sentence in line) or says(line, answer):
        return "right"
    return "trapped" if any(says(line, each) for each in wrong) else "missed"


def figures_of(items: Sequence[Item]) -> list[Figure]:
    found = [each for each in items if each.reply.state == "found"]
    closest = [each for each in items if each.reply.state == "closest"]
    wrong = sum(each.verdict != "right" for each in found)
    counts = Counter(each.verdict for each in items)
    return [
        Figure(name="firstline: right among Found", value=_right(found), goal=FOUND_RIGHT),
        Figure(name=f"firstline: Found, of {len(items)}", value=_share(len(found), items), goal=FOUND_GIVEN),
        Figure(
            name=f"firstline: holds the answer, of {len(closest)} closest",
            value=_share(sum(each.holds for each in closest), closest),
            goal=CLOSEST_HOLDS,
        ),
        Figure(
            name="firstline: wrong and Found, of all",
            value=_share(wrong, items),
            goal=WRONG_AND_FOUND,
            at_most=True,
        ),
        Figure(name="firstline: asked back", value=_share(sum(each.reply.asked_back for each in items), items)),
        *(Figure(name=f"firstline: {verdict}", value=_share(counts[verdict], items)) for verdict in counts),
        *(
            Figure(name=f"firstline: right, {name}", value=_right([each for each in items if each.language == name]))
            for name in ("en", "he")
        ),
    ]


def _right(items: Sequence[Item]) -> float:
    return _share(sum(each.verdict == "right" for each in items), items)


def _share(count: int, of: Sequence[object]) -> float:
    return count / max(1, len(of))
