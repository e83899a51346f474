"""Computes the edges of the three graphs: among given concepts, from one concept, and all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations

import networkx as nx

from core.knowledge.link_reasons import EVIDENCE, strength, text_edge
from core.knowledge.nodes import AllNodes, Node
from core.knowledge.synced_graph import SyncedGraph
from core.knowledge.views import Edge, EdgeKind
from core.language.expansions import synonyms
from core.language.normalisation import fold

LEAST_EDGES, EDGES_PER_NODE, OWN_EDGES = 600, 3, 2
"""Limits for drawing: at most 600 edges from texts, or three per node if that is more. Each node's two strongest edges
come first."""
SYNONYM = 0.7
"""Strength of an edge between synonyms."""

Nodes = Mapping[str, Node]
Pair = tuple[str, str, Mapping[str, None]]


def edges_among(known: AllNodes, chosen: Nodes) -> list[Edge]:
    """Edges of all kinds, only between the chosen nodes."""
    return [
        *_strongest_edges(known.grown, chosen),
        *_relations(known.grown, chosen),
        *_learned_edges(chosen),
        *_synonyms(chosen),
    ]


def edges_of(known: AllNodes, concept_id: str) -> list[Edge]:
    """Edges of all kinds that begin at one concept."""
    node, content = known.nodes[concept_id], known.grown.content
    near = {concept_id: node}
    for other in known.nodes.values():
        if other.id != concept_id and (other.answers & node.answers or other.kind in ("action", "context")):
            near[other.id] = other
    beside = {each: known.nodes[each] for each in content.graph.adj.get(concept_id, {}) if each in known.nodes}
    together = [text_edge(content, concept_id, other) for other in beside]
    named = {each: known.nodes[each] for each in _named_alike(known, node)}
    rest = [*_relations(known.grown, known.nodes), *_learned_edges(near), *_synonyms(named)]
    return [*together, *(each for each in rest if concept_id in (each.a, each.b))]


def joined_graph(known: AllNodes) -> nx.Graph[str]:
    """All edges of all kinds, for finding paths."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_edges_from(known.grown.content.graph.edges(data=True))
    learned = {each.id: each for each in known.nodes.values() if each.answers or each.kind in ("action", "context")}
    rest = [*_relations(known.grown, known.nodes), *_learned_edges(learned), *_synonyms(known.nodes)]
    for each in rest:
        graph.add_edge(each.a, each.b)
    return graph


def edge(one: str, other: str, kind: EdgeKind, count: int, evidence: Iterable[str] = ()) -> Edge:
    a, b = sorted((one, other))
    return Edge(a=a, b=b, kind=kind, strength=strength(count), count=count, evidence=list(evidence)[:EVIDENCE])


def _strongest_edges(grown: SyncedGraph, chosen: Nodes) -> Iterable[Edge]:
    """At most ``LEAST_EDGES`` edges, or a number per node if that is more: each node's two strongest first, then the
    strongest of all."""
    near = grown.content.graph.adj
    found = [
        (one, other, data["items"])
        for one in chosen
        for other, data in near.get(one, {}).items()
        if one < other and other in chosen
    ]
    found.sort(key=lambda each: -len(each[2]))
    most = max(LEAST_EDGES, EDGES_PER_NODE * len(chosen))
    for one, other, _ in _thinned(found, most):
        yield text_edge(grown.content, one, other)


def _thinned(found: Sequence[Pair], most: int) -> list[Pair]:
    if len(found) <= most:
        return list(found)
    degree: dict[str, int] = defaultdict(int)
    kept: list[Pair] = []
    rest: list[Pair] = []
    for pair in found:
        wanted = min(degree[pair[0]], degree[pair[1]]) < OWN_EDGES
        degree[pair[0]] += wanted
        degree[pair[1]] += wanted
        (kept if wanted else rest).append(pair)
    return [*kept, *rest[: max(0, most - len(kept))]]


def _relations(grown: SyncedGraph, chosen: Nodes) -> Iterable[Edge]:
    relations: dict[tuple[str, str, EdgeKind], list[str]] = defaultdict(list)
    for relation, item in grown.content.relations():
        if relation.a in chosen and relation.b in chosen:
            relations[relation.a, relation.b, relation.kind].append(item)
    for (a, b, kind), items in relations.items():
        yield Edge(
            a=a, b=b, kind=kind, strength=strength(len(items)), count=len(items), directed=True,
            evidence=items[:EVIDENCE],
        )  # fmt: skip


def _learned_edges(chosen: Nodes) -> list[Edge]:
    """Edges from answers and their outcomes."""
    return [*_co_asked_edges(chosen), *_action_edges(chosen), *_effects(chosen)]


def _sharing(nodes: Iterable[Node]) -> dict[str, list[str]]:
    """For each answer, the nodes that the answer was about."""
    shared: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        for answer in node.answers:
            shared[answer].append(node.id)
    return shared


def _co_asked_edges(chosen: Nodes) -> Iterable[Edge]:
    """Edges between subjects of the same answer."""
    pairs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for answer, ids in _sharing(each for each in chosen.values() if each.colour != "action").items():
        for one, other in combinations(sorted(ids), 2):
            pairs[one, other].append(answer)
    return [edge(one, other, "asked", len(answers), answers) for (one, other), answers in pairs.items()]


def _action_edges(chosen: Nodes) -> Iterable[Edge]:
    """Edges between a concept and an action of an answer about it."""
    concepts = _sharing(each for each in chosen.values() if each.colour != "action")
    pairs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for node in chosen.values():
        if node.kind == "action":
            for answer in sorted(node.answers):
                for concept in concepts.get(answer, ()):
                    pairs[concept, node.id].append(answer)
    return [edge(one, other, "used", len(answers), answers) for (one, other), answers in pairs.items()]


def _effects(chosen: Nodes) -> Iterable[Edge]:
    """Edges between a kind of question and an action; the strength is how effective the action is for this kind."""
    contexts = {node.label: node.id for node in chosen.values() if node.kind == "context"}
    for node in chosen.values():
        for context, tally in node.action.contexts.items() if node.action else ():
            if context in contexts and tally.uses:
                found = edge(contexts[context], node.id, "effect", tally.uses, [e.answer_id for e in tally.examples])
                yield found.model_copy(update={"strength": tally.effectiveness})


@cache
def _name_groups() -> dict[str, list[int]]:
    """For each name, the synonym groups that contain it."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, (_, group) in enumerate(synonyms()):
        for name in group:
            found[fold(name)].append(number)
    return dict(found)


def _groups_of(node: Node) -> set[int]:
    return {number for name in (node.label, *node.names) for number in _name_groups().get(fold(name), ())}


def _named_alike(known: AllNodes, node: Node) -> list[str]:
    groups = _groups_of(node)
    return [each.id for each in known.nodes.values() if groups & _groups_of(each)] if groups else []


def _synonyms(chosen: Nodes) -> Iterable[Edge]:
    """Edges between synonyms, from the lists that also expand queries."""
    members: dict[int, list[str]] = defaultdict(list)
    for node in chosen.values():
        for number in _groups_of(node):
            members[number].append(node.id)
    pairs = {pair for ids in members.values() for pair in combinations(sorted(ids), 2)}
    return [Edge(a=one, b=other, kind="synonym", strength=SYNONYM) for one, other in sorted(pairs)]
