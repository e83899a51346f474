"""Combines the three graphs into one collection of nodes, coloured blue, green, purple and orange."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.knowledge.extraction.key_terms import is_no_term
from core.knowledge.labels import labels_of
from core.knowledge.outcome_edges import (
    Action,
    OutcomeEdges,
    OutcomesByTier,
    Subject,
    context_id,
    outcome_counts,
    outcomes_of_answers,
    success_by_tier,
)
from core.knowledge.records import ConceptRow
from core.knowledge.synced_graph import SyncedGraph
from core.knowledge.views import Colour, Concept, ConceptKind, OutcomeCounts, TierSuccess
from core.language.normalisation import fold
from core.memory.outcomes.scoring import wilson
from core.memory.outcomes.success_counts import Example

HALF = 6.0
"""Number of links, documents and questions at which a concept has half of its full importance."""
_TELLING: Mapping[ConceptKind, float] = {"date": 0.5, "sum": 0.5, "identifier": 0.6}
"""Factor on the importance of a number or date, relative to a name."""
UNRATED = 0.25
"""Quality assumed for a concept that only books name: that of a fact without ratings."""


@dataclass(slots=True)
class Node:
    """A concept with the values for filters and sorting. ``answers`` are the ids of answers about it."""

    id: str
    label: str
    kind: ConceptKind
    colour: Colour
    names: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    mentions: int = 0
    documents: int = 0
    links: int = 0
    avg_quality: float = 0.0
    first_seen: float = 0.0
    last_seen: float = 0.0
    answers: frozenset[str] = frozenset()
    answer_outcomes: OutcomesByTier = field(default_factory=dict)
    stems: tuple[str, ...] = ()
    action: Action | None = None
    outcomes: OutcomeCounts = field(default_factory=OutcomeCounts)

    @property
    def importance(self) -> float:
        """Importance in 0..1: the better of its facts' quality and its success rate, higher if it has many links,
        documents and questions; lower for numbers and dates."""
        met = self.links + (self.documents or min(self.mentions, 1)) + len(self.answers)
        quality = self.avg_quality or (UNRATED if self.mentions else 0.0)
        decided = self.outcomes.worked + self.outcomes.failed
        learned = wilson(self.outcomes.worked, decided) if decided else 0.0
        return _TELLING.get(self.kind, 1.0) * max(quality, learned, 0.1) * met / (met + HALF) if met else 0.0

    def shown(self) -> Concept:
        tiers: list[TierSuccess] = success_by_tier(self.answer_outcomes)
        return Concept(
            id=self.id,
            label=self.label,
            kind=self.kind,
            colour=self.colour,
            labels=dict(self.labels),
            aliases=list(self.names),
            mentions=self.mentions,
            documents=self.documents,
            links=self.links,
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
class AllNodes:
    """All nodes of a user. ``rows`` are the concepts of the nodes that come from texts, at version ``counted`` of the
    content graph."""

    version: str
    grown: SyncedGraph
    learned: OutcomeEdges
    nodes: dict[str, Node]
    rows: Mapping[str, ConceptRow] = field(default_factory=dict)
    counted: int = 0


def all_nodes(
    user_id: str, grown: SyncedGraph, learned: OutcomeEdges, version: str, before: AllNodes | None = None
) -> AllNodes:
    """All nodes. Nodes from ``before`` are reused, except concepts of texts that were added, changed or removed.

    A question word that is part of a concept's name counts for that concept, and a word that names nothing ("total") is
    dropped. Neither becomes a node.
    """
    rows = {each: row for each in grown.content.naming if (row := grown.catalogue.rows.get(each))}
    same = before if before and before.grown is grown and before.learned is learned else None
    nodes: dict[str, Node] = {}
    for row in rows.values():
        kept = same.nodes.get(row.id) if same and _is_same(row, same) else None
        nodes[row.id] = kept or _content_node(row, grown, learned)
    purple: dict[str, set[str]] = defaultdict(set)
    for node in nodes.values():
        for stem in node.stems:
            purple[stem] |= node.answers
    for subject in learned.subjects.values():
        if not subject.answers <= purple.get(subject.stem, set()) and not is_no_term(subject.label):
            nodes[subject.id] = _subject_node(subject)
    nodes |= {each.id: each for each in _actions(user_id, learned)}
    return AllNodes(version, grown, learned, nodes, rows, grown.version)


def _is_same(row: ConceptRow, before: AllNodes) -> bool:
    """Whether the concept's names and the texts that name it are unchanged."""
    return before.rows.get(row.id) is row and before.grown.content.changed.get(row.id, 0) <= before.counted


def _content_node(row: ConceptRow, grown: SyncedGraph, learned: OutcomeEdges) -> Node:
    sources = [grown.content.sources[item] for item in grown.content.naming[row.id]]
    times = [source.created_at for source in sources]
    labels = labels_of(row)
    subjects = _asked_about((row.label, *row.aliases, *labels.values(), *row.keys), learned)
    answers = frozenset(set.intersection(*(each.answers for each in subjects))) if subjects else frozenset()
    examples = outcomes_of_answers(subjects, set(answers))
    return Node(
        id=row.id,
        label=labels.get("en", row.label),
        kind=row.kind,
        colour="both" if answers else "content",
        names=tuple(row.aliases),
        labels=labels,
        mentions=len(sources),
        documents=len({source.document_id for source in sources if source.document_id}),
        links=grown.content.graph.degree(row.id) if row.id in grown.content.graph else 0,
        avg_quality=grown.content.avg_quality(row.id),
        first_seen=min(times),
        last_seen=max([*times, *(each.at for each in _examples(examples).values())]),
        answers=answers,
        answer_outcomes=examples,
        stems=tuple(each.stem for each in subjects) if answers else (),
        outcomes=outcome_counts(each.outcome for each in _examples(examples).values()),
    )


def _asked_about(names: Iterable[str], learned: OutcomeEdges) -> list[Subject]:
    """The question subjects that are words of one of the names."""
    if not learned.subjects:
        return []
    for name in names:
        words = [word for word in fold(name).replace("-", " ").split() if len(word) > 2]
        if words and (found := learned.of_words(words)):
            return found
    return []


def _examples(examples: OutcomesByTier) -> dict[str, Example]:
    return {answer: example for each in examples.values() for answer, example in each.items()}


def _subject_node(subject: Subject) -> Node:
    by_tier, examples = subject.answer_outcomes, _examples(subject.answer_outcomes)
    counts = outcome_counts(each.outcome for each in examples.values())
    return _learned_node(subject.id, subject.label, "subject", "routing", examples, by_tier, counts)


def _actions(user_id: str, learned: OutcomeEdges) -> Iterable[Node]:
    contexts: dict[str, dict[str, Example]] = defaultdict(dict)
    for action in learned.actions.values():
        examples = action.examples
        for context, tally in action.contexts.items():
            contexts[context] |= {each.answer_id: each for each in tally.examples}
        by_tier: OutcomesByTier = {action.tier: dict(examples)} if action.tier else {}
        node = _learned_node(action.id, action.label, "action", "action", examples, by_tier, action.counts())
        yield replace(node, action=action)
    for context, examples in contexts.items():
        counts = outcome_counts(each.outcome for each in examples.values())
        yield _learned_node(context_id(user_id, context), context, "context", "action", examples, {}, counts)


def _learned_node(
    id: str,
    label: str,
    kind: ConceptKind,
    colour: Colour,
    examples: Mapping[str, Example],
    by_tier: OutcomesByTier,
    counts: OutcomeCounts,
) -> Node:
    """A node from outcomes of answers: a subject, an action or a kind of question."""
    times = [each.at for each in examples.values()] or [0.0]
    return Node(
        id=id,
        label=label,
        kind=kind,
        colour=colour,
        first_seen=min(times),
        last_seen=max(times),
        answers=frozenset(examples),
        answer_outcomes=by_tier,
        outcomes=counts,
    )
