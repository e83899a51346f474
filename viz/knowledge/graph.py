"""Prepares the graph's data for the picture and the table: concepts with positions, one edge per pair."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pydantic import BaseModel

from core.knowledge.views import Colour, Concept, ConceptKind, Edge, GraphView
from core.messages import message, message_group
from core.records.memory_meta import Tier
from core.words import Language
from viz.feedback import TIERS
from viz.knowledge.layout import Positions, edge_width, node_size
from viz.labels import counted

KINDS = message_group("view.graph.kinds")
EDGES = message_group("view.graph.edges")
_ACTIONS = message_group("view.concept_names.actions")
_CONTEXTS = message_group("view.concept_names.contexts")
WEAK = 0.8
"""Width in pixels of a line between concepts that are only named together."""


class DrawnNode(BaseModel):
    """A drawn concept. ``x`` and ``y`` are pixels from the middle, ``size`` is a radius, relative to the most important
    one of the picture; ``linked``: it has a link in the picture; ``tiers``: the most successful first."""

    id: str
    label: str
    kind: ConceptKind
    kind_words: str
    colour: Colour
    size: float
    x: float
    y: float
    linked: bool
    importance: float
    mentions: int
    documents: int
    answers: int
    worked: int
    failed: int
    partial: int
    first_seen: float
    last_seen: float
    tiers: list[Tier]


class DrawnEdge(BaseModel):
    """All edges between two concepts, drawn as one line from ``a`` to ``b``. ``words`` says why they are linked,
    ``width`` is in pixels; ``weak``: they are only named together."""

    a: str
    b: str
    width: float
    words: str
    count: int
    directed: bool
    dashed: bool
    weak: bool


class DrawnGraph(BaseModel):
    nodes: list[DrawnNode]
    edges: list[DrawnEdge]


def drawn_graph(view: GraphView, positions: Positions, language: Language) -> DrawnGraph:
    """``positions`` maps concept ids to positions; a concept without one is placed in the middle."""
    linked = {end for edge in view.edges for end in (edge.a, edge.b) if edge.a != edge.b}
    most = max((node.importance for node in view.nodes), default=0.0)
    nodes = [
        drawn_node(node, positions.get(node.id, (0.0, 0.0)), language, most=most, linked=node.id in linked)
        for node in view.nodes
    ]
    return DrawnGraph(nodes=nodes, edges=drawn_edges(view.edges, language))


def drawn_node(
    concept: Concept, position: tuple[float, float], language: Language, *, most: float = 1.0, linked: bool = True
) -> DrawnNode:
    """``most``: the importance of the most important concept of the picture."""
    return DrawnNode(
        id=concept.id,
        label=concept_name(concept, language),
        kind=concept.kind,
        kind_words=KINDS[concept.kind].to(language),
        colour=concept.colour,
        size=node_size(concept.importance / most if most else 0.0),
        x=position[0],
        y=position[1],
        linked=linked,
        importance=round(concept.importance, 4),
        mentions=concept.mentions,
        documents=concept.documents,
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
    """One edge per pair of concepts; its description begins with what a text states, the strongest first."""
    pairs: dict[frozenset[str], list[Edge]] = {}
    for edge in edges:
        pairs.setdefault(frozenset((edge.a, edge.b)), []).append(edge)
    return [_drawn_edge(sorted(each, key=_stated_first), language) for each in pairs.values()]


def _stated_first(edge: Edge) -> tuple[bool, float]:
    return is_weak(edge), -edge.strength


def _drawn_edge(between: list[Edge], language: Language) -> DrawnEdge:
    first = between[0]
    a, b = (first.b, first.a) if first.direction == "b_to_a" else (first.a, first.b)
    weak = all(is_weak(edge) for edge in between)
    return DrawnEdge(
        a=a,
        b=b,
        width=WEAK if weak else edge_width(first.weight or first.strength),
        words=" · ".join(dict.fromkeys(reason(edge, language) for edge in between)),
        count=max(edge.passages or edge.count for edge in between),
        directed=is_directed(first),
        dashed=first.kind == "synonym",
        weak=weak,
    )


def is_weak(edge: Edge) -> bool:
    """Whether the two are only named together."""
    return edge.weak or edge.kind == "together"


def is_directed(edge: Edge) -> bool:
    """Whether the edge reads from one end to the other."""
    return edge.direction != "none" or edge.directed


def reason(edge: Edge, language: Language) -> str:
    """Why the two are linked, in plain words."""
    if found := edge.because(language):
        return found
    if edge.kind != "together":
        return EDGES[edge.kind].to(language)
    return _named_together(edge.passages or edge.count, edge.documents, language)


@lru_cache(maxsize=1_024)
def _named_together(passages: int, documents: int, language: Language) -> str:
    named = counted(passages, "passage", language)
    if not documents:
        return message("view.graph.named_in", passages=named).to(language)
    of = counted(documents, "document", language)
    return message("view.graph.named_in_documents", passages=named, documents=of).to(language)
