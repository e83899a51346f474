"""Converts a run's events to rows of ``run_events`` and back, and compacts the rows once the run has ended.

During the run, each piece of an answer and each progress count is a row, so that readers get it immediately. After the
end, less is needed for display: the text in one piece, and the last event of each step.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue, TypeAdapter

from core.events import AssistantDelta, Entry, StepDetail, event_adapter
from core.runs.event_bounds import bounded
from core.store.truth import Delete, Json, Upsert, Write

PIECEMEAL = ("assistant.delta", "step.detail")
"""Types of events that are stored in many rows and combined into a few when the run has ended."""

LARGE = ("response", "sources")
"""Types of events that were stored without a size limit in earlier versions."""

_BEGINS: TypeAdapter[list[tuple[int, int]]] = TypeAdapter(list[tuple[int, int]])
"""Sequence number of each piece in a combined delta, and the position where its text begins."""


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
    """The event of a row; of a combined delta only what its reader has not seen, because a slow reader may have read
    some of the pieces."""
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
    """The writes that compact the ``PIECEMEAL`` rows of an ended run, which are given in order."""
    return [*_joined_text(user_id, rows), *_superseded_details(rows)]


def _joined_text(user_id: str, rows: Sequence[Json]) -> list[Write]:
    """The joined text, with the sequence number of the last piece."""
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
