"""Measures how much of a PDF's own text, word by word and in order, survives reading.

A *bigram* is two neighbouring words of one line of PDFium's plain text. The share of these that our text contains is
counted, each as often as it occurs. In a line with right-to-left letters, which PDFium may return in visual order, each
word counts by itself, in either direction of its letters. The same applies to a line of column headings, since our text
gives a heading that is broken over lines as a whole, column by column. Hyphens and ligatures are joined on both sides
first, since a word split at the end of a line is the same word. Lines that reading omits on purpose (running heads,
page numbers) are counted separately and are no error.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pypdfium2

from core.library.extracted import Block, Extracted
from core.library.tables.records import Table

Bigram = tuple[str, str]

_HYPHENS = "-\u00ad\u2010\u2011\x02\ufffe"
_LEFTWARDS = "\u0590-\u08ff\ufb1d-\ufefc"
_PARTED = re.compile(rf"(?<=[^\W_{_LEFTWARDS}])[{_HYPHENS}]\s*[\r\n]+\s*(?=[^\W_{_LEFTWARDS}])")
_HYPHENATED = re.compile(rf"(?<=[^\W_{_LEFTWARDS}])[{_HYPHENS}](?=[^\W_{_LEFTWARDS}])")
_WORD = re.compile(rf"[{_LEFTWARDS}]+|[^\W_{_LEFTWARDS}]+")
_SINGLE = ""
_RIGHT_TO_LEFT = re.compile(f"[{_LEFTWARDS}]")
_NAME = re.compile(r"[^\W\d_]{3}")
_NUMBER = re.compile(r"\d+")
_EDGE = 4
"""Lines from the beginning or the end of a page's text in which headers and footers may appear."""
_REPEATED = 3
_SHARE_BY_CHANCE = 0.67
"""Bigrams of a missing line that may still appear in the text around it: "of the"."""
_WORDS_OF_NUMBERS = ("page", "of", "עמוד", "מתוך")


@dataclass(frozen=True)
class WordsHeld:
    """Shares of bigrams that our text contains (``held``), and of lines with a bigram that reading omits on purpose
    (``dropped``).

    ``lost`` are the bigrams not found, most frequent first; ``heads`` the omitted lines and on how many pages each
    appears. ``numbers`` counts lines that are kept as the printed number of their page.
    """

    held: float
    dropped: float
    bigrams: int
    lines: int
    numbers: int
    lost: list[tuple[Bigram, int]] = field(default_factory=list)
    heads: list[tuple[str, int]] = field(default_factory=list)


def words_held(path: Path, read: Extracted | str) -> WordsHeld:
    """Returns which share of the words of the PDF at ``path`` its text ``read`` contains; ``read`` is blocks or one
    text."""
    pages = [[line for line in lines_of(text) if len(line) > 1] for text in plain_pages(path)]
    ours = _words_by_page(read.blocks if isinstance(read, Extracted) else [Block(text=read)])
    labels = read.page_labels if isinstance(read, Extracted) else []
    absent = _absent(pages, ours, labels)
    numbers = {place for place in absent if _is_number(pages, place, labels)}
    heads = Counter(" ".join(pages[number][line]) for number, line in absent - numbers)
    wanted: Counter[Bigram] = Counter()
    headings = _heading_words(read.blocks if isinstance(read, Extracted) else [])
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if (number, place) not in absent:
                wanted.update(_units(line, by_word=headings[number + 1].issuperset(line)))
    found = _held_by([word for page in sorted(ours) for word in ours[page]])
    lost = wanted - found
    count = sum(map(len, pages))
    return WordsHeld(
        held=1 - lost.total() / max(1, wanted.total()),
        dropped=heads.total() / max(1, count),
        bigrams=wanted.total(),
        lines=count,
        numbers=len(numbers),
        lost=lost.most_common(),
        heads=heads.most_common(),
    )


def plain_pages(path: Path) -> list[str]:
    """Returns PDFium's own text of every page."""
    with pypdfium2.PdfDocument(path) as document:
        return [page.get_textpage().get_text_range() for page in document]


def lines_of(text: str) -> list[list[str]]:
    """Returns the words of every line that has any; a word split at a line's end belongs to the upper line."""
    lines = _PARTED.sub("", text).replace("\r", "\n").split("\n")
    return [words for line in lines if (words := words_of(line))]


def words_of(text: str) -> list[str]:
    """Returns letters and digits, with compatibility forms resolved, hyphens and diacritics removed."""
    joined = _HYPHENATED.sub("", _PARTED.sub("", text))
    composed = unicodedata.normalize("NFKD", joined)
    bare = "".join(character for character in composed if unicodedata.category(character) not in ("Mn", "Cf"))
    return _WORD.findall(bare.casefold())


def _held_by(words: Sequence[str]) -> Counter[Bigram]:
    found = Counter(pairwise(words))
    found.update((_SINGLE, "".join(sorted(word))) for word in words)
    return found


def _units(line: Sequence[str], *, by_word: bool = False) -> Iterator[Bigram]:
    """Returns a line's required parts: its bigrams, or its single words if PDFium's order is only the visual one."""
    if by_word or any(map(_RIGHT_TO_LEFT.search, line)):
        return ((_SINGLE, "".join(sorted(word))) for word in line)
    return pairwise(line)


def _words_by_page(blocks: Iterable[Block]) -> dict[int, list[str]]:
    words: dict[int, list[str]] = defaultdict(list)
    for block in blocks:
        words[block.page or 0] += words_of(f"{block.header}\n{block.text}" if block.header else block.text)
        words[block.page or 0] += [word for line in _head_lines(block.table) for word in words_of(line)]
    return words


def _heading_words(blocks: Iterable[Block]) -> dict[int, set[str]]:
    """Returns the words of column and row headings, and of their units, of every page."""
    words: dict[int, set[str]] = defaultdict(set)
    for block in blocks:
        if table := block.table:
            texts = [table.stub or "", table.units or "", *(text for column in table.columns for text in column.header)]
            words[block.page or 0].update(word for text in texts for word in words_of(text))
    return words


def _head_lines(table: Table | None) -> Iterator[str]:
    """Returns column headings as they appear on the page, level by level: a block gives them column by column."""
    columns = table.columns if table else []
    depth = max((len(column.header) for column in columns), default=0)
    for level in range(depth):
        texts = [column.header[level - depth] for column in columns if len(column.header) >= depth - level]
        beside = f"{table.stub or ''} {table.units or ''} " if table and level == depth - 1 else ""
        yield beside + " ".join(text for place, text in enumerate(texts) if place == 0 or text != texts[place - 1])


def _absent(
    pages: Sequence[list[list[str]]], ours: dict[int, list[str]], labels: Sequence[str | None]
) -> set[tuple[int, int]]:
    """Returns (page, line) of headers, footers and page numbers that our text of that page omits.

    A line counts only at the edge of a page, if its words without numbers are at the edge of several pages: text that
    was simply lost stays lost.
    """
    edges = [
        (number, place)
        for number, lines in enumerate(pages)
        for place in range(len(lines))
        if place < _EDGE or place >= len(lines) - _EDGE
    ]
    repeated = Counter(_pattern(pages[number][place]) for number, place in edges)
    pairs = {number: _held_by(words) for number, words in ours.items()}
    is_one_text = list(ours) == [0]
    found: set[tuple[int, int]] = set()
    for number, place in edges:
        line = pages[number][place]
        held = pairs.get(0 if is_one_text else number + 1, Counter())
        wanted = Counter(_units(line))
        is_head = repeated[_pattern(line)] >= _REPEATED and any(map(_NAME.search, line))
        may_go = is_head or _is_number(pages, (number, place), labels)
        if may_go and (wanted & held).total() <= _SHARE_BY_CHANCE * wanted.total():
            found.add((number, place))
    return found


def _is_number(pages: Sequence[list[list[str]]], place: tuple[int, int], labels: Sequence[str | None]) -> bool:
    """Returns whether the line contains only the page number: "page 3 of 10"."""
    number, line = place
    label = labels[number] if number < len(labels) else None
    if label is None:
        return False
    words = pages[number][line]
    said = "".join(word for word in words if word not in _WORDS_OF_NUMBERS)
    mine = "".join(words_of(label))
    return said == mine or (said.startswith(mine) and said.isdecimal() and len(words) > 2)


def _pattern(line: Sequence[str]) -> str:
    """Returns the line without its numbers, because page numbers differ from page to page."""
    return _NUMBER.sub("#", " ".join(line))
