"""Runs TAT-QA without server and search: each context's file is read by the product's extraction, and the rules answer
from its table."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.tatqa import Json, Told, page
from core.figures.records import Candidate, Evidence, Origin, TableEvidence, TextEvidence
from core.figures.tables.answers import answer_from_tables
from core.figures.tables.confidence import HIGH
from core.language.detection import detect
from core.library.extract import extract
from core.question.analysed import AnalysedQuestion
from core.question.focus import focus_of
from core.settings import Settings


def evidence_of(number: int, context: Json) -> Evidence:
    """Returns the tables of the context's file, as reading extracts them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "context.html")
        path.write_text(page(context), encoding="utf-8")
        read = extract(path, path.name, Settings(_env_file=None))  # type: ignore[call-arg]
    origin = Origin(1, f"context {number}", filename=path.name)
    tables = (TableEvidence(origin, place, table, score=1.0) for place, table in enumerate(read.tables))
    texts = (TextEvidence(origin, "", block.text) for block in read.blocks if block.table is None)
    return Evidence(tuple(tables), tuple(texts))


def candidates_of(number: int, context: Json, questions: Sequence[str]) -> Iterator[list[Candidate]]:
    evidence = evidence_of(number, context)
    for text in questions:
        question = AnalysedQuestion(text, detect(text), focus_of(text).asked)
        yield asyncio.run(answer_from_tables(question, evidence, None))


def ask_rules(number: int, context: Json, questions: Sequence[str]) -> Iterator[Told]:
    for candidates in candidates_of(number, context, questions):
        if not candidates:
            yield Told()
            continue
        best = candidates[0]
        confidence = "high" if best.sureness >= HIGH else "medium"
        yield Told(best.answer.model_dump(mode="json"), confidence)
