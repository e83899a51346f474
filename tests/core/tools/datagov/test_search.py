"""Tests finding the data set: score limits, places, columns, synonyms, and the held-out questions."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.datagov import judge, questions, top_1
from core.tools.datagov.decomposition import decompose
from core.tools.datagov.index import CatalogueIndex, index_of
from core.tools.datagov.records import Column, Dataset, Resource, ResourceMap
from core.tools.datagov.rephrasing import rephrasings
from core.tools.datagov.scoring import (
    FLOOR,
    FORMAT,
    KEYWORDS,
    OTHER_NAMES,
    PLACE,
    TAGS,
    TITLE,
    Breakdown,
    Scorer,
    confidence_of,
    format_score,
)
from core.tools.datagov.search import ENOUGH, find
from tests.servers.ckan_catalogue import MadeDataset, made_datasets, made_map

NAMES = {each.id: each.name for each in made_datasets()}


@cache
def whole_index() -> CatalogueIndex:
    return index_of(made_map())


def found(index: CatalogueIndex, question: str, limit: int = 5) -> list[str]:
    return [NAMES[each.dataset.id] for each in find(index, decompose(question), limit).candidates]


@pytest.mark.parametrize("half", ["tuned", "practice", "kept aside"])
def test_the_first_data_set_answers(index: CatalogueIndex, half: str) -> None:
    judged = [judge(each, lambda ask: find(index, decompose(ask))) for each in questions(half)]  # type: ignore[arg-type]
    assert top_1(judged) >= 0.85
    assert not any(each.by_place_alone for each in judged)


def test_half_of_the_questions_are_kept_aside_and_none_stands_in_two_halves() -> None:
    asked = {half: {each.ask for each in questions(half)} for half in ("tuned", "practice", "kept aside")}  # type: ignore[arg-type]
    assert (len(asked["tuned"]), len(asked["kept aside"])) == (60, 60)
    assert not any(one & other for one, other in combinations(asked.values(), 2))


def test_other_names_are_worth_a_third_of_the_answers(index: CatalogueIndex) -> None:
    def right(*, grouped: bool) -> float:
        asked = questions("kept aside")
        return top_1(
            [judge(each, lambda ask: find(index, decompose(ask, grouped=grouped), grouped=grouped)) for each in asked]
        )

    assert right(grouped=True) - right(grouped=False) > 0.3


@pytest.mark.parametrize(
    "place", ["ירושלים", "בתל אביב", "in Haifa", "משהו בנתניה", "things in Nazareth", "מה יש באשדוד"]
)
def test_a_place_alone_finds_nothing(index: CatalogueIndex, place: str) -> None:
    """A place name is not enough: titles of municipal data sets and of aerial photographs contain it as well."""
    assert found(index, place) == []


def test_a_set_about_another_place_is_not_offered(index: CatalogueIndex) -> None:
    answers = found(index, "גני ילדים בחיפה", 20)
    assert "kindergartens" in answers
    assert not {"pt-kindergartens", "bs-kindergartens"} & set(answers)
    assert found(index, "גני ילדים בפתח תקווה")[0] == "pt-kindergartens"
    assert found(index, "גני ילדים")[0] == "kindergartens"


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([each for each in made_datasets() if each.group != "geography"]), st.sampled_from(["", " בחיפה"])
)
def test_every_part_has_its_ceiling_and_the_subject_its_floor(made: MadeDataset, place: str) -> None:
    index = whole_index()
    asked = decompose(f"{made.title}{place}")
    scorer = Scorer(index, asked)
    for number in scorer.candidates[:40]:
        dataset = index.datasets[number]
        parts = scorer.score(dataset, dataset.resources[0])
        assert 0 <= parts.title <= TITLE + 1e-9
        assert 0 <= parts.tags <= TAGS + 1e-9
        assert 0 <= parts.other_names <= OTHER_NAMES + 1e-9
        assert 0 <= parts.keywords <= KEYWORDS + 1e-9
        assert abs(parts.place) <= PLACE
        assert 0 <= parts.format <= FORMAT
        assert 0 <= parts.total <= 1
    for each in find(index, asked).candidates:
        assert each.breakdown.subject >= FLOOR


def _small() -> CatalogueIndex:
    """Three data sets about hospitals (one with phone numbers, one with unknown columns), and one about vegetables."""
    phones = [Column(name="שם"), Column(name="טלפון")]
    sets = [
        ("a", "בתי חולים", [Column(name="שם"), Column(name="מיטות")], "CSV"),
        ("b", "בתי חולים", phones, "CSV"),
        ("c", "בתי חולים", None, "CSV"),
        ("d", "מחירי ירקות", phones, "CSV"),
    ]
    datasets = [
        Dataset(id=n, name=n, title=title, resources=[Resource(id=f"r{n}", format=form, stored=True, columns=columns)])
        for n, title, columns, form in sets
    ]
    return index_of(ResourceMap(address="http://x", built_at=0.0, datasets=datasets))


def test_an_unknown_column_is_not_an_absent_one() -> None:
    answers = {each.dataset.id: each.breakdown for each in find(_small(), decompose("בתי חולים עם טלפון")).candidates}
    assert answers["a"].lacking < 0
    assert answers["b"].lacking == 0
    assert answers["c"].lacking == 0
    assert [each.dataset.id for each in find(_small(), decompose("בתי חולים עם טלפון")).candidates][-1] == "a"


def test_formats_are_preferred_in_their_order() -> None:
    order = ["CSV", "XLSX", "JSON", "XML", "PDF", "ZIP"]
    scores = [format_score(each) for each in order]
    assert scores == sorted(scores, reverse=True)
    assert format_score("csv") == FORMAT
    assert format_score("unheard of") == 0.0


@pytest.mark.parametrize(("score", "confidence"), [(0.6, "high"), (0.59, "medium"), (0.35, "medium"), (0.34, "low")])
def test_confidence_has_three_steps(score: float, confidence: str) -> None:
    assert confidence_of(score) == confidence


def test_a_question_is_put_in_other_words_that_leave_nothing_out() -> None:
    asked = decompose("רשימת רופאי השיניים בחיפה")
    strategies = dict(rephrasings(asked))
    assert strategies["other_language"] == "dentist"
    assert "חיפה" not in strategies["subject_alone"]
    for question in strategies.values():
        assert len(decompose(question).subject) >= len(asked.subject)


def test_what_nobody_answers_is_vague(index: CatalogueIndex) -> None:
    nothing = find(index, decompose("מתכון לפנקייק"))
    assert nothing.vague
    assert nothing.candidates == []
    sure = find(index, decompose("בתי מרקחת"))
    assert not sure.vague
    assert sure.candidates[0].score >= ENOUGH


def test_spellings_with_and_without_vowel_letters_are_one(index: CatalogueIndex) -> None:
    assert found(index, "דיפיברילטורים")[0] == "defibrillators"


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("מי התחסן לקורונה", "מתחסנים לקורונה לפי קבוצות גיל"),
        ("דיאטנית מורשית", "תזונאים ודיאטנים מורשים"),
    ],
)
def test_a_form_of_a_verb_and_of_whoever_does_it_is_found(index: CatalogueIndex, question: str, title: str) -> None:
    assert title in [each.dataset.title for each in find(index, decompose(question)).candidates]


def test_what_a_set_is_about_goes_before_how_its_file_is_read() -> None:
    about, handy = Breakdown(title=0.2, format=0.02), Breakdown(title=0.15, format=0.15)
    assert about.precedence > handy.precedence
    assert about.total < handy.total
