"""The graph as data for the picture and the table: concepts with their places, one edge for each pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import BaseModel

from core.knowledge.views import Colour, Concept, ConceptKind, Edge, EdgeKind, GraphView
from core.store.items import Tier
from core.words import Language, Words
from viz.knowledge.concept_names import called
from viz.knowledge.layout import Positions, edge_width, node_size

KINDS: Mapping[ConceptKind, Words] = {
    "person": Words(en="person", he="אדם"),
    "organisation": Words(en="organisation", he="ארגון"),
    "place": Words(en="place", he="מקום"),
    "product": Words(en="product", he="מוצר"),
    "metric": Words(en="metric", he="מדד"),
    "law": Words(en="law or standard", he="חוק או תקן"),
    "date": Words(en="date or period", he="תאריך או תקופה"),
    "sum": Words(en="sum", he="סכום"),
    "identifier": Words(en="identifier", he="מזהה"),
    "term": Words(en="term", he="מונח"),
    "subject": Words(en="subject of questions", he="נושא של שאלות"),
    "action": Words(en="action", he="פעולה"),
    "context": Words(en="kind of question", he="סוג שאלה"),
}
EDGES: Mapping[EdgeKind, Words] = {
    "together": Words(en="named together", he="מוזכרים יחד"),
    "asked": Words(en="asked about together", he="נשאלו יחד"),
    "effect": Words(en="action in such questions", he="פעולה בשאלות כאלה"),
    "used": Words(en="action in answers about it", he="פעולה בתשובות על כך"),
    "synonym": Words(en="two words for one thing", he="שתי מילים לאותו דבר"),
    "causes": Words(en="causes", he="גורם ל"),
    "leads_to": Words(en="leads to", he="מוביל ל"),
    "triggers": Words(en="triggers", he="מפעיל את"),
    "prevents": Words(en="prevents", he="מונע את"),
    "supports": Words(en="supports", he="תומך ב"),
    "contradicts": Words(en="contradicts", he="סותר את"),
    "builds_upon": Words(en="builds upon", he="נבנה על"),
    "influences": Words(en="influences", he="משפיע על"),
    "evolves_from": Words(en="evolves from", he="מתפתח מ"),
}


class DrawnNode(BaseModel):
    """``x`` and ``y`` are pixels from the middle, ``size`` a radius; ``tiers`` the best first."""

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
    """All that joins two concepts, in one line; ``words`` says it, ``width`` is in pixels."""

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
    """``positions`` by concept id; what has none stands in the middle."""
    nodes = [drawn_node(node, positions.get(node.id, (0.0, 0.0)), language) for node in view.nodes]
    return DrawnGraph(nodes=nodes, edges=drawn_edges(view.edges, language))


def drawn_node(concept: Concept, position: tuple[float, float], language: Language) -> DrawnNode:
    return DrawnNode(
        id=concept.id,
        label=called(concept, language),
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


def drawn_edges(edges: Iterable[Edge], language: Language) -> list[DrawnEdge]:
    """One for each pair, the strongest of what joins it first in its words."""
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
