"""Exports the graph as data: GraphML, and CSV of concepts and of links with their sources."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

import networkx as nx

from core.knowledge.views import GraphView
from core.library.tables.inert_cells import inert
from core.messages import message_group
from core.words import Language
from viz.knowledge.export import COLOUR_WORDS
from viz.knowledge.graph import KINDS, concept_name, is_directed, is_weak, reason
from viz.knowledge.layout import COLOURS, Positions
from viz.knowledge.svg import without_controls

WORDS = message_group("view.graph_files")
Sources = Mapping[str, str]
"""For each id of a text or answer, the words that say where it is from."""


def as_graphml(view: GraphView, positions: Positions, language: Language) -> str:
    """The graph for other programs; concepts have label, kind, colour, size of their texts, and position."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in view.nodes:
        x, y = positions.get(node.id, (0.0, 0.0))
        graph.add_node(
            node.id,
            label=without_controls(concept_name(node, language)),
            kind=node.kind,
            group=node.colour,
            colour=COLOURS[node.colour],
            passages=node.mentions,
            documents=node.documents,
            questions=node.answers,
            importance=round(node.importance, 4),
            x=x,
            y=y,
        )
    for edge in view.edges:
        a, b = (edge.b, edge.a) if edge.direction == "b_to_a" else (edge.a, edge.b)
        graph.add_edge(
            a,
            b,
            kind=edge.kind,
            reason=without_controls(reason(edge, language)),
            directed=is_directed(edge),
            weak=is_weak(edge),
            weight=round(edge.weight or edge.strength, 4),
            passages=edge.passages or edge.count,
            documents=edge.documents,
        )
    return "\n".join(nx.generate_graphml(graph))


def concepts_csv(view: GraphView, language: Language) -> str:
    """A row for each concept."""
    rows = (
        [
            concept_name(node, language),
            KINDS[node.kind].to(language),
            COLOUR_WORDS[node.colour].to(language),
            node.mentions,
            node.documents,
            node.answers,
            node.outcomes.worked,
            node.outcomes.failed,
            "; ".join(node.aliases),
        ]
        for node in view.nodes
    )
    heads = ("concept", "kind", "group", "passages", "documents", "questions", "worked", "failed", "also")
    return csv_of([WORDS[each].to(language) for each in heads], rows)


def links_csv(view: GraphView, sources: Sources, language: Language) -> str:
    """A row for each link, with the documents and pages that it is from."""
    names = {node.id: concept_name(node, language) for node in view.nodes}
    rows = []
    for edge in view.edges:
        a, b = (edge.b, edge.a) if edge.direction == "b_to_a" else (edge.a, edge.b)
        behind = dict.fromkeys(sources[each] for each in edge.evidence if each in sources)
        arrow = "→" if is_directed(edge) else "–"
        passages = edge.passages or edge.count
        rows.append([names[a], arrow, names[b], reason(edge, language), passages, edge.documents, "; ".join(behind)])
    heads = ("from", "direction", "to", "reason", "passages", "documents", "sources")
    return csv_of([WORDS[each].to(language) for each in heads], rows)


def csv_of(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV whose texts no spreadsheet runs as formulas."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerows([inert(each) if isinstance(each, str) else each for each in row] for row in (head, *rows))
    return "\ufeff" + written.getvalue()
