from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.documents.citations import check_citations


@pytest.mark.parametrize(
    ("text", "checked", "removed"),
    [
        ("Paid in May [1].", "Paid in May [1].", []),
        ("Paid [1][2].", "Paid [1][2].", []),
        ("Paid [1, 2].", "Paid [1][2].", []),
        ("Paid [1; 9].", "Paid [1].", [9]),
        ("Paid [1 and 2].", "Paid [1][2].", []),
        ("Paid [Source 1].", "Paid [1].", []),
        ("Paid [source 1, source 2].", "Paid [1][2].", []),
        ("Paid [Source 2 - memo.docx].", "Paid [2].", []),
        ("שולם [מקור 1].", "שולם [1].", []),
        ("שולם [מקורות 1, 2].", "שולם [1][2].", []),
        ("Paid [9].", "Paid.", [9]),
        ("Paid [9], later [8] [1].", "Paid, later [1].", [9, 8]),
        ("In `rows[9]` and [9].", "In `rows[9]` and.", [9]),
        ("```\nx[9]\n```\nSo [1].", "```\nx[9]\n```\nSo [1].", []),
        ("See [1](https://example.org).", "See [1](https://example.org).", []),
        ("In [2024] nothing.", "In [2024] nothing.", []),
        ("- a [9] b\n    - c  [1]", "- a b\n    - c [1]", [9]),
        ("No marker.", "No marker.", []),
    ],
)
def test_markers(text: str, checked: str, removed: list[int]) -> None:
    result = check_citations(text, {1, 2})
    assert (result.text, result.removed) == (checked, removed)


def test_numbers_are_told_once_in_order_of_appearance() -> None:
    assert check_citations("B [2], a [1], b [2].", {1, 2}).numbers == [2, 1]


@given(st.text(alphabet="ab [],`1239;\n", max_size=60), st.sets(st.integers(1, 9)))
def test_what_remains_names_a_source_and_checking_again_changes_nothing(text: str, known: set[int]) -> None:
    once = check_citations(text, known)
    assert set(once.numbers) <= known
    assert not set(once.removed) & known
    again = check_citations(once.text, known)
    assert set(again.numbers) == set(once.numbers)
