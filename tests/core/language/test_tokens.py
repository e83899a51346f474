from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.tokens import count_tokens, decode, encode


def test_known_ids() -> None:
    assert encode("hello world") == [15339, 1917]
    assert count_tokens("") == 0


def test_special_tokens_are_text() -> None:
    assert count_tokens("<|endoftext|>") > 1


@given(st.text())
def test_decoding_restores_the_text(text: str) -> None:
    assert decode(encode(text)) == text


@pytest.mark.parametrize("text", ["a" * 200_000, " " * 200_000, "\n" * 200_000, "!" * 200_000, "א" * 100_000])
def test_long_runs_of_one_character_end(text: str) -> None:
    assert 0 < count_tokens(text) <= len(text)


def test_threads_may_count_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(count_tokens, ["The same sentence, counted often."] * 50))) == 1
