"""Tests that the user is asked which company's report is meant only when it is ambiguous."""

from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.graph.understanding.documents.labels import distinguishing_labels
from core.graph.understanding.documents.report_ambiguity import names_in, which_report
from core.question.analysed import analysed
from core.question.known_entities import KnownDocument, KnownPeriod


def report(
    identifier: str, name: str, key: str, kind: str = "annual report", dated: str | None = None
) -> KnownDocument:
    return KnownDocument(
        identifier,
        f"{identifier}.pdf",
        f"The title of {identifier}",
        names=(f"{name} Corp.", name),
        periods=(key,),
        kind=kind,
        dated=dated,
        covered=(KnownPeriod(key, (key,)),),
    )


LIBRARY = [
    report("n30", "Nordwind", "2030"),
    report("n31", "Nordwind", "2031"),
    report("t31", "Teahouse", "2031"),
    report("m30", "Marigold", "2030"),
    report("tq", "Teahouse", "2031-Q2", "quarterly report"),
    report("n-may", "Nordwind", "2031-05-06", "current report"),
    report("n-june", "Nordwind", "2031-06-07", "current report"),
]
POLICY = KnownDocument("p", "policy.docx", "Travel policy")


def found(**texts: str) -> list[Source]:
    """Passages by document id, the best first."""
    return [
        Source(
            number=number,
            document_id=identifier,
            title=identifier,
            filename="",
            score=1.0 - number / 10,
            passages=[Passage(item_id=f"{identifier}-1", text=text)],
        )
        for number, (identifier, text) in enumerate(texts.items(), start=1)
    ]


SPREAD = found(n31="Revenue grew to 5.", t31="Revenue fell to 4.", m30="Revenue was 3 and employees numbered 9.")


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("What was revenue?", ["n31", "t31", "m30"]),
        ("What was revenue in 2031?", ["n31", "t31"]),
        ("What was revenue in 2030?", ["t31", "m30", "n30"]),
        ("מה היו ההכנסות ב-2031?", ["n31", "t31"]),
        ("How many employees are there?", ["n31", "t31", "m30"]),
    ],
)
def test_a_figure_of_nobody_in_particular_is_asked_about(question: str, offered: list[str]) -> None:
    decision = which_report(analysed(question), LIBRARY, SPREAD)
    assert decision is not None
    assert decision.ask
    assert decision.between == "organisations"
    assert list(decision.ids) == offered


@pytest.mark.parametrize(
    "question",
    [
        "What was Nordwind's revenue?",
        "What was Nordwind's revenue in 2031?",
        "Which company had the highest revenue?",
        "Do any of these companies have revenue from Mars?",
        "What do the annual reports say about revenue?",
        "How long should I boil an egg?",
        "What was Sunstone's revenue?",
        "What did Nordwind report on May 6, 2031?",
    ],
)
def test_nobody_is_asked_where_it_is_told_or_about_all_or_in_no_report(question: str) -> None:
    decision = which_report(analysed(question), LIBRARY, SPREAD)
    assert decision is not None
    assert not decision.ask


def test_a_name_that_one_organisation_alone_has_tells_whose_it_is() -> None:
    hits = found(t31="The Jade Garden brand had revenue of 4.", n31="Revenue of 5.")
    decision = which_report(analysed("What was the revenue of Jade Garden in 2031?"), LIBRARY, hits)
    assert decision is not None
    assert not decision.ask
    assert decision.ids == ("t31",)
    alone = which_report(analysed("What was the revenue of Jade Garden in 2031?"), LIBRARY, SPREAD, ["t31"])
    assert alone == decision


def test_what_only_one_organisation_has_a_report_on_is_not_asked() -> None:
    decision = which_report(
        analysed("How did the second quarter go?"), LIBRARY, found(tq="The second quarter was good.")
    )
    assert decision is not None
    assert not decision.ask
    assert decision.ids == ("tq",)


def test_of_several_notices_by_one_organisation_one_is_asked_for() -> None:
    decision = which_report(analysed("What does Nordwind's 8-K say?"), LIBRARY, [])
    assert decision is not None
    assert decision.ask
    assert decision.ids == ("n-june", "n-may")


def test_other_documents_are_told_apart_otherwise() -> None:
    assert (
        which_report(analysed("What is the hotel rate?"), [POLICY, *LIBRARY], found(p="The hotel rate is 5.")) is None
    )
    assert which_report(analysed("What was revenue?"), [POLICY, LIBRARY[0]], found(p="Revenue.")) is None


def test_what_is_not_about_reports_and_found_nowhere_is_never_asked_about() -> None:
    decision = which_report(analysed("How do I reset my router?"), LIBRARY, [])
    assert decision is not None
    assert not decision.ask


def test_a_figure_is_asked_about_even_where_no_passage_was_close() -> None:
    decision = which_report(analysed("מה היו ההכנסות?"), LIBRARY, [])
    assert decision is not None
    assert decision.ask


def test_names_are_no_periods() -> None:
    assert names_in("How many 737 jets did Jade Garden buy in 2031?") == ["Jade Garden", "737"]


def test_choices_can_be_told_apart() -> None:
    twins = [report("a", "Nordwind", "2031"), report("b", "Nordwind", "2031"), report("c", "Nordwind", "2030"), POLICY]
    refs = distinguishing_labels(twins, "en")
    assert [each.title for each in refs] == [
        "Nordwind · Annual report · FY2031 · a.pdf",
        "Nordwind · Annual report · FY2031 · b.pdf",
        "Nordwind · Annual report · FY2030",
        "Travel policy",
    ]
    assert refs[0].hint == "a.pdf"
    assert "דוח שנתי" in distinguishing_labels(twins[2:], "he")[0].title
