"""Simulates the disturbances: users who ask about tables, hostile questions, file uploads, and a long conversation."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Event

from benchmarks.frozen import hostile
from benchmarks.frozen.person import Json, Person, all_searchable, partly_searchable
from benchmarks.frozen.phases import Actor

TABLE = "table question"
HOSTILE = "hostile question"
DROPPING = "dropping"
READING = "reading"
OPENING = "opening"

TABLE_PAUSE = 5.0
"""Average seconds between an answer and one person's next question."""
OPENING_PAUSE = 1.0
TABLE_QUESTIONS = (
    "How many orders are there?",
    "Which order has the largest amount?",
    "What is the quantity of ORD-001234?",
    "What is the total amount by region?",
    "How many orders are from the North region?",
    "What is the average price?",
)

Stages = Mapping[str, Callable[[Json], bool]]
"""The stages that a document goes through, in order; for each, a check of the document's row."""
Reached = dict[str, float | None]
"""Seconds from an upload until each stage was reached; ``None`` if the phase ended before that."""


def asks_about_table(person: Person, place: int) -> Actor:
    """Asks one question after another. Each user starts at a different question; ``place`` is the user's index."""
    drawn = random.Random(place)

    def act(stop: Event) -> None:
        for number in itertools.count(place):
            question = TABLE_QUESTIONS[number % len(TABLE_QUESTIONS)]
            person.does(TABLE, question, lambda: person.ask(question))  # noqa: B023 -- called at once
            if stop.wait(drawn.uniform(0.5, 1.5) * TABLE_PAUSE):
                return

    return act


def asks_hostile(person: Person, kinds: Sequence[str], *, again: bool = False) -> Actor:
    """Asks one question of each kind after another; ``again``: repeats from the first until the phase ends."""

    def act(stop: Event) -> None:
        for kind in itertools.cycle(kinds) if again else kinds:
            if stop.is_set():
                return
            person.does(HOSTILE, kind, lambda: person.ask(hostile.QUESTIONS[kind]))  # noqa: B023 -- called at once

    return act


def reads(person: Person, path: Path, name: str, reached: Reached) -> Actor:
    """Uploads a file and waits until search can find it; if it is still unread when the phase ends, it is removed."""
    return _reads(person, path, name, reached, {f"{name}: searchable": all_searchable})


def reads_scan(person: Person, path: Path, name: str, reached: Reached, begun: Event) -> Actor:
    """Like ``reads``, in two stages; ``begun`` is set as soon as the scan has been accepted."""
    stages = {f"{name}: first page searchable": partly_searchable, f"{name}: searchable": all_searchable}
    return _reads(person, path, name, reached, stages, begun)


def _reads(
    person: Person, path: Path, name: str, reached: Reached, stages: Stages, begun: Event | None = None
) -> Actor:
    def act(stop: Event) -> None:
        began = time.monotonic()
        reached.update(dict.fromkeys(stages))
        document = person.does(DROPPING, name, lambda: person.drop(path))
        if begun:
            begun.set()
        if document is None:
            return
        for stage, ready in stages.items():
            if not person.does(READING, name, lambda: person.waits_for(document, ready, stop)):  # noqa: B023
                break
            reached[stage] = time.monotonic() - began
        person.removes(document)

    return act


def reads_later(person: Person, path: Path, name: str, reached: Reached, after: Event) -> Actor:
    """Like ``reads``, with a file that is uploaded after another one has been accepted."""
    actor = reads(person, path, name, reached)

    def act(stop: Event) -> None:
        while not stop.is_set():
            if after.wait(0.1):
                actor(stop)
                return

    return act


def opens(person: Person, conversation: str) -> Actor:
    """Opens a conversation again and again, as the page does."""

    def act(stop: Event) -> None:
        opening = person.page_function("open_conversation")
        while not stop.is_set():
            person.does(OPENING, "conversation", lambda: opening(id=conversation))
            stop.wait(OPENING_PAUSE)

    return act


def converses(person: Person, questions: Iterable[str], seconds: float) -> str | None:
    """Asks one question after another in one conversation until the time is over; returns its id."""
    conversation: str | None = None
    ends = time.monotonic() + seconds
    for question in itertools.takewhile(lambda _: time.monotonic() < ends, questions):
        answer = person.does(TABLE, question, lambda: person.ask(question, conversation))  # noqa: B023
        conversation = answer["conversation_id"] if answer else conversation
    return conversation
