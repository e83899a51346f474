"""LoCoMo: long conversations whose questions name the turns that answer them (snap-research/locomo)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from core.store.items import MEMORY, Embedding, ItemSource, MemoryItem, Place, Timestamps

WHERE = "LoCoMo (snap-research/locomo, non-commercial research use): locomo_public5.json"
CATEGORIES = {1: "several turns", 2: "time", 3: "open", 4: "one turn", 5: "adversarial"}
_EVIDENCE = re.compile(r"D\d+:\d+")


@dataclass(frozen=True)
class Question:
    """``gold`` are the ids of the memories that answer it."""

    text: str
    gold: frozenset[str]
    category: int


@dataclass(frozen=True)
class Conversation:
    """A person's memory of it: one item a turn, in order; ``speakers`` are their names."""

    user_id: str
    speakers: tuple[str, ...]
    items: list[MemoryItem]
    questions: list[Question]


def load(folder: Path) -> list[Conversation]:
    """Questions without evidence are left out."""
    rows = json.loads((folder / "locomo_public5.json").read_text(encoding="utf-8"))
    return [_conversation(row) for row in rows]


def _conversation(row: dict) -> Conversation:  # type: ignore[type-arg]
    user = row["id"]
    items = [item for session in row["sessions"] for item in _turns(user, session)]
    known = {item.id for item in items}
    questions = []
    for asked in row["qa"]:
        places = _EVIDENCE.findall(" ".join(asked["evidence"]))
        gold = frozenset(_id(user, place) for place in places) & known
        if gold:
            questions.append(Question(asked["question"], gold, asked["category"]))
    return Conversation(user, tuple(row["speakers"]), items, questions)


def _turns(user: str, session: dict) -> Iterator[MemoryItem]:  # type: ignore[type-arg]
    said_at = datetime.strptime(session["date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).timestamp()
    before = ""
    for order, turn in enumerate(session["turns"]):
        text = f"{turn['speaker']}: {turn['text']}"
        yield MemoryItem(
            id=_id(user, turn["dia_id"]),
            user_id=user,
            tier="history",
            kind="exchange",
            text=text,
            scope=MEMORY,
            source=ItemSource(type="user", speaker=turn["speaker"]),
            timestamps=Timestamps(created_at=said_at, updated_at=said_at),
            embedding=Embedding(prefix=before),
            place=Place(episode=f"{user}/{session['session']}", order=order),
        )
        before = text


def _id(user: str, place: str) -> str:
    return f"mem_{uuid5(NAMESPACE_OID, f'locomo/{user}/{place}').hex}"
