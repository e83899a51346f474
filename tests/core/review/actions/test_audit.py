from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from benchmarks.audit import LABELLED, groups, judge
from benchmarks.summaries import as_source
from core.errors import PalimpsestError, fail
from core.events import Source
from core.models.nli.inference import Inference, InferenceJudge, Pair
from core.prompts.templates import Prompts
from core.review.actions.audit import Auditor
from core.review.actions.clauses import split_clauses
from viz.citations import CitationLabel
from viz.markdown import blocks

HELD_OUT = Path(__file__).parent / "data" / "audit_clauses_held_out.yaml"

POLICY = """# Policy

## 1. Claims

1.1 A claim is submitted within 30 days of the trip. A receipt is attached for every expense above ILS 75.

## 2. Flights

2.1 Business class is never reimbursed. Flights are booked at least 14 days before departure.
"""
MAIL = """Hi Maya,

Claims will be sent within 45 days of the trip. Business class flights are reimbursed for the director. The flights
will be booked 20 days before departure. Our dog likes the garden behind the house.

Best regards,
Dan
"""


@pytest.mark.parametrize(("path", "found", "right"), [(LABELLED, 0.7, 0.95), (HELD_OUT, 0.4, 0.9)])
async def test_labelled_clauses(path: Path, found: float, right: float) -> None:
    """Decided clauses are right. Clauses without evidence are reported as undecided and, without embeddings, not as
    absent."""
    judged = [each for group in groups(path) for each in await judge(group)]
    assert {each.language for each in judged} == {"en", "he"}
    decided = [each for each in judged if each.finding.verdict in ("complies", "conflicts")]
    wanted = [each for each in judged if each.label != "not_covered"]
    assert mean(each.right for each in decided) >= right
    assert mean(each.right for each in wanted) >= found
    assert not any(each.finding.verdict == "complies" and not each.right for each in judged)
    assert all(each.finding.verdict == "not_decided" for each in judged if each not in decided)


async def test_an_email_against_a_policy(prompts: Prompts) -> None:
    result = await Auditor(prompts).audit(MAIL, [as_source(POLICY)], "en")
    found = [(each.verdict, each.severity, each.quote) for each in result.findings]
    assert found == [
        ("conflicts", "high", "A claim is submitted within 30 days of the trip."),
        # The section is about flights, but the sentence does not say so and names no excepted person: no rule can
        # decide the clause.
        ("not_decided", None, "Business class is never reimbursed."),
        ("complies", None, "Flights are booked at least 14 days before departure."),
        ("not_decided", None, ""),
    ]
    assert result.findings[0].reason.en == "The document says at most 30 days, but the text says 45 days."
    assert all(MAIL[each.clause.start : each.clause.end] == each.clause.text for each in result.findings)
    texts = {passage.item_id: passage.text for passage in result.sources[0].passages}
    assert all(quote.text in texts[quote.item_id] for quote in result.quotes)


@pytest.mark.parametrize(
    ("clause", "severity"),
    [
        ("A claim is submitted within 31 days of the trip.", "medium"),
        ("A claim is submitted within 90 days of the trip.", "high"),
        ("Business class is always reimbursed.", "high"),
        ("A claim is submitted within 30 days of the trip.", None),
        ("A claim is submitted within four weeks of the trip.", None),
    ],
)
async def test_severity(clause: str, severity: str | None, prompts: Prompts) -> None:
    result = await Auditor(prompts).audit(clause, [as_source(POLICY)], "en")
    assert [each.severity for each in result.findings] == [severity]


def test_a_list_on_one_line_is_its_items_whatever_ends_them() -> None:
    text = "1) Stores close at 10 p.m. 2) The auditor is Ernst & Young. 3) A fee is due in 30 days (see 2) below)."
    found = split_clauses(text)
    assert [each.text[:8] for each in found] == ["Stores c", "The audi", "A fee is"]
    assert all(text[each.start : each.end] == each.text for each in found)
    assert [each.text for each in split_clauses("Fly economy (1) always and (2) at night.")] == [
        "Fly economy (1) always and (2) at night."
    ]


def test_manners_headings_and_questions_are_no_clauses() -> None:
    text = "From: Dan Peretz\n\nשלום רב לכולם,\n\n# Terms\n\n"
    text += "1. We pay in 30 days; we ship in May.\n2. Is that fine?\n\nBest regards, Dan"
    assert [each.text for each in split_clauses(text)] == ["We pay in 30 days", "we ship in May."]


@pytest.mark.parametrize("greeting", ["שלום דנה, ", "Dear Dana, ", ""])
def test_what_follows_a_greeting_in_its_sentence_is_a_clause(greeting: str) -> None:
    said = "נתוני הקריאה יישמרו עשר שנים."
    (clause,) = split_clauses(greeting + said)
    assert (clause.text, clause.start) == (said, len(greeting))


YEARS = """# Policy of 2025

| Subject | Version 3 (2024) | Version 4 (2025) |
| --- | --- | --- |
| Lodging in Israel, hotel per night | ILS 620 | ILS 560 |
"""


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        ("The hotel for lodging in Israel costs ILS 700 per night.", "560"),
        ("In 2024 the hotel for lodging in Israel costs ILS 700 per night.", "620"),
    ],
)
async def test_a_row_with_a_column_for_each_year_is_read_in_the_one_in_force(
    clause: str, reason: str, prompts: Prompts
) -> None:
    (finding,) = (await Auditor(prompts).audit(clause, [as_source(YEARS)], "en")).findings
    assert finding.verdict == "conflicts"
    assert f"says {reason} ILS" in finding.reason.en


async def test_export_as_markdown_and_for_a_spreadsheet(prompts: Prompts) -> None:
    result = await Auditor(prompts).audit("=1+1 claims are sent within 45 days of the trip.", [as_source(POLICY)], "en")
    rows = list(csv.reader(io.StringIO(result.to_csv())))
    assert rows[0] == ["Clause", "Verdict", "Severity", "Document", "Relevant passage", "Reason"]
    assert rows[1][0].startswith("'=1+1")
    assert rows[1][1:4] == ["conflicts", "high", "report"]
    assert result.text.startswith("**conflicts: 1 · not checked: 0 · not found: 0 · complies: 0**")
    drawn = blocks(result.text, {1: CitationLabel("policy")})
    assert "<table>" in drawn[1]
    assert 'data-cite="1"' in drawn[1]


async def test_hebrew_words(prompts: Prompts) -> None:
    policy = "## תשלום\n\nתשלום במזומן אסור. החשבונית משולמת בתוך 45 ימים."
    result = await Auditor(prompts).audit("החשבונית תשולם בתוך 60 ימים.", [as_source(policy)], "he")
    assert "סותר (גבוהה)" in result.text
    assert "במסמך כתוב לכל היותר 45 ימים, אבל בטקסט כתוב 60 ימים." in result.text
    heading, row = csv.reader(io.StringIO(result.to_csv()))
    assert (heading[1:3], row[1:3]) == (["קביעה", "חומרה"], ["סותר", "גבוהה"])


@pytest.mark.parametrize(("text", "targets"), [("Hello there", [as_source(POLICY)]), (MAIL, [])])
async def test_nothing_to_audit_is_said(text: str, targets: list[Source], prompts: Prompts) -> None:
    with pytest.raises(PalimpsestError) as refused:
        await Auditor(prompts).audit(text, targets, "en")
    assert refused.value.problem.category == "validation"


async def test_of_long_targets_the_nearest_passages_are_read(prompts: Prompts) -> None:
    asked: list[str] = []

    async def search(clause: str, most: int) -> list[str]:
        asked.append(clause)
        return [claims.item_id]

    others = [f"Room {number} of the office in street {number} is painted in colour {number}." for number in range(900)]
    filling = as_source("# Rooms\n\n" + " ".join(others), 3)
    policy = as_source(POLICY, 3)
    target = filling.model_copy(update={"passages": [*filling.passages, *policy.passages]})
    claims = next(each for each in policy.passages if "A claim is submitted" in each.text)
    result = await Auditor(prompts, search=search).audit(MAIL, [target], "en")
    assert len(asked) == 4
    assert [each.verdict for each in result.findings if each.item_id == claims.item_id] == ["conflicts"]
    assert {each.item_id for each in result.findings} <= {claims.item_id, filling.passages[0].item_id, None}


async def test_where_the_search_finds_nothing_all_is_read(prompts: Prompts) -> None:
    async def search(clause: str, most: int) -> list[str]:
        return []

    others = " ".join(f"Room {number} of the office is painted in colour {number}." for number in range(900))
    filling, policy = as_source("# Rooms\n\n" + others, 3), as_source(POLICY, 3)
    target = filling.model_copy(update={"passages": [*filling.passages, *policy.passages]})
    result = await Auditor(prompts, search=search).audit(MAIL, [target], "en")
    assert result.findings[0].verdict == "conflicts"


async def test_a_model_decides_where_it_names_a_passage(prompts: Prompts, scripted: Any) -> None:
    rulings = [
        {"clause": 1, "verdict": "complies", "passage": 1, "severity": None, "reason": "Fine with the director."},
        {"clause": 2, "verdict": "conflicts", "passage": 1, "severity": "low", "reason": ""},
        {"clause": 3, "verdict": "complies", "passage": 1, "severity": None, "reason": "?"},
        {"clause": 4, "verdict": "not_covered"},
        {"clause": 77, "verdict": "complies"},
    ]
    model = scripted(json.dumps({"clauses": rulings}))
    result = await Auditor(prompts, model).audit(MAIL, [as_source(POLICY)], "en")
    assert [(each.verdict, each.severity) for each in result.findings] == [
        ("conflicts", "high"),  # 45 days are not within 30, whatever a model says
        ("conflicts", "low"),
        ("complies", None),
        ("not_covered", None),
    ]
    assert "at most 30 days" in result.findings[0].reason.en
    assert result.generated
    assert "BEGIN PASSAGES" in model.asked[0][1].text


async def test_a_model_that_cannot_be_read_twice_gives_way_to_the_rules(prompts: Prompts, scripted: Any) -> None:
    model = scripted('{"clauses": "none"}')
    result = await Auditor(prompts, model).audit(MAIL, [as_source(POLICY)], "en")
    assert (result.generated, len(result.notices), len(model.asked)) == (False, 1, 2)
    assert (result.count("conflicts"), result.count("not_decided")) == (1, 2)


async def test_another_language_is_not_called_absent(prompts: Prompts) -> None:
    result = await Auditor(prompts).audit("הדרישה תוגש לאחר שנה מסיום הנסיעה.", [as_source(POLICY)], "he")
    assert "בשפה אחרת" in result.findings[0].reason.he
    assert len(result.notices) == 1


async def test_progress_counts_clauses(prompts: Prompts) -> None:
    told: list[tuple[int, int]] = []
    await Auditor(prompts).audit(MAIL, [as_source(POLICY)], "en", lambda done, total, words: told.append((done, total)))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    ("policy", "clause", "verdict"),
    [
        (
            "Notice is sent not less than 14 nor more than 40 days before the hearing.",
            "Notice is sent 35 days before the hearing.",
            "complies",
        ),
        (
            "Notice is sent not less than 14 nor more than 40 days before the hearing.",
            "Notice is sent 55 days before the hearing.",
            "conflicts",
        ),
        ("The rent rises by at most 3% a year.", "The rent rises by 5% a year.", "conflicts"),
        (
            "The insurance has a limit of not less than $1,000,000.",
            "The insurance has a limit of $1,500,000.",
            "complies",
        ),
        ("The bonus is paid in March, unless the employee has left.", "The bonus is paid in March.", "not_decided"),
        ("Visitors may bring a dog.", "Visitors must bring a dog.", "not_decided"),
        ("ההודעה תישלח בין 14 ל-40 ימים לפני השימוע.", "ההודעה תישלח 55 ימים לפני השימוע.", "conflicts"),
        ("דמי השכירות יעלו בשיעור של 3% לכל היותר.", "דמי השכירות יעלו בשיעור של 2%.", "complies"),
        ("אסור להכניס אופניים לבניין.", "מותר להכניס אופניים לבניין.", "conflicts"),
    ],
)
async def test_a_verdict_needs_evidence(policy: str, clause: str, verdict: str, prompts: Prompts) -> None:
    (finding,) = (await Auditor(prompts).audit(clause, [as_source(policy)], "en")).findings
    assert finding.verdict == verdict


@pytest.mark.parametrize(
    ("policy", "clause"),
    [
        ("The tenant may not sublet the rooms of the flat.", "The tenant sublets the rooms of the flat."),
        ("Loans of the fund are unsecured.", "Loans of the fund are secured."),
        ("The lift is serviced in spring by the caretaker.", "Visitors park their cars behind the chapel."),
    ],
)
async def test_a_model_may_not_call_complying_what_the_passage_denies_or_hardly_bears_on(
    prompts: Prompts, scripted: Any, policy: str, clause: str
) -> None:
    answer = {"clauses": [{"clause": 1, "verdict": "complies", "passage": 1, "severity": None, "reason": "so"}]}
    auditor = Auditor(prompts, scripted(json.dumps(answer)))
    audit = await auditor.audit(clause, [as_source(policy)], "en")
    assert audit.findings[0].verdict != "complies"


async def test_the_words_and_the_passage_of_a_model_stand(prompts: Prompts, scripted: Any) -> None:
    reason = "The policy lets a manager approve it, and the clause says so."
    answer = {"clauses": [{"clause": 1, "verdict": "complies", "passage": 1, "severity": None, "reason": reason}]}
    policy = as_source("A manager approves every purchase of the workshop.", title="Purchase policy")
    audit = await Auditor(prompts, scripted(json.dumps(answer))).audit("A manager approves purchases.", [policy], "en")
    assert (audit.findings[0].verdict, audit.findings[0].reason.en) == ("complies", reason)
    assert "Checked against: Purchase policy." in audit.text


class Inferring:
    """Returns a verdict by a word in the premise; neutral for other pairs."""

    def __init__(self, word: str, found: Inference) -> None:
        self._word = word
        self._found = found

    async def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
        return [self._found if self._word in premise else Inference(0.0, 1.0, 0.0) for premise, _ in pairs]


def by_inference(prompts: Prompts, word: str, says: float, denies: float, chat: Any = None) -> Auditor:
    model = Inferring(word, Inference(says, 1 - says - denies, denies))
    return Auditor(prompts, chat, inference=InferenceJudge(model, 0.9))


async def test_what_rules_leave_open_is_inferred(prompts: Prompts) -> None:
    before = await Auditor(prompts).audit(MAIL, [as_source(POLICY)], "en")
    after = await by_inference(prompts, "Business class", 0.0, 0.97).audit(MAIL, [as_source(POLICY)], "en")
    changed = [place for place, (a, b) in enumerate(zip(before.findings, after.findings, strict=True)) if a != b]
    assert changed
    for place in changed:
        assert before.findings[place].verdict == "not_decided"
        assert (after.findings[place].verdict, after.findings[place].severity) == ("conflicts", "medium")
        assert "inference model" in after.findings[place].reason.en
        assert after.findings[place].number == 1
    assert not after.generated


async def test_an_inference_breaks_no_figure_and_needs_to_be_sure(prompts: Prompts) -> None:
    before = await Auditor(prompts).audit(MAIL, [as_source(POLICY)], "en")
    sure = await by_inference(prompts, "claim", 0.99, 0.0).audit(MAIL, [as_source(POLICY)], "en")
    unsure = await by_inference(prompts, "Business class", 0.0, 0.8).audit(MAIL, [as_source(POLICY)], "en")
    assert (sure.findings[0].verdict, sure.findings[0].severity) == ("conflicts", "high")
    assert unsure.findings == before.findings


async def test_a_chat_model_that_judges_otherwise_leaves_an_inference_open(prompts: Prompts, scripted: Any) -> None:
    rulings = [{"clause": n, "verdict": "complies", "passage": 1} for n in (1, 2, 3, 4)]
    chat = scripted(json.dumps({"clauses": rulings}))
    result = await by_inference(prompts, "Business class", 0.0, 0.97, chat).audit(MAIL, [as_source(POLICY)], "en")
    assert result.findings[1].verdict == "not_decided"


async def test_an_inference_model_that_fails_gives_way(prompts: Prompts) -> None:
    class Broken:
        async def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
            raise fail("server", "models.nli.unusable", detail="x", name="m")

    before = await Auditor(prompts).audit(MAIL, [as_source(POLICY)], "en")
    auditor = Auditor(prompts, inference=InferenceJudge(Broken(), 0.9))
    after = await auditor.audit(MAIL, [as_source(POLICY)], "en")
    assert after.findings == before.findings
    assert "m cannot be used" in after.notices[-1].en
