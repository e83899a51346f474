"""Tests the files of the graph: a drawing whose names do not overlap, GraphML, and CSV with sources."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

import networkx as nx

from core.knowledge.views import Concept, Edge, GraphView
from viz.knowledge.data_files import as_graphml, concepts_csv, links_csv
from viz.knowledge.graph import drawn_graph
from viz.knowledge.layout import COLOURS, layout
from viz.knowledge.svg import FONT, LETTER, as_svg, placed_names

STATED = Edge(
    a="a", b="b", kind="stated", strength=0.5, direction="b_to_a", reason="acquired\x00", evidence=["mem_1", "mem_2"]
)
VIEW = GraphView(
    nodes=[
        Concept(id="a", label="</text><script>", kind="company", colour="content", mentions=3, documents=2),
        Concept(id="b", label="=Pelagit", kind="company", colour="both", aliases=["Pelagit Ltd"]),
        Concept(id="c", label="apart", kind="term", colour="content"),
    ],
    edges=[STATED],
)


def test_graphml_is_read_by_other_programs_with_direction_and_reason() -> None:
    graph = nx.parse_graphml(as_graphml(VIEW, {"a": (1.0, 2.0)}, "en"))
    assert graph.nodes["a"]["label"] == "</text><script>"
    assert graph.nodes["b"]["colour"] == COLOURS["both"]
    ((start, end, link),) = graph.edges(data=True)
    assert (start, end, link["reason"], link["directed"], link["weak"]) == ("b", "a", "acquired", True, False)


def test_csv_names_the_sources_of_a_link_and_runs_no_formula() -> None:
    links = list(csv.reader(io.StringIO(links_csv(VIEW, {"mem_1": "Deed, p. 4"}, "en").removeprefix("\ufeff"))))
    assert links[1][:3] == ["'=Pelagit", "→", "</text><script>"]
    assert links[1][-1] == "Deed, p. 4"
    concepts = list(csv.reader(io.StringIO(concepts_csv(VIEW, "en").removeprefix("\ufeff"))))
    assert concepts[2][-1] == "Pelagit Ltd"
    assert len(concepts) == 4


def test_the_drawing_has_the_linked_concepts_and_their_colours() -> None:
    drawn = drawn_graph(VIEW, {"a": (0.0, 0.0), "b": (90.0, 0.0)}, "en")
    svg = as_svg(drawn, [(COLOURS["both"], "Both")], "en")
    texts = [each.text for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "</text><script>" in texts
    assert "apart" not in texts
    assert COLOURS["both"] in svg


def test_no_two_names_of_the_drawing_overlap() -> None:
    graph = nx.powerlaw_cluster_graph(90, 2, 0.3, seed=2)
    nodes = [
        Concept(id=f"c{n}", label=f"A concept {n}", kind="term", colour="content", importance=1 / (1 + n))
        for n in graph
    ]
    edges = [Edge(a=f"c{a}", b=f"c{b}", kind="together", strength=0.5) for a, b in graph.edges]
    drawn = drawn_graph(GraphView(nodes=nodes, edges=edges), layout([node.id for node in nodes], edges), "en")
    names = placed_names(drawn.nodes)
    assert len(names) > 45
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            across = FONT * LETTER * (len(one.text) + len(other.text)) / 2
            assert abs(one.x - other.x) >= across - 0.2 or abs(one.y - other.y) >= FONT * 1.3 - 0.2
