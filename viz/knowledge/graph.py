"""Prepares the graph's data for the picture and the table: concepts with positions, one edge per pair."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from core.knowledge.views import Colour, Concept, ConceptKind, Edge, GraphView
from core.messages import message_group
from core.records.memory_meta import Tier
from core.words import Language
from viz.feedback import TIERS
from viz.knowledge.layout import Positions, edge_width, node_size

KINDS = message_group("view.graph.kinds")
EDGES = message_group("view.graph.edges")
_ACTIONS = message_group("view.concept_names.actions")
_CONTEXTS = message_group("view.concept_names.contexts")


class DrawnNode(BaseModel):
    """A drawn concept. ``x`` and ``y`` are pixels from the middle, ``size`` is a radius; ``tiers``: the most successful
    first."""

    id: str
    label: str
    kind: ConceptKind
    kind_words: str
    colour: Colour
    size: float
    x: float
    y: float
    importance: float
    mentions: int
    answers: int
    worked: int
    failed: int
    partial: int
    first_seen: float
    last_seen: float
    tiers: list[Tier]


class DrawnEdge(BaseModel):
    """All edges between two concepts, drawn as one line; ``words`` describes it, ``width`` is in pixels."""

    a: str
    b: str
    width: float
    words: str
    count: int
    directed: bool
    dashed: bool


class DrawnGraph(BaseModel):
    nodes: list[DrawnNode]
    edges: list[DrawnEdge]


def drawn_graph(view: GraphView, positions: Positions, language: Language) -> DrawnGraph:
    """``positions`` maps concept ids to positions; a concept without one is placed in the middle."""
    nodes = [drawn_node(node, positions.get(node.id, (0.0, 0.0)), language) for node in view.nodes]
    return DrawnGraph(nodes=nodes, edges=drawn_edges(view.edges, language))


def drawn_node(concept: Concept, position: tuple[float, float], language: Language) -> DrawnNode:
    return DrawnNode(
        id=concept.id,
        label=concept_name(concept, language),
        kind=concept.kind,
        kind_words=KINDS[concept.kind].to(language),
        colour=concept.colour,
        size=node_size(concept.importance),
        x=position[0],
        y=position[1],
        importance=round(concept.importance, 4),
        mentions=concept.mentions,
        answers=concept.answers,
        worked=concept.outcomes.worked,
        failed=concept.outcomes.failed,
        partial=concept.outcomes.partial,
        first_seen=concept.first_seen,
        last_seen=concept.last_seen,
        tiers=concept.best_tiers,
    )


def concept_name(concept: Concept, language: Language) -> str:
    """The concept's name in ``language``; a concept named in only one language keeps that name."""
    if concept.kind == "context":
        return _CONTEXTS[concept.label].to(language) if concept.label in _CONTEXTS else concept.label
    if concept.kind == "action":
        name, _, tier = concept.label.partition(" · ")
        shown = _ACTIONS[name].to(language) if name in _ACTIONS else name
        return f"{shown} · {TIERS[tier].to(language) if tier in TIERS else tier}" if tier else shown
    return concept.called(language)


def drawn_edges(edges: Iterable[Edge], language: Language) -> list[DrawnEdge]:
    """One edge per pair of concepts; its description begins with the strongest relation."""
    pairs: dict[frozenset[str], list[Edge]] = {}
    for edge in edges:
        pairs.setdefault(frozenset((edge.a, edge.b)), []).append(edge)
    return [_drawn_edge(sorted(each, key=lambda edge: -edge.strength), language) for each in pairs.values()]


def _drawn_edge(between: list[Edge], language: Language) -> DrawnEdge:
    first = between[0]
    return DrawnEdge(
        a=first.a,
        b=first.b,
        width=edge_width(first.strength),
        words=" · ".join(dict.fromkeys(EDGES[edge.kind].to(language) for edge in between)),
        count=max(edge.count for edge in between),
        directed=first.directed,
        dashed=first.kind == "synonym",
    )
