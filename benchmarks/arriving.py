"""Measures answers while reports are being added: seconds per answer, and the number of answers without semantic
search.

``FOLDER`` has the form described in ``benchmarks.filings``. Its files are loaded first. Then one report of a hundred
pages is added each minute, whose vectors must all be computed, while the questions are asked one after another. The
baseline is the same questions over the same library while nothing is added. ``--cache`` keeps the vectors of the files
loaded first.

    python -m benchmarks.arriving --data FOLDER [--cache FILE] [--minutes N] [--pause SECONDS] [--json FILE]
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pypdfium2
from gradio_client import Client, handle_file

from benchmarks.filings import Asked, Question, ask, questions_of, upload
from benchmarks.report import Figure, Report
from benchmarks.served import CACHE, put_vectors, served

PAGES = 100
WHOLE = 1.5
"""Seconds within which 95 % of the answers must finish."""
BY_WORDS = "%by words only%"


def slices(files: Sequence[Path], folder: Path, wanted: int) -> list[Path]:
    """Cuts reports of ``PAGES`` pages out of the longest files; no two contain the same pages."""
    made: list[Path] = []
    for path in sorted(files, key=lambda each: -each.stat().st_size):
        with pypdfium2.PdfDocument(path) as whole:
            for start in range(0, len(whole) - PAGES + 1, PAGES):
                if len(made) == wanted:
                    return made
                part = pypdfium2.PdfDocument.new()
                part.import_pages(whole, list(range(start, start + PAGES)))
                made.append(folder / f"arriving {len(made) + 1}.pdf")
                part.save(made[-1])
    return made


def forget_vectors(home: Path) -> None:
    """Clears the embedding cache, so that vectors of new texts must be computed; the index keeps its contents."""
    with closing(sqlite3.connect(home / "truth.sqlite")) as truth, truth:
        truth.execute(f"DELETE FROM {CACHE}")


def by_words(home: Path, asked: Sequence[Asked]) -> list[str]:
    """Counts runs in which a stage used keyword search only, for any reason."""
    runs = {each.answer["run_id"] for each in asked}
    with closing(sqlite3.connect(home / "truth.sqlite")) as truth:
        rows = truth.execute(
            "SELECT DISTINCT json_extract(body, '$.run_id') FROM run_events WHERE body LIKE ?", (BY_WORDS,)
        )
        return [run for (run,) in rows if run in runs]


def ask_for(client: Client, questions: Sequence[Question], seconds: float, pause: float) -> list[Asked]:
    """Asks one question after another, starting again from the first, until the time is over."""
    documents = {row["id"]: row["filename"] for row in client.predict("", api_name="/list_documents")}
    asked: list[Asked] = []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        asked.append(ask(client, questions[len(asked) % len(questions)], documents))
        time.sleep(pause)
    return asked


def arrive(client: Client, reports: Sequence[Path], stopped: threading.Event) -> None:
    """Adds one report immediately and one each minute."""
    for report in reports:
        client.predict(handle_file(report), report.name, "keep_both", api_name="/upload_document")
        if stopped.wait(60.0):
            return


def percentile(asked: Sequence[Asked], share: float) -> float:
    ordered = sorted(each.seconds for each in asked)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arriving", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--minutes", type=int, default=5)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between an answer and the next question")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    files, questions = sorted(options.data.glob("*.pdf")), questions_of(options.data)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder) / "home"
        home.mkdir()
        with served(home):
            pass  # the first start creates the data directory
        put_vectors(home, options.cache)
        with served(home) as client:
            upload(client, files, words_only=False)
        forget_vectors(home)
        reports = slices(files, Path(folder), options.minutes)
        with served(home) as client:
            calm = ask_for(client, questions, 60.0, options.pause)
            stopped = threading.Event()
            arriving = threading.Thread(target=arrive, args=(client, reports, stopped))
            arriving.start()
            busy = ask_for(client, questions, 60.0 * options.minutes, options.pause)
            stopped.set()
            arriving.join()
        lost = by_words(home, busy), by_words(home, calm)
    report = Report(f"Questions while a report of {PAGES} pages arrives each minute, for {options.minutes} minutes")
    for group, asked, without in (("nothing arriving", calm, lost[1]), ("arriving", busy, lost[0])):
        report.add(Figure(group, "questions asked", len(asked)))
        report.add(Figure(group, "used semantic search, share", 1 - len(without) / len(asked), floor=1.0))
        report.add(Figure(group, "seconds of an answer, median", percentile(asked, 0.5)))
        report.add(Figure(group, "seconds of an answer, p95", percentile(asked, 0.95)))
        in_time = sum(each.seconds <= WHOLE for each in asked) / len(asked)
        report.add(Figure(group, f"answered within {WHOLE} s, share", in_time, goal=0.95))
    return report.finish(options.json)


if __name__ == "__main__":
    raise SystemExit(main())
