"""Measures search and answers over real company filings, with questions that other people wrote.

A folder contains PDFs and ``questions.jsonl``, one question per line with ``question``, ``answer``, ``document`` (a
file name) and ``evidence`` (``document`` and ``page``, counted from 1). FinanceBench's open set has that form
(patronus-ai/financebench, CC BY-NC 4.0: for measurements only, not for distribution). All files are uploaded to one
served workbench through its own endpoints. Each question is then asked in a new conversation, without a model. If the
workbench asks which document is meant, it gets the right one, as from a user who knows it.

``doc@k`` and ``page@k``: the share of questions whose document, or one of whose pages, is among the first k in the
order in which the passages are shown. The baseline is BM25 over whole pages as PDFium reads them, with the words of the
filename.

    python -m benchmarks.filings --data FOLDER [--words-only] [--cache FILE] [--json FILE] [--questions N]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2
from gradio_client import Client, handle_file

from benchmarks.first_line import is_sure, judged
from benchmarks.report import Figure, Report
from benchmarks.served import Answer, keep_vectors, last, put_vectors, served, wait
from benchmarks.whole_words import words_held
from core.language.detection import detect
from core.language.terms import index_terms, query_terms
from core.library.chunking.chunks import chunk_structure
from core.library.extract import extract
from core.library.structure.sections import structure_of
from core.search.local_bm25 import LocalBm25
from core.settings import Settings

READING = 3600.0
EMBEDDING = 4 * 3600.0
MOST_REPLIES = 4
CUTS = (("doc", 1), ("doc", 5), ("page", 1), ("page", 5), ("page", 10))
GOALS = {"doc@1": 0.92, "doc@5": 0.98, "page@1": 0.40, "page@5": 0.70, "page@10": 0.80}
BELOW = 0.10
"""How much lower the figures of keyword-only search may be."""
MOST_NOTHING = 0.02
WORDS, DROPPED = 0.995, 0.05

Page = tuple[str, int]


@dataclass(frozen=True)
class Question:
    """A question. ``pages`` are the pages that answer it."""

    text: str
    answer: str
    document: str
    pages: frozenset[Page]


@dataclass
class Asked:
    """A question's result: the pages in the order shown, the answer as data, and how often the workbench asked back."""

    question: Question
    answer: Answer
    shown: list[Page] = field(default_factory=list)
    replies: int = 0
    seconds: float = 0.0

    @property
    def found_nothing(self) -> bool:
        return not self.shown


def questions_of(folder: Path) -> list[Question]:
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines() if line]
    return [
        Question(
            row["question"],
            str(row["answer"]),
            row["document"],
            frozenset((each.get("document", row["document"]), int(each["page"])) for each in row["evidence"]),
        )
        for row in rows
    ]


def upload(client: Client, files: Sequence[Path], *, words_only: bool) -> None:
    """Adds all files to the library and waits until they can be searched, by embeddings too unless ``words_only``."""
    for path in files:
        told = client.predict(handle_file(path), path.name, "keep_both", api_name="/upload_document")
        if "document" not in told:
            raise RuntimeError(f"{path.name}: {told}")

    def ready() -> bool:
        rows = client.predict("", api_name="/list_documents")
        read = [row for row in rows if row["state"] != "failed"]
        if words_only:
            return len(rows) >= len(files) and all(row["searchable"] == row["chunks"] > 0 for row in read)
        return len(rows) >= len(files) and all(row["state"] == "completed" for row in read)

    wait(ready, READING if words_only else EMBEDDING)
    for row in client.predict("", api_name="/list_documents"):
        if row["state"] == "failed":
            _say(f"{row['filename']} could not be read: {row.get('problem')}")


def ask(client: Client, question: Question, documents: dict[str, str]) -> Asked:
    """Asks one question in a new conversation; ``documents`` maps document ids to filenames."""
    began = time.monotonic()
    answer = last(client.submit(question.text, "", "enhanced", "", "", False, api_name="/ask"))
    asked = Asked(question, answer)
    while asked.answer.get("interrupt") and asked.replies < MOST_REPLIES:
        asked.replies += 1
        waits = asked.answer["interrupt"]
        chosen = _chosen(waits["choices"], question, documents)
        told = client.submit(
            asked.answer["run_id"], waits["interrupt_id"], [chosen] if chosen else [], "", not chosen,
            api_name="/resume_run",
        )  # fmt: skip
        asked.answer = last(told)
    asked.shown = [
        (source["filename"], passage["page"])
        for source in asked.answer.get("sources", [])
        for passage in source["passages"]
        if passage.get("page") is not None
    ]
    asked.seconds = time.monotonic() - began
    return asked


def _chosen(choices: Sequence[dict[str, str]], question: Question, documents: dict[str, str]) -> str | None:
    """Returns the id of the choice that a user who knows the document would click; if there is none, "continue", else
    the first choice."""
    ids = [choice["id"] for choice in choices]
    right = next((each for each in ids if documents.get(each) == question.document), None)
    return right or next((each for each in ("all", "continue", "inquire") if each in ids), ids[0] if ids else None)


def share(asked: Sequence[Asked], kind: str, most: int) -> float:
    """Share of the questions whose document, or page, is among the first ``most`` different ones shown."""
    return sum(_is_among(each.shown, each.question, kind, most) for each in asked) / len(asked)


def _is_among(shown: Sequence[Page], question: Question, kind: str, most: int) -> bool:
    if kind == "doc":
        return question.document in list(dict.fromkeys(document for document, _ in shown))[:most]
    return bool(question.pages & set(list(dict.fromkeys(shown))[:most]))


def baseline(files: Sequence[Path], questions: Sequence[Question]) -> list[list[Page]]:
    """Ranks the pages per question by BM25 over PDFium's text of whole pages with the words of the filename."""
    texts: dict[str, list[str]] = {}
    for path in files:
        with pypdfium2.PdfDocument(path) as document:
            for number in range(1, len(document) + 1):
                text = f"{path.stem.replace('_', ' ')}\n{document[number - 1].get_textpage().get_text_range()}"
                texts[f"{path.name}\0{number}"] = index_terms(text, detect(text))
    index = LocalBm25(texts.items())
    found = (index.search(query_terms(each.text, detect(each.text)), 40) for each in questions)
    return [[(name, int(page)) for name, page in (hit.id.split("\0") for hit in hits)] for hits in found]


@contextmanager
def library(files: Sequence[Path], cache: Path | None, *, words_only: bool) -> Iterator[tuple[Client, dict[str, str]]]:
    """Yields a served workbench that contains ``files``: its client, and the filenames by document id."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        with served(home):
            pass  # the first start creates the data directory
        known = put_vectors(home, cache)
        _say(f"{known} vectors from earlier runs")
        settings = {"PALIMPSEST_DENSE_ENABLED": "false"} if words_only else {}
        with served(home, settings) as client:
            began = time.monotonic()
            upload(client, files, words_only=words_only)
            _say(f"{len(files)} files ready after {time.monotonic() - began:.0f} s")
            yield client, {row["id"]: row["filename"] for row in client.predict("", api_name="/list_documents")}
        if not words_only:
            keep_vectors(home, cache)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def print_answers(asked: Sequence[Asked]) -> None:
    """Prints every answer in full, with the expected answer and the passages shown."""
    for number, each in enumerate(asked, start=1):
        gold = ", ".join(f"{page}" for _, page in sorted(each.question.pages))
        print(f"\n{number}. {each.question.text}\n   expected: {each.question.answer}")
        print(f"   {each.question.document} p. {gold}; shown: {[*dict.fromkeys(each.shown)][:10]}")
        state, kind = each.answer.get("state"), each.answer.get("kind")
        print(f"   {kind}, {state}, asked back {each.replies}, {each.seconds:.1f} s")
        data = each.answer.get("answer") or {}
        verdict = judged(each.question.answer, each.question.text, each.answer)
        print(f"   first line ({verdict}, {'sure' if is_sure(each.answer) else 'not sure'}): {data.get('line', '')}")
        print("   " + str(each.answer.get("text", "")).replace("\n", "\n   "))


def report_of(asked: Sequence[Asked], beside: Sequence[Sequence[Page]], *, words_only: bool) -> Report:
    report = Report(f"{len(asked)} questions, {'keyword search only' if words_only else 'with vectors'}")
    questions = [each.question for each in asked]
    for kind, most in CUTS:
        name = f"{kind}@{most}"
        pages = [Asked(question, {}, list(shown)) for question, shown in zip(questions, beside, strict=True)]
        goal = GOALS[name] - (BELOW if words_only else 0.0)
        found = Figure("shown", name, share(asked, kind, most), share(pages, kind, most), "BM25 over pages", goal, goal)
        report.add(found)
    nothing = sum(each.found_nothing for each in asked) / len(asked)
    report.add(Figure("shown", "something found", 1 - nothing, floor=1 - MOST_NOTHING))
    report.add(Figure("asked back", "not asked back", 1 - sum(each.replies > 0 for each in asked) / len(asked)))
    refused = sum(each.answer.get("kind") == "nothing_found" for each in asked) / len(asked)
    report.add(Figure("answers", "no refusal", 1 - refused))
    add_first_lines(report, asked)
    seconds = sorted(each.seconds for each in asked)
    report.notes.append(f"whole answer: median {seconds[len(seconds) // 2]:.2f} s, slowest {seconds[-1]:.2f} s")
    return report


def add_first_lines(report: Report, asked: Sequence[Asked]) -> None:
    """Adds figures for the questions whose answer is a number; the others are printed, to be judged by hand."""
    verdicts = [(judged(each.question.answer, each.question.text, each.answer), each) for each in asked]
    figures = [(verdict, each) for verdict, each in verdicts if verdict != "by hand"]
    if not figures:
        return
    right = sum(verdict == "right" for verdict, _ in figures) / len(figures)
    wrong = sum(verdict == "wrong" and is_sure(each.answer) for verdict, each in figures) / len(figures)
    report.add(Figure("first line", f"right, of {len(figures)} figures", right))
    report.add(Figure("first line", "not wrong and sure", 1 - wrong))


def read_all(files: Sequence[Path], report: Report) -> None:
    """Returns per file the share of PDFium's words and lines that reading keeps, and the processor time per page."""
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    pages, spent = 0, 0.0
    for path in files:
        began = time.process_time()
        extracted = extract(path, path.name, settings)
        chunk_structure(structure_of(extracted.blocks, extracted.bookmarks), settings.chunking)
        seconds = time.process_time() - began
        held = words_held(path, extracted)
        spent, pages = spent + seconds, pages + (extracted.pages or 1)
        report.add(Figure(path.stem, "words held", held.held, 1.0, "PDFium's own text", WORDS))
        report.add(Figure(path.stem, "lines kept", 1 - held.dropped, 1.0, "PDFium's own text", 1 - DROPPED))
        report.notes.append(f"{path.name}: {1000 * seconds / (extracted.pages or 1):.0f} ms of processor time a page")
    report.notes.append(f"reading: {1000 * spent / max(1, pages):.0f} ms of processor time a page over {pages} pages")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--questions", type=int, help="only the first N")
    given = parser.parse_args()
    files = sorted(given.data.glob("*.pdf"))
    questions = questions_of(given.data)[: given.questions]
    with library(files, given.cache, words_only=given.words_only) as (client, documents):
        asked = [ask(client, question, documents) for question in questions]
    print_answers(asked)
    report = report_of(asked, baseline(files, questions), words_only=given.words_only)
    read_all(files, report)
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
