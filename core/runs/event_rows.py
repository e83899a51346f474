"""Rows of ``run_events``: *events of a run* ↔ rows, and what is kept of them once the run has ended.

While it goes on, each piece of an answer and each count of a step is a row, so that whoever reads gets it at once. Of
an ended run the page is drawn from less: the text in one piece, and of each step the last that was said of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue, TypeAdapter

from core.events import AssistantDelta, Entry, StepDetail, event_adapter
from core.runs.event_bounds import bounded
from core.store.truth import Delete, Json, Upsert, Write

PIECEMEAL = ("assistant.delta", "step.detail")
"""Types of events of which many rows become few."""

LARGE = ("response", "sources")
"""Types of events that were stored without a bound once."""

_BEGINS: TypeAdapter[list[tuple[int, int]]] = TypeAdapter(list[tuple[int, int]])
"""Sequence of each piece of a folded delta, and where its text begins."""


def row_of(user_id: str, entry: Entry) -> Json:
    return {
        "_id": f"{entry.run_id}:{entry.sequence:08d}",
        "user_id": user_id,
        "run_id": entry.run_id,
        "sequence": entry.sequence,
        "at": entry.at,
        "event": bounded(event_adapter.dump_python(entry.event, mode="json")),
    }


def entry_of(row: Json, after: int = 0) -> Entry:
    """Of a folded delta only what its reader has not seen: a slow tail may have read some of the pieces."""
    event = row["event"]
    known = {key: row[key] for key in ("run_id", "sequence", "at")}
    if isinstance(event, dict) and event.get("type") in LARGE:
        event = bounded(event)
    entry = Entry.model_validate({**known, "event": event})
    begins = _BEGINS.validate_python(row.get("begins") or [])
    unseen = min((begin for sequence, begin in begins if sequence > after), default=0)
    if not unseen or not isinstance(entry.event, AssistantDelta):
        return entry
    return entry.model_copy(update={"event": AssistantDelta(text=entry.event.text[unseen:])})


def compaction(user_id: str, rows: Sequence[Json]) -> list[Write]:
    """What to write so that less stays of the ``PIECEMEAL`` rows of an ended run, which come in their order."""
    return [*_joined_text(user_id, rows), *_superseded_details(rows)]


def _joined_text(user_id: str, rows: Sequence[Json]) -> list[Write]:
    """Under the sequence of the last piece."""
    pieces = [(row, entry_of(row)) for row in rows]
    told = [(row, entry, entry.event) for row, entry in pieces if isinstance(entry.event, AssistantDelta)]
    if len(told) < 2:
        return []
    text = ""
    begins: list[JsonValue] = []
    for _, entry, event in told:
        begins.append([entry.sequence, len(text)])
        text += event.text
    _, last, _ = told[-1]
    whole = last.model_copy(update={"event": AssistantDelta(text=text)})
    folded: Json = {**row_of(user_id, whole), "begins": begins}
    return [Upsert(folded), *(Delete(str(row["_id"])) for row, _, _ in told[:-1])]


def _superseded_details(rows: Sequence[Json]) -> list[Write]:
    newest: dict[str, str] = {}
    superseded: list[Write] = []
    for row in rows:
        event = entry_of(row).event
        if isinstance(event, StepDetail):
            if event.step_id in newest:
                superseded.append(Delete(newest[event.step_id]))
            newest[event.step_id] = str(row["_id"])
    return superseded
