from __future__ import annotations

import pytest

from core.graph.understanding.intent.router import command_in, route, split_parts


@pytest.mark.parametrize(
    ("message", "kind", "text"),
    [
        ("Add goal: finish the review", "add_goal", "finish the review"),
        ("please add a new value - cite the clause", "add_value", "cite the clause"),
        ("remove the goal vendor review", "remove_goal", "vendor review"),
        ("What are my goals?", "list_goals", ""),
        ("Remember that Dana approves", "remember", "Dana approves"),
        ("remember to cite page numbers", "remember", "cite page numbers"),
        ("forget about the old rate", "forget", "the old rate"),
        ("תזכור שדנה מאשרת", "remember", "דנה מאשרת"),
        ("זכרי: שנת הכספים מתחילה באפריל", "remember", "שנת הכספים מתחילה באפריל"),
        ("תוסיף מטרה: לסיים עד יוני", "add_goal", "לסיים עד יוני"),
        ("תמחק את היעד סקירת ספקים", "remove_goal", "סקירת ספקים"),
        ("מה המטרות שלי?", "list_goals", ""),
        ("What do you know about me?", "recall", ""),
        ("מה אתה יודע עליי?", "recall", ""),
    ],
)
def test_commands_to_the_memory(message: str, kind: str, text: str) -> None:
    command = command_in(message)
    assert command is not None
    assert (command.kind, command.text) == (kind, text)


@pytest.mark.parametrize(
    "message",
    [
        "Do you remember the clause?",
        "remember when we spoke of deposits?",
        "What are the goals of the programme?",
        "מה המטרות של התוכנית?",
        "אתה זוכר מה סיכמנו?",
        "",
    ],
)
def test_questions_are_no_commands(message: str) -> None:
    assert command_in(message) is None


@pytest.mark.parametrize(
    ("message", "actions", "text"),
    [
        ("/summarize the lease", ("summarize",), "the lease"),
        ("/סכם את החוזה", ("summarize",), "את החוזה"),
        ('@audit my draft @"Travel policy"', ("audit",), 'my draft @"Travel policy"'),
        ("@summarize @compare the two", ("summarize", "compare"), "the two"),
        ("/unknown thing", (), "/unknown thing"),
        ("@web who owns Pelagit", (), "who owns Pelagit"),
    ],
)
def test_tags(message: str, actions: tuple[str, ...], text: str) -> None:
    routed = route(message)
    assert routed.actions == actions
    assert routed.text == text


def test_slash_web_is_a_wish_for_the_web() -> None:
    assert route("/web VAT rate").web
    assert route("@web VAT rate").web


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("who pays; who signs; by when", ["who pays", "who signs", "by when"]),
        ("1. Who pays?\n2. Who signs?", ["Who pays?", "Who signs?"]),
        ("Please: 1) who pays 2) who signs", ["who pays", "who signs"]),
        ("what does 'unless agreed; in writing' mean", []),
        ("Clause 3. What is it? Clause 7. And this?", []),
        ("What is in 2. and 3.?", []),
        ("one; two", []),
        ("long " * 70 + "; " + "text " * 70, []),
    ],
)
def test_several_questions(message: str, parts: list[str]) -> None:
    assert split_parts(message).parts == parts
