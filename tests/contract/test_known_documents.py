"""Tests document details in the knowledge graph on both record stores: every change is applied, and few documents are
read for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.knowledge.known_documents import CLOCKS_APART, DOCUMENTS, KnownDocuments
from core.store.scope import ScopedCollection
from core.store.truth import Change, Filter, Json, Truth

NOW = 1_700_000_000.0
LONG_AGO = NOW - 100 * CLOCKS_APART


def document(name: str, company: str, at: float = LONG_AGO, user_id: str = "ada") -> Json:
    about: dict[str, Any] = {"kind": "annual report", "organisations": [{"name": company, "aliases": []}]}
    return {"_id": name, "user_id": user_id, "metadata": about, "updated_at": at}


@pytest.fixture
async def known(truth: Truth) -> KnownDocuments:
    known = KnownDocuments(truth)
    await known.ensure()
    many = [document(f"doc {number}", f"Company {number}") for number in range(20)]
    await truth.collection(DOCUMENTS).insert_many([*many, document("hers", "Secret", user_id="ben")])
    assert set((await known.of("ada")).companies) == {f"company {number}" for number in range(20)}
    return known


async def companies(known: KnownDocuments) -> set[str]:
    return set((await known.of("ada")).companies)


async def test_only_what_changed_is_read_again(
    truth: Truth, known: KnownDocuments, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, read = ScopedCollection.find, list[str]()

    async def noted(rows: Any, filter: Filter | None = None, *, fields: Sequence[str] | None = None) -> list[Json]:
        found = await find(rows, filter, fields=fields)
        read.extend(str(row["_id"]) for row in found)
        return found

    await truth.collection(DOCUMENTS).insert_many([document("new", "Northwind", NOW)])
    await known.of("ada")
    monkeypatch.setattr(ScopedCollection, "find", noted)
    await truth.collection(DOCUMENTS).insert_many([document("newer", "Southwind", NOW)])
    assert {"northwind", "southwind"} <= await companies(known)
    assert set(read) == {"new", "newer"}


async def test_another_processs_change_is_seen_though_its_clock_is_behind(truth: Truth, known: KnownDocuments) -> None:
    await truth.collection(DOCUMENTS).insert_many([document("new", "Northwind", NOW)])
    await known.of("ada")
    behind = {"metadata.organisations": [{"name": "Southwind", "aliases": []}], "updated_at": NOW - CLOCKS_APART / 2}
    await truth.collection(DOCUMENTS).update("doc 3", Change(set=behind))
    found = await companies(known)
    assert "southwind" in found
    assert "company 3" not in found


async def test_what_a_document_told_goes_with_it(truth: Truth, known: KnownDocuments) -> None:
    await truth.collection(DOCUMENTS).delete({"_id": "doc 3"})
    assert "company 3" not in await companies(known)
    assert "company 4" in await companies(known)


async def test_nothing_is_known_of_others(truth: Truth, known: KnownDocuments) -> None:
    assert set((await known.of("ben")).companies) == {"secret"}
    assert set((await known.of("nobody")).companies) == set()


async def test_while_nothing_changes_what_is_known_stays_the_same_object(truth: Truth, known: KnownDocuments) -> None:
    first = await known.of("ada")
    await truth.collection(DOCUMENTS).update("doc 3", Change(set={"updated_at": NOW, "state": "processing"}))
    assert await known.of("ada") is first
