"""Tests the migration that renames a type in checkpoints: it changes only the type's name, at any nesting depth."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from core.store.checkpoints import serializer
from core.store.migrations.type_names import rename_type
from core.words import Words


def test_a_nested_object_gets_its_new_name_and_all_else_stays() -> None:
    value = {
        "deep": [({"words": Words(en="a", he="א")}, 2**40)],
        "when": datetime(2026, 1, 2, tzinfo=UTC),
        7: np.arange(3),
        "raw": b"core.words",
    }
    kind, packed = serializer().dumps_typed(value)
    away = rename_type(packed, "core.words.Words", "core.later.Sentences")
    assert b"core.later" in away
    back = serializer().loads_typed((kind, rename_type(away, "core.later.Sentences", "core.words.Words")))
    assert back["deep"][0][0]["words"] == Words(en="a", he="א")
    assert back["deep"][0][1] == 2**40
    assert back["when"] == value["when"]
    assert back["raw"] == b"core.words"
    assert list(back[7]) == [0, 1, 2]


def test_another_type_of_the_same_module_keeps_its_name() -> None:
    _, packed = JsonPlusSerializer().dumps_typed([Words(en="a", he="א")])
    assert rename_type(packed, "core.words.Language", "core.later.Language") == packed
