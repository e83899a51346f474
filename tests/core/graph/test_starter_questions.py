"""Tests the starter questions of an empty thread: only about documents in the library, and only those that were
answered when they were tried."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from core.graph.starter_questions import StarterQuestions, state_of
from core.library.digest import digest
from core.library.records import CoveredPeriod, Document, Metadata, Organisation
from core.library.samples import load_samples
from core.library.tables.records import Cell, Column, Row, Table
from core.review.questions.candidate import CandidateQuestion
from core.store.items import Book, ItemSource, MemoryItem, Place, Timestamps
from core.words import Language

SAMPLES = load_samples()
STATEMENT = Table(
    columns=[Column(header=["2031"], period="2031"), Column(header=["2030"], period="2030")],
    rows=[
        Row(label=label, cells=[Cell(text="12", kind="number", value=12.0), Cell(text="9", kind="number", value=9.0)])
        for label in ("Net sales", "Net income", "Heat pumps sold")
    ],
)


ITEM = MemoryItem(
    _id="mem_1",
    user_id="ada",
    tier="books",
    text="Delivery date: 3 May 2031",
    source=ItemSource(type="document", book=Book(book_id="doc", title="Letter", filename="l.md", chunk_index=0)),
    timestamps=Timestamps(created_at=0, updated_at=0),
    place=Place(episode="doc", order=0),
)


class Tables:
    """A fake library with one passage and one table in each document."""

    async def chunks(self, user_id: str, document_id: str) -> list[MemoryItem]:
        return [ITEM]

    async def tables(self, user_id: str, document_id: str) -> list[Table]:
        assert user_id == "ada"
        return [STATEMENT]


def document(name: str, kind: str = "other", sha256: str = "0" * 64, state: str = "completed") -> Document:
    described = Metadata(
        title=name, kind=kind, organisations=[Organisation(name=name)], periods=[CoveredPeriod(key="2031")]
    )
    return Document(
        id=f"doc_{name}", user_id="ada", filename=f"{name}.pdf", mime="application/pdf", size=1, sha256=sha256,
        metadata=described, added_at=0.0, updated_at=0.0, chunks=1, searchable=1, state=state,  # type: ignore[arg-type]
    )  # fmt: skip


def samples(*files: str) -> list[Document]:
    return [document(path.stem, sha256=digest(path)) for path in SAMPLES.paths if not files or path.name in files]


class Answers:
    """Fake trials: a question is *Found* unless it contains one of the ``unanswered`` words."""

    def __init__(self, *unanswered: str) -> None:
        self.unanswered = unanswered
        self.tried: list[str] = []

    async def __call__(self, user_id: str, candidate: CandidateQuestion) -> bool:
        assert user_id == "ada"
        self.tried.append(candidate.text)
        return not any(word in candidate.text for word in self.unanswered)


async def settled(starters: StarterQuestions, documents: Sequence[Document], language: Language = "en") -> list[str]:
    found = await starters.of("ada", documents, language)
    while starters.is_trying("ada", language):
        await asyncio.sleep(0)
        found = await starters.of("ada", documents, language)
    return found


def starters_with(answers: Answers) -> StarterQuestions:
    return StarterQuestions(Tables(), SAMPLES, answers)  # type: ignore[arg-type]


async def offered(documents: Sequence[Document], language: Language = "en") -> list[str]:
    return await settled(starters_with(Answers()), documents, language)


def asked_of_samples(language: Language) -> list[str]:
    return [each.text for each in SAMPLES.questions if each.language == language]


@pytest.mark.parametrize("language", ["en", "he"])
async def test_the_samples_offer_their_own_questions(language: Language) -> None:
    assert await offered(samples(), language) == asked_of_samples(language)


async def test_a_sample_that_is_gone_takes_its_questions_with_it() -> None:
    assert await offered(samples("incident-report-hadar-zone.html")) == [asked_of_samples("en")[1]]


async def test_reports_offer_the_figures_of_their_statements() -> None:
    found = await offered([document("Nordvik", "annual report"), document("Teahouse", "annual report")])
    assert len(found) == 3
    assert {"Nordvik" in found[0], "Teahouse" in found[1]} == {True}
    assert all("FY2031" in each and "pumps" not in each for each in found)


async def test_only_questions_that_were_answered_when_tried_are_offered_and_each_library_is_tried_once() -> None:
    answers, documents = Answers("change", "pumps"), [document("Nordvik", "annual report"), document("Letter")]
    starters = starters_with(answers)
    assert await starters.of("ada", documents, "en") == [], "nothing waits for trials"
    found = await settled(starters, documents)
    assert found
    assert not any("change" in each for each in found)
    assert "What is the delivery date according to “Letter”?" in found
    tried = len(answers.tried)
    assert await settled(starters, documents) == found
    assert len(answers.tried) == tried
    await settled(starters, documents[:1])
    assert len(answers.tried) > tried


async def test_a_document_is_tried_only_after_it_has_its_vectors() -> None:
    answers = Answers()
    assert await settled(starters_with(answers), [document("Letter", state="processing")]) == []
    assert answers.tried == []


async def test_where_nothing_is_answered_nothing_is_offered() -> None:
    assert await settled(starters_with(Answers("What", "How")), [document("Nordvik", "annual report")]) == []


async def test_trials_end_if_a_document_is_removed_and_go_on_if_one_is_added() -> None:
    documents, held = [document("Nordvik", "annual report"), document("Letter")], asyncio.Event()
    begun = asyncio.Event()

    async def found(user_id: str, candidate: CandidateQuestion) -> bool:
        begun.set()
        await held.wait()
        return True

    starters = StarterQuestions(Tables(), SAMPLES, found)  # type: ignore[arg-type]
    await starters.of("ada", documents[:1], "en")
    await begun.wait()
    await starters.of("ada", documents, "en")
    assert starters._trying["ada", "en"][0] == state_of(documents[:1])
    await starters.of("ada", documents[1:], "en")
    held.set()
    found = await settled(starters, documents[1:])
    assert found
    assert not any("Nordvik" in each for each in found)
