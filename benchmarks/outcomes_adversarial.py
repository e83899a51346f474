"""Asks questions that are worded like the advice that does not work, and measures how outcomes change the ranking."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from statistics import mean

from benchmarks.conversations import Conversation
from benchmarks.outcomes_world import SHOWN, Orders, World
from core.language.tokens import count_tokens
from core.store.items import Outcome

WHERE = "roampal-ai/roampal (Apache-2.0): adversarial_coding_30.json"
OWN = Path(__file__).parent / "adversarial"
LEAST_OTHERS = 1_200


@dataclass(frozen=True)
class Scenario:
    """A question with good and bad advice. ``rewordings``: two other ways to ask the same, the first similar, the
    second free. ``held_out`` is a third, written after the last change to the scoring."""

    group: str
    query: str
    good: str
    bad: str
    rewordings: tuple[str, str]
    held_out: str


@dataclass
class Store:
    """One user's memory of all scenarios; ``ids`` maps texts to memory ids."""

    user: str
    ids: dict[str, str]
    scenarios: list[Scenario]


Wording = Callable[[Scenario], str]
Say = Callable[[Scenario, Sequence[str]], list[tuple[str, Outcome]]]
"""Takes a scenario and the ids shown; returns the texts that were used and their outcomes."""


def load(data: Path) -> list[Scenario]:
    """Loads the scenarios of roampal and of this project."""
    rows = json.loads((data / "adversarial_coding_30.json").read_text(encoding="utf-8"))
    reworded = json.loads((OWN / "paraphrases.json").read_text(encoding="utf-8"))["paraphrases"]
    held_out = json.loads((OWN / "held_out.json").read_text(encoding="utf-8"))
    theirs = [
        Scenario(
            "coding",
            row["query"],
            row["good_advice"],
            row["bad_advice"],
            _pair(reworded[str(row["id"])]),
            held_out["coding"][str(row["id"])],
        )
        for row in rows
    ]
    ours = [
        Scenario(
            f"own, {row['language']}",
            row["query"],
            row["good"],
            row["bad"],
            _pair(row["paraphrases"]),
            held_out["own"][row["id"]],
        )
        for row in _own()["scenarios"]
    ]
    return theirs + ours


def _pair(rewordings: Sequence[str]) -> tuple[str, str]:
    first, second = rewordings
    return first, second


def _own() -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = json.loads((OWN / "scenarios.json").read_text(encoding="utf-8"))
    return found


async def stored(world: World, user: str, scenarios: list[Scenario], talks: Sequence[Conversation]) -> Store:
    """Stores all advice in one memory, together with all statements of ``talks``."""
    ids = await world.note(user, [text for each in scenarios for text in (each.good, each.bad)])
    for talk in talks:
        await world.remember(user, talk)
    if not talks:
        places = ("north", "south", "harbour", "station", "old town", "airport")
        visits = [f"Visit {n} went to the {places[n % 6]} and {n * 7 % 90} people came" for n in range(LEAST_OTHERS)]
        await world.note(user, visits)
    return Store(user, ids, scenarios)


# -- teaching ------------------------------------------------------------------------------------


async def a_round(world: World, store: Store, say: Say, wording: Wording) -> None:
    """Asks every question once, and gives feedback on the answers."""
    texts = {identifier: text for text, identifier in store.ids.items()}
    for each in store.scenarios:
        question = wording(each)
        shown, _ = await world.ask(store.user, question)
        for used, outcome in say(each, [texts.get(identifier, "") for identifier in shown]):
            await world.answer(store.user, question, shown, [store.ids[used]], outcome)


def good_worked(each: Scenario, shown: Sequence[str]) -> list[tuple[str, Outcome]]:
    return [(each.good, "worked")] if each.good in shown else []


def bad_failed(each: Scenario, shown: Sequence[str]) -> list[tuple[str, Outcome]]:
    return [(each.bad, "failed")] if each.bad in shown else []


def both(each: Scenario, shown: Sequence[str]) -> list[tuple[str, Outcome]]:
    return good_worked(each, shown) + bad_failed(each, shown)


def as_shown(each: Scenario, shown: Sequence[str]) -> list[tuple[str, Outcome]]:
    """Uses whichever of the good and the bad advice ranks higher."""
    first = next((text for text in shown if text in (each.good, each.bad)), None)
    return [] if first is None else [(first, "worked" if first == each.good else "failed")]


# -- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """The order of all candidates of one question, by variant."""

    scenario: Scenario
    orders: Orders


async def asked(world: World, store: Store, wordings: Sequence[Wording]) -> list[Asked]:
    return [
        Asked(each, (await world.ask(store.user, wording(each)))[1]) for each in store.scenarios for wording in wordings
    ]


def good_first(answers: Sequence[Asked], variant: str, store: Store, group: str = "") -> float:
    """Returns the share of questions whose good advice ranks above the bad."""
    return mean(
        _place(each, variant, store.ids[each.scenario.good]) < _place(each, variant, store.ids[each.scenario.bad])
        for each in answers
        if each.scenario.group.startswith(group)
    )


def _place(answer: Asked, variant: str, identifier: str) -> int:
    """Returns the rank from 1; if the item is not among the candidates, the rank after the last one."""
    ids = [item.id for item in answer.orders[variant]]
    return ids.index(identifier) + 1 if identifier in ids else len(ids) + 1


def ranking_quality(answers: Sequence[Asked], variant: str, store: Store) -> Mapping[str, float]:
    """Returns the ranking quality of the good advice among all memories; tokens are those of the hits from the first
    down to the good advice, at most twenty hits."""
    places = [_place(each, variant, store.ids[each.scenario.good]) for each in answers]
    read = [
        sum(count_tokens(item.text) for item in each.orders[variant][: min(place, SHOWN)])
        for each, place in zip(answers, places, strict=True)
    ]
    return {
        "Top-1": mean(place == 1 for place in places),
        "MRR": mean(1 / place for place in places),
        "nDCG@5": mean(1 / log2(place + 1) if place <= 5 else 0.0 for place in places),
        "tokens": mean(read),
    }


# -- facts of the bank ---------------------------------------------------------------------------


async def facts(world: World, user: str, variants: Sequence[str]) -> dict[str, float]:
    """Returns how often, in pairs of facts, the high-quality one ranks above the one worded like the question."""
    pairs = _own()["facts"]
    better = [await world.know(user, row["better"], 0.9, 1.0) for row in pairs]
    nearer = [await world.know(user, row["nearer"], 0.4, 0.4) for row in pairs]
    await world.workbench.memory.settle()
    right = dict.fromkeys(variants, 0)
    for row, one, other in zip(pairs, better, nearer, strict=True):
        _, orders = await world.ask(user, row["query"])
        for variant in variants:
            ids = [item.id for item in orders[variant]]
            right[variant] += ids.index(one) < ids.index(other)
    return {variant: count / len(pairs) for variant, count in right.items()}
