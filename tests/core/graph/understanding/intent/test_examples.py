"""Tests the intent examples, and whether the shipped weights were fitted on them."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from core.graph.understanding.intent.examples import VARIANTS, WISHES, Wish, digest, examples, files
from core.graph.understanding.intent.logistic_regression import shipped

HEBREW = re.compile("[א-ת]")


@pytest.mark.parametrize("wish", WISHES)
def test_every_wish_is_worded_in_both_languages(wish: Wish) -> None:
    lines = {each.line for each in examples() if each.wish == wish}
    assert sum(".he." in line for line in lines) >= 20
    assert sum(".en." in line for line in lines) >= 20


def test_whatever_stands_in_braces_is_filled_in_and_with_more_than_one_thing() -> None:
    texts: dict[str, set[str]] = defaultdict(set)
    for each in examples():
        assert not re.search(r"[{}]", each.text), each
        texts[each.line].add(each.text)
    assert all(len(found) == 1 + (VARIANTS if "{" in line else 1) for line, found in texts.items())


def test_no_text_is_an_example_of_two_wishes() -> None:
    wishes: dict[str, set[Wish]] = defaultdict(set)
    for each in examples():
        wishes[each.text].add(each.wish)
    assert [text for text, found in wishes.items() if len(found) > 1] == []


def test_each_language_has_a_file() -> None:
    assert [file.name for file in files()] == ["examples.en.yaml", "examples.he.yaml"]
    assert all(HEBREW.search(each.text) for each in examples() if ".he." in each.line and "{" not in each.line)


def test_the_weights_were_fitted_on_these_examples() -> None:
    """If this fails, run ``python -m benchmarks.intent_weights``."""
    weights = shipped()
    assert weights is not None, "they were made for other features"
    assert weights.examples == digest()
