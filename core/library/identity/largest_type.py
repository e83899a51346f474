"""Finds the largest words of a first page: *cover* → the lines of one size that a reader takes for the title.

People recognise a title by its typography: the largest lines of one size. Organisation names, press release lines and
single numbers may be as large; they are skipped if other large words follow.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.language.entities.periods import periods_in, without_periods
from core.language.normalisation import fold
from core.language.terms import content_terms
from core.language.vocabulary import pattern_of
from core.library.extracted import CoverLine
from core.library.identity.cover import Cover
from core.library.identity.institutions import is_of_forms
from core.library.identity.usable_lines import is_boilerplate, may_be_title
from core.library.structure.titles import breaks_off

LONGEST = 200
_LARGER = 1.12
"""Words of at least this relative size count as larger than the body text."""
_CLEARLY = 1.3
_HUGE = 2.2
_MOST_BEFORE = 800
"""Characters of body text that may precede a title, in another column or in a masthead."""
_ALIKE = 0.08
_AS_LARGE = 0.9
_MOST_LINES = 6
_LOOSE = 1.3
"""Largest gap between two lines of one title, in line heights."""
_FEW_WORDS = 3
_SHORT = 14
"""The largest words are not enough for a title if they have at most this many letters: "Nikon", "D750", "Handbook"."""
_RELEASE = pattern_of("library/identity.titles.release_line")
_BULLET = re.compile(r"^\s*[•●○◦▪■□►▶‣∙·➢➤*–—-]")
_MODEL = re.compile(r"[A-Z]{1,5}[- ]?\d[\w-]{0,12}")
"""Matches a model name: "X200"."""
_HALF = 0.4
_MOSTLY = 0.8
_GOES_ON = 0.6


@dataclass
class _Group:
    """Consecutive lines of one size."""

    size: float
    top: float
    bottom: float
    start: float
    end: float
    bold: bool
    running: bool = False
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        joined = ""
        for line in self.lines:
            if joined.endswith("-") and joined[-2:-1].isalpha() and line[:1].islower():
                joined = joined[:-1] + line
            else:
                joined = f"{joined} {line}" if joined else line
        return joined


@dataclass(frozen=True)
class LargestWords:
    """The largest words. ``sure``: they are clearly larger than the body text, and more than one word."""

    text: str
    sure: bool


def largest_words(cover: Cover, names: Collection[str] = ()) -> LargestWords | None:
    """The text in the largest type; ``None`` if the file gives no typography, or nothing is larger than the rest.

    Args:
        names: folded names of organisations; a name by itself is not a title.
    """
    groups = _groups(cover)
    usable = [group for place, group in enumerate(groups) if _is_usable(group) and _leads(group, groups[:place])]
    if not usable:
        return None
    titles = [group for group in usable if fold(group.text).strip(" .®™") not in names] or usable
    largest = max(group.size for group in titles)
    first = _first_of(titles, largest, cover)
    text = _completed(first, titles, groups)
    words = len(text.split()) > 1 or len(text) > _SHORT
    return LargestWords(text, first.size >= _CLEARLY and words)


def _first_of(titles: Sequence[_Group], largest: float, cover: Cover) -> _Group:
    """From the groups of about the largest size: one that contains words of the file name, otherwise the first. If the
    file's own title or name gives a group in full, that is the title even below a larger masthead."""
    for said in (cover.own_title, cover.stem):
        terms = set(content_terms(said))
        agreeing = [group for group in titles if len(terms) > 2 and _shared(group.text, terms) >= _MOSTLY * len(terms)]
        if agreeing:
            return max(agreeing, key=lambda group: group.size)
    near = [group for group in titles if group.size >= _AS_LARGE * largest]
    named = content_terms(f"{cover.stem} {cover.own_title}")
    supported = [group for group in near if _shared(group.text, named) * 2 > len(content_terms(group.text))]
    return min(supported or [each for each in near if each.size >= (1 - _ALIKE) * largest], key=lambda each: each.top)


def _shared(text: str, named: Collection[str]) -> int:
    return len(set(content_terms(text)) & set(named))


def _completed(first: _Group, usable: Sequence[_Group], groups: Sequence[_Group]) -> str:
    """The largest words together with the lines that complete them, and with a period in large type."""
    text = first.text
    if sum(map(str.isalnum, text)) <= _SHORT or len(text.split()) < _FEW_WORDS or is_of_forms(text):
        least = max(_LARGER, _HALF * first.size)
        large = [group for group in usable if group.size >= least]
        large += [group for group in groups if group.size >= least and _MODEL.fullmatch(group.text)]
        text = _stacked(first, large) or _with_other(first, large)
    when = next((each.text.strip() for each in groups if each.size >= _LARGER and _is_period(each.text)), None)
    if when and not any(sign.isdigit() for sign in text) and len(text) + len(when) < LONGEST:
        text = f"{text} {when}"
    return text


def _stacked(first: _Group, large: Sequence[_Group]) -> str | None:
    """Words directly above and below each other in several large sizes, as covers print one title; otherwise
    ``None``."""
    stack = [first]
    for group in sorted(large, key=lambda each: each.top):
        if group.top > stack[-1].top and _is_close(stack[-1], group):
            stack.append(group)
    for group in sorted(large, key=lambda each: -each.top):
        if group.top < stack[0].top and _is_close(group, stack[0]):
            stack.insert(0, group)
    text = stack[0].text
    for above, below in pairwise(stack):
        whole = len(below.text.split()) > _FEW_WORDS and below.text[:1].isupper() and not breaks_off(above.text)
        text = f"{text}: {below.text}" if whole else f"{text} {below.text}"
    return text if 1 < len(stack) <= _MOST_LINES and len(text) < LONGEST else None


def _is_close(above: _Group, below: _Group) -> bool:
    height = max(above.bottom - above.top, below.bottom - below.top) / 2
    return -height < below.top - above.bottom <= height and above.start <= below.end and below.start <= above.end


def _with_other(first: _Group, large: Sequence[_Group]) -> str:
    """The largest words together with the next largest; those below are preferred to those above."""
    text = first.text
    others = [group for group in large if group is not first and group.size < first.size * 1.01]
    below = [group for group in others if group.top >= first.top]
    more = max(below or others, key=lambda group: (group.size, -group.top), default=None)
    if more is None or fold(more.text) in fold(text) or len(text) + len(more.text) >= LONGEST:
        return text
    return f"{text}: {more.text}" if more.top >= first.top else f"{more.text}: {text}"


def _is_period(text: str) -> bool:
    """Whether a line is a year, a quarter or a month, and nothing else."""
    named = periods_in(text) if len(text) < _SHORT * 2 else []
    return bool(named) and not named[0].day and not without_periods(text).strip(" -–—.,()")


def _is_usable(group: _Group) -> bool:
    text = group.text
    if group.running or group.size < _LARGER or len(group.lines) > _MOST_LINES or len(text) > 250:
        return False
    if _BULLET.match(text) or _RELEASE.match(text) or is_boilerplate(text) or not may_be_title(text):
        return False
    if sum(map(str.isalpha, without_periods(text))) < 3:
        return False
    return not (text.endswith((".", "!", "?")) and len(text.split()) > 14)


def _leads(group: _Group, before: Sequence[_Group]) -> bool:
    """Whether a group of lines is above the body text. Much larger type may follow some body text, but slightly larger
    type and lines formatted as headings may not."""
    running = sum(len(each.text) for each in before if each.size < _LARGER and not each.bold)
    if group.size >= _CLEARLY:
        return running <= _MOST_BEFORE or group.size >= _HUGE
    headed = any(each.bold and may_be_title(each.text) and len(each.text.split()) > 2 for each in before)
    return not headed and running <= _MOST_BEFORE / 4


def _groups(cover: Cover) -> list[_Group]:
    groups: list[_Group] = []
    for line in cover.typed:
        if not line.text.strip():
            continue
        home = next((group for group in reversed(groups[-4:]) if _belongs(line, group)), None)
        if home is None:
            home = _Group(line.size, line.top, line.bottom, line.start, line.end, line.bold, line.running)
            groups.append(home)
        home.lines.append(line.text)
        home.bottom = max(home.bottom, line.bottom)
        home.start, home.end = min(home.start, line.start), max(home.end, line.end)
    return groups


def _belongs(line: CoverLine, group: _Group) -> bool:
    """Whether ``line`` continues ``group``: same size and weight, close below it and not next to it."""
    height = max(line.bottom - line.top, 0.001)
    gap = line.top - group.bottom
    near = -0.4 * height <= gap <= _LOOSE * height
    apart = line.start > group.end or line.end < group.start
    alike = abs(line.size - group.size) <= _ALIKE * max(line.size, group.size)
    # "Ask the right questions:" continues in smaller type.
    larger = min(line.size, group.size) >= max(_LARGER, _GOES_ON * group.size)
    if larger and not apart and gap <= 2 * _LOOSE * height and breaks_off(group.text):
        return True
    return near and alike and line.bold == group.bold and not apart
