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
    """A question and its answer, as far as they were stored; or a fact of the memory bank, whose id is ``run_id``, with
    its text as the only utterance. ``until``: when a newer text replaced the fact (epoch seconds)."""

    run_id: str
    conversation_id: str
    title: str
    at: float
    said: tuple[Utterance, ...]
    kind: Literal["conversation", "memory"] = "conversation"
    until: float | None = None

    def by(self, speaker: Speaker) -> Utterance | None:
        return next((each for each in self.said if each.speaker == speaker), None)


@dataclass(frozen=True)
class Found:
    """An exchange that was found; ``main`` is its utterance that answers."""

    exchange: Exchange
    main: Utterance


@dataclass(frozen=True)
class Recollected:
    """What was found for a question about earlier conversations.

    ``best`` answers it (``None``: nothing does), ``earlier`` is what it replaced, ``related`` are other exchanges on
    the subject, best first. ``talks`` are all exchanges of the time that an open question names. ``ever``: the question
    asks whether something was said. ``missed_time``: nothing fits the time that it names, so all times were searched.
    ``evidence``: how much supports ``best``, 0..2. ``subject`` are the words that were looked for,
    ``has_names``: the conversation of ``best`` has all names and numbers among them. ``unsure``: ``best`` is only the
    nearest of what was said. ``nearest`` are statements that are near in meaning, best first, for the case that nothing
    answers.
    """

    best: Found | None = None
    earlier: Found | None = None
    related: tuple[Exchange, ...] = ()
    talks: tuple[Exchange, ...] = ()
    ever: bool = False
    missed_time: bool = False
    evidence: float = 0.0
    subject: tuple[str, ...] = ()
    has_names: bool = False
    unsure: bool = False
    nearest: tuple[Found, ...] = ()


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
