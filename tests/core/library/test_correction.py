from __future__ import annotations

import pytest

from core.errors import PalimpsestError
from core.library.correction import corrected, with_corrections
from core.library.records import CorrectedField, Metadata, Organisation

FOUND = Metadata(title="FORM", organisations=[Organisation(name="Acme Ltd.", aliases=["Acme", "ACM"])])


def test_a_correction_is_read_and_remembered_as_one() -> None:
    metadata = corrected(FOUND, "title", "  The  Report ")
    metadata = corrected(metadata, "kind", "Annual report")
    metadata = corrected(metadata, "periods", "FY2022; Q2 2023; year ended June 30, 2021")
    metadata = corrected(metadata, "organisations", "Acme Ltd.; Birch Inc.")
    metadata = corrected(metadata, "date", "30 ביוני 2023")
    metadata = corrected(metadata, "title", "The Report 2")
    assert (metadata.title, metadata.kind, metadata.date) == ("The Report 2", "annual report", "2023-06-30")
    assert [period.key for period in metadata.periods] == ["2022", "2023-Q2", "2021"]
    assert [each.aliases for each in metadata.organisations] == [["Acme", "ACM"], ["Birch"]]
    assert metadata.corrected == ["title", "kind", "periods", "organisations", "date"]


def test_what_may_be_unknown_can_be_emptied() -> None:
    for field in ("organisations", "periods"):
        assert getattr(corrected(FOUND, field, ""), field) == []  # type: ignore[arg-type]
    assert corrected(FOUND, "date", " ").date is None


@pytest.mark.parametrize(
    ("field", "value"),
    [("title", " "), ("title", "x" * 201), ("kind", "novel"), ("periods", "soon"), ("date", "June"),
     ("organisations", "; ".join(f"Firm {number}" for number in range(13)))],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_in_both_languages(field: CorrectedField, value: str) -> None:
    with pytest.raises(PalimpsestError) as refused:
        corrected(FOUND, field, value)
    problem = refused.value.problem
    assert problem.category == "validation"
    assert all(problem.to("en"))
    assert problem.to("he") != problem.to("en")


def test_a_later_reading_keeps_what_a_person_set() -> None:
    before = corrected(FOUND, "title", "Mine")
    read = with_corrections(Metadata(title="Read again", kind="memo"), before)
    assert (read.title, read.kind, read.corrected) == ("Mine", "memo", ["title"])
    assert with_corrections(Metadata(title="Read again"), FOUND).title == "Read again"
