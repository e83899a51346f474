"""Tests that a model's comparison cannot say *same* or *differs* when the documents do not support it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.summaries import as_source
from core.prompts.templates import Prompts
from core.review.actions.compare import Comparer
from core.review.actions.comparison import Comparison

ONE = """# Lease

The tenant gives notice of 30 days before leaving. The tenant may not keep dogs in the flat.
The deposit of $900 is returned on 4 May 2021. The landlord repairs the boiler. Parking is free of charge.
"""
TWO = """# Lease

The tenant gives notice of 60 days before leaving. The tenant may keep dogs in the flat.
The deposit of $900 is returned on 9 June 2021. The landlord repairs the boiler. Visitors sign a book at the gate.
"""


def says(pairs: Sequence[tuple[str, str]]) -> list[list[dict[str, object]]]:
    return [[{"document": n, "text": text} for n, text in enumerate(pair, 1)] for pair in pairs]


async def compared(
    prompts: Prompts, scripted: Any, same: Sequence[tuple[str, str]], differing: Sequence[tuple[str, str]] = ()
) -> Comparison:
    themes = [{"theme": "Lease", "cells": [{"document": 1, "text": "A lease."}]}]
    answer = {"themes": themes, "agreements": says(same), "differences": says(differing)}
    return await Comparer(prompts, scripted(json.dumps(answer))).compare([as_source(ONE), as_source(TWO, 2)], "en")


def told(findings: list[Any]) -> set[str]:
    return {text for each in findings for _, text in each.says}


@pytest.mark.parametrize(
    "pair",
    [
        ("The tenant gives notice of 30 days.", "The tenant gives notice of 60 days."),
        ("The tenant gives notice before leaving.", "The tenant gives notice before leaving."),
        ("The tenant may not keep dogs in the flat.", "The tenant may keep dogs in the flat."),
        ("The deposit is returned on 4 May 2021.", "The deposit is returned on 9 June 2021."),
        ("The deposit of $900 is returned.", "The deposit is returned on 9 June 2021."),
    ],
)
async def test_same_falls_where_figures_dates_or_denials_differ(
    prompts: Prompts, scripted: Any, pair: tuple[str, str]
) -> None:
    result = await compared(prompts, scripted, [pair])
    assert result.generated
    assert not told(result.agreements) & set(pair)


async def test_the_difference_of_the_rules_stands_where_the_model_says_same(prompts: Prompts, scripted: Any) -> None:
    result = await compared(
        prompts, scripted, [("The tenant gives notice of 30 days.", "The tenant gives notice of 60 days.")]
    )
    assert "The tenant gives notice of 30 days before leaving." in told(result.differences)


async def test_same_that_the_documents_bear_out_stands(prompts: Prompts, scripted: Any) -> None:
    pair = ("The landlord repairs the boiler.", "The landlord repairs the boiler.")
    result = await compared(prompts, scripted, [pair])
    assert [each.says for each in result.agreements] == [[(1, pair[0]), (2, pair[1])]]
    assert {quote.number for quote in result.quotes} == {1, 2}


async def test_a_difference_of_what_is_the_same_is_not_decided(prompts: Prompts, scripted: Any) -> None:
    pair = ("The landlord repairs the boiler.", "The landlord repairs the boiler.")
    result = await compared(prompts, scripted, [], [pair])
    assert pair[0] not in told(result.differences)
    assert told(result.undecided) == set(pair)
    assert "Unclear whether these differ" in result.text
    assert "Unclear whether these differ" in result.to_csv()


async def test_a_figure_that_the_document_lacks_is_left_out(prompts: Prompts, scripted: Any) -> None:
    pair = ("The tenant gives notice of 45 days.", "The tenant gives notice of 60 days.")
    result = await compared(prompts, scripted, [], [pair])
    assert pair[0] not in told(result.differences) | told(result.undecided)
    assert "left out" in result.notices[-1].en


async def test_a_difference_that_both_bear_out_stands(prompts: Prompts, scripted: Any) -> None:
    pair = ("The notice is 30 days.", "The notice is 60 days.")
    result = await compared(prompts, scripted, [], [pair])
    assert result.differences[0].says == [(1, pair[0]), (2, pair[1])]
    assert "The tenant gives notice of 30 days before leaving." not in told(result.differences)


async def test_a_cell_keeps_the_words_and_the_page_of_the_model(prompts: Prompts, scripted: Any) -> None:
    cells = [{"document": 1, "text": "The tenant gives notice of 30 days.", "page": 4}]
    model = scripted(json.dumps({"themes": [{"theme": "Notice", "cells": cells}]}))
    result = await Comparer(prompts, model).compare([as_source(ONE), as_source(TWO, 2)], "en")
    assert "The tenant gives notice of 30 days. (p. 4) [1]" in result.text
