"""Tests names in documents of any kind: what is a name and of which kind, and what a sentence says of two."""

from __future__ import annotations

import pytest

from core.knowledge.extraction.clauses import FIGURE, statements_in
from core.knowledge.extraction.document_words import words_of
from core.knowledge.extraction.known_entities import Known
from core.knowledge.extraction.labelled_values import record_of, things_of_table, values_in
from core.knowledge.extraction.passage import things_in
from core.knowledge.extraction.references import is_bibliography, is_reference


def kinds(sentence: str, *others: str) -> dict[str, str]:
    words = words_of([sentence, *others])
    return {span.label: span.kind for span in things_in(sentence, Known(), words=words)}


def said(sentence: str) -> set[tuple[str, str, str]]:
    spans = sorted(things_in(sentence, Known()), key=lambda span: span.start)
    return {(each.one.label, each.reason, each.other.label) for each in statements_in(sentence, spans)}


@pytest.mark.parametrize(
    ("sentence", "label", "kind"),
    [
        ("The clinic moved to Tallahassee, Florida after the storm of the year before.", "Tallahassee", "place"),
        ("A kit (Regenlab, Lausanne, Switzerland) was used for each of the patients.", "Regenlab", "company"),
        ("The pilot flew a Cessna 172 over the lake on that afternoon.", "Cessna 172", "product"),
        (
            "They were treated at the Italian Hospital of Buenos Aires for some weeks.",
            "Italian Hospital of Buenos Aires",
            "organisation",
        ),
        ("We contacted Nikeita Wynn, Manager of the branch, about the broken pumps.", "Nikeita Wynn", "person"),
        ("The airplane operated by Lion Air was inspected again in the spring.", "Lion Air", "company"),
        ("They work in line with the Declaration of Helsinki and its later changes.", "Declaration of Helsinki", "law"),
    ],
)
def test_a_name_is_of_the_kind_that_its_head_or_its_sentence_says(sentence: str, label: str, kind: str) -> None:
    assert kinds(sentence)[label] == kind


@pytest.mark.parametrize(
    "sentence",
    [
        "The Sensor System Test is done on each pump before it is returned.",
        "Please read Annex 2 and Annex 3 before you fill in the form.",
        "Furthermore the vehicle was seen by a lawyer near the crime scene.",
        "The agency said that our Board of Directors declared a dividend again.",
        "This was shown before by Sutton & Barto (1998) and again much later.",
    ],
)
def test_common_words_parts_of_a_text_and_citations_name_nothing(sentence: str) -> None:
    assert set(kinds(sentence).values()) <= {"date"}


def test_a_word_that_the_document_also_writes_in_lower_case_is_no_name() -> None:
    sentence = "The patients went to the Hemotherapy after the second visit of the week."
    assert kinds(sentence, *["They asked for hemotherapy in the ward."] * 3) == {}


def test_an_unknown_word_that_the_document_repeats_is_a_name() -> None:
    sentence = "The orders of the shop are kept in Totaltech until they are paid."
    assert kinds(sentence, *["We like that Totaltech is quick and simple to use."] * 3) == {"Totaltech": "term"}


def test_an_abbreviation_is_what_it_stands_for() -> None:
    found = things_in("They wrote to the National Transportation Safety Board (NTSB) about it.", Known())
    assert [(span.label, span.kind, span.also) for span in found] == [
        ("National Transportation Safety Board", "organisation", ("defined ntsb",))
    ]


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        (
            "In the spring Alder Pumps Inc. acquired Birch Pumps Inc. from its founders.",
            ("Alder Pumps Inc.", "acquired", "Birch Pumps Inc."),
        ),
        (
            "Alder Pumps Inc. is a wholly owned subsidiary of Birch Pumps Inc. since then.",
            ("Alder Pumps Inc.", "is a wholly owned subsidiary of", "Birch Pumps Inc."),
        ),
        (
            "Myogen Inc., a Delaware corporation, makes pumps for small farms.",
            ("Myogen Inc.", "is a corporation of", "Delaware"),
        ),
        ("The crew landed in Jakarta, Indonesia after a long and quiet flight.", ("Jakarta", "in", "Indonesia")),
    ],
)
def test_a_link_says_why_in_the_sentence_s_own_words(sentence: str, statement: tuple[str, str, str]) -> None:
    assert statement in said(sentence)


def test_countries_of_a_list_are_not_in_each_other() -> None:
    assert said("There are offices in Bermuda, China, Hong Kong and Luxembourg for all.") == set()


def test_a_record_says_who_made_and_who_runs_its_thing() -> None:
    lines = [
        "Aircraft: Sorrell SNJ-7",
        "Engine Manufacturer: Lycoming",
        "Operator: David Shuckhart",
        "Aircraft Damage: None",
    ]
    record = {(one.label, label, other.label, other.kind) for one, other, label in record_of(lines, words_of(lines))}
    assert record == {
        ("Sorrell SNJ-7", "engine manufacturer", "Lycoming", "company"),
        ("Sorrell SNJ-7", "operator", "David Shuckhart", "person"),
    }


def test_a_table_about_things_measures_them() -> None:
    text = "Team | Stanley Cups\nBlues | 1\nFlyers | 2\nMaple Leafs | 13"
    rows = list(things_of_table(text, words_of([text])))
    assert [(row.things[0].label, [each.label for each in row.measures]) for row in rows] == [
        ("Blues", ["Stanley Cups"]), ("Flyers", ["Stanley Cups"]), ("Maple Leafs", ["Stanley Cups"]),
    ]  # fmt: skip
    assert FIGURE.startswith("#")


def test_authors_signers_and_cities_are_read_outside_sentences() -> None:
    words = words_of([])
    line = "Jannis Bulian, Massimiliano Ciaramita, Wojciech Gajewski, Andrea Gesmundo"
    assert [span.kind for span in values_in(line, words)] == ["person"] * 4
    assert [span.label for span in values_in("By: /s/ Corie Barry Corie Barry", words)] == ["Corie Barry"]
    assert ("place", "Beltsville") in {(span.kind, span.label) for span in values_in("Beltsville, MD 20705", words)}


def test_lists_of_references_are_not_read() -> None:
    entry = "5. Larsson R, Bernhardsson S. Effects of exercise. BMC Disord 2019;20(1):446-450."
    assert is_reference(entry)
    assert is_bibliography(" ".join(["A. Noa. Questions. In Proceedings of ACL, pp. 14-19, 2014."] * 4))
    assert not is_reference("This agreement is made on May 19, 2006 between the two parties.")
