"""Tests entities in document passages: only real entities, one name for each, linked when a sentence connects them."""

from __future__ import annotations

import pytest

from core.knowledge.extraction.definitions import introduces_name, is_definition
from core.knowledge.extraction.known_entities import DocumentRecord, Known, known_from
from core.knowledge.extraction.passage import definitions_in, read_passage, things_in
from core.knowledge.extraction.question import keys_named
from core.store.items import Book, ContentType, ItemSource, MemoryItem, SectionRole, Timestamps

REPORT = DocumentRecord.model_validate(
    {
        "_id": "doc_1",
        "metadata": {
            "kind": "annual report",
            "organisations": [{"name": "7K Aqua Company", "aliases": ["7K", "SKA"]}],
            "periods": [{"key": "2031", "names": ["2031"], "end": "2031-06-30"}],
        },
    }
)


def passage(text: str, form: ContentType = "paragraph", role: SectionRole = "body") -> MemoryItem:
    book = Book(book_id="doc_1", title="T", filename="t.pdf", chunk_index=0, content_type=form, role=role)
    return MemoryItem(
        id="mem_1",
        user_id="ada",
        tier="books",
        text=text,
        document_id="doc_1",
        source=ItemSource(type="document", book=book),
        timestamps=Timestamps(created_at=0.0, updated_at=0.0),
    )


def named(text: str) -> dict[str, str]:
    """Maps each entity's label to its type."""
    return {span.label: span.kind for span in things_in(text, known_from([REPORT]))}


def joined(text: str) -> set[frozenset[str]]:
    found = read_passage(passage(text), known_from([REPORT]), lambda key: False)
    return {frozenset((found.found[one].label, found.found[other].label)) for one, other in found.pairs}


@pytest.mark.parametrize(
    "text",
    ["NOTE 7. Other Matters", "Total shares", "Total | 12 | 15", "Fee", "M Company", "ITEM 4. CONTROLS AND PROCEDURES"],
)
def test_headings_rows_and_lone_words_name_nothing(text: str) -> None:
    assert read_passage(passage(text), known_from([REPORT]), lambda key: False).found == ()


@pytest.mark.parametrize("name", ["7K", "7K Aqua Company", "7K Aqua Company, Inc.", "The 7K Aqua Co."])
def test_a_company_is_what_its_document_s_record_says_whatever_it_is_called(name: str) -> None:
    spans = things_in(f"Most of the pumps are made by {name} for its customers.", known_from([REPORT]))
    assert [(span.kind, span.key, span.label) for span in spans] == [("company", "7k aqua", "7K Aqua Company")]


def test_two_records_that_share_a_name_are_one_company() -> None:
    other = REPORT.model_copy(deep=True)
    other.id = "doc_2"
    other.metadata.organisations[0].name = "7K Aqua Inc."
    assert len(set(known_from([REPORT, other]).companies.values())) == 1


@pytest.mark.parametrize("text", ["the U.S.", "the United States", "the US", "the United States of America"])
def test_a_place_has_one_key_in_every_spelling(text: str) -> None:
    (span,) = things_in(f"Most of the pumps are sold in {text} every year.", Known())
    assert (span.kind, span.key) == ("place", "united states")


def test_a_place_in_the_name_of_something_else_is_not_meant() -> None:
    assert "place" not in named("The figures follow U.S. GAAP and are stated in U.S. dollars only.").values()


def test_metrics_are_of_the_vocabulary_and_have_one_key_in_both_languages() -> None:
    (english,) = things_in("Gross profit rose to $4 million because the pumps sold well.", Known())
    (hebrew,) = things_in("הרווח הגולמי עלה בשנה שעברה בשיעור ניכר מאוד.", Known())
    assert english.kind == hebrew.kind == "metric"
    assert english.key == hebrew.key == "metric gross profit"
    assert "metric" not in named("She was made Vice President of Sales and Marketing of the region.").values()


def test_rows_of_a_table_give_its_metrics_alone() -> None:
    text = "Millions | 2031 | 2030\nNet sales | 120 | 110\nOther | 4 | 5\nTotal | 124 | 115"
    found = read_passage(passage(text, "table"), known_from([REPORT]), lambda key: False).found
    assert [(span.kind, span.key) for span in found] == [("metric", "metric revenue")]


def test_defined_terms_are_named_where_they_are_defined_and_after_it() -> None:
    text = 'The board adopted the 2031 water saving plan (the "Reserve Plan") in the spring.'
    assert named(text)["Reserve Plan"] == "programme"
    keys = set(definitions_in(text))
    assert len(keys) == 1
    again = "Nine grants were made under the Reserve Plan in the year."
    known = known_from([REPORT])
    assert {span.key for span in things_in(again, known, is_defined=keys.__contains__)} == keys
    assert things_in(again, known) == []


@pytest.mark.parametrize("term", ["Fee", "Plan", "Company", "Agreement", "Notes"])
def test_a_word_that_every_contract_defines_is_no_thing(term: str) -> None:
    assert list(definitions_in(f'The sum of both is due at once (the "{term}") and is paid in cash.')) == []


def test_another_name_of_a_body_is_that_body() -> None:
    (span,) = things_in('They wrote to the Lakeland Water Commission ("LWC") about the pumps.', Known())
    assert (span.label, span.also) == ("Lakeland Water Commission", ("defined lwc",))


def test_hebrew_terms_and_places() -> None:
    text = 'החברה אימצה תוכנית לחיסכון במים בחיפה (להלן: "תוכנית החיסכון") והחלה לפעול.'
    assert named(text) == {"Haifa": "place", "תוכנית החיסכון": "term"}


@pytest.mark.parametrize(
    "text",
    [
        "There are offices in France, Germany and Japan for all of the pumps.",
        "The pumps of Alder Pumps Inc., Birch Pumps Inc. and Cedar Pumps Inc. were tested again.",
    ],
)
def test_what_is_only_listed_is_not_joined(text: str) -> None:
    assert len(named(text)) == 3
    assert joined(text) == set()


def test_what_a_clause_states_of_two_things_joins_them() -> None:
    assert frozenset(("7K Aqua Company", "Alder Pumps Inc.")) in joined(
        "In the spring 7K bought all the shares of Alder Pumps Inc. from its founders."
    )


def test_a_day_is_the_period_of_the_document_that_ends_on_it() -> None:
    text = "Net income was $4 million for the year ended June 30, 2031."
    spans = things_in(text, Known(), {"2031-06-30": "2031"})
    assert [(span.kind, span.key) for span in spans] == [("metric", "metric net income"), ("date", "2031")]
    assert [span.kind for span in things_in(text, Known())] == ["metric"]


def test_a_question_names_things_by_the_keys_that_documents_have() -> None:
    assert "metric revenue" in keys_named("What were net sales?")
    assert "united states" in keys_named("What was sold in the US?")


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ('"Reserve Plan" means the plan that the board adopted in the spring.', "Reserve Plan"),
        ("Alder Pumps is a maker of pumps for small farms.", "Alder Pumps"),
        ('"תוכנית החיסכון" - התוכנית שאימצה החברה באביב.', "תוכנית החיסכון"),
        ("תוכנית החיסכון היא התוכנית שאימצה החברה.", "תוכנית החיסכון"),
    ],
)
def test_a_definition_is_a_sentence_that_defines(sentence: str, name: str) -> None:
    assert is_definition(sentence, [name])


def test_a_sentence_that_only_names_a_thing_defines_nothing() -> None:
    assert not is_definition("Revenue was the result of higher prices in both years.", ["Revenue"])
    assert not is_definition("The Reserve Plan was changed by the board in the spring.", ["Reserve Plan"])
    assert introduces_name('The board adopted a water saving plan (the "Reserve Plan").', ["Reserve Plan"])
