"""Asks about earlier conversations, each history loaded as one user's own conversations, one a day.

The clock is set to the day of each turn, then to the day of asking; every question is asked in a new conversation.
Nothing is added to the memory's tiers. An answer is right if its first paragraph (of a list of talks: all of it) gives
the answer in substance and cites an exchange with one of the turns; if it was never said, only a reply that says so is
right. ``--only odd`` or ``--only even`` limits the part to every other history.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from benchmarks.messages.figures import Figure
from benchmarks.temporary_workbench import open_workbench
from core.events import Response, Source
from core.language.detection import detect
from core.language.entities.numerals import VALUES
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.messages import message
from core.parsed_yaml import parse_yaml
from core.records.answer import cited_numbers
from core.workbench import Workbench

RIGHT, NEVER = 0.85, 0.90
LEAST_WORDS = 0.5
ACKNOWLEDGED = "OK."
MORNING, EVENING = 9 * 3600, 18 * 3600
_ASIDE = re.compile(r"\([^()]*\)|,? because .*$|,? בגלל .*$", re.DOTALL)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Judged(BaseModel):
    """A question with its reply. ``turns`` are the turns of the cited exchanges; ``found``: one of them is right."""

    id: str
    kind: str
    question: str
    gold: str
    reply: str
    never: bool
    said_never: bool
    among_closest: bool = False
    found: bool
    holds: bool
    turns: list[int] = []

    @property
    def right(self) -> bool:
        return self.said_never if self.never else self.found and self.holds


async def run(data: Path, only: Sequence[str], details: Path | None) -> list[Figure]:
    given: Any = parse_yaml((data / "messages" / "recall.yaml").read_text(encoding="utf-8"))
    judged: list[Judged] = []
    clock = Clock()
    histories = [each for each in given["histories"] if _selected(each["id"], only)]
    clock.now = min(_second(turn["date"], 0) for each in histories for turn in each["turns"])
    async with open_workbench(clock=clock) as workbench:
        for history in histories:
            turns = await _load(workbench, clock, history)
            clock.now = _second(history["asked_on"], EVENING)
            for question in (each for each in given["questions"] if each["history"] == history["id"]):
                judged.append(await _ask(workbench, history["id"], question, turns))
                clock.now += 60
                if details:
                    with details.open("a", encoding="utf-8") as file:
                        file.write(judged[-1].model_dump_json() + "\n")
    return figures_of(judged)


def figures_of(judged: Sequence[Judged]) -> list[Figure]:
    said = [each for each in judged if not each.never]
    never = [each for each in judged if each.never]
    return [
        Figure(name=f"recall: right with its turn, of {len(said)}", value=_share([e.right for e in said]), goal=RIGHT),
        Figure(name="recall: not found, but among the closest", value=_share([each.among_closest for each in said])),
        Figure(name="recall: right turn", value=_share([each.found for each in said])),
        Figure(name=f"recall: never said, of {len(never)}", value=_share([e.right for e in never]), goal=NEVER),
    ]


def _share(verdicts: Sequence[bool]) -> float:
    return sum(verdicts) / max(1, len(verdicts))


def _selected(id: str, only: Sequence[str]) -> bool:
    number = int(re.sub(r"\D", "", id) or 0)
    return not only or id in only or ("odd" if number % 2 else "even") in only


def _second(date: Any, seconds: int) -> float:
    return datetime.fromisoformat(str(date)).timestamp() + seconds


async def _load(workbench: Workbench, clock: Clock, history: Any) -> dict[str, list[int]]:
    """Stores the turns as conversations; returns the turns of each message's exchange by its id. A message that nothing
    replied to is acknowledged."""
    user_id, numbers = history["id"], dict[str, list[int]]()
    conversation, day = None, None
    for exchange in _exchanges(history["turns"]):
        asked, reply = exchange[0], exchange[1]["text"] if len(exchange) > 1 else ACKNOWLEDGED
        clock.now = _second(asked["date"], MORNING + 60 * asked["n"])
        if conversation is None or day != asked["date"]:
            conversation, day = await workbench.conversations.start(user_id, asked["text"]), asked["date"]
        run = await workbench.ledger.start(user_id, "question", asked["text"], conversation_id=conversation.id)
        language = detect(asked["text"])
        answer = await workbench.conversations.add_turn(
            conversation, asked["text"], run_id=run.id, language=language, mode="enhanced"
        )
        response = Response(kind="generated", text=reply, language=language)
        await workbench.ledger.append(run, 2, [response])
        await workbench.ledger.end(run, "answered")
        messages = await workbench.conversations.messages(user_id, conversation.id)
        own = next(each for each in messages if each.run_id == run.id and each.role == "user")
        numbers |= {key: [each["n"] for each in exchange] for key in (own.id, answer.id)}
    return numbers


def _exchanges(turns: Sequence[Any]) -> list[list[Any]]:
    """Returns the messages of the user, each with its reply if it has one."""
    found: list[list[Any]] = []
    for turn in turns:
        if turn["who"] == "assistant" and found and len(found[-1]) == 1:
            found[-1].append(turn)
        else:
            found.append([turn])
    return found


async def _ask(workbench: Workbench, user_id: str, question: Any, turns: dict[str, list[int]]) -> Judged:
    asked = await workbench.ask(user_id, question["question"])
    response, sources = None, list[Source]()
    async for entry in workbench.ledger.tail(user_id, asked.run_id):
        event = entry.event
        if event.type == "sources":
            sources = list(event.sources)
        elif event.type == "response":
            response = event
        elif event.type == "interrupt":
            await workbench.cancel(user_id, asked.run_id)
    await asyncio.sleep(0)
    text = response.text if response else ""
    never = says_never(response)
    first = text if "\n- " in text and not never else text.split("\n\n")[0]
    cited = [each for each in sources if each.number in cited_numbers(first)]
    shown = _turns_shown(cited, turns)
    return Judged(
        id=question["id"],
        kind=question["kind"],
        question=question["question"],
        gold=question["answer"],
        reply=text,
        never=not question["turns"],
        said_never=never,
        among_closest=never and holds_answer(question["answer"], text),
        found=bool(set(shown) & set(question["turns"])),
        holds=holds_answer(question["answer"], first),
        turns=shown,
    )


def _turns_shown(cited: Sequence[Source], turns: dict[str, list[int]]) -> list[int]:
    """Returns the turns of the cited exchanges."""
    found = [turns[passage.item_id] for each in cited for passage in each.passages if passage.item_id in turns]
    return sorted({turn for each in found for turn in each})


def says_never(response: Response | None) -> bool:
    """Returns whether a reply says that something was never said."""
    if response is None:
        return False
    keys = ("graph.recollection.never", "graph.recollection.not_said")
    openings = [message(key).to(each).split("{")[0] for key in keys for each in ("en", "he")]
    first = response.text.split("\n\n")[0]
    return any(first.startswith(each) for each in openings) and not cited_numbers(first)


def holds_answer(gold: str, text: str) -> bool:
    """Returns whether a text gives the answer: all its numbers and names, and most of its other words."""
    core = _ASIDE.sub("", gold).strip() or gold
    wanted, said = _plain(core), _plain(text)
    numbers = re.findall(r"\d[\d.:]*", wanted)
    if any(not re.search(rf"(?<!\d){re.escape(each.rstrip('.:'))}(?!\d)", said) for each in numbers):
        return False
    # The unit of a number may be left out, as in the notes of the set: "21 days" is the number 21.
    terms = [each for each in content_terms(re.sub(r"(\d[\d.:]*)\s+\w+", r"\1", wanted)) if not each[0].isdigit()]
    return not terms or sum(covers(each, said) for each in terms) >= LEAST_WORDS * len(terms)


def _plain(text: str) -> str:
    """Returns the text folded, with digits for number words and without thousands commas."""

    def digits(match: re.Match[str]) -> str:
        value = VALUES.get(match.group())
        return match.group() if value is None else f"{value:g}"

    return re.sub(r"[^\W\d_]+", digits, _THOUSANDS.sub("", fold(text)))
