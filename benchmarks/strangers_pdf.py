"""Reads PDFs that the rules were not tuned on. Measures whether phrases are read whole and with their headings, and how
many of every file's words are kept.

``pdf_text_SUFFIX.yaml`` names files of ``pdfs/`` and, by page, phrases with their headings. A phrase is found if one
chunk of its page contains it whole. Its section is right if the last title of that chunk's path is the heading. Both
use the product's own reading: extraction, then chunks.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import yaml
from pydantic import BaseModel

from benchmarks.report import Figure, Report
from benchmarks.whole_words import WordsHeld, plain_pages, words_held
from core.language.tokens import count_tokens
from core.library.chunking.chunks import Chunk, chunk_structure
from core.library.extract import extract
from core.library.extracted import Block, Extracted
from core.library.structure.sections import structure_of
from core.settings import Settings

WORDS_FLOOR = 0.995
DROPPED_CEILING = 0.03
PHRASES_FLOOR = 0.97
SECTIONS_FLOOR = 0.85
_SINGLE, _DOUBLE = "\u2018\u2019\u201a\u201b\u2032\u05f3", "\u201c\u201d\u201e\u2033\u05f4\u00ab\u00bb"
_QUOTES = str.maketrans(_SINGLE + _DOUBLE, "'" * len(_SINGLE) + '"' * len(_DOUBLE))
_HYPHENS = re.compile(r"[\u00ad\u2010-\u2015\x02\ufffe-]\s*")
_NUMBERING = re.compile(
    r"(?:(?:chapter|part|section|item|article|note)\s+)?(?:\d+(?:\.\d+)+\.?|(?:\d+|[ivxlc]+|[a-z])[.)]|\([a-z\d]{1,3}\))\s*"
)


class Expectation(BaseModel):
    """A phrase that must be read. ``heading``: the phrase's heading; ``run_in``: the heading is part of the paragraph
    itself."""

    page: int
    phrase: str
    heading: str
    run_in: bool = False


class Stranger(BaseModel):
    """A file of ``pdfs/`` and its expected contents."""

    file: str
    layout: str = ""
    expectations: list[Expectation]


class Strangers(BaseModel):
    pdfs: list[Stranger]


class Read(BaseModel):
    """The result of one file; ``phrases``, ``plain``, ``sections`` and ``blocks`` are counts of ``expected``.

    ``blocks``: the last heading before the phrase is the right one, whatever the section tree says.
    """

    expected: int
    phrases: int
    plain: int
    sections: int
    blocks: int
    milliseconds: float


def measure(folder: Path, suffix: str, report: Report) -> None:
    """Adds the figures of every file and of all together."""
    wanted = Strangers.model_validate(yaml.safe_load((folder / f"pdf_text_{suffix}.yaml").read_text(encoding="utf-8")))
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    count_tokens("")  # loads its table once, so that no page includes that time
    results: list[Read] = []
    for stranger in wanted.pdfs:
        path = folder / "pdfs" / stranger.file
        if not path.exists():
            report.notes.append(f"Left out: {path} does not exist.")
            continue
        results.append(_measured(path, stranger, settings, report))
    total = sum(read.expected for read in results)
    if total:
        _say_totals(results, total, report)
    report.notes.append(
        "words held: bigrams within the lines of PDFium's plain text that ours holds, heads and page numbers aside; "
        "phrase found: whole in one chunk of its page, beside PDFium's plain text of that page; section right: the "
        "last title of that chunk's path; heading before: the last heading among the blocks before the phrase."
    )


def _measured(path: Path, stranger: Stranger, settings: Settings, report: Report) -> Read:
    started = time.process_time()
    extracted = extract(path, path.name, settings)
    chunks = chunk_structure(structure_of(extracted.blocks, extracted.bookmarks), settings.chunking)
    milliseconds = 1000 * (time.process_time() - started) / max(1, extracted.pages or 1)
    held = words_held(path, extracted)
    plain = [plain_of(text) for text in plain_pages(path)]
    read = Read(
        expected=len(stranger.expectations),
        phrases=sum(bool(_holding(chunks, wanted)) for wanted in stranger.expectations),
        plain=sum(plain_of(wanted.phrase) in plain[wanted.page - 1] for wanted in stranger.expectations),
        sections=sum(_has_section(chunks, wanted) for wanted in stranger.expectations),
        blocks=sum(_has_heading(extracted, wanted) for wanted in stranger.expectations),
        milliseconds=milliseconds,
    )
    _say_file(path.name, read, held, _plain_milliseconds(path), report)
    return read


def _say_file(name: str, read: Read, held: WordsHeld, plain: float, report: Report) -> None:
    share = max(1, read.expected)
    report.add(Figure(name, "words held", held.held, 1.0, "PDFium", WORDS_FLOOR))
    report.add(Figure(name, "lines not left out as heads", 1 - held.dropped, 1.0, "PDFium", 1 - DROPPED_CEILING))
    report.add(Figure(name, "phrases found", read.phrases / share, read.plain / share, "PDFium"))
    report.add(Figure(name, "sections right", read.sections / share, read.blocks / share, "heading before"))
    report.add(Figure(name, "ms of processor time a page", read.milliseconds, plain, "PDFium"))


def _say_totals(results: Sequence[Read], total: int, report: Report) -> None:
    plain = sum(read.plain for read in results) / total
    blocks = sum(read.blocks for read in results) / total
    phrases = sum(read.phrases for read in results) / total
    sections = sum(read.sections for read in results) / total
    report.add(Figure("all PDFs", "phrases found", phrases, plain, "PDFium", PHRASES_FLOOR))
    report.add(Figure("all PDFs", "sections right", sections, blocks, "heading before", SECTIONS_FLOOR))


def _plain_milliseconds(path: Path) -> float:
    started = time.process_time()
    pages = plain_pages(path)
    return 1000 * (time.process_time() - started) / max(1, len(pages))


def plain_of(text: str) -> str:
    """Returns ``text`` normalised for comparison: one kind of space, quote and letter; hyphens and ligatures joined."""
    composed = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return " ".join(_HYPHENS.sub("", composed.replace(" | ", " ")).split()).casefold()


def _holding(chunks: Sequence[Chunk], wanted: Expectation) -> list[Chunk]:
    phrase = plain_of(wanted.phrase)
    near = [chunk for chunk in chunks if (chunk.page or 0) <= wanted.page <= (chunk.page_end or chunk.page or 0)]
    return [chunk for chunk in near if phrase in plain_of(chunk.text)]


def _has_section(chunks: Sequence[Chunk], wanted: Expectation) -> bool:
    return any(
        is_same_heading(chunk.path[-1] if chunk.path else chunk.section or "", wanted.heading)
        for chunk in _holding(chunks, wanted)
    )


def _has_heading(extracted: Extracted, wanted: Expectation) -> bool:
    """Returns whether the last heading before the phrase is the right one, judged only by blocks."""
    phrase = plain_of(wanted.phrase)
    last = ""
    for block in extracted.blocks:
        if block.kind == "heading":
            last = block.text
        if (block.page or 0) == wanted.page and phrase in plain_of(_whole(block)):
            return is_same_heading(last, wanted.heading)
    return False


def _whole(block: Block) -> str:
    return f"{block.header}\n{block.text}" if block.header else block.text


def is_same_heading(heading: str, wanted: str) -> bool:
    """Returns whether both are the same, without numbering at the start and punctuation at the end."""
    return bool(heading) and _bare(heading) == _bare(wanted)


def _bare(heading: str) -> str:
    plain = plain_of(heading).strip(" *_#:.\"'")
    return _NUMBERING.sub("", plain).strip(" .:;,\u05be-\"'") or plain
