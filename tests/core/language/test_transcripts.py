from __future__ import annotations

import pytest

from core.language.transcripts import utterances_in

SAID = [
    ("Noa", "Where is the valve?"),
    ("Dan Cohen", "Behind the pump, on the left."),
    ("Noa", "Thanks."),
    ("Dan Cohen", "It leaks."),
]


@pytest.mark.parametrize(
    "written",
    [
        "{0}: {1}",
        "[10:32] {0}: {1}",
        "(10:32:05) {0}: {1}",
        "10:32 - {0}: {1}",
        "{0} (10:32): {1}",
        "**{0}:** {1}",
        "**{0}**: {1}",
        "<v {0}>{1}</v>",
    ],
)
def test_who_says_what_is_read_in_the_usual_forms(written: str) -> None:
    assert utterances_in("\n".join(written.format(*each) for each in SAID)) == SAID


def test_webvtt_is_read_without_its_times() -> None:
    cues = (
        f"{number}\n00:00:0{number}.000 --> 00:00:0{number}.900 align:start\n<v.loud {name}>{text}</v>\n"
        for number, (name, text) in enumerate(SAID)
    )
    assert utterances_in("WEBVTT - a meeting\n\nNOTE recorded\n\n" + "\n".join(cues)) == SAID


def test_a_turn_goes_on_until_somebody_else_speaks() -> None:
    second = "Dan Cohen: Behind the pump,\n\nDan Cohen: on the left."
    text = f"Noa: Where is\nthe valve?\n{second}\nNoa: Thanks.\nDan Cohen: It leaks."
    assert utterances_in(text) == SAID


def test_hebrew_speakers() -> None:
    said = utterances_in("נועה: איפה השסתום?\nדן כהן: מאחורי המשאבה.\nנועה: תודה.\nדן כהן: הוא דולף.")
    assert [each.speaker for each in said] == ["נועה", "דן כהן", "נועה", "דן כהן"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Name: Noa\nDate: 3 May\nSubject: Pumps\nTotal: 40",
        "Noa: one\nNoa: two\nNoa: three\nNoa: four",
        "Noa: yes.\nDan: no.\nNoa: yes.\nDan: no.\n" + "And this report goes on about pumps.\n" * 20,
        "A night in a hotel is reimbursed up to 560 shekels. Dinner is 120.",
        "10:30 Lunch\n11:00 Talk\n12:00 End\n13:00 Home",
    ],
)
def test_what_is_no_conversation_has_nobody_speaking(text: str) -> None:
    assert utterances_in(text) == []
