"""How much of a PDF's own text, word by word and in order, survives reading.

A *bigram* is two neighbouring words of one line of PDFium's plain text. Of those, the share is counted that our text
holds, each as often as it stands there. Hyphens and ligatures are joined on both sides first, since a word parted at
a line's end is the same word. Lines that reading leaves out on purpose (running heads, page numbers) are counted for
themselves and not held against it.
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

Bigram = tuple[str, str]

_HYPHENS = "-\u00ad\u2010\u2011\x02\ufffe"
_PARTED = re.compile(rf"(?<=[^\W_])[{_HYPHENS}]\s*[\r\n]+\s*(?=[^\W_])")
_HYPHENATED = re.compile(rf"(?<=[^\W_])[{_HYPHENS}](?=[^\W_])")
_WORD = re.compile(r"[^\W_]+")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff]")
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"\W*(?:page\W*|עמוד\W*|p\W*)?(?:[a-z]{1,2}\W{0,3})?(?:\d{1,4}|[ivxlcdm]{1,8})(?:\W*(?:of|מתוך|/)\W*\d{1,4})?\W*",
    re.IGNORECASE,
)
_EDGE = 4
"""Lines from the beginning or the end of a page's text among which heads and feet stand."""
_REPEATED = 3


@dataclass(frozen=True)
class WordsHeld:
    """``held`` and ``dropped`` are shares, of bigrams and of lines; ``lost`` the bigrams not found, most frequent first.

    ``heads`` are the lines left out, with the number of pages each is left out of.
    """

    held: float
    dropped: float
    bigrams: int
    lines: int
    lost: list[tuple[Bigram, int]] = field(default_factory=list)
    heads: list[tuple[str, int]] = field(default_factory=list)


def words_held(path: Path, read: Extracted | str) -> WordsHeld:
    """What ``read``, the text of the PDF at ``path``, holds of its words; ``read`` as blocks or as one text."""
    pages = [lines_of(text) for text in plain_pages(path)]
    ours = _words_by_page(read.blocks if isinstance(read, Extracted) else [Block(text=read)])
    left_out = _left_out(pages, ours)
    heads = Counter(" ".join(pages[number][place]) for number, place in left_out)
    wanted: Counter[Bigram] = Counter()
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if (number, place) not in left_out:
                wanted.update(_pairs(line))
    found = Counter(_pairs([word for page in sorted(ours) for word in ours[page]]))
    lost = wanted - found
    count = sum(map(len, pages))
    return WordsHeld(
        held=1 - lost.total() / max(1, wanted.total()),
        dropped=len(left_out) / max(1, count),
        bigrams=wanted.total(),
        lines=count,
        lost=lost.most_common(),
        heads=heads.most_common(),
    )


def plain_pages(path: Path) -> list[str]:
    """PDFium's own text of every page."""
    with pypdfium2.PdfDocument(path) as document:
        return [page.get_textpage().get_text_range() for page in document]


def lines_of(text: str) -> list[list[str]]:
    """Words of every line that has any; a word parted at a line's end belongs to the upper line."""
    lines = _PARTED.sub("", text).replace("\r", "\n").split("\n")
    return [words for line in lines if (words := words_of(line))]


def words_of(text: str) -> list[str]:
    """Letters and digits, compatibility forms resolved, hyphens and marks above and below letters left out."""
    joined = _HYPHENATED.sub("", _PARTED.sub("", text))
    composed = unicodedata.normalize("NFKD", joined)
    bare = "".join(character for character in composed if unicodedata.category(character) not in ("Mn", "Cf"))
    return [_canonical(word) for word in _WORD.findall(bare.casefold())]


def _canonical(word: str) -> str:
    """PDFium turns right-to-left words round or not, by producer: of those only the letters are compared."""
    return "".join(sorted(word)) if _RIGHT_TO_LEFT.search(word) else word


def _pairs(words: Sequence[str]) -> Iterator[Bigram]:
    """Neighbours; beside a right-to-left word in no order, as PDFium's there is that of the looks."""
    for pair in pairwise(words):
        first, second = pair
        yield (min(pair), max(pair)) if _RIGHT_TO_LEFT.search(first + second) else (first, second)


def _words_by_page(blocks: Iterable[Block]) -> dict[int, list[str]]:
    words: dict[int, list[str]] = defaultdict(list)
    for block in blocks:
        words[block.page or 0] += words_of(f"{block.header}\n{block.text}" if block.header else block.text)
    return words


def _left_out(pages: Sequence[list[list[str]]], ours: dict[int, list[str]]) -> set[tuple[int, int]]:
    """(page, line) of heads, feet and page numbers that our text of that page has not.

    Only a page number, or a line of a page's edge whose words stand at the edge of several pages, may count as one:
    text that was simply lost stays lost.
    """
    edges = [
        (number, place)
        for number, lines in enumerate(pages)
        for place in range(len(lines))
        if place < _EDGE or place >= len(lines) - _EDGE
    ]
    repeated = Counter(_pattern(pages[number][place]) for number, place in edges)
    counts = {number: Counter(words) for number, words in ours.items()}
    pairs = {number: Counter(_pairs(words)) for number, words in ours.items()}
    whole = list(ours) == [0]
    found: set[tuple[int, int]] = set()
    for number, place in edges:
        line = pages[number][place]
        is_number = bool(_PAGE_NUMBER.fullmatch(" ".join(line)))
        if not is_number and repeated[_pattern(line)] < _REPEATED:
            continue
        page = 0 if whole else number + 1
        if _is_absent(line, counts.get(page, Counter()), pairs.get(page, Counter())):
            found.add((number, place))
    return found


def _is_absent(line: Sequence[str], words: Counter[str], pairs: Counter[Bigram]) -> bool:
    wanted = Counter(_pairs(line))
    if not wanted:
        return not words[line[0]]
    return (wanted & pairs).total() < 0.5 * wanted.total()


def _pattern(line: Sequence[str]) -> str:
    """The line without its numbers: page numbers differ from page to page."""
    return _NUMBER.sub("#", " ".join(line))
