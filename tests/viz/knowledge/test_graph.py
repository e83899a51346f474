"""Tests the knowledge graph as data for the page, and as files to download."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest

from core.knowledge.records import RelationKind
from core.knowledge.views import Concept, ConceptKind, Edge, GraphView
from viz.knowledge.export import as_html, as_json
from viz.knowledge.graph import EDGES, KINDS, drawn_edges, drawn_graph
from viz.knowledge.unlinked import unlinked_list

NODES = [
    Concept(id="a", label="</script><img src=x onerror=alert(1)>", kind="term", colour="both", importance=0.5),
    Concept(id="b", label="דנה לוי", kind="person", colour="content"),
]
VIEW = GraphView(nodes=NODES, edges=[Edge(a="a", b="b", kind="together", strength=0.4, evidence=["mem_1"])])
PLACES = {"a": (1.0, 2.0)}


def test_every_kind_of_concept_and_edge_has_words() -> None:
    assert set(KINDS) == set(get_args(ConceptKind))
    assert set(EDGES) == {"together", "stated", "asked", "effect", "used", "synonym", *get_args(RelationKind)}


def test_two_concepts_are_joined_by_one_line_that_says_all() -> None:
    between = [
        Edge(a="a", b="b", kind="asked", strength=0.2, count=1),
        Edge(a="b", b="a", kind="causes", strength=0.9, count=2, directed=True),
    ]
    drawn = drawn_edges(between, "en")
    assert [(each.a, each.b, each.directed, each.words) for each in drawn] == [
        ("b", "a", True, "causes · asked about together")
    ]


def test_what_a_text_states_is_a_thicker_line_than_what_is_named_together() -> None:
    weak = Edge(a="a", b="b", kind="together", strength=0.9, count=13, passages=13, documents=4, weak=True)
    stated = Edge(a="c", b="d", kind="stated", strength=0.1, weight=0.3, direction="b_to_a", reason="acquired")
    thin, thick = drawn_edges([weak, stated], "en")
    assert thin.weak
    assert thin.width < thick.width
    assert thin.words == "named together in 13 passages of 4 documents"
    assert (thick.a, thick.b, thick.directed, thick.words) == ("d", "c", True, "acquired")


def test_a_concept_without_a_link_is_marked_and_the_most_important_one_is_largest() -> None:
    nodes = [*NODES, Concept(id="c", label="apart", kind="term", colour="content", importance=0.1)]
    drawn = drawn_graph(GraphView(nodes=nodes, edges=VIEW.edges), PLACES, "en").nodes
    assert [each.linked for each in drawn] == [True, True, False]
    assert max(drawn, key=lambda each: each.size).id == "a"
    html = unlinked_list(drawn, "en")
    assert "apart" in html
    assert "onerror" not in html


def test_concepts_without_a_place_stand_in_the_middle() -> None:
    drawn = drawn_graph(VIEW, PLACES, "he")
    assert [(each.x, each.y) for each in drawn.nodes] == [(1.0, 2.0), (0.0, 0.0)]
    assert drawn.nodes[1].kind_words == "אדם"


def test_json_holds_everything_and_the_places() -> None:
    data = json.loads(as_json(VIEW, PLACES))
    assert (data["nodes"][0]["x"], data["nodes"][0]["y"]) == (1.0, 2.0)
    assert data["edges"][0]["evidence"] == ["mem_1"]
    assert "דנה לוי" in as_json(VIEW, PLACES)


@pytest.mark.parametrize("language", ["en", "he"])
def test_the_page_fetches_nothing(language: str) -> None:
    page = as_html(VIEW, PLACES, language)  # type: ignore[arg-type]
    markup = re.sub(r"<script[^>]*>.*?</script>|<style[^>]*>.*?</style>", "<script></script>", page, flags=re.DOTALL)
    assert "http" not in markup
    assert not re.findall(r"<(?:link|img|iframe)\b|<script[^>]*\bsrc", markup)
    assert not re.findall(r"url\(\s*['\"]?https?:|@import", page)
    assert f'lang="{language}"' in page
    assert ('dir="rtl"' in page) == (language == "he")


@pytest.mark.parametrize("name", ["<!--", "\"'`${1}", "]]>", "\u2028"])
def test_no_name_breaks_out_of_the_page(name: str) -> None:
    view = GraphView(nodes=[Concept(id="a", label=f"</script>{name}<b>", kind="term", colour="both")])
    page = as_html(view, {}, "en")
    assert page.count("</script>") == as_html(GraphView(nodes=NODES[1:]), {}, "en").count("</script>")
