"""Tests that model output is valid Unicode, whatever its service sends."""

from hypothesis import given
from hypothesis import strategies as st

from core.models.unicode_repair import UnicodeRepair

TEXTS = st.lists(st.text(st.characters(exclude_categories=()), max_size=4), max_size=6)


def repaired(pieces: list[str]) -> str:
    repair = UnicodeRepair()
    return "".join([*map(repair.feed, pieces), repair.finish()])


def test_a_pair_that_was_cut_is_joined_and_a_lone_half_replaced() -> None:
    assert repaired(["a\ud83d", "\ude00b"]) == "a\U0001f600b"
    assert repaired(["a\ud83d", "", "b"]) == "a\ufffdb"
    assert repaired(["\ude00", "x\ud83d"]) == "\ufffdx\ufffd"


@given(TEXTS)
def test_every_text_can_be_stored_and_valid_ones_are_untouched(pieces: list[str]) -> None:
    whole = repaired(pieces)
    whole.encode("utf-8")
    try:
        "".join(pieces).encode("utf-8")
    except UnicodeEncodeError:
        return
    assert whole == "".join(pieces)
