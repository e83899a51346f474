from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from math import log
from pathlib import Path
from typing import get_args
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qdrant_client import AsyncQdrantClient

from core.language.terms import index_terms, query_terms
from core.records.memory_meta import Tier
from core.search.sparse_vectors import AVERAGE_LENGTH, document_vector, query_vector, term_id
from core.store.edge import EdgeIndex
from core.store.index import Index, Point, Schema, SparseVector, Where
from core.store.qdrant import QdrantIndex

TERMS = st.lists(st.sampled_from(["a", "b", "#שלום", "@x", "ש", "תקציב"]))


def test_a_weight_worked_by_hand() -> None:
    # tf 2, length 4, average 2: 2·2.2 / (2 + 1.2·(0.25 + 0.75·2)) = 4.4 / 4.1
    made = dict(zip(*_parts(document_vector(["a", "b", "a", "c"], 2.0)), strict=True))
    assert made[term_id("a")] == pytest.approx(4.4 / 4.1)
    assert made[term_id("b")] == pytest.approx(2.2 / 3.1)


def test_an_average_document_weighs_a_term_said_once_as_one() -> None:
    assert document_vector(["a", "b"], 2.0).values == pytest.approx([1.0, 1.0])


def test_a_query_counts_its_terms() -> None:
    made = dict(zip(*_parts(query_vector(["a", "b", "a"])), strict=True))
    assert made == {term_id("a"): 2.0, term_id("b"): 1.0}


def test_no_terms_no_vector() -> None:
    assert document_vector([], 10.0) == SparseVector([], [])
    assert query_vector([]) == SparseVector([], [])


def test_an_average_must_be_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        document_vector(["a"], 0)


@pytest.mark.parametrize(("term", "expected"), [("report", 0xDEB1F89A), ("תקציב", 0x6CEEB08A), ("#כלכל", 0x3EB19FDA)])
def test_ids_never_change(term: str, expected: int) -> None:
    assert term_id(term) == expected


def test_ids_are_the_same_in_another_process() -> None:
    code = "from core.search.sparse_vectors import term_id; print(term_id('report'))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(told) == term_id("report")


@given(TERMS, st.floats(1, 1000))
def test_vectors_are_sorted_unique_positive_and_bounded(terms: list[str], average: float) -> None:
    made = document_vector(terms, average)
    assert made.indices == sorted(set(made.indices))
    assert all(0 <= index < 2**32 for index in made.indices)
    assert all(0 < value < 2.2 for value in made.values)
    assert len(made.indices) == len(set(terms))


@given(TERMS)
def test_order_does_not_matter(terms: list[str]) -> None:
    assert document_vector(terms, 5.0) == document_vector(terms[::-1], 5.0)


def test_colliding_terms_are_one_term(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.search.sparse_vectors.term_id", lambda term: 7)
    assert document_vector(["a", "b"], 2.0) == SparseVector([7], pytest.approx([2 * 2.2 / 3.2]))  # type: ignore[arg-type]
    assert query_vector(["a", "b"]) == SparseVector([7], [2.0])


def test_every_tier_has_its_average_in_both_languages() -> None:
    assert set(AVERAGE_LENGTH) == set(get_args(Tier))
    assert all(set(averages) == {"en", "he"} for averages in AVERAGE_LENGTH.values())


def _parts(vector: SparseVector) -> tuple[list[int], list[float]]:
    return vector.indices, vector.values


TEXTS = [
    ("en", "The city council approved the water budget for the northern district in March."),
    ("en", "Water meters were replaced; the water meter contract names the supplier and the price."),
    ("en", "A budget is a plan. The budget of the city, the budget of the water company, and a third budget."),
    ("en", "Nothing here speaks of money, only of the library's opening hours and its cats."),
    ("en", "The supplier raised the price of batteries twice in the year before the contract ended."),
    ("he", "מועצת העיר אישרה את תקציב המים של הרובע הצפוני בחודש מרץ, והתקציב גדל."),
    ("he", "מוני המים הוחלפו, והחוזה עם הספק קובע את המחיר של כל מונה."),
    ("he", "הספרייה פתוחה בימי ראשון, והחתולים של הספרייה ישנים על המדפים."),
    ("he", "הספק Pelagit העלה את המחיר פעמיים לפני שהחוזה הסתיים."),
]
QUESTIONS = [
    ("en", "What is the water budget of the city?"),
    ("en", "supplier price, supplier contract"),
    ("en", "library cats"),
    ("he", "מה תקציב המים של העיר?"),
    ("he", "מי העלה את המחיר בחוזה של Pelagit?"),
    ("he", "חתולים בספרייה"),
]


def textbook(documents: list[list[str]], query: list[str], average: float) -> list[float]:
    """Okapi BM25 with Lucene's idf, written from the formula."""
    count = len(documents)
    scores = []
    for terms in documents:
        tf = Counter(terms)
        score = 0.0
        for term in query:
            n = sum(term in document for document in documents)
            idf = log(1 + (count - n + 0.5) / (n + 0.5))
            score += idf * tf[term] * 2.2 / (tf[term] + 1.2 * (0.25 + 0.75 * len(terms) / average))
        scores.append(score)
    return scores


@pytest.fixture(params=["edge", "qdrant"])
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    made: Index = EdgeIndex(tmp_path) if request.param == "edge" else QdrantIndex(client=AsyncQdrantClient(":memory:"))
    await made.start(Schema("none", 4, indexed_fields=("user_id",)))
    yield made
    await made.stop()


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect", "ignore:Local mode performs exact")
async def test_the_index_ranks_as_the_textbook_does_over_one_users_documents(index: Index) -> None:
    documents = [index_terms(text, language) for language, text in TEXTS]  # type: ignore[arg-type]
    noise = [index_terms("water budget supplier price contract Pelagit חוזה המים", "he") for _ in range(30)]
    average = 60.0
    for user, texts, start in (("ada", documents, 1), ("bob", noise, 100)):
        await index.upsert(
            [
                Point(str(UUID(int=start + place)), {"user_id": user, "tier": "books"}, document_vector(terms, average))
                for place, terms in enumerate(texts)
            ]
        )
    for language, question in QUESTIONS:
        query = query_terms(question, language)  # type: ignore[arg-type]
        expected = textbook(documents, query, average)
        order = sorted((place for place in range(len(TEXTS)) if expected[place]), key=lambda place: -expected[place])
        hits = await index.query_lexical(query_vector(query), Where("ada"), 20)
        assert [hit.id for hit in hits] == [str(UUID(int=1 + place)) for place in order]
        assert [hit.score for hit in hits] == pytest.approx([expected[place] for place in order], rel=1e-4)
