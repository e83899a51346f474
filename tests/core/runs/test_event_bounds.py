"""Tests that events that are too large are cut and stay valid."""

from __future__ import annotations

import json
import time

from core.events import Entry, Passage, Quote, Response, Source, Sources
from core.records.answer import MOST_QUOTES
from core.runs.event_bounds import MOST_CHARACTERS, bounded
from core.runs.event_rows import entry_of, row_of


def test_a_small_event_is_left_as_it_is() -> None:
    told = Response(kind="told", text="Yes", language="en")
    event = row_of("ada", Entry(run_id="run_1", sequence=1, at=0.0, event=told))
    assert bounded(event["event"]) is event["event"]  # type: ignore[arg-type]


def test_a_large_event_is_cut_and_can_be_read() -> None:
    passages = [Passage(item_id=f"mem_{n}", text="water " * 100) for n in range(20_000)]
    source = Source(number=1, document_id="doc_1", title="T", filename="t.csv", score=1.0, passages=passages)
    row = row_of("ada", Entry(run_id="run_1", sequence=1, at=0.0, event=Sources(sources=[source], confidence="high")))
    assert len(json.dumps(row)) < 1.2 * MOST_CHARACTERS
    read = entry_of(row).event
    assert isinstance(read, Sources)
    assert 20 <= len(read.sources[0].passages) < 20_000


def test_an_event_that_was_stored_without_a_bound_is_read_quickly() -> None:
    quote = Quote(number=1, item_id="mem_1", text="A row of the table").model_dump(mode="json")
    response = Response(kind="extractive", text="Rows", language="en").model_dump(mode="json")
    row = {"run_id": "run_1", "sequence": 1, "at": 0.0, "event": {**response, "quotes": [quote] * 100_000}}
    began = time.process_time()
    read = entry_of(row).event
    assert time.process_time() - began < 2.0
    assert isinstance(read, Response)
    assert len(read.quotes) == MOST_QUOTES
