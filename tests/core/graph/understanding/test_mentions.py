from __future__ import annotations

import pytest

from core.graph.understanding.mentions import MARK, mentions, readable, tags, without_mentions


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ('what does @"Travel policy" say', ["Travel policy"]),
        ("@travel_policy.md, please", ["travel_policy.md"]),
        ("compare @a.pdf and @“B c”.", ["a.pdf", "B c"]),
        ("see @[Travel policy](doc_1)", ["Travel policy"]),
        ("סכם את @מדיניות_נסיעות ואת ב@נוהל", ["מדיניות_נסיעות", "נוהל"]),
        ("write to dana@example.com", []),
        ("@audit my draft", []),
        ("@ nothing", []),
        ('@"unclosed', []),
    ],
)
def test_names_behind_an_at(message: str, names: list[str]) -> None:
    assert [each.name for each in mentions(message)] == names


def test_a_mention_may_carry_its_document() -> None:
    assert mentions("see @[Travel policy](doc_1)")[0].document_id == "doc_1"


def test_tags_are_no_documents() -> None:
    found = tags("@summarize @web the lease, @audit")
    assert found.actions == ("summarize", "audit")
    assert found.web
    assert tags("@השווה את שניהם").actions == ("compare",)


def test_text_without_mentions() -> None:
    message = 'Compare @"A b" with @c.md please @compare'
    assert without_mentions(message) == "Compare with please"
    assert without_mentions(message, MARK) == f"Compare {MARK} with {MARK} please"


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("@summarize @[Lease of 2024.pdf](doc_1)", "Lease of 2024"),
        ('Compare @"Old lease.docx" with @new_lease.md.', "Compare Old lease with new_lease."),
        (
            "What does #finance say about https://example.org/page.html?",
            "What does finance say about https://example.org/page.html?",
        ),
        ("Is version 2.0 of Node.js in #3?", "Is version 2.0 of Node.js in #3?"),
        ("@summarize", "@summarize"),
        ("מה כתוב ב@[חוזה.pdf](doc_2)?", "מה כתוב בחוזה?"),
    ],
)
def test_a_title_has_names_and_no_marks(message: str, title: str) -> None:
    assert readable(message) == title
