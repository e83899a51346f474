"""Loads public test sets of questions whose answers are in known passages."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from core.library.chunking.chunks import chunk_structure
from core.library.extracted import Block
from core.library.structure.sections import structure_of
from core.setting_groups import Chunking

Score = Callable[[int, Sequence[int]], float]
"""Takes a question and the places of the passages found, best first; returns a score from 0 to 1."""


@dataclass(frozen=True)
class Measure:
    """``goal``: the project's target; ``reference``: others' published figures, for comparison."""

    name: str
    score: Score
    goal: float | None = None
    decides: bool = False
    reference: str = ""


@dataclass(frozen=True)
class TestSet:
    """A test set. Passages are in reading order; ``documents[i]`` is the title of passage ``i``'s document; ``gold``:
    by question."""

    __test__ = False

    name: str
    passages: list[str]
    documents: list[str]
    questions: list[str]
    gold: list[frozenset[int]]
    measures: list[Measure]


def load_sets(data: Path) -> list[TestSet]:
    """Loads the sets whose folder exists; prints the names of the others."""
    found = []
    for name, (where, load) in SETS.items():
        if (data / name).is_dir():
            found.append(load(data / name))
        else:
            print(f"Skipped {name}: {data / name} does not exist. {where}")
    return found


def heq(folder: Path) -> TestSet:
    """Hebrew questions, each written for one paragraph; a paragraph is a passage, an article a document."""
    articles = json.loads((folder / "val_v1.1.json").read_text(encoding="utf-8"))["data"]
    paragraphs = [(article["title"], paragraph) for article in articles for paragraph in article["paragraphs"]]
    asked = [(qa["question"], place) for place, (_, paragraph) in enumerate(paragraphs) for qa in paragraph["qas"]]
    gold = [frozenset([place]) for _, place in asked]
    return TestSet(
        name="heq",
        passages=[paragraph["context"] for _, paragraph in paragraphs],
        documents=[title for title, _ in paragraphs],
        questions=[question for question, _ in asked],
        gold=gold,
        measures=[
            Measure("R@1", _recall(gold, 1), 0.90, True, "character 4-grams .878"),
            Measure("R@5", _recall(gold, 5)),
            Measure("MRR", _reciprocal(gold), 0.93, True, "character 4-grams .914"),
        ],
    )


def code_search(folder: Path) -> TestSet:
    """English questions about code files that are cut into short pieces."""
    files = json.loads((folder / "codebase_chunks.json").read_text(encoding="utf-8"))
    pieces = [(file, piece) for file in files for piece in file["chunks"]]
    place = {(file["original_uuid"], piece["original_index"]): n for n, (file, piece) in enumerate(pieces)}
    lines = (folder / "evaluation_set.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    gold = [frozenset(place[uuid, index] for uuid, index in row["golden_chunk_uuids"]) for row in asked]
    return TestSet(
        name="code_search",
        passages=[piece["content"] for _, piece in pieces],
        documents=[file["doc_id"] for file, _ in pieces],
        questions=[row["query"] for row in asked],
        gold=gold,
        measures=[
            Measure("Pass@5", _recall(gold, 5), reference="min-max fusion .836"),
            Measure("Pass@10", _recall(gold, 10), 0.90, True, "min-max fusion .879"),
            Measure("Pass@20", _recall(gold, 20), reference="min-max fusion .910"),
        ],
    )


def chunking(folder: Path) -> TestSet:
    """English questions about three long texts in our own chunks; scored by the characters found."""
    rows = list(csv.DictReader((folder / "questions.csv").open(encoding="utf-8", newline="")))
    chunks = [
        (name, piece)
        for name in sorted({row["corpus_id"] for row in rows})
        for piece in chunk_structure(
            structure_of([Block(text=(folder / f"{name}.md").read_text(encoding="utf-8"))]), Chunking()
        )
    ]
    wanted = [_characters((r["start_index"], r["end_index"]) for r in json.loads(row["references"])) for row in rows]
    held = [(name, frozenset(range(piece.start, piece.end))) for name, piece in chunks]

    def recall(question: int, found: Sequence[int]) -> float:
        name = rows[question]["corpus_id"]
        got = [held[place][1] & wanted[question] for place in found[:5] if held[place][0] == name]
        return len(frozenset().union(*got)) / len(wanted[question])

    return TestSet(
        name="chunking",
        passages=[piece.text for _, piece in chunks],
        documents=[name for name, _ in chunks],
        questions=[row["question"] for row in rows],
        gold=[
            frozenset(place for place, (name, span) in enumerate(held) if name == row["corpus_id"] and span & want)
            for row, want in zip(rows, wanted, strict=True)
        ],
        measures=[Measure("recall at 5", recall, 0.98, True, "BM25 .985, RRF .934 (500/50 chunks)")],
    )


SETS: dict[str, tuple[str, Callable[[Path], TestSet]]] = {
    "heq": ("HeQ v1.1 (NNLP-IL/HeQ, CC BY 4.0): val_v1.1.json", heq),
    "code_search": (
        "The contextual-embeddings data of anthropics/anthropic-cookbook (MIT): codebase_chunks.json and "
        "evaluation_set.jsonl",
        code_search,
    ),
    "chunking": (
        "brandonstarxel/chunking_evaluation (MIT): questions.csv and its corpora chatlogs.md, state_of_the_union.md "
        "and wikitexts.md",
        chunking,
    ),
}


def _characters(spans: Iterable[tuple[int, int]]) -> frozenset[int]:
    return frozenset().union(*(range(start, end) for start, end in spans))


def _recall(gold: list[frozenset[int]], most: int) -> Score:
    return lambda question, found: len(gold[question] & set(found[:most])) / len(gold[question])


def _reciprocal(gold: list[frozenset[int]]) -> Score:
    def score(question: int, found: Sequence[int]) -> float:
        return next((1 / rank for rank, place in enumerate(found, start=1) if place in gold[question]), 0.0)

    return score


def average(measure: Measure, rankings: Sequence[Sequence[int]]) -> float:
    """Returns the mean over all questions; ``rankings[i]`` belongs to question ``i``."""
    return mean(measure.score(question, found) for question, found in enumerate(rankings))
