import pytest

from benchmarks.first_line import expected_figure, is_sure, judged

ASKED = "What is the capital expenditure (in USD millions) of FY2020?"


def said(line: str = "", **data: object) -> dict[str, object]:
    return {"answer": {"line": line, **data}}


@pytest.mark.parametrize(
    ("line", "data", "verdict"),
    [
        ("Capital expenditure: $1,204 million [1]", {}, "right"),
        ("Capital expenditure: $1.204 billion [1]", {}, "right"),
        ("Capital expenditure: $1,204 [1]", {"value": 1204.0, "scale": 1e6}, "right"),
        ("Capital expenditure: $1,204 thousand [1]", {"value": 1204.0, "scale": 1e3}, "wrong"),
        ("Capital expenditure in 2020: $1,377 million [1]", {}, "wrong"),
        ("", {}, "wrong"),
    ],
)
def test_a_figure_is_right_in_any_unit_that_is_named(line: str, data: dict[str, object], verdict: str) -> None:
    assert judged("$1204.00", ASKED, said(line, **data)) == verdict


def test_years_quarters_and_citations_are_no_figures() -> None:
    assert (
        judged("2020", "How many stores were there?", said("In Q4 of FY2020 there were 12 stores [2020]")) == "by hand"
    )
    assert judged("14.0%", "What is the margin?", said("Margin in FY14: 3 % [14]")) == "wrong"


def test_more_than_a_number_is_judged_by_hand() -> None:
    assert expected_figure("No, the margin fell by 2.0%.", "Does the margin improve?") is None
    assert expected_figure("It rose from 3% to 5%", "What happened to the margin?") is None


@pytest.mark.parametrize(
    ("data", "sure"), [({}, True), ({"doubt": {"en": "?", "he": "?"}}, False), ({"decided": False}, False)]
)
def test_a_line_is_sure_without_a_doubt(data: dict[str, object], sure: bool) -> None:
    assert is_sure(said("Margin: 3 %", **data)) is sure


def test_no_line_is_not_sure() -> None:
    assert not is_sure({})
