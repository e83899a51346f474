"""Tests the starter questions of an empty thread: only about documents in the library."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.graph.starter_questions import StarterQuestions
from core.library.digest import digest
from core.library.records import CoveredPeriod, Document, Metadata, Organisation
from core.library.samples import load_samples
from core.library.tables.records import Cell, Column, Row, Table
from core.words import Language

SAMPLES = load_samples()
STATEMENT = Table(
    columns=[Column(header=["2031"], period="2031"), Column(header=["2030"], period="2030")],
    rows=[
        Row(label=label, cells=[Cell(text="12", kind="number", value=12.0), Cell(text="9", kind="number", value=9.0)])
        for label in ("Net sales", "Net income", "Heat pumps sold")
    ],
)


class Tables:
    """A fake library that can only list its tables."""

    async def tables(self, user_id: str, document_id: str) -> list[Table]:
        assert user_id == "ada"
        return [STATEMENT]


def document(name: str, kind: str = "other", sha256: str = "0" * 64) -> Document:
    described = Metadata(
        title=name, kind=kind, organisations=[Organisation(name=name)], periods=[CoveredPeriod(key="2031")]
    )
    return Document(
        id=f"doc_{name}", user_id="ada", filename=f"{name}.pdf", mime="application/pdf", size=1, sha256=sha256,
        metadata=described, added_at=0.0, updated_at=0.0,
    )  # fmt: skip


def samples(*files: str) -> list[Document]:
    return [document(path.stem, sha256=digest(path)) for path in SAMPLES.paths if not files or path.name in files]


async def offered(documents: Sequence[Document], language: Language = "en") -> list[str]:
    return await StarterQuestions(Tables(), SAMPLES).of("ada", documents, language)  # type: ignore[arg-type]


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


async def test_of_other_documents_nothing_is_made_up() -> None:
    assert await offered([document("Letter")]) == []
