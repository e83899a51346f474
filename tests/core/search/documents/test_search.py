from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.question.subject import KnownDocument
from core.resilience.dependencies import Deadline
from core.search.documents.acceptance import firmly_accepted, near, nearest
from core.search.documents.search import DocumentQuery, DocumentSearch, DocumentSearchResult
from core.search.documents.sources import cite, marked_as_near
from core.search.documents.without_outcomes import without_outcomes
from core.search.pipeline import RELEVANCE, Profile, RankingQuestion, Weigh
from core.search.request import OutcomeScore, Precedence, ScoredHit
from core.settings import Settings
from core.store.items import MemoryItem
from tests.core.search.rig import Rig, make_item

SETTINGS = Settings(_env_file=None)  # type: ignore[call-arg]


def searcher(rig: Rig, known: Sequence[KnownDocument] = (), profile: Profile = RELEVANCE) -> DocumentSearch:
    async def documents(user_id: str, scopes: Sequence[str]) -> Sequence[KnownDocument]:
        return known

    return DocumentSearch(rig.pipeline(), documents, SETTINGS.mode, SETTINGS.search, profile)


async def find(rig: Rig, text: str, known: Sequence[KnownDocument] = (), **fields: object) -> DocumentSearchResult:
    query = DocumentQuery(**{"user_id": "ada", "text": text, "mode": "enhanced", **fields})  # type: ignore[arg-type]
    return await searcher(rig, known).find(query, Deadline(10.0))


@pytest.fixture
def library(rig: Rig) -> Rig:
    rig.items = [
        make_item(0, "Travel abroad is refunded within thirty days.", document="travel", filename="travel_2025.pdf"),
        make_item(1, "Hotels are paid by the office up to a limit.", document="travel", filename="travel_2025.pdf"),
        make_item(2, "The meter stores readings for ninety days.", document="meter", filename="meter-memo.docx"),
        make_item(3, "Bees make honey in summer.", document="bees", filename="bees.txt"),
    ]
    rig.cosines = {item.id: 0.2 for item in rig.items}
    return rig


async def test_a_citation_is_a_document_with_all_its_passages(library: Rig) -> None:
    library.cosines = {library.items[0].id: 0.9, library.items[1].id: 0.7, library.items[3].id: 0.0}
    found = await find(library, "When is travel abroad refunded, and who pays hotels?")
    assert [source.document_id for source in found.sources] == ["travel"]
    source = found.sources[0]
    assert (source.number, source.filename) == (1, "travel_2025.pdf")
    assert {passage.position for passage in source.passages} == {0, 1}
    assert source.score == max(passage.score for passage in source.passages)
    assert source.passages[0].page == 1
    assert found.confidence == "high"


async def test_what_no_document_holds_ends_with_none(library: Rig) -> None:
    found = await find(library, "Which violin concerto did Sibelius compose?")
    assert (firmly_accepted(found.sources), found.confidence) == ([], "none")
    shown = [passage for source in found.sources for passage in source.passages]
    assert [(passage.near, passage.accepted_by) for passage in shown] == [(True, "nearest")] * len(shown)


async def test_what_only_the_mode_lets_in_is_near_and_not_the_answer(library: Rig) -> None:
    weak, firm_one = library.items[2], library.items[0]
    library.cosines = {weak.id: 0.55, firm_one.id: 0.9, library.items[3].id: 0.0}
    found = {mode: await find(library, "Zeugma?", mode=mode) for mode in ("quick", "enhanced", "deep")}
    for each in found.values():
        assert [source.document_id for source in firmly_accepted(each.sources)] == ["travel"]
        assert [source.number for source in each.sources] == list(range(1, len(each.sources) + 1))
    assert near(found["quick"].sources) == []
    assert [source.document_id for source in near(found["enhanced"].sources)] == ["meter"]
    assert found["enhanced"].confidence == "high"


async def test_where_only_weak_ones_are_found_nothing_is_claimed(library: Rig) -> None:
    library.cosines = {library.items[2].id: 0.55, library.items[3].id: 0.1}
    found = await find(library, "Zeugma?")
    assert found.confidence == "none"
    assert firmly_accepted(found.sources) == []
    assert found.sources[0].document_id == "meter"
    assert found.sources[0].passages[0].accepted_by == "strength"


async def test_at_most_three_of_the_nearest_are_shown_where_nothing_is_let_in(rig: Rig) -> None:
    rig.items = [make_item(n, f"House number {n}.", document=f"d{n}") for n in range(8)]
    rig.cosines = {item.id: 0.33 + 0.01 * n for n, item in enumerate(rig.items)}
    found = await find(rig, "Zeugma?", mode="quick")
    assert sorted(source.document_id for source in found.sources) == ["d5", "d6", "d7"]


def taught(rig: Rig, factors: dict[int, tuple[float, Precedence]]) -> Profile:
    """Makes a ranking profile of learned adjustments: for each passage number a relevance factor and a precedence."""
    said = {rig.items[number].id: each for number, each in factors.items()}

    async def profile(asked: RankingQuestion, items: Sequence[MemoryItem]) -> Weigh:
        def weigh(candidates: Sequence[ScoredHit]) -> None:
            for each in candidates:
                factor, each.precedence = said.get(each.item.id, (1.0, 0))
                each.weighed = (each.fused + each.company) * factor
                each.learned = OutcomeScore(each.fused, 0.5, boosts={"outcomes": factor})

        return weigh

    return profile


async def learned(rig: Rig, text: str, factors: dict[int, tuple[float, Precedence]]) -> DocumentSearchResult:
    search = searcher(rig, profile=taught(rig, factors))
    return await search.find(DocumentQuery("ada", text, "enhanced"), Deadline(10.0))


async def test_what_is_known_to_answer_is_let_in_and_comes_first(library: Rig) -> None:
    library.cosines = {item.id: cosine for item, cosine in zip(library.items, (0.9, 0.7, 0.2, 0.05), strict=True)}
    question = "When is travel abroad refunded?"
    plain = await learned(library, question, {})
    assert [source.document_id for source in firmly_accepted(plain.sources)] == ["travel"]
    found = await learned(library, question, {3: (1.2, 1)})
    assert [source.document_id for source in firmly_accepted(found.sources)] == ["bees", "travel"]
    assert found.sources[0].passages[0].accepted_by == "outcome"


async def test_a_document_goes_by_its_best_passage_that_did_not_fail(library: Rig) -> None:
    library.cosines = {item.id: cosine for item, cosine in zip(library.items, (0.9, 0.6, 0.85, 0.05), strict=True)}
    question = "Who keeps what?"
    assert firmly_accepted((await learned(library, question, {})).sources)[0].document_id == "travel"
    found = await learned(library, question, {0: (0.3, -1)})
    assert [source.document_id for source in firmly_accepted(found.sources)] == ["meter", "travel"]
    found = await learned(library, question, {0: (0.3, -1), 2: (0.3, -1)})
    assert [source.document_id for source in firmly_accepted(found.sources)] == ["travel", "meter"]


async def test_where_all_that_answers_failed_the_nearest_are_shown_beside_it(library: Rig) -> None:
    library.cosines = {item.id: cosine for item, cosine in zip(library.items, (0.9, 0.2, 0.3, 0.25), strict=True)}
    question = "When is travel abroad refunded?"
    assert near((await learned(library, question, {})).sources) == []
    found = await learned(library, question, {0: (0.3, -1), 1: (0.3, -1)})
    assert [source.document_id for source in firmly_accepted(found.sources)] == ["travel"]
    assert [source.document_id for source in near(found.sources)] == ["meter", "bees"]
    assert [source.number for source in found.sources] == [1, 2, 3]


async def test_what_failed_takes_no_part_in_the_nearest_before_the_others(library: Rig) -> None:
    library.cosines = {item.id: cosine for item, cosine in zip(library.items, (0.9, 0.2, 0.3, 0.25), strict=True)}
    found = await learned(library, "When is travel abroad refunded?", {0: (0.3, -1), 1: (0.3, -1)})
    assert [source.document_id for source, _ in nearest(found.sources)] == ["meter", "bees", "travel"]


async def test_without_what_was_learned_sources_stand_as_before(library: Rig) -> None:
    library.cosines = {item.id: cosine for item, cosine in zip(library.items, (0.9, 0.8, 0.85, 0.05), strict=True)}
    question = "Who keeps what?"
    plain = (await learned(library, question, {})).sources
    found = without_outcomes((await learned(library, question, {0: (0.3, -1), 1: (0.5, 0), 2: (2.0, 1)})).sources)
    assert [source.document_id for source in found] == [source.document_id for source in plain]
    assert [source.score for source in found] == pytest.approx([source.score for source in plain])
    assert without_outcomes(plain) == plain


async def test_what_was_searched_is_told_by_count_and_where_it_was_bound_by_title(library: Rig) -> None:
    known = [
        KnownDocument("travel", "travel_2025.pdf", "Travel policy 2025"),
        KnownDocument("meter", "meter-memo.docx"),
        KnownDocument("bees", "bees.txt"),
    ]
    free = (await find(library, "Zeugma?", known)).reach
    assert (free.documents, free.of, free.titles) == (3, 3, {})
    bound = (await find(library, "Zeugma?", known, document_ids=["travel"])).reach
    assert (bound.documents, bound.of, bound.titles) == (1, 3, {"travel": "Travel policy 2025"})


async def test_all_words_in_the_text_let_it_through_whatever_meaning_says(library: Rig) -> None:
    library.cosines = {}
    padding = " ".join(f"Sentence {n} is about something else entirely." for n in range(60))
    library.items.append(make_item(8, f"Gernot {padding} Wagner", document="paper"))
    found = await find(library, "Gernot Wagner")
    assert [(source.document_id, source.passages[0].accepted_by) for source in found.sources] == [
        ("paper", "all_terms")
    ]


async def test_one_common_word_lets_nothing_through_by_itself(rig: Rig) -> None:
    padding = " ".join(f"Line {n} tells of rivers, roads, markets and hills." for n in range(30))
    rig.items = [make_item(n, f"{padding} report", document=f"d{n}") for n in range(6)]
    rig.cosines = {item.id: 0.1 for item in rig.items}
    assert all(
        passage.accepted_by != "all_terms"
        for source in (await find(rig, "weather report weather")).sources
        for passage in source.passages
    )


async def test_a_question_of_stop_words_is_judged_by_strength_alone(library: Rig) -> None:
    assert firmly_accepted((await find(library, "what is it?")).sources) == []
    library.cosines = {library.items[2].id: 0.95}
    found = await find(library, "what is it?")
    assert [passage.accepted_by for source in found.sources for passage in source.passages] == ["strength"]


async def test_documents_that_were_resolved_win_over_names_and_thresholds(library: Rig) -> None:
    known = [
        KnownDocument("travel", "travel_2025.pdf"),
        KnownDocument("meter", "meter-memo.docx"),
        KnownDocument("bees", "bees.txt"),
    ]
    found = await find(library, "the meter memo", known, document_ids=["bees"])
    assert [source.document_id for source in found.sources] == ["bees"]
    assert found.sources[0].passages[0].accepted_by == "document"


async def test_a_named_document_is_searched_alone(library: Rig) -> None:
    known = [
        KnownDocument("travel", "travel_2025.pdf"),
        KnownDocument("meter", "meter-memo.docx"),
        KnownDocument("bees", "bees.txt"),
    ]
    found = await find(library, "What does the meter memo say about travel days?", known)
    assert [source.document_id for source in found.sources] == ["meter"]


async def test_a_name_that_only_looks_like_one_does_not_hide_the_other_documents(library: Rig) -> None:
    known = [
        KnownDocument("travel", "travel_2025.pdf"),
        KnownDocument("meter", "meter-memo.docx"),
        KnownDocument("bees", "bees.txt"),
    ]
    library.cosines = {library.items[0].id: 0.9}
    found = await find(library, "When is travel abroad refunded to those who keep bees?", known)
    assert found.sources[0].document_id == "travel"


async def test_a_catalogue_that_cannot_be_read_costs_the_names_alone(library: Rig) -> None:
    async def documents(user_id: str, scopes: Sequence[str]) -> Sequence[KnownDocument]:
        raise ConnectionError

    search = DocumentSearch(library.pipeline(), documents, SETTINGS.mode, SETTINGS.search)
    found = await search.find(
        DocumentQuery("ada", "How long does the meter store readings?", "enhanced"), Deadline(10.0)
    )
    assert found.sources[0].document_id == "meter"


async def test_the_number_of_sources_is_that_of_the_mode(rig: Rig) -> None:
    rig.items = [make_item(n, f"The meter of house {n}.", document=f"d{n}") for n in range(30)]
    rig.cosines = {item.id: 0.9 - 0.01 * n for n, item in enumerate(rig.items)}
    for mode, most in (("quick", 7), ("enhanced", 12), ("deep", 16)):
        found = await find(rig, "meter", mode=mode)
        assert len(found.sources) == most
        assert [source.number for source in found.sources] == list(range(1, most + 1))
        assert [source.score for source in found.sources] == sorted((s.score for s in found.sources), reverse=True)


async def test_what_was_left_out_is_passed_on(library: Rig) -> None:
    library.broken = {"embeddings"}
    found = await find(library, "meter readings")
    assert any("Only keyword search" in notice.en for notice in found.notices)


def test_near_sources_are_numbered_on() -> None:
    sources = marked_as_near(cite([(hit(1, "a", 0.3), "strength"), (hit(2, "b", 0.3), "strength")], 5), 3)
    assert [source.number for source in sources] == [4, 5]
    assert all(passage.near for source in sources for passage in source.passages)


def hit(number: int, document: str, strength: float, final: float = 0.5) -> ScoredHit:
    return ScoredHit(make_item(number, "text", document=document), lexical=strength * 0.4 / 0.6, final=final)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(0, 1)), max_size=30), st.integers(1, 8))
def test_citations_are_numbered_distinct_sorted_and_complete(pairs: list[tuple[str, float]], most: int) -> None:
    accepted = [(hit(n, document, 1.0, final), "strength") for n, (document, final) in enumerate(pairs)]
    sources = cite(accepted, most)  # type: ignore[arg-type]
    documents = {document for document, _ in pairs}
    assert len(sources) == min(most, len(documents))
    assert [source.number for source in sources] == list(range(1, len(sources) + 1))
    assert [source.score for source in sources] == sorted((s.score for s in sources), reverse=True)
    for source in sources:
        assert len(source.passages) == sum(document == source.document_id for document, _ in pairs)
