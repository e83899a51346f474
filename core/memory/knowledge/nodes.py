"""The three graphs as one set of nodes and edges, blue, green, purple and orange [spec K4]."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from core.language.expansions import synonyms
from core.language.normalisation import fold
from core.memory.knowledge.growth import Grown
from core.memory.knowledge.learned import Action, Heard, Learned, Subject, context_id, joined, outcome_counts, success
from core.memory.knowledge.views import Colour, Concept, ConceptKind, Edge, EdgeKind, OutcomeCounts, TierSuccess
from core.memory.scoring import wilson
from core.memory.tallies import Example

EVIDENCE = 8
"""Ids that an edge shows of what stands behind it."""
HALF = 3.0
"""Texts or answers from which an edge, or a concept, has half of its full strength."""
UNRATED = 0.25
"""Quality of what only books name: that of a fact of which nothing is said."""


@dataclass(slots=True)
class Node:
    """A concept before it is shown: what filters and orders need. ``answers`` are those about it."""

    id: str
    label: str
    kind: ConceptKind
    colour: Colour
    names: tuple[str, ...] = ()
    mentions: int = 0
    avg_quality: float = 0.0
    first_seen: float = 0.0
    last_seen: float = 0.0
    answers: frozenset[str] = frozenset()
    heard: Heard = field(default_factory=dict)
    action: Action | None = None
    outcomes: OutcomeCounts = field(default_factory=OutcomeCounts)

    @property
    def importance(self) -> float:
        """0..1: the better of its facts' quality and its success, the more the more often it is met."""
        met = self.mentions + len(self.answers)
        quality = self.avg_quality or (UNRATED if self.mentions else 0.0)
        decided = self.outcomes.worked + self.outcomes.failed
        learned = wilson(self.outcomes.worked, decided) if decided else 0.0
        return max(quality, learned, 0.1) * met / (met + HALF) if met else 0.0

    def shown(self) -> Concept:
        tiers: list[TierSuccess] = success(self.heard)
        return Concept(
            id=self.id,
            label=self.label,
            kind=self.kind,
            colour=self.colour,
            aliases=list(self.names),
            mentions=self.mentions,
            answers=len(self.answers),
            avg_quality=self.avg_quality,
            importance=self.importance,
            first_seen=self.first_seen,
            last_seen=self.last_seen,
            best_tiers=[each.tier for each in tiers if each.worked + each.failed],
            tiers=tiers,
            outcomes=self.outcomes,
        )


@dataclass
class Whole:
    """All nodes of a user, and whose answers they share."""

    version: str
    grown: Grown
    learned: Learned
    nodes: dict[str, Node]

    def edges_among(self, chosen: Mapping[str, Node]) -> list[Edge]:
        """Of every kind, between the chosen alone."""
        return [
            *_together(self.grown, chosen),
            *_relations(self.grown, chosen),
            *_asked(chosen),
            *_used(chosen),
            *_effects(chosen),
            *_synonyms(chosen),
        ]


def whole(user_id: str, grown: Grown, learned: Learned, version: str) -> Whole:
    nodes = {each.id: each for each in _content(grown, learned)}
    covered = {subject for node in nodes.values() if node.colour == "both" for subject in _stems(node, learned)}
    purple = {stem: set[str]() for stem in covered}
    for node in nodes.values():
        if node.colour == "both":
            for stem in _stems(node, learned):
                purple[stem] |= node.answers
    for subject in learned.subjects.values():
        if not (subject.stem in purple and subject.answers <= purple[subject.stem]):
            nodes[subject.id] = _subject(subject)
    nodes |= {each.id: each for each in _actions(user_id, learned)}
    return Whole(version, grown, learned, nodes)


def _stems(node: Node, learned: Learned) -> list[str]:
    return [subject.stem for subject in _asked_about((node.label, *node.names), learned)]


def _content(grown: Grown, learned: Learned) -> Iterable[Node]:
    for concept, items in grown.content.naming.items():
        row = grown.catalogue.rows.get(concept)
        if row is None:
            continue
        sources = [grown.content.sources[item] for item in items]
        times = [source.created_at for source in sources]
        subjects = _asked_about((row.label, *row.aliases), learned)
        answers = frozenset(set.intersection(*(each.answers for each in subjects))) if subjects else frozenset()
        heard = joined(subjects, set(answers))
        yield Node(
            id=row.id,
            label=row.label,
            kind=row.kind,
            colour="both" if answers else "content",
            names=tuple(row.aliases),
            mentions=len(sources),
            avg_quality=grown.content.avg_quality(concept),
            first_seen=min(times),
            last_seen=max([*times, *(each.at for each in _examples(heard).values())]),
            answers=answers,
            heard=heard,
            outcomes=outcome_counts(each.outcome for each in _examples(heard).values()),
        )


def _asked_about(names: Iterable[str], learned: Learned) -> list[Subject]:
    """The subjects that one of the names consists of."""
    for name in names:
        words = [word for word in fold(name).replace("-", " ").split() if len(word) > 2]
        if words and (found := learned.of_words(words)):
            return found
    return []


def _examples(heard: Heard) -> dict[str, Example]:
    return {answer: example for each in heard.values() for answer, example in each.items()}


def _subject(subject: Subject) -> Node:
    examples = _examples(subject.heard)
    times = [each.at for each in examples.values()] or [0.0]
    return Node(
        id=subject.id,
        label=subject.label,
        kind="subject",
        colour="routing",
        first_seen=min(times),
        last_seen=max(times),
        answers=frozenset(examples),
        heard=subject.heard,
        outcomes=outcome_counts(each.outcome for each in examples.values()),
    )


def _actions(user_id: str, learned: Learned) -> Iterable[Node]:
    contexts: dict[str, dict[str, Example]] = defaultdict(dict)
    for action in learned.actions.values():
        examples = action.examples
        for context, tally in action.contexts.items():
            contexts[context] |= {each.answer_id: each for each in tally.examples}
        yield _orange(action.id, action.label, "action", examples, action.counts(), action)
    for context, examples in contexts.items():
        counts = outcome_counts(each.outcome for each in examples.values())
        yield _orange(context_id(user_id, context), context, "context", examples, counts)


def _orange(
    id: str,
    label: str,
    kind: ConceptKind,
    examples: Mapping[str, Example],
    counts: OutcomeCounts,
    action: Action | None = None,
) -> Node:
    times = [each.at for each in examples.values()] or [0.0]
    tier = action.tier if action else None
    return Node(
        id=id,
        label=label,
        kind=kind,
        colour="action",
        first_seen=min(times),
        last_seen=max(times),
        answers=frozenset(examples),
        heard={tier: dict(examples)} if tier else {},
        action=action,
        outcomes=counts,
    )


# -- edges -----------------------------------------------------------------------------------


def strength(count: float) -> float:
    """0..1: one half at ``HALF``."""
    return count / (count + HALF)


def edge(one: str, other: str, kind: EdgeKind, count: int, evidence: Iterable[str] = ()) -> Edge:
    a, b = sorted((one, other))
    return Edge(a=a, b=b, kind=kind, strength=strength(count), count=count, evidence=list(evidence)[:EVIDENCE])


def _together(grown: Grown, chosen: Mapping[str, Node]) -> Iterable[Edge]:
    for one, other, items in grown.content.edges_among(list(chosen)):
        newest = [source.item_id for source in grown.content.newest(items)]
        yield edge(one, other, "together", len(newest), newest)


def _relations(grown: Grown, chosen: Mapping[str, Node]) -> Iterable[Edge]:
    said: dict[tuple[str, str, EdgeKind], list[str]] = defaultdict(list)
    for relation, item in grown.content.relations():
        if relation.a in chosen and relation.b in chosen:
            said[relation.a, relation.b, relation.kind].append(item)
    for (a, b, kind), items in said.items():
        yield Edge(
            a=a, b=b, kind=kind, strength=strength(len(items)), count=len(items), directed=True,
            evidence=items[:EVIDENCE],
        )  # fmt: skip


def _sharing(nodes: Iterable[Node]) -> dict[str, list[str]]:
    """Answer to the nodes it was about."""
    shared: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        for answer in node.answers:
            shared[answer].append(node.id)
    return shared


def _asked(chosen: Mapping[str, Node]) -> Iterable[Edge]:
    """Subjects of one answer."""
    pairs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for answer, ids in _sharing(each for each in chosen.values() if each.colour != "action").items():
        for one, other in combinations(sorted(ids), 2):
            pairs[one, other].append(answer)
    return [edge(one, other, "asked", len(answers), answers) for (one, other), answers in pairs.items()]


def _used(chosen: Mapping[str, Node]) -> Iterable[Edge]:
    """A concept, and an action of an answer about it."""
    concepts = _sharing(each for each in chosen.values() if each.colour != "action")
    pairs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for node in chosen.values():
        if node.kind == "action":
            for answer in sorted(node.answers):
                for concept in concepts.get(answer, ()):
                    pairs[concept, node.id].append(answer)
    return [edge(one, other, "used", len(answers), answers) for (one, other), answers in pairs.items()]


def _effects(chosen: Mapping[str, Node]) -> Iterable[Edge]:
    """A kind of question and an action in it; as strong as the action is effective there."""
    contexts = {node.label: node.id for node in chosen.values() if node.kind == "context"}
    for node in chosen.values():
        for context, tally in node.action.contexts.items() if node.action else ():
            if context in contexts and tally.uses:
                found = edge(contexts[context], node.id, "effect", tally.uses, [e.answer_id for e in tally.examples])
                yield found.model_copy(update={"strength": tally.effectiveness})


def _synonyms(chosen: Mapping[str, Node]) -> Iterable[Edge]:
    """Two words for one thing, by the lists that questions are expanded with [spec H3]."""
    by_name: dict[str, set[str]] = defaultdict(set)
    for node in chosen.values():
        for name in (node.label, *node.names):
            by_name[fold(name)].add(node.id)
    for _, group in synonyms():
        ids = sorted({each for name in group for each in by_name.get(fold(name), ())})
        for one, other in combinations(ids, 2):
            yield Edge(a=one, b=other, kind="synonym", strength=math.sqrt(0.5), count=1)
