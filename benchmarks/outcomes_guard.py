"""Measures the effect of outcomes on questions that were right before: recall of the answering statements, after right,
wrong and random outcomes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from benchmarks.conversations import Conversation, Question, text_of
from benchmarks.outcomes_world import Orders, World
from core.store.items import Outcome

WRONG = 0.2
FOUND = 5
USED = 5
TOGETHER = 3
BANK = 0.1
SEED = 7

Said = list[tuple[list[str], Outcome]]
"""Memories used by one answer, and the feedback on it."""
Teacher = Callable[[Question, Sequence[str], random.Random], Said]
"""Takes a question and the ids shown, best first; returns the feedback."""

Recall = dict[str, float]
"""Maps a variant to its recall at 5 of the answering statements."""


def each_alone(question: Question, shown: Sequence[str], chance: random.Random) -> Said:
    """Of the first five memories, those that contain the answer are used by an answer that worked, the others by one
    that failed; one answer in five is misjudged."""
    right = [each for each in shown[:USED] if each in question.gold]
    wrong = [each for each in shown[:USED] if each not in question.gold]
    said: Said = [(right, _heard("worked", chance)), (wrong, _heard("failed", chance))]
    return [(used, outcome) for used, outcome in said if used]


def together(question: Question, shown: Sequence[str], chance: random.Random) -> Said:
    """One answer uses the first three memories, and worked if one of them contains the answer; one answer in five is
    misjudged."""
    used = list(shown[:TOGETHER])
    return [(used, _heard("worked" if question.gold.intersection(used) else "failed", chance))]


def coin(question: Question, shown: Sequence[str], chance: random.Random) -> Said:
    """Each of the first five memories is used by a separate answer, whose outcome is random."""
    return [([each], "worked" if chance.random() < 0.5 else "failed") for each in shown[:USED]]


def _heard(outcome: Outcome, chance: random.Random) -> Outcome:
    if chance.random() >= WRONG:
        return outcome
    return "failed" if outcome == "worked" else "worked"


@dataclass(frozen=True)
class Guard:
    """Recall before and after, on the questions that taught and on those that did not."""

    before_same: Recall
    same: Recall
    before_other: Recall
    other: Recall


@dataclass(frozen=True)
class _Part:
    """One person's memory of a conversation, with its questions."""

    user: str
    taught: list[Question]
    other: list[Question]


async def taught(world: World, talks: Sequence[Conversation], teacher: Teacher, every: int) -> Guard:
    """Teaches with every second question of ``talks``, and asks all of them; uses only each ``every``-th question."""
    chance = random.Random(SEED)
    parts = [await _stored(world, talk, teacher.__name__, every) for talk in talks]
    before_same, before_other = [], []
    for part in parts:
        for question in part.taught:
            shown, orders = await world.ask(part.user, question.text)
            before_same.append((question, _found(orders)))
            for used, outcome in teacher(question, shown, chance):
                await world.answer(part.user, question.text, shown, used, outcome)
    same = [(q, _found((await world.ask(p.user, q.text))[1])) for p in parts for q in p.taught]
    other = [(q, _found((await world.ask(p.user, q.text))[1])) for p in parts for q in p.other]
    before_other = [(question, {**found, **dict.fromkeys(found, found["relevance"])}) for question, found in other]
    before_same = [(question, {**found, **dict.fromkeys(found, found["relevance"])}) for question, found in same]
    return Guard(_recall(before_same), _recall(same), _recall(before_other), _recall(other))


async def _stored(world: World, talk: Conversation, name: str, every: int) -> _Part:
    user = f"{talk.user_id}-{name}"
    ids = await world.remember(user, talk)
    questions = [each.among(ids) for each in talk.questions[::every]]
    return _Part(user, questions[::2], questions[1::2])


_Found = Mapping[str, Sequence[str]]


def _found(orders: Orders) -> dict[str, list[str]]:
    return {variant: [item.id for item in order[:FOUND]] for variant, order in orders.items()}


def _recall(answers: Sequence[tuple[Question, _Found]]) -> Recall:
    return {
        variant: mean(
            len(question.gold.intersection(found[variant])) / len(question.gold) for question, found in answers
        )
        for variant in answers[0][1]
    }


async def beside_a_bank(world: World, talks: Sequence[Conversation], every: int) -> Recall:
    """Returns the recall of statements when a tenth of the other statements are also facts of the memory bank, of
    various quality."""
    chance = random.Random(SEED)
    answers = []
    for talk in talks:
        user = f"{talk.user_id}-bank"
        gold = frozenset(place for question in talk.questions for place in question.gold)
        for place, _, utterance in talk.turns:
            if place not in gold and chance.random() < BANK:
                await world.know(user, text_of(utterance), chance.random(), chance.random())
        ids = await world.remember(user, talk)
        for question in talk.questions[::every]:
            there = question.among(ids)
            answers.append((there, _found((await world.ask(user, there.text))[1])))
    return _recall(answers)
