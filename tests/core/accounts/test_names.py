from __future__ import annotations

import pytest

from core.accounts.names import LONGEST_NAME, plain_name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Nightly   export ", "Nightly export"),
        ("Re\u0301union", "R\u00e9union"),
        ("a" * LONGEST_NAME, "a" * LONGEST_NAME),
    ],
)
def test_a_name_is_kept_composed_and_with_single_spaces(typed: str, kept: str) -> None:
    assert plain_name(typed) == kept


@pytest.mark.parametrize("typed", ["", "   ", "a" * (LONGEST_NAME + 1), "bell\a", "export\u202etxt", "ex\u200bport"])
def test_what_could_look_like_another_name_is_none(typed: str) -> None:
    assert plain_name(typed) is None
