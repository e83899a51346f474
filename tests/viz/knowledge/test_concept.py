"""Tests the panel for a concept or a path in the knowledge graph: all its sources are shown, escaped, and can be
opened."""

from __future__ import annotations

import re

from core.knowledge.views import (
    AnswerRef,
    Concept,
    ConceptDetail,
    Definition,
    DocumentRef,
    Edge,
    OutcomeCounts,
    Passage,
    Path,
    Related,
    TierSuccess,
)
from viz.knowledge.concept import Evidence, concept_panel, path_panel

A = Concept(
    id="conc_a",
    label="<b>Haifa",
    kind="place",
    colour="both",
    mentions=3,
    answers=2,
    best_tiers=["books"],
    tiers=[TierSuccess(tier="books", worked=1, failed=1, success_rate=0.5, wilson_score=0.1, uses=2)],
    outcomes=OutcomeCounts(worked=1, failed=1),
)
B = Concept(id="conc_b", label="חיפה", kind="place", colour="content")
DETAIL = ConceptDetail(
    concept=A,
    definition=Definition(text="Haifa is a city.", item_id="mem_1"),
    related=[
        Related(
            concept=B,
            edge=Edge(a="conc_a", b="conc_b", kind="synonym", strength=0.7),
            sentence=Definition(
                text="Haifa, in Hebrew חיפה", item_id="mem_2", document_id="doc_2", title="Atlas", page=9
            ),
        )
    ],
    memories=[Passage(item_id="mem_1", tier="memory_bank", text="Ada lives in <i>Haifa", preview="Ada lives")],
    passages=[Passage(item_id="mem_2", tier="books", text="A night", preview="A night", document_id="doc_1", page=4)],
    documents=[DocumentRef(document_id="doc_1", title="Policy", passages=2)],
    answers=[AnswerRef(answer_id="msg_1", question="Where?", outcome="worked", conversation_id="conv_1")],
)


def test_the_panel_links_all_that_stands_behind_a_concept() -> None:
    html = concept_panel(DETAIL, "en")
    for link in (
        'data-answer="msg_1" data-conversation="conv_1"',
        'data-document="doc_1"',
        'data-id="conc_b"',
        'data-document="doc_2"',
        "data-ask=",
    ):
        assert link in html
    assert 'data-memory="mem_1" data-text="Ada lives in &lt;i&gt;Haifa"' in html
    assert "&lt;b&gt;Haifa" in html
    assert "<b>Haifa" not in html
    for words in ("Haifa is a city.", "50 %", "1 of 2", "synonyms", "p. 4", "Haifa, in Hebrew", "p. 9"):
        assert words in re.sub(r"\s+", " ", html)


def test_the_panel_of_a_bare_concept_says_so_in_hebrew() -> None:
    html = concept_panel(ConceptDetail(concept=B), "he")
    assert 'dir="rtl"' in html
    assert "אין כאן מקור שאפשר לפתוח." in html


def test_a_way_shows_what_each_edge_rests_on() -> None:
    edges = [Edge(a="conc_b", b="conc_a", kind="causes", strength=0.5, count=2, directed=True, evidence=["mem_1", "x"])]
    html = path_panel(Path(nodes=[A, B], edges=edges), {"mem_1": Evidence(text="Because", document_id="doc_1")}, "en")
    assert "one step" in html
    assert 'data-document="doc_1"' in html
    assert 'class="up"' in html
    assert html.count("<li>") >= 3


def test_a_way_shows_the_sentence_that_names_both_and_what_both_share() -> None:
    edge = Edge(a="conc_a", b="conc_b", kind="together", strength=0.5, evidence=["mem_1"])
    text = "Something else first. The town of <b>Haifa is called חיפה here. And more."
    evidence = {"mem_1": Evidence(text="Something", whole=text, document_id="doc_1", title="Atlas", page=7)}
    shared = Concept(id="conc_c", label="Carmel", kind="place", colour="content")
    html = path_panel(Path(nodes=[A, B], edges=[edge], shared=[shared]), evidence, "en")
    assert "The town of &lt;b&gt;Haifa is called חיפה here." in html
    assert "And more" not in html
    assert "Atlas" in html
    assert 'data-id="conc_c"' in html


def test_where_there_is_no_way_it_is_said() -> None:
    assert "There is no path between these two." in path_panel(Path(), {}, "en")
