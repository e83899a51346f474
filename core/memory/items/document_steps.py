"""Splits a change of a document's items into steps, so that a long document does not block other writers."""

from __future__ import annotations

from core.store.truth import Collection, Filter

STEP = 1_000
"""Maximum number of items changed in one step."""


async def document_steps(items: Collection, document_id: str) -> list[Filter]:
    """Filters, one per step, that together cover all items of a document."""
    ids = await document_ids(items, document_id)
    if len(ids) <= STEP:
        return [{"document_id": document_id}]
    return [{"_id": {"$in": step}, "document_id": document_id} for step in in_steps(ids)]


async def document_ids(items: Collection, document_id: str) -> list[str]:
    return [str(row["_id"]) for row in await items.find({"document_id": document_id}, fields=["_id"])]


def in_steps(ids: list[str]) -> list[list[str]]:
    return [ids[start : start + STEP] for start in range(0, len(ids), STEP)]
