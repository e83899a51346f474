"""Tests which tools are offered for a question: by their documented scores, and when one tool excludes another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.tools.definition import Effects, IntentSignal
from core.tools.ranking import MOST_OFFERED, NO_TERMS, offered, rank
from core.tools.registry import RegisteredTool
from tests.core.tools.made import Made, definition, said


def entry(name: str, **given: Any) -> RegisteredTool:
    made = definition(name, **given)
    return RegisteredTool(made.name, Made(made), made, own=True)


def signal(*patterns: str, weight: float = 100, exclusive: bool = False) -> IntentSignal:
    return IntentSignal(patterns=list(patterns), weight=weight, exclusive=exclusive)


def names(ranked: Any) -> list[str]:
    return [each.entry.name for each in ranked]


def test_a_score_is_the_strongest_signal_and_half_the_priority() -> None:
    signals = [signal("rates", weight=80), signal("news", weight=30)]
    (both,) = rank([entry("a", priority=90, signals=signals)], "News of RATES")
    assert both.score == 80 + 45
    assert both.asked
    (none,) = rank([entry("a", priority=90, signals=signals)], "What is in the lease?")
    assert (none.score, none.asked) == (45, False)


@pytest.mark.parametrize("question", ["חדשות על הריבית", "חֲדָשׁוֹת על הריבית"])
def test_signals_are_of_any_language_and_heed_no_points(question: str) -> None:
    (found,) = rank([entry("a", signals=[signal("חדשות")])], question)
    assert found.asked


def test_what_is_asked_for_alone_is_ranked_alone() -> None:
    data = entry("data", priority=10, signals=[signal("data set", weight=50, exclusive=True)])
    other = entry("other", priority=100, signals=[signal("find")])
    assert names(rank([other, data], "find a data set on schools")) == ["data"]
    assert names(rank([other, data], "find schools")) == ["other", "data"]


def test_at_most_four_are_offered() -> None:
    entries = [entry(f"t{number}", priority=number) for number in range(9)]
    assert names(offered(rank(entries, "anything"))) == ["t8", "t7", "t6", "t5"]
    assert MOST_OFFERED == 4


def test_deep_research_leaves_out_the_quick_search() -> None:
    research = entry("research", priority=100, conflicts=["quick"], signals=[signal("in depth")])
    quick = entry("quick", priority=90, signals=[signal("search", weight=80)])
    assert names(offered(rank([quick, research], "search this in depth"))) == ["research"]
    assert names(offered(rank([quick, research], "search this"))) == ["quick", "research"]


def test_a_tool_that_is_named_is_asked_for() -> None:
    reader = entry("read_file", title=said("Notes reader"))
    echo = entry("echo", title=said("Echo"))
    for question in ("use read_file on it", "what does the notes reader say?"):
        assert rank([reader, echo], question)[0].asked
    assert not any(each.asked for each in rank([reader, echo], "is there an echo in the hall? read the file"))


def test_a_tool_without_signals_bears_on_what_it_is_described_by() -> None:
    clock = entry("now", description="Get the current time in a specific timezone.")
    files = entry("files", description="List the files of a folder.")
    first, second = rank([files, clock], "what time is it in the Tokyo timezone")
    assert (first.entry.name, first.relevant, second.relevant) == ("now", True, False)


def test_what_failed_for_such_questions_is_offered_later() -> None:
    entries = [entry("a", priority=90), entry("b", priority=50)]
    assert names(rank(entries, "anything", {"a": 0.9})) == ["a", "b"]
    assert names(rank(entries, "anything", {"a": 0.5})) == ["a", "b"]
    assert names(rank(entries, "anything", {"a": 0.0, "b": 1.0})) == ["b", "a"]
    asked = [entry("a", priority=90, signals=[signal("x")]), entry("b", priority=50)]
    assert names(rank(asked, "x", {"a": 0.0})) == ["a", "b"]


def test_the_order_of_equals_is_their_names(tmp_path: Path) -> None:
    assert names(rank([entry("b"), entry("a")], "anything")) == ["a", "b"]


def test_of_a_server_that_is_named_the_tools_are_parted_by_what_they_do() -> None:
    about = {
        "make_folder": "Make a folder.",
        "list_folder": "List a folder.",
        "read_file": "Read the text of a file.",
        "tree": "Show the tree.",
        "write_file": "Write a file.",
    }
    theirs = [
        replace(entry(name, description=text, signals=[signal("board files", weight=60)]), own=False)
        for name, text in about.items()
    ]
    assert names(rank(theirs, "Read the minutes in the board files"))[0] == "read_file"
    assert names(rank(theirs, "Write a note into the board files"))[0] == "write_file"


def test_of_tools_that_score_alike_those_that_only_read_come_first() -> None:
    acting, reading = entry("act", effects=Effects()), entry("look")
    assert names(rank([acting, reading], "something else")) == ["look", "act"]


def test_words_are_read_only_for_tools_that_are_known_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("core.tools.ranking.asked_terms", lambda question: asked.append(question) or NO_TERMS)
    rank([entry("a", signals=[signal("rates")])], "What was the revenue?")
    assert asked == []
    rank([entry("a", signals=[signal("rates")]), entry("b")], "What was the revenue?")
    assert len(asked) == 1
