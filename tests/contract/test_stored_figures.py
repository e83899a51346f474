"""Tests that stored figures are kept for each user, replaced and removed, on both record stores."""

from __future__ import annotations

from core.figures.stored.figure_store import FigureStore
from core.figures.stored.packed import PackedFigures
from core.library.contents import FIGURE_LABELS, FIGURES, Contents
from core.library.structure.records import Outline
from core.store.truth import Truth


def figures(label: str, value: float) -> PackedFigures:
    """One figure with this label."""
    return PackedFigures.model_validate({
        "texts": ["", label, f"{value:g}"],
        "tables": {"number": [0], "caption": [0], "context": [[]]},
        "rows": {
            "table": [0], "row": [0], "page": [1], "label": [1], "parents": [[]], "own": [[1]], "above": [[]],
            "section": [[]], "keys": [[]], "above_keys": [[]], "total": [False], "principal": [False],
        },
        "heads": {"label": [0], "own": [[]], "keys": [[]]},
        "cells": {
            "row": [0], "head": [0], "column": [0], "value": [value], "text": [2], "period": [0], "unit": [0],
            "scale": [1.0], "currency": [0], "segment": [0],
        },
    })  # fmt: skip


async def test_figures_are_read_by_their_owner_only(truth: Truth) -> None:
    store = FigureStore(truth)
    await store.ensure()
    await store.put("ada", "doc_1", figures("harbour", 7))
    await store.put("ben", "doc_2", figures("ferri", 8))
    (entry,) = await FigureStore(truth).entries("ada")
    assert (entry.document_id, entry.figures, entry.stems) == ("doc_1", 1, {"harbour"})
    block = await store.block("ada", "doc_1", entry.stamp)
    assert block is not None
    assert block.count == 1
    assert await store.block("ben", "doc_1", entry.stamp) is None
    assert await store.written() == {"doc_1", "doc_2"}


async def test_a_new_reading_replaces_the_figures_in_every_process(truth: Truth) -> None:
    store, other = FigureStore(truth), FigureStore(truth)
    await store.put("ada", "doc_1", figures("harbour", 7))
    (before,) = await other.entries("ada")
    await other.block("ada", "doc_1", before.stamp)
    await store.put("ada", "doc_1", figures("shipyard", 9))
    (after,) = await other.entries("ada")
    block = await other.block("ada", "doc_1", after.stamp)
    assert after.stems == {"shipyard"}
    assert block is not None
    assert block.own.keys() == {"shipyard"}


async def test_figures_go_with_the_tables(truth: Truth) -> None:
    store, contents = FigureStore(truth), Contents(truth)
    await store.put("ada", "doc_1", figures("harbour", 7))
    await contents.put("ada", "doc_1", Outline(), [])
    assert await store.entries("ada") == []
    for name in (FIGURES, FIGURE_LABELS):
        assert await truth.collection(name).count() == 0


async def test_figures_in_an_older_form_count_as_missing(truth: Truth) -> None:
    store = FigureStore(truth)
    await store.put("ada", "doc_1", figures("harbour", 7))
    row = await truth.collection(FIGURE_LABELS).get("doc_1")
    await truth.collection(FIGURE_LABELS).upsert({**(row or {}), "format": 0})
    assert await store.entries("ada") == []
    assert await store.written() == set()
