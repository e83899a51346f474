from __future__ import annotations

import pytest

from core.review.actions.summary.shapes import is_apart, is_boilerplate, matches, pattern, shape_of, vocabulary


@pytest.mark.parametrize(
    "kind",
    ["annual report", "quarterly report", "earnings release", "current report", "contract", "policy", "paper",
     "minutes", "memo"],
)  # fmt: skip
def test_each_kind_has_a_shape_with_both_languages_in_its_labels(kind: str) -> None:
    shape = shape_of(kind)
    assert shape is not None
    for part in shape.parts:
        assert any("א" <= letter <= "ת" for letter in part.label.he)
        assert part.figures or part.meaning


def test_a_kind_without_a_shape_is_said() -> None:
    assert shape_of("other") is None


def test_all_expressions_can_be_read() -> None:
    told = vocabulary()
    for shape in told.shapes.values():
        for part in shape.parts:
            assert all(pattern(each) for each in (part.sections, part.never, part.words))


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("Item 1A. Risk Factors", True),
        ("4. Risks", True),
        ("פרק 3: גורמי סיכון", True),
        ("How we manage our people", False),
        ("No risks at all were found by the members of the committee of the board in this long year", False),
    ],
)
def test_a_heading_is_known_with_its_number_and_without(heading: str, found: bool) -> None:
    assert matches("risk factors? ; risks? ; גורמי סיכון", heading) is found


def test_headings_and_sentences_of_no_account_are_known() -> None:
    assert is_apart(("Part I", "Cautionary Statement Regarding Forward-Looking Statements"))
    assert not is_apart(("Part I", "Item 1. Business"))
    assert is_apart(("Ferries", "Sources"))
    assert not is_apart(("Part II", "Sources of Liquidity"))
    assert is_boilerplate("Such statements are covered by the safe harbor of the Act.")
    assert not is_boilerplate("The mill grinds rye and oats for bakeries in the north.")
