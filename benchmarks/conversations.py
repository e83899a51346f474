"""Loads LoCoMo: long conversations with questions and the statements that answer them (snap-research/locomo)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.language.transcripts import Utterance
from core.memory.items.transcripts import Transcript
from core.memory.memory import Memory

WHERE = "LoCoMo (snap-research/locomo, non-commercial research use): locomo_public5.json"
CATEGORIES = {1: "several turns", 2: "time", 3: "open", 4: "one turn", 5: "adversarial"}
_EVIDENCE = re.compile(r"D\d+:\d+")


@dataclass(frozen=True)
class Question:
    """A question about a conversation. ``gold`` are the places of the statements that answer it, or the ids of their
    memories; see ``among``."""

    text: str
    gold: frozenset[str]
    category: int

    def among(self, ids: Mapping[str, str]) -> Question:
        """Returns the question with memory ids as gold answers; ``ids`` maps places to memory ids."""
        return replace(self, gold=frozenset(ids[place] for place in self.gold))


@dataclass(frozen=True)
class Session:
    """A conversation's session. ``places[i]`` is the set's name of ``transcript.utterances[i]``, such as "D1:3"."""

    transcript: Transcript
    places: list[str]


@dataclass(frozen=True)
class Conversation:
    """A long conversation in several sessions; ``speakers`` are the names of the participants."""

    user_id: str
    speakers: tuple[str, ...]
    sessions: list[Session]
    questions: list[Question]

    @property
    def turns(self) -> list[tuple[str, Session, Utterance]]:
        """Returns all statements with their places, in order."""
        return [
            (place, session, utterance)
            for session in self.sessions
            for place, utterance in zip(session.places, session.transcript.utterances, strict=True)
        ]


def load(folder: Path) -> list[Conversation]:
    """Loads the conversations; questions without evidence are left out."""
    rows = json.loads((folder / "locomo_public5.json").read_text(encoding="utf-8"))
    return [_conversation(row) for row in rows]


async def remember(memory: Memory, user_id: str, talk: Conversation) -> dict[str, str]:
    """Stores all sessions as transcripts of ``user_id``; returns the memory id of each statement by its place."""
    ids: dict[str, str] = {}
    for session in talk.sessions:
        items = await memory.remember_transcript(user_id, session.transcript)
        ids |= {place: item.id for place, item in zip(session.places, items, strict=True)}
    return ids


def text_of(utterance: Utterance) -> str:
    """Returns the statement's text as a transcript shows it."""
    return f"{utterance.speaker}: {utterance.text}"


def _conversation(row: dict[str, Any]) -> Conversation:
    user = row["id"]
    sessions = [_session(user, each) for each in row["sessions"]]
    known = {place for session in sessions for place in session.places}
    questions = []
    for asked in row["qa"]:
        gold = frozenset(_EVIDENCE.findall(" ".join(asked["evidence"]))) & known
        if gold:
            questions.append(Question(asked["question"], gold, asked["category"]))
    return Conversation(user, tuple(row["speakers"]), sessions, questions)


def _session(user: str, row: dict[str, Any]) -> Session:
    said_at = datetime.strptime(row["date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).timestamp()
    utterances = [Utterance(turn["speaker"], turn["text"]) for turn in row["turns"]]
    transcript = Transcript(f"{user}/{row['session']}", said_at, utterances)
    return Session(transcript, [turn["dia_id"] for turn in row["turns"]])
