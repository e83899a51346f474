"""Prints whole summaries by document kind: ``python -m benchmarks.summary_shapes --data FOLDER [...]``.

Every file of the folders (or only the ``--only`` ones) is read like an upload and summarised without a model. The
script counts lines, lines with debris (damaged text, or table rows run together), whether the first line names kind,
organisation, period and pages, and whether the lines of figures have a unit and a period. Whether the content is right
must be judged by a reader.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from benchmarks.report import Figure, Report
from core.figures.records import Origin, TableEvidence
from core.figures.tables.missing_headers import with_guessed_headers
from core.library.identity.names import period_keys
from core.library.reader import read
from core.library.reading import Reading, ReadOrder, reader_settings
from core.library.records import Document, Metadata
from core.library.storing import items_of
from core.models.build import build_embeddings
from core.models.embeddings import Embeddings
from core.prompts.templates import Prompts
from core.review.actions.records import summary_document, whole_source
from core.review.actions.summarize import Summarizer
from core.review.actions.summary.document import DocumentDescription, SummaryDocument
from core.review.actions.summary.sentences import is_debris
from core.review.actions.summary.shapes import MOST_LINES
from core.settings import Settings
from core.words import Language

READABLE = frozenset((".pdf", ".docx", ".md", ".html", ".txt"))
REPORTS = frozenset(("annual report", "quarterly report", "current report", "earnings release"))
_FIGURE = re.compile(r"^- .*(?:FY|Q\d|H\d|ב-?\d{4}|בסוף).*?: ")
_UNIT = re.compile(r"[$€£₪%]|USD|EUR|ILS|million|billion|thousand")


@dataclass(frozen=True)
class Summed:
    """One document's summary, and its duration in seconds."""

    name: str
    metadata: Metadata
    text: str
    seconds: float

    @property
    def lines(self) -> list[str]:
        return [line for line in self.text.split("\n") if line.strip()]


def reading_of(path: Path, cache: Path | None) -> Reading:
    """Returns the text that an upload would extract; kept in ``cache`` by the file's name."""
    known = cache / f"{path.name}.json" if cache else None
    if known and known.exists():
        return Reading.model_validate_json(known.read_text(encoding="utf-8"))
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    order = ReadOrder(path=path, filename=path.name, result=path, settings=reader_settings(settings))
    with contextlib.redirect_stdout(io.StringIO()):
        reading = read(order)
    if known:
        known.parent.mkdir(parents=True, exist_ok=True)
        known.write_text(reading.model_dump_json(), encoding="utf-8")
    return reading


def matter_from(reading: Reading, filename: str) -> SummaryDocument:
    """Returns a document as the workbench would pass it to its summary."""
    document = Document(
        _id=f"doc_{uuid5(NAMESPACE_URL, filename).hex}", user_id="bench", filename=filename,
        mime=reading.mime, size=0, sha256="",
        metadata=reading.metadata, pages=reading.pages, added_at=0.0, updated_at=0.0,
    )  # fmt: skip
    items = items_of(document, reading.chunks, 0.0)
    source = whole_source(1, summary_document(items))
    names = [name for each in reading.metadata.organisations for name in (each.name, *each.aliases)]
    keys = period_keys(document)
    origin = Origin(
        1, document.id, source.title, filename, reading.metadata.kind, tuple(dict.fromkeys(names)), tuple(sorted(keys))
    )
    tables = [
        TableEvidence(origin, number, with_guessed_headers(each, keys)) for number, each in enumerate(reading.tables)
    ]
    paths = {item.id: tuple(item.source.book.path) for item in items if item.source.book}
    return SummaryDocument(source, DocumentDescription(reading.metadata, reading.pages, paths, tuple(tables)))


async def sum_up(matter: SummaryDocument, language: Language, embeddings: Embeddings | None = None) -> str:
    assert matter.about is not None
    summarizer = Summarizer(Prompts(), None, embeddings)
    result = await summarizer.summarize([matter.source], language, about={matter.source.document_id: matter.about})
    return result.text


def files_in(folders: Sequence[Path], only: Sequence[str], half: str | None) -> Iterator[Path]:
    """Returns the files sorted by name. ``half``: every other file; half a begins with the first one, half b with the
    second."""
    found = sorted(path for folder in folders for path in folder.iterdir() if path.suffix.lower() in READABLE)
    for number, path in enumerate(found):
        if half and number % 2 != "ab".index(half):
            continue
        if not only or any(fnmatch(path.name, each) for each in only):
            yield path


def is_opened(summed: Summed) -> bool:
    """Returns whether the first line names the kind, and for a report its organisation and date."""
    first = summed.lines[0] if summed.lines else ""
    said = first.startswith("**") and not first.startswith("**Document")
    if summed.metadata.kind not in REPORTS:
        return first.startswith("**") and " · " in first
    owner = summed.metadata.organisations[:1]
    return said and bool(owner) and owner[0].name in first and bool(re.search(r"(?:19|20)\d\d", first))


def debris_in(summed: Summed) -> list[str]:
    bare = [re.sub(r"\s*\[\d+\]$", "", line) for line in summed.lines[1:]]
    return [line for line in bare if not line.startswith("**") and not _FIGURE.match(line) and is_debris(line)]


def figures_in(summed: Summed) -> list[str]:
    return [line for line in summed.lines if _FIGURE.match(line) and "**" not in line]


def report_on(all_of: Sequence[Summed]) -> Report:
    report = Report("Summaries by shape")
    count = max(1, len(all_of))
    long = sum(len(each.lines) > MOST_LINES for each in all_of)
    opened = sum(map(is_opened, all_of))
    debris = sum(len(debris_in(each)) for each in all_of)
    lines = sum(len(each.lines) for each in all_of)
    reports = [each for each in all_of if each.metadata.kind in REPORTS - {"current report"}]
    five = sum(len(figures_in(each)) >= 5 for each in reports)
    told = [line for each in all_of for line in figures_in(each)]
    report.add(Figure("all", f"within {MOST_LINES} lines", 1 - long / count, floor=1.0))
    report.add(Figure("all", "first line says what it is", opened / count))
    report.add(Figure("all", "lines without debris", 1 - debris / max(1, lines), floor=0.99))
    report.add(Figure("reports", "with five figures", five / max(1, len(reports))))
    report.add(Figure("reports", "figures with a unit", sum(bool(_UNIT.search(x)) for x in told) / max(1, len(told))))
    slowest = max((each.seconds for each in all_of), default=0.0)
    report.notes.append(f"{len(all_of)} documents, {lines} lines, {len(told)} figures; slowest {slowest:.1f} s")
    return report


async def measure(paths: Sequence[Path], cache: Path | None, language: Language, vectors: bool) -> list[Summed]:
    embeddings = build_embeddings(Settings(_env_file=None)) if vectors else None  # type: ignore[call-arg]
    found = []
    for path in paths:
        try:
            reading = reading_of(path, cache)
            matter = matter_from(reading, path.name)
        except Exception as error:
            print(f"===== {path.name}: not read ({error})\n")
            continue
        began = time.perf_counter()
        text = await sum_up(matter, language, embeddings)
        summed = Summed(path.name, reading.metadata, text, time.perf_counter() - began)
        found.append(summed)
        print(f"===== {path.name} · {len(summed.lines)} lines · {summed.seconds:.1f} s\n{text}\n", flush=True)
        for line in debris_in(summed):
            print(f"DEBRIS {line}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, nargs="+", help="folders with documents")
    parser.add_argument("--only", nargs="*", default=[], help="file names, * matches any characters")
    parser.add_argument("--half", choices=("a", "b"), help="every other file")
    parser.add_argument("--cache", type=Path, help="folder that caches the extracted text")
    parser.add_argument("--language", choices=("en", "he"), default="en", help="language of the summary")
    parser.add_argument("--vectors", action="store_true", help="use embeddings too")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    paths = list(files_in(options.data, options.only, options.half))
    found = asyncio.run(measure(paths, options.cache, options.language, options.vectors))
    return report_on(found).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
