"""Fits the weights of the circumstances of a message, on messages written by hand.

Each author's messages get the probabilities of a text model that was fitted without them, so that the circumstances
learn how far a text model can be trusted on texts of strangers. Each message is seen with its own library, and with
larger ones that also have the titles of others. ``python -m benchmarks.destination_weights`` calls this module.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from benchmarks.logistic import Floats, softmax
from benchmarks.messages.routes import Item, MessageBench, WatchedGraph
from benchmarks.temporary_workbench import open_workbench
from core.graph.nodes import understand
from core.graph.nodes.places import sending
from core.graph.records import Intent
from core.graph.services import Services
from core.graph.state import State
from core.graph.understanding.destinations.circumstances import Circumstances
from core.graph.understanding.destinations.decision import LEAST, OF_DOCUMENTS, by_holdings
from core.graph.understanding.destinations.examples import KINDS, Kind, WrittenMessage, message_files
from core.graph.understanding.destinations.holdings import holdings_of
from core.graph.understanding.destinations.trained_circumstances import CircumstanceWeights
from core.library.records import Document, Metadata
from core.parsed_yaml import parse_yaml
from core.question.destination import Destination

LARGER = (1, 3)
"""Numbers of other authors' libraries that are added to a message's own."""
PENALTY, STEPS, RATE, PUSH = 0.01, 600, 0.15, 0.9
OUTSIDE: tuple[Kind, ...] = ("web", "current", "world")
ROUTED: Mapping[str, tuple[Kind, ...]] = {
    "web": OUTSIDE,
    "datagov": ("open_data",),
    "ask_back": OF_DOCUMENTS,
    "remember": ("remember", "correct"),
}
DAILY = ("tool:weather", "tool:time", "tool:currency", "tool:currency_converter")
"""Tools whose answers are current facts."""


@dataclass(frozen=True)
class Seen:
    """A message with its circumstances, and the kinds that are right."""

    item: Item
    kind: Kind
    author: str
    circumstances: Circumstances

    @property
    def right(self) -> list[bool]:
        return [each in _kinds_of(self.item.route, self.kind, self.item.library) for each in KINDS]


def _kinds_of(route: str, kind: Kind, library: Sequence[str]) -> tuple[Kind, ...]:
    if route == "not_here":
        return OUTSIDE if library else (*OUTSIDE, *OF_DOCUMENTS)
    if route in DAILY:
        return ("tool", "current")
    return ROUTED.get(route, (kind,))


class _CaughtError(Exception):
    """Ends a run once its circumstances are known."""


async def seen_messages() -> list[Seen]:
    """Asks all messages in a temporary workbench, and returns what is seen of each before it is sent."""
    caught: list[Circumstances] = []

    async def catch(services: Services, state: State, intent: Intent, settled: Any, ruled: Destination) -> sending.Sent:
        caught.append(await sending.circumstances(services, state, intent, settled, ruled))
        raise _CaughtError

    found, sent, rows = [], understand.sent, _rows()
    understand.sent = catch
    try:
        with WatchedGraph() as watch:
            async with open_workbench(None) as workbench:
                bench = MessageBench(workbench, watch)
                await bench.fill({tuple(item.library) for _, item, _ in rows})
                for author, item, kind in rows:
                    caught.clear()
                    await bench.ask(item)
                    found += [Seen(item, kind, author, each) for each in caught[:1]]
    finally:
        understand.sent = sent
    return found


def _rows() -> list[tuple[str, Item, Kind]]:
    rows: list[tuple[str, Item, Kind]] = []
    for file in message_files():
        items: Any = parse_yaml(file.read_text(encoding="utf-8"))
        kinds = TypeAdapter(dict[str, list[WrittenMessage]]).validate_python(items)["items"]
        rows += [
            (file.stem, Item.model_validate(row), each.kind) for row, each in zip(items["items"], kinds, strict=True)
        ]
    return rows


def with_larger_libraries(messages: Sequence[Seen]) -> list[Seen]:
    """Returns the messages, and the same in libraries that also have the titles of others."""
    found, choice = list(messages), random.Random(3)
    for others in LARGER:
        for each in messages:
            if not each.item.library:
                found.append(each)
                continue
            titles = list(each.item.library)
            for other in choice.sample(list(messages), others):
                titles += [title for title in other.item.library if title not in titles]
            held = holdings_of(each.circumstances.intent.text, [_document(title) for title in titles])
            found.append(replace(each, circumstances=replace(each.circumstances, held=held)))
    return found


def _document(title: str) -> Document:
    named = Metadata(title=PurePath(title).stem)
    return Document(
        _id=title, user_id="", filename=title, mime="", size=1, sha256="", metadata=named, added_at=0, updated_at=0
    )


def fitted(messages: Sequence[Seen], shares_of: Callable[[str, str], Floats]) -> CircumstanceWeights:
    """Fits the weights. ``shares_of(author, text)``: the probabilities of a text without the author's messages."""
    texts = {each.item.id: shares_of(each.author, each.item.message) for each in messages}
    larger = with_larger_libraries(messages)
    logs = np.log(np.maximum(np.stack([texts[each.item.id] for each in larger]), LEAST))
    given = np.array([_given(each.circumstances) for each in larger], dtype=np.float32)
    seen = np.stack([each.circumstances.numbers for each in larger])
    right = np.array([each.right for each in larger])
    shifts = np.zeros((seen.shape[1], len(KINDS)), dtype=np.float32)
    trust, speed, turn = 1.0, shifts.copy(), 0.0
    for _ in range(STEPS):
        shares = softmax(np.float32(trust) * logs + given + seen @ shifts)
        wanted = np.where(right, shares + 1e-9, 0)
        slope = (shares - wanted / wanted.sum(axis=1, keepdims=True)) / np.float32(len(larger))
        speed = PUSH * speed - RATE * (seen.T @ slope + PENALTY * shifts)
        turn = PUSH * turn - RATE / 15 * (float((slope * logs).sum()) + PENALTY * (trust - 1))
        shifts, trust = (shifts + speed).astype(np.float32), trust + turn
    return CircumstanceWeights(shifts, trust)


def _given(seen: Circumstances) -> list[float]:
    added = by_holdings(seen.held, seen.outlook)
    return [added[kind] for kind in KINDS]
