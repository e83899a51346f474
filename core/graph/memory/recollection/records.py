"""Defines what was said in earlier conversations, and what was found of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Speaker = Literal["user", "assistant"]


@dataclass(frozen=True)
class Utterance:
    """A message of an earlier conversation: who wrote it, and when (epoch seconds). ``run_id`` is the run of the
    question, which is the same for its answer."""

    id: str
    conversation_id: str
    title: str
    run_id: str
    speaker: Speaker
    text: str
    at: float


@dataclass(frozen=True)
class Exchange:
    """A question and its answer, as far as they were stored."""

    run_id: str
    conversation_id: str
    title: str
    at: float
    said: tuple[Utterance, ...]

    def by(self, speaker: Speaker) -> Utterance | None:
        return next((each for each in self.said if each.speaker == speaker), None)


@dataclass(frozen=True)
class Recollected:
    """What was found: the ``exchanges`` that answer, best first, each with the ``utterances`` to quote.

    ``main`` is the utterance that answers; ``None`` if the question asks for everything of a time. ``ever``: the
    question asks whether something was said. ``missed_time``: nothing fits the time that the question names.
    """

    exchanges: tuple[Exchange, ...] = ()
    main: Utterance | None = None
    ever: bool = False
    missed_time: bool = False

    @property
    def found(self) -> bool:
        return bool(self.exchanges)


def exchanges_of(said: list[Utterance]) -> list[Exchange]:
    """Groups utterances by their run, in the order of time."""
    groups: dict[tuple[str, str], list[Utterance]] = {}
    for each in said:
        groups.setdefault((each.conversation_id, each.run_id), []).append(each)
    found = [
        Exchange(run_id, conversation_id, group[0].title, group[0].at, tuple(group))
        for (conversation_id, run_id), group in groups.items()
    ]
    return sorted(found, key=lambda each: each.at)
