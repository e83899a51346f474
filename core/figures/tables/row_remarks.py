"""Applies remarks in a document's text to table rows: "Uncalled commitments are shown in thousands of euros." sets the
unit of the row with this label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from core.figures.records import TableEvidence, TextEvidence
from core.language.cache_sizes import TEXTS
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.library.tables.records import Row, Table
from core.library.tables.units import scale_in, units_in

_LONGEST = 200
_LEAST_LETTERS = 4


def with_row_remarks(tables: Sequence[TableEvidence], texts: Sequence[TextEvidence]) -> tuple[TableEvidence, ...]:
    """Returns ``tables`` with units for rows whose label starts a sentence of their document that states the unit;
    existing units are kept."""
    said: dict[str, list[tuple[str, str]]] = {}
    for text in texts:
        said.setdefault(text.origin.document_id, []).extend(_remarks(text.text))
    return tuple(_remarked(each, [*said.get(each.origin.document_id, ()), *_notes(each.table)]) for each in tables)


def _notes(table: Table) -> Iterable[tuple[str, str]]:
    return [remark for note in table.notes for remark in _remarks(note)]


@lru_cache(maxsize=TEXTS)
def _remarks(text: str) -> tuple[tuple[str, str], ...]:
    """Returns (folded sentence, units) of the short sentences that state a scale."""
    if scale_in(text) is None:
        return ()
    found = []
    for sentence in (each.text for each in split_sentences(text)):
        if len(sentence) <= _LONGEST and not _is_of_a_row(sentence):
            units = units_in(sentence)
            if units and units.scale:
                found.append((fold(sentence), units.printed))
    return tuple(found)


def _is_of_a_row(sentence: str) -> bool:
    """Returns whether a sentence has a character that is typical of a table row and not of a remark."""
    return "|" in sentence or any(map(str.isdigit, sentence))


def _remarked(evidence: TableEvidence, remarks: Sequence[tuple[str, str]]) -> TableEvidence:
    if not remarks or evidence.table.blocks:
        return evidence
    rows = [_with_unit(row, remarks) for row in evidence.table.rows]
    if all(one is other for one, other in zip(rows, evidence.table.rows, strict=True)):
        return evidence
    return replace(evidence, table=evidence.table.model_copy(update={"rows": rows}))


def _with_unit(row: Row, remarks: Sequence[tuple[str, str]]) -> Row:
    label = fold(row.label)
    if row.unit or len(label) < _LEAST_LETTERS:
        return row
    unit = next((printed for sentence, printed in remarks if sentence.startswith(f"{label} ")), None)
    return row.model_copy(update={"unit": unit}) if unit else row
