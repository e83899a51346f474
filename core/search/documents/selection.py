"""Selects the passages of a prompt: drops those without content, and ranks the others evenly over the documents."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.events import Passage, Source
from core.search.documents.passage_numbers import grouped_by_document

LEAST_WORDS = 6
"""Number of words from which a line is content and not a heading or a running head."""
SENTENCE_WORDS = 3
"""The same for a line that ends like a sentence."""
CELLS = " | "
_SENTENCE_ENDS = (".", "!", "?", ":", ";")
_WORD = re.compile(r"[^\W\d_]{2,}")
_DIGIT = re.compile(r"\d")
_LISTED = re.compile(r"(?<=[\s.])(\d{1,3})$")
"""A line of a table of contents: a heading and its page."""
_NEIGHBOUR = 1
"""Distance of a passage from a cited one, in passages, up to which it is its neighbour."""
LEAST_LISTED, LISTED_SHARE = 4, 0.8
"""Number of such lines, and their share of a passage's lines, from which it is a table of contents."""
_AMOUNT = re.compile(r"[$€£₪%]|[:=]\s*\W?\d|\d[.,]\d{3}")
_NOT_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Width:
    """How many passages a prompt gets: at most ``tokens``, each with at least the share ``least`` of the best score.
    ``cited`` are the ids of passages that an answer found before already cites; they and their neighbours come first.
    """

    tokens: int
    least: float = 0.0
    cited: frozenset[str] = frozenset()


def selected(
    sources: Sequence[Source], least: float = 0.0, cited: frozenset[str] = frozenset()
) -> list[tuple[Source, Passage]]:
    """Returns the passages worth showing in the order in which they are taken: attachments, the best passage of each
    document, then the others, one of each document in turn. A document's cited passages and those next to them are
    its best ones.

    Passages of documents are left out if they score less than ``least`` of the best one, or have no content of their
    own. The best passage of a document always stays.
    """
    best = max((passage.score for source in sources for passage in source.passages), default=0.0)
    lowest = least * best if least else -math.inf
    queues = [_worth_showing(group, lowest, cited) for group in grouped_by_document(sources)]
    first = [queue[0] for queue in queues if queue]
    attached = [pair for queue in queues for pair in queue[1:] if pair[0].attached]
    others = [queue[1:] for queue in queues if queue and not queue[0][0].attached]
    first.sort(key=lambda pair: (not pair[0].attached, -pair[1].score))
    attached.sort(key=lambda pair: -pair[1].score)
    return [*first, *attached, *_in_turn(others)]


def _worth_showing(group: Sequence[Source], lowest: float, cited: frozenset[str]) -> list[tuple[Source, Passage]]:
    """Returns the passages of one document that are worth showing, best first."""
    pairs = [(source, passage) for source in group for passage in source.passages]
    places = [passage.position for _, passage in pairs if passage.item_id in cited]

    def rank(pair: tuple[Source, Passage]) -> tuple[int, float]:
        distance = min((abs(pair[1].position - place) for place in places), default=_NEIGHBOUR + 1)
        return min(distance, _NEIGHBOUR + 1), -pair[1].score

    ranked = sorted(pairs, key=rank)
    if group[0].kind != "document" or group[0].attached:
        return ranked
    kept = [
        pair
        for pair in ranked
        if pair[1].item_id in cited or (pair[1].score >= lowest and not is_bare(pair[1], pair[0].title))
    ]
    return kept or ranked[:1]


def _in_turn(queues: Sequence[Sequence[tuple[Source, Passage]]]) -> Iterator[tuple[Source, Passage]]:
    """Yields the second-best passages of all documents, then the third-best, and so on; better ones first."""
    for place in range(max(map(len, queues), default=0)):
        row = [queue[place] for queue in queues if place < len(queue)]
        yield from sorted(row, key=lambda pair: -pair[1].score)


def is_bare(passage: Passage, title: str = "") -> bool:
    """Returns whether a passage has no content of its own: only headings, names of the document, dates and page
    numbers, or a table of contents."""
    names = {_letters(passage.section or ""), *(_letters(part) for part in title.split("·"))} - {""}
    lines = [line.strip() for line in passage.text.splitlines() if line.strip()]
    return _lists_headings(lines) or not any(_says_something(line) for line in lines if _letters(line) not in names)


def _says_something(line: str) -> bool:
    words = len(_WORD.findall(line))
    if words >= LEAST_WORDS or (words >= SENTENCE_WORDS and line.endswith(_SENTENCE_ENDS)):
        return True
    return bool(_DIGIT.search(line)) and (CELLS in line or bool(words and _AMOUNT.search(line)))


def _lists_headings(lines: Sequence[str]) -> bool:
    """Returns whether the lines are headings with pages, which never decrease."""
    found = [
        match
        for line in lines
        if CELLS not in line and (match := _LISTED.search(line)) and any(map(str.isalpha, line[: match.start()]))
    ]
    pages = [int(match.group(1)) for match in found]
    return len(pages) >= max(LEAST_LISTED, LISTED_SHARE * len(lines)) and pages == sorted(pages)


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).lower()
