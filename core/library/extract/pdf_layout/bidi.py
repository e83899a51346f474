"""Converts a line from display order to reading order.

It inverts the Unicode bidirectional algorithm (UAX #9) for one line, as far as the displayed line allows: embeddings
and overrides leave no trace.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from core.language.hebrew import FINAL_FORMS, LETTER

Direction = Literal["R", "L", "N", "S", "T", "W"]
"""Classes of characters: right-to-left letter, left-to-right letter, digit, number separator, number sign, any other.
"""

_MIRROR = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_OPENING, _CLOSING = "([{«", ")]}»"
_TRAILING = ".,:;!?"
_EDGES = " \t-–־\"'"
_HEBREW_WORD = re.compile(f"{LETTER}{{3,}}")
_CLASSES: dict[str, Direction] = {
    "R": "R", "AL": "R", "L": "L", "EN": "N", "AN": "N", "ES": "S", "CS": "S", "ET": "T",
}  # fmt: skip


@lru_cache(maxsize=4096)
def direction_of(character: str) -> Direction:
    """The class of ``character`` that determines its position in a mixed line."""
    return _CLASSES.get(unicodedata.bidirectional(character), "W")


def reads_right_to_left(texts: Iterable[str]) -> bool:
    """Whether most letters of ``texts`` belong to right-to-left scripts."""
    right = left = 0
    for text in texts:
        for character in text:
            kind = direction_of(character)
            right += kind == "R"
            left += kind == "L"
    return right > left


def logical(clusters: Sequence[str], right_to_left: bool) -> str:
    """The reading order of a line given in display order, left to right.

    Args:
        clusters: each is one letter with its marks, or one ligature.
        right_to_left: direction of the paragraph around the line.
    """
    kinds = _kinds(clusters)
    if "R" not in kinds and (not right_to_left or ("L" in kinds and clusters[0] not in _TRAILING)):
        return "".join(clusters)
    if right_to_left:
        return _right_to_left(clusters, kinds)
    parts = []
    for start, end, is_right in _right_runs(kinds):
        run = clusters[start:end]
        parts.append(_right_to_left(run, kinds[start:end]) if is_right else "".join(run))
    return "".join(parts)


def _kinds(clusters: Sequence[str]) -> list[Direction]:
    """The class of each cluster; brackets inside a left-to-right phrase belong to it (rule N0)."""
    kinds: list[Direction] = [direction_of(cluster[0]) if cluster else "W" for cluster in clusters]
    open_: list[int] = []
    after_latin = False
    for index, cluster in enumerate(clusters):
        if kinds[index] == "R":
            open_, after_latin = [], False
        elif kinds[index] == "L":
            after_latin = True
        elif cluster in _OPENING and after_latin:
            open_.append(index)
        elif cluster in _CLOSING and open_:
            kinds[open_.pop()] = kinds[index] = "L"
    return kinds


def _right_to_left(clusters: Sequence[str], kinds: Sequence[Direction]) -> str:
    """Reads from the right end; Latin words and numbers on the way keep their own order."""
    parts: list[str] = []
    own: list[bool] = []
    position = len(clusters)
    while position > 0:
        start = _left_run_start(clusters, kinds, position)
        keeps_order = start < position
        start = start if keeps_order else position - 1
        parts.append("".join(clusters[start:position]))
        own.append(keeps_order)
        position = start
    return "".join(_mirrored(parts, own))


def _left_run_start(clusters: Sequence[str], kinds: Sequence[Direction], end: int) -> int:
    """The start of the left-to-right run that ends before ``end``; ``end`` itself if there is none."""
    if kinds[end - 1] not in "LNT":
        return end
    border = end
    while border > 0 and kinds[border - 1] != "R":
        border -= 1
    stretch = kinds[border:end]
    if "L" in stretch and not _is_item_number(clusters, kinds, end, border):
        first = next(i for i, kind in enumerate(stretch) if kind in "LNT")
        return border + first
    return _number_start(clusters, kinds, end, border)


def _is_item_number(clusters: Sequence[str], kinds: Sequence[Direction], end: int, border: int) -> bool:
    """Whether it is the number of a list item before a Latin word: it is first in the line, with its full stop on its
    left."""
    if end < len(clusters):
        return False
    start = _number_start(clusters, kinds, end, border)
    return border + 1 < start < end and clusters[start - 1] in ".)(" and clusters[start - 2].isspace()


def _number_start(clusters: Sequence[str], kinds: Sequence[Direction], end: int, border: int) -> int:
    """The start of a number: digits, single separators between digits, adjacent signs, the plus of a phone number."""
    start = end
    while start > border:
        kind = kinds[start - 1]
        between = (
            kind == "S" and start - 2 >= border and kinds[start - 2] == "N" and start < end and kinds[start] == "N"
        )
        if kind not in "NT" and not between:
            break
        start -= 1
    if "N" not in kinds[start:end]:
        return end
    return start - 1 if start > border and clusters[start - 1] == "+" else start


def _right_runs(kinds: Sequence[Direction]) -> list[tuple[int, int, bool]]:
    """Split a left-to-right line into (start, end, is right-to-left) runs.

    Spaces and marks between two right-to-left letters belong to their run, and so do numbers.
    """
    rights = [i for i, kind in enumerate(kinds) if kind == "R"]
    runs: list[tuple[int, int]] = []
    for index in rights:
        if runs and "L" not in kinds[runs[-1][1] : index]:
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    pieces: list[tuple[int, int, bool]] = []
    position = 0
    for start, end in runs:
        pieces += [(position, start, False), (start, end, True)]
        position = end
    return [*pieces, (position, len(kinds), False)]


def _mirrored(parts: list[str], own: list[bool]) -> list[str]:
    """Brackets of right-to-left text in their logical form, whichever form the producer stored."""
    result = list(parts)
    open_: list[str] = []
    for index, part in enumerate(parts):
        if own[index] or len(part) != 1 or part not in _OPENING + _CLOSING:
            continue
        pair = part if part in _OPENING else part.translate(_MIRROR)
        opens = _opens(parts, index)
        if opens is None:
            opens = pair not in open_
        result[index] = pair if opens else pair.translate(_MIRROR)
        if opens:
            open_.append(pair)
        elif pair in open_:
            open_.remove(pair)
    return result


def _opens(parts: list[str], index: int) -> bool | None:
    """Whether the bracket is an opening one, judged by the space around it; ``None`` if that does not decide."""
    before = parts[index - 1][-1:].strip(_EDGES) if index else ""
    after = parts[index + 1][:1].strip(_EDGES + ".,;:!?") if index + 1 < len(parts) else ""
    return None if bool(before) == bool(after) else not before


def letters_are_reversed(text: str) -> bool:
    """Whether Hebrew words of ``text`` are spelled backwards: final letters are at their beginnings."""
    starts = ends = 0
    for word in _HEBREW_WORD.findall(text):
        starts += word[0] in FINAL_FORMS
        ends += word[-1] in FINAL_FORMS
    return starts >= 3 and starts > 3 * ends


def logical_lines(text: str) -> str:
    """Every line of a text stored in display order, in reading order."""
    right_to_left = reads_right_to_left([text])
    return "\n".join(logical(clusters_of(line), right_to_left) for line in text.split("\n"))


def clusters_of(line: str) -> list[str]:
    """The letters of ``line``, each with the marks that follow it."""
    clusters: list[str] = []
    for character in line:
        if clusters and unicodedata.category(character) == "Mn":
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def unreversed_words(text: str) -> str:
    """Reverse the letters of every right-to-left word, if the order of the words is already right."""
    return re.sub("[\u0590-\u08ff]+", lambda found: "".join(reversed(clusters_of(found.group()))), text)
