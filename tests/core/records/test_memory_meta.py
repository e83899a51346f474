"""Tests that the memory record matches ``docs/memory-meta.schema.json``. After a change of the record, run ``python
tests/core/test_memory_meta.py`` to write the schema again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError

from core.records.memory_meta import (
    KnownContext,
    KnownContextItem,
    MemoryMeta,
    PositionedMemory,
    RetrievalMeta,
    SearchPositionMap,
    TierPosition,
)

SCHEMA = Path(__file__).parents[3] / "docs" / "memory-meta.schema.json"


def written() -> str:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **MemoryMeta.model_json_schema()}
    return json.dumps({**schema, "title": "MemoryMetaV1"}, indent=2, ensure_ascii=False) + "\n"


def meta() -> MemoryMeta:
    memory_id = f"mem_{'0' * 32}"
    return MemoryMeta(
        conversation_id="conv_1",
        assistant_message_id="msg_1",
        user_id="ada",
        created_at=datetime(2026, 11, 21, tzinfo=UTC),
        retrieval=RetrievalMeta(
            query="What is reimbursed?",
            limit=5,
            tiers_considered=["working", "memory_bank"],
            tiers_used=["working"],
            search_position_map=SearchPositionMap(
                by_position=[PositionedMemory(position=1, tier="working", memory_id=memory_id)],
                by_memory_id={memory_id: TierPosition(position=1, tier="working")},
            ),
        ),
        known_context=KnownContext(
            known_context_text="…",
            known_context_items=[KnownContextItem(tier="working", memory_id=memory_id, content="…")],
        ),
    )


def test_the_schema_is_that_of_the_record() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == written()


def test_a_record_keeps_to_the_schema() -> None:
    jsonschema.validate(meta().model_dump(mode="json"), json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": "v2"},
        {"conversation_id": ""},
        {"surprise": 1},
        {"retrieval": {"query": "", "limit": 0, "tiers_considered": [], "tiers_used": []}},
        {"retrieval": {"query": "", "limit": 5, "tiers_considered": ["shelf"], "tiers_used": []}},
        {"feedback": {"eligible": True, "interrupted": False, "default_related_positions": [0]}},
    ],
)
def test_what_breaks_the_schema_is_no_record(change: dict[str, object]) -> None:
    broken = {**meta().model_dump(mode="json"), **change}
    with pytest.raises(ValidationError):
        MemoryMeta.model_validate(broken)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, json.loads(SCHEMA.read_text(encoding="utf-8")))


if __name__ == "__main__":
    SCHEMA.write_text(written(), encoding="utf-8")
