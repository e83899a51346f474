"""Tests that a question matches a tool that is described in the other language."""

from __future__ import annotations

import pytest

from core.tools.bearing import asked_terms, things_named
from core.tools.ranking import offered, rank
from tests.core.tools.test_ranking import entry

CLOCK = "Get current time in a specific timezone"
FILES = "Read the complete contents of a file from the file system as text"
STOCK = "בדיקת מלאי של מוצר במחסן"


@pytest.mark.parametrize(
    ("question", "described"),
    [
        ("מה השעה עכשיו בטוקיו?", CLOCK),
        ("תקרא את הקובץ minutes.txt", FILES),
        ("how much stock is in the warehouse", STOCK),
        ("check the inventory of this product", STOCK),
    ],
)
def test_what_is_asked_in_one_language_is_covered_by_the_other(question: str, described: str) -> None:
    assert asked_terms(question).covered(described) >= 2


@pytest.mark.parametrize("question", ["מי חתם על ההסכם?", "who chairs the committee?", "מה דמי השכירות"])
@pytest.mark.parametrize("described", [CLOCK, FILES, STOCK])
def test_what_has_nothing_to_do_with_it_is_not(question: str, described: str) -> None:
    assert asked_terms(question).covered(described) == 0


def test_what_a_question_hands_over_says_nothing_of_the_tool() -> None:
    assert "data" not in asked_terms("קרא את /data/notes.txt מ-2024").terms
    assert asked_terms('"read the file"').terms, "where nothing else is said, that is what is asked"


def test_a_word_of_documents_counts_where_tools_do_it() -> None:
    assert "file" in asked_terms("read the file").terms
    assert things_named("קבצים") & things_named("files")


def test_of_tools_alike_the_one_that_is_called_so_goes_first() -> None:
    both = "Works with files and directories: create, list, read."
    made = [entry("list_directory", description=both), entry("create_directory", description=both)]
    (first, *_) = offered(rank(made, "צור תיקייה חדשה"))
    assert first.entry.name == "create_directory"
    assert first.relevant
