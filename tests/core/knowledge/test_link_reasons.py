"""Tests why two concepts are linked: by what a text says, else by how often texts name both."""

from __future__ import annotations

from core.knowledge.content_graph import ContentGraph, Source
from core.knowledge.extraction.clauses import FIGURE
from core.knowledge.link_reasons import text_edge


def graph(*stated: tuple[tuple[str, str, str], ...]) -> ContentGraph:
    content = ContentGraph()
    for number, each in enumerate(stated):
        content.put(
            Source(
                f"mem_{number}",
                "books",
                f"doc_{number % 2}",
                None,
                None,
                float(number),
                float(number),
                "",
                ("a", "b"),
                (("a", "b"),),
                (),
                each,
            )
        )
    return content


def test_concepts_that_are_only_named_together_say_how_often() -> None:
    edge = text_edge(graph((), (), ()), "b", "a")
    assert edge.weak
    assert (edge.kind, edge.passages, edge.documents) == ("together", 3, 2)
    assert edge.because("en") == "named together in 3 passages of 2 documents"
    assert "3" in edge.because("he")
    assert edge.because("he") != edge.because("en")


def test_what_a_text_says_counts_more_than_that_it_names_both() -> None:
    edge = text_edge(graph((("b", "a", "acquired"),), (("a", "b", "in"),), (("a", "b", "in"),)), "a", "b")
    assert (edge.kind, edge.weak, edge.reason, edge.direction) == ("stated", False, "acquired", "b_to_a")
    assert edge.evidence == ["mem_0"]
    assert edge.weight > text_edge(graph((), (), ()), "a", "b").weight


def test_a_figure_is_worded_in_the_reader_s_language() -> None:
    edge = text_edge(graph((("a", "b", FIGURE),)), "a", "b")
    assert edge.because("en") == "figure of"
    assert edge.because("he") not in ("", FIGURE, "figure of")
