"""Measures how much of a document's text survives reading: ``python -m benchmarks.parsing --data
../shared/data/parsing``.

Word recall is the share of the reference's words that are extracted (each as often as it occurs there). Bigram recall
is the same for neighbouring pairs. It falls if lines or columns are in a wrong order.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import docx
import pypdfium2

from core.errors import PalimpsestError
from core.library.extract import extract
from core.library.guard import inspect
from core.settings import Settings

WHERE = (
    "The set is test data of docling-project/docling (tests/data: PDF, DOCX, CSV and HTML with Markdown references); "
    "hebrew_40_pages.pdf holds the first 40 paragraphs of NNLP-IL/HeQ v1.1 (val), one a page."
)
RIGHT_TO_LEFT = ("hebrew_40_pages.pdf", "right_to_left_01.pdf", "right_to_left_03.pdf")
WORD_FLOOR, BIGRAM_FLOOR = 0.95, 0.70
SCANNED = "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"
HEBREW_PAGES = 40

Pair = tuple[float, float]
"""A pair: word recall, bigram recall."""


@dataclass
class Result:
    """A file's result: the (word, bigram) recall of the product and of the baseline, or why there is no figure."""

    file: str
    ours: Pair | None = None
    baseline: Pair | None = None
    blocks: int = 0
    remark: str = ""

    @property
    def passes(self) -> bool:
        if self.file not in RIGHT_TO_LEFT:
            return True
        return self.ours is not None and self.ours[0] >= WORD_FLOOR and self.ours[1] >= BIGRAM_FLOOR


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with pdf/, docx/, csv/ and html/")
    parser.add_argument("--heq", type=Path, help="val_v1.1.json of HeQ; default: heq/ next to the data folder")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        print(f"Skipped: {options.data} does not exist. {WHERE}")
        return 0
    heq = options.heq or options.data.parent / "heq" / "val_v1.1.json"
    results = [
        measure(path, heq) for path in sorted(options.data.rglob("*")) if path.is_file() and path.suffix != ".md"
    ]
    report(results)
    if options.json:
        options.json.write_text(json.dumps([asdict(result) for result in results], indent=1), encoding="utf-8")
    return 0 if all(result.passes for result in results) else 1


def measure(path: Path, heq: Path) -> Result:
    """Reads one file like an upload and compares it with its reference."""
    result = Result(path.name)
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    try:
        inspect(path, path.name, settings)
        extracted = extract(path, path.name, settings)
    except PalimpsestError as error:
        result.remark = f"refused: {error.problem.what.en}"
        return result
    result.blocks = len(extracted.blocks)
    reference = reference_of(path, heq)
    if reference is None:
        result.remark = "no reference"
        return result
    text = "\n".join(f"{block.header}\n{block.text}" if block.header else block.text for block in extracted.blocks)
    result.ours = recall(text, reference)
    result.baseline = recall(plain(path), reference)
    return result


def reference_of(path: Path, heq: Path) -> str | None:
    """Returns the expected text; ``None`` if there is no reference."""
    if path.name == "hebrew_40_pages.pdf":
        return _heq_paragraphs(heq)
    if path.name.startswith("ocr_test"):
        return SCANNED
    if path.suffix == ".csv":
        return path.read_text(encoding="utf-8")
    for beside in (path.with_suffix(".md"), path.with_name(path.name + ".md")):
        if beside.exists():
            return re.sub(r"<!--.*?-->", " ", beside.read_text(encoding="utf-8"), flags=re.DOTALL)
    return None


def _heq_paragraphs(heq: Path) -> str | None:
    if not heq.exists():
        return None
    articles = json.loads(heq.read_text(encoding="utf-8"))["data"]
    paragraphs = [paragraph["context"] for article in articles for paragraph in article["paragraphs"]]
    return "\n\n".join(paragraphs[:HEBREW_PAGES])


def plain(path: Path) -> str:
    """Baseline: the text as the format's library returns it in one call."""
    if path.suffix == ".pdf":
        with pypdfium2.PdfDocument(path) as document:
            return "\n".join(page.get_textpage().get_text_range() for page in document)
    if path.suffix == ".docx":
        return "\n".join(paragraph.text for paragraph in docx.Document(str(path)).paragraphs)
    return path.read_text(encoding="utf-8")


def recall(text: str, reference: str) -> Pair:
    """Returns (word recall, bigram recall) of ``text``; both 0-1."""
    ours, wanted = words(text), words(reference)
    return _share(ours, wanted), _share(pairwise(ours), pairwise(wanted))


def words(text: str) -> list[str]:
    """Returns letters and digits in lower case, with compatibility forms resolved and diacritics removed."""
    composed = unicodedata.normalize("NFKC", text)
    bare = "".join(character for character in composed if unicodedata.category(character) != "Mn")
    return re.findall(r"[^\W_]+", bare.lower())


def _share(ours: Iterable[object], wanted: Iterable[object]) -> float:
    expected = Counter(wanted)
    return sum((expected & Counter(ours)).values()) / max(1, expected.total())


def report(results: list[Result]) -> None:
    print(f"{'file':40} {'word':>6} {'bigram':>7}   {'plain word':>10} {'plain bigram':>12}  blocks")
    for result in results:
        if result.ours is None or result.baseline is None:
            print(f"{result.file:40} {result.remark}")
            continue
        mark = "" if result.passes else f"  below the floor of {WORD_FLOOR} / {BIGRAM_FLOOR}"
        print(
            f"{result.file:40} {result.ours[0]:6.3f} {result.ours[1]:7.3f}   "
            f"{result.baseline[0]:10.3f} {result.baseline[1]:12.3f}  {result.blocks:6}{mark}"
        )
    print(
        f"plain: pypdfium2 get_text_range, python-docx paragraphs, the file itself. Floors: {', '.join(RIGHT_TO_LEFT)}."
    )


if __name__ == "__main__":
    sys.exit(main())
