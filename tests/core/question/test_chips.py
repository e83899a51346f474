import pytest

from core.question.absent_entities import absent_periods, unrecorded_names
from core.question.analysed import analysed
from core.question.chips import chips_of, guessed_organisation, period_name, unbound_chips
from core.question.known_entities import KnownDocument, KnownPeriod, by_organisation, organisation_of
from core.question.rare_terms import rare_terms
from core.question.subject import subject_of
from core.records.subject_matter import Chip, Completed

NAMES = ("Nordwind Holding Corp.", "Nordwind", "NWD")
YEAR_30 = KnownDocument(
    "a30", "nw30.pdf", names=NAMES, periods=("2030",), kind="annual report", covered=(KnownPeriod("2030", ("2030",)),)
)
YEAR_31 = KnownDocument(
    "a31",
    "nw31.pdf",
    names=NAMES,
    periods=("2031", "2032"),
    kind="annual report",
    covered=(KnownPeriod("2031", ("2031", "2032"), "2032-01-30"),),
)
TEA = KnownDocument(
    "t31",
    "tea.pdf",
    names=("Tea House, Inc.", "Tea House"),
    periods=("2031",),
    kind="annual report",
    covered=(KnownPeriod("2031", ("2031",), "2031-12-31"),),
)
POLICY = KnownDocument("p", "policy.docx")
LIBRARY = [YEAR_30, YEAR_31, TEA, POLICY]


def chips(question: str, completed: Completed | None = None, chosen: tuple[str, ...] = ()) -> dict[str, Chip]:
    return {
        each.key: each for each in chips_of(subject_of(analysed(question), LIBRARY), LIBRARY, completed, chosen).chips
    }


def sure(question: str) -> float:
    return chips_of(subject_of(analysed(question), LIBRARY), LIBRARY).confidence


def test_what_is_named_is_a_chip_that_binds() -> None:
    found = chips("What was NWD's operating income in FY2030?")
    assert set(found) == {"organisation:Nordwind", "period:2030", "metric:operating income"}
    assert found["organisation:Nordwind"].text == "NWD"
    assert found["organisation:Nordwind"].binds
    assert found["period:2030"].binds
    assert found["period:2030"].label == "FY2030"
    assert found["period:2030"].document_ids == ["a30"]
    assert not found["metric:operating income"].binds


def test_a_period_under_another_of_its_names_is_shown_under_its_own() -> None:
    found = chips("What was Nordwind's revenue in 2032?")
    assert found["period:2032"].label == "FY2031 (year ended 30 Jan 2032)"
    assert found["period:2032"].note is not None
    day = chips("What was Nordwind's revenue in the year ended January 30, 2032?")
    assert day["period:2032-01-30"].document_ids == ["a31"]
    assert "FY2031" in day["period:2032-01-30"].label


def test_without_a_period_the_newest_is_guessed() -> None:
    found = chips("What was Nordwind's revenue?")
    assert found["period:2031"].meant == "guessed"
    assert not found["period:2031"].binds


def test_what_is_carried_on_is_called_so() -> None:
    completed = Completed(text="…", carried=["organisation", "metric"])
    found = chips("What was Nordwind's revenue in 2030?", completed)
    assert found["organisation:Nordwind"].meant == "carried"
    assert found["metric:revenue"].meant == "carried"
    assert found["period:2030"].meant == "named"


def test_a_relative_period_keeps_its_words() -> None:
    found = chips("What was Nordwind's revenue in FY2030?", Completed(text="…", relative={"2030": "last year"}))
    assert found["period:2030"].text == "last year"
    assert found["period:2030"].label == "FY2030"
    assert "last year" in found["period:2030"].note.en  # type: ignore[union-attr]


def test_a_chosen_document_binds_and_nothing_else_does() -> None:
    found = chips("What was Nordwind's revenue in FY2030?", chosen=("a30",))
    assert found["document:a30"].binds
    assert not found["organisation:Nordwind"].binds


@pytest.mark.parametrize(
    ("surer", "than"),
    [
        ("What was Nordwind's revenue in FY2030?", "What was Nordwind's revenue?"),
        ("What was Nordwind's revenue in FY2030?", "What was revenue in FY2030?"),
        ("What was Nordwind's revenue in FY2030?", "What was Nordwind's revenue in 2032?"),
        ("What was Nordwind's revenue in FY2029?", "What was Nordwind's revenue in FY2019?"),
    ],
)
def test_how_sure_it_is_follows_what_is_known(surer: str, than: str) -> None:
    assert 0 <= sure(than) < sure(surer) <= 1


def test_a_filter_that_was_lifted_binds_nothing() -> None:
    before = chips_of(subject_of(analysed("What was Nordwind's revenue in FY2030?"), LIBRARY), LIBRARY)
    after = unbound_chips(before)
    assert after.confidence < before.confidence
    assert not any(each.binds for each in after.chips)


def test_chips_that_are_taken_off_are_left_out() -> None:
    question = "What was Nordwind's operating income in FY2030?"
    subject = subject_of(analysed(question), LIBRARY, ["organisation:Nordwind"])
    assert not subject.named
    assert "Nordwind" not in subject.focus.asked
    assert [each.key for each in subject_of(analysed(question), LIBRARY, ["period:2030"]).asked] == []
    assert not subject_of(analysed(question), LIBRARY, ["metric:operating income"]).figures
    assert subject_of(analysed("Nordwind?"), LIBRARY, ["organisation:Nordwind"]).focus.asked == "Nordwind?"


def test_one_organisation_that_all_is_found_at_is_guessed() -> None:
    found = chips_of(subject_of(analysed("What was revenue?"), LIBRARY), LIBRARY)
    assert guessed_organisation(found, ["a30", "a31"], LIBRARY).chips[0].label == "Nordwind"
    assert guessed_organisation(found, ["a30", "t31"], LIBRARY) == found
    assert guessed_organisation(found, ["p"], LIBRARY) == found


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What was Sunstone's net income in 2031?", ["Sunstone"]),
        ("What was the revenue of Sunstone?", ["Sunstone"]),
        ("מה היו ההכנסות של Sunstone?", ["Sunstone"]),
        ("What was Nordwind's net income?", []),
        ("Who lives in Sunstone?", []),
        ("What was Tea's revenue?", []),
        ("What was the revenue of Tea's Aurora?", []),
        ("What was Nordwind's Aurora revenue?", []),
        ("What was Sunstone's Aurora revenue?", ["Sunstone's Aurora"]),
        ("What was net income in March 2031?", []),
    ],
)
def test_a_name_is_missing_only_where_a_figure_is_asked_of_it(question: str, names: list[str]) -> None:
    assert unrecorded_names(question, subject_of(analysed(question), LIBRARY), LIBRARY) == names


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What was Nordwind's revenue in 2021?", ["2021"]),
        ("What was Nordwind's revenue in 2029?", []),
        ("What does Nordwind expect of 2033?", []),
        ("What was Nordwind's revenue in 2021 and in 2030?", []),
        ("What was revenue in 2021?", []),
    ],
)
def test_a_period_is_missing_where_no_report_covers_it_or_looks_back_on_it(question: str, missing: list[str]) -> None:
    assert [each.name for each in absent_periods(subject_of(analysed(question), LIBRARY), LIBRARY)] == missing


def test_documents_of_one_organisation_stand_together() -> None:
    renamed = KnownDocument("x", "x.pdf", names=("Nordwind Group", "NWD"), periods=("2035",), kind="annual report")
    groups = by_organisation([*LIBRARY, renamed])
    assert sorted(sorted(each.id for each in group) for group in groups) == [["a30", "a31", "x"], ["t31"]]
    assert organisation_of([YEAR_30, YEAR_31]) == "Nordwind"


@pytest.mark.parametrize(
    ("key", "kind", "name"),
    [
        ("2030", "annual report", "FY2030"),
        ("2030", "contract", "2030"),
        ("2030-Q2", "", "Q2 2030"),
        ("2030-06", "", "Jun 2030"),
        ("2030-06-05", "", "5 Jun 2030"),
    ],
)
def test_periods_have_names_for_people(key: str, kind: str, name: str) -> None:
    assert period_name(key, kind) == name


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ('What is said about "net-zero targets"?', ["net-zero targets"]),
        ("How did the Golden Anchor brand do in 2031?", ["Golden Anchor"]),
        ("What was revenue in FY2031?", []),
        ("What does the 10-K say?", []),
        ("Who is the CEO?", ["CEO"]),
    ],
)
def test_names_that_no_record_stands_for_are_terms(question: str, terms: list[str]) -> None:
    assert rare_terms(question) == terms
