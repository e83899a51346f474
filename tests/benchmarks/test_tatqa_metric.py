"""Tests the TAT-QA scoring with answers whose score follows from the paper's definition."""

from __future__ import annotations

import pytest

from benchmarks.tatqa import page, strings_of
from benchmarks.tatqa_metric import is_number, number, score


@pytest.mark.parametrize(
    ("label", "kind", "scale", "said", "said_scale", "exact"),
    [
        (["$1,496.5"], "span", "million", ["1496.5"], "million", 1.0),
        (["$1,496.5"], "span", "million", ["1496.5"], "thousand", 0.0),
        (["$1,496.5"], "span", "million", ["1496500"], "thousand", 1.0),
        (-12.6, "arithmetic", "million", ["-12.600001"], "million", 1.0),
        (12.6, "arithmetic", "million", ["-12.6"], "million", 0.0),
        (-22.22, "arithmetic", "percent", ["-22.2222"], "percent", 1.0),
        (22.22, "arithmetic", "percent", ["0.2222"], "", 1.0),
        (2, "count", "", ["2"], "", 1.0),
        (["2019", "2018"], "multi-span", "", ["2018", "2019"], "", 1.0),
        (["2019", "2018"], "multi-span", "", ["2018"], "", 0.0),
        (["The cost of sales"], "span", "", ["cost of sales."], "", 1.0),
        (["Rent"], "span", "", [], "", 0.0),
    ],
)
def test_exact_match(
    label: list[str] | float, kind: str, scale: str, said: list[str], said_scale: str, exact: float
) -> None:
    assert score(label, kind, scale, said, said_scale)[0] == exact


def test_f1_counts_shared_words() -> None:
    assert score(["rent and wages"], "span", "", ["rent"], "")[1] == pytest.approx(0.5)


def test_numbers_with_signs_and_scales() -> None:
    assert is_number("$ (9.8) million")
    assert number("$(9.8) million") == -9_800_000.0
    assert number("4.5%") == 0.045
    assert not is_number("about 5")


def test_what_is_printed_is_said_for_cells_and_the_value_for_what_is_calculated() -> None:
    cell = {"text": "(2,085)", "value": -2085.0}
    printed = {"kind": "figure", "value": -2085.0, "scale": 1e3, "unit": None, "cells": [cell]}
    assert strings_of(printed) == (["(2,085)"], "thousand")
    worked = {"kind": "calculation", "value": 4.8, "scale": 1.0, "unit": "%", "cells": [cell, cell]}
    assert strings_of(worked) == (["4.8"], "percent")
    assert strings_of({"kind": "undecided", "value": 1.0, "decided": False}) == ([], "")


def test_the_page_holds_paragraphs_in_their_order_and_the_cells_as_they_are() -> None:
    context = {
        "paragraphs": [{"order": 2, "text": "Second"}, {"order": 1, "text": "First <b>"}],
        "table": {"table": [["", "2019"], ["Rent", "$ 5"]]},
    }
    text = page(context)
    assert text.index("First &lt;b&gt;") < text.index("Second") < text.index("<td>$ 5</td>")
