"""Which paragraphs head a section: paragraphs + bookmarks → heads, by the surest evidence that there is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.library.extracted import Bookmark
from core.library.paragraphs import Paragraph, heading_title
from core.library.structure.bookmarks import matched
from core.library.structure.labels import Label, label_of
from core.library.structure.roles import title_role
from core.library.structure.runin import run_in_title
from core.library.structure.words import bare, not_titles
from core.store.items import SectionRole

_LONGEST = 160
_MOST_WORDS = 22
_PARENTHESES = re.compile(r"\([^()]*\)")
_BOX = re.compile(r"[☐☑☒□■]")
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}")
_HEBREW = re.compile("[א-ת]")
_JOINS = re.compile(r"(?:\b(?:of|and|for|the|to|in|on|with|by|or|from)|[,&:\u2013\u2014-])$", re.IGNORECASE)
_ENDS = re.compile(r"[.:;,]+$")
_NOTE_SIGN = re.compile(r"(?<=[^\W\d])\s?\((?:\d|[a-z])\)$")
_LEAST_REPEATS = 4
_REPEATED_SHARE = 0.1
_PROSE = 100
_LONGEST_ITEM = 80
_FORMS: frozenset[SectionRole] = frozenset(("cover", "contents", "signatures", "exhibits"))
_FURTHEST_CLAUSE = 60
"""A first number above this counts something else than sections."""


@dataclass(frozen=True)
class Head:
    """``level`` is that of the file's outline or format (0: not said), ``size`` that of its type (1 the largest, 0
    unknown); ``fixed``: the level comes from the file's own outline. ``lines`` are the paragraphs that it takes, 0
    when its paragraph goes on after it."""

    title: str
    label: Label | None = None
    level: int = 0
    size: int = 0
    fixed: bool = False
    lines: int = 1


def heads_of(found: Sequence[Paragraph], bookmarks: Sequence[Bookmark] = ()) -> dict[int, Head]:
    """Heads by the place of the paragraph that is one, or that begins with one."""
    marked = matched(found, bookmarks)
    furniture = _furniture(found)
    heads: dict[int, Head] = {}
    for place, paragraph in enumerate(found):
        head = _head(paragraph, marked.get(place), furniture)
        if head and (head.fixed or head.label or not _is_between_tables(found, place)):
            heads[place] = head
    heads = _in_sequence(found, heads)
    if _is_weak(found, heads):
        heads |= {place: head for place, head in _by_shape(found).items() if place not in heads}
    return dict(sorted((_joined(found, heads) | _sheets(found)).items()))


def _sheets(found: Sequence[Paragraph]) -> dict[int, Head]:
    """Every sheet of a workbook is a section of its own."""
    heads: dict[int, Head] = {}
    before: str | None = None
    for place, paragraph in enumerate(found):
        if paragraph.sheet and paragraph.sheet != before:
            heads[place] = Head(paragraph.sheet, level=1, lines=0)
        before = paragraph.sheet
    return heads


def _head(paragraph: Paragraph, bookmark: Bookmark | None, furniture: frozenset[str]) -> Head | None:
    if paragraph.kind == "table" or paragraph.has_code:
        return None
    if bookmark:
        title = _clean(bookmark.title) if paragraph.kind != "heading" else _clean(paragraph.text)
        whole = paragraph.kind == "heading" or bare(paragraph.text) == bare(bookmark.title)
        return Head(title, label_of(title), bookmark.level, paragraph.level, True, int(whole))
    if paragraph.role in _FORMS and not _names_form(paragraph):
        return None
    if paragraph.kind == "heading" and not paragraph.guessed:
        return _declared(paragraph, furniture)
    if named := _named(paragraph):
        return None if bare(named.title) in furniture else named
    if paragraph.role in ("body", "boilerplate") and (run_in := run_in_title(paragraph.text)):
        return Head(run_in, label_of(paragraph.text), lines=0)
    return None


def _names_form(paragraph: Paragraph) -> bool:
    """On a form or a list only its own title is a heading, and what the format itself calls one."""
    if paragraph.page is None:
        return paragraph.kind == "heading" and not paragraph.guessed
    label = label_of(paragraph.text)
    return paragraph.role != "cover" and (title_role(paragraph.text) != "body" or bool(label and label.is_named))


def _declared(paragraph: Paragraph, furniture: frozenset[str]) -> Head | None:
    title = _clean(paragraph.text)
    if paragraph.page is None:
        return Head(title, label_of(title), level=paragraph.level) if title else None
    label = label_of(title)
    if bare(title) in furniture and not (label and label.is_named):
        return None
    if not is_title(title) or (label and not label.is_named and not is_title(title[label.end :])):
        return None
    return Head(title, label, size=paragraph.level)


def _named(paragraph: Paragraph) -> Head | None:
    """A line that begins with a label and is no sentence."""
    text = paragraph.text
    label = label_of(text) if len(text) <= _LONGEST and "\n" not in text else None
    if label is None or label.scheme in ("paren", "letter") or paragraph.role == "exhibits":
        return None
    rest = text[label.end :]
    if label.is_named:
        words = rest.split()
        return Head(_clean(text), label) if len(words) <= _MOST_WORDS and not text.endswith((",", ";")) else None
    if len(label.number) > 1 and label.number[0] <= _FURTHEST_CLAUSE and _is_clause_title(rest):
        return Head(_clean(text), label)
    if len(label.number) == 1 and paragraph.kind in ("heading", "list") and _is_clause_title(rest):
        return Head(_clean(text), label)
    return None


def _is_clause_title(rest: str) -> bool:
    words = rest.split()
    if not words or len(words) > 10 or not is_title(rest) or rest.endswith((",", ";", ":", "?", "!")):
        return False
    return not rest.endswith(".") or is_title_case(rest)


def is_title_case(text: str) -> bool:
    """Whether most longer words begin with a capital; Hebrew has none, and a few words pass."""
    words = [word.strip("\"'“”‘’(),.:;") for word in text.split()]
    if _HEBREW.search(text):
        return len(words) <= 7
    long = [word for word in words if len(word) > 3 and word[0].isalpha()]
    return bool(words and words[0][:1].isupper()) and sum(word[0].isupper() for word in long) >= 0.6 * len(long)


def is_title(text: str) -> bool:
    """Whether ``text`` can head a section: it has words, and more than a period, a unit, a sum or a box to tick."""
    bare_text = _PARENTHESES.sub(" ", text).strip()
    letters = sum(map(str.isalpha, bare_text))
    if letters < 2 or 2 * letters < len(bare_text.replace(" ", "")) or len(text) > _LONGEST:
        return False
    if _BOX.search(text) or _LEADERS.search(text) or bare_text[0] in "$€£₪•*" or bare_text[0].islower():
        return False
    words = bare(bare_text).split()
    said = [word for word in words if not any(map(str.isdigit, word)) and word not in not_titles()]
    return 0 < len(words) <= _MOST_WORDS and bool(said)


def _furniture(found: Sequence[Paragraph]) -> frozenset[str]:
    """Titles that stand on many pages: running heads, and the labels of a table's parts."""
    pages: dict[str, set[int]] = {}
    for paragraph in found:
        if paragraph.page is not None and paragraph.kind == "heading":
            pages.setdefault(bare(_clean(paragraph.text)), set()).add(paragraph.page)
    last = max((paragraph.page or 0 for paragraph in found), default=0)
    least = max(_LEAST_REPEATS, _REPEATED_SHARE * last)
    return frozenset(title for title, held in pages.items() if len(held) >= least)


def _is_between_tables(found: Sequence[Paragraph], place: int) -> bool:
    """Whether the rows of a table that was read in parts stand around it: it names some of them."""
    around = found[max(0, place - 1) : place + 2]
    return len(around) == 3 and around[0].kind == around[2].kind == "table" and found[place].page == around[0].page


def _in_sequence(found: Sequence[Paragraph], heads: Mapping[int, Head]) -> dict[int, Head]:
    """Numbered lines that only look like heads stay when a sibling or the parent says that they are counted on."""
    numbers = Counter(head.label.number for head in heads.values() if head.label and head.label.scheme == "decimal")
    kept: dict[int, Head] = {}
    exhibits = False
    for place, head in heads.items():
        paragraph, label = found[place], head.label
        decimal = label is not None and label.scheme == "decimal"
        exhibits = title_role(head.title) == "exhibits" or (exhibits and decimal)
        if exhibits and decimal:
            continue
        sure = head.fixed or (paragraph.kind == "heading" and not paragraph.guessed)
        listed = paragraph.kind == "list" and head.lines == 1 and _in_a_list(found, place)
        if sure or label is None or not decimal or (_is_counted_on(label, numbers) and not listed):
            kept[place] = head
    return kept


def _is_counted_on(label: Label, numbers: Counter[tuple[int, ...]]) -> bool:
    *parent, last = label.number
    before, after = (*parent, last - 1), (*parent, last + 1)
    return bool(numbers[before] or numbers[after] or (parent and numbers[tuple(parent)]) or numbers[(*label.number, 1)])


def _in_a_list(found: Sequence[Paragraph], place: int) -> bool:
    """Whether a neighbour is an item too: a list of short lines is no row of headings."""
    around = [found[other] for other in (place - 1, place + 1) if 0 <= other < len(found)]
    labels = [label_of(each.text) for each in around if len(each.text) <= _LONGEST_ITEM]
    return "\n" in found[place].text or any(label and label.key == ("decimal", 1) for label in labels)


def _is_weak(found: Sequence[Paragraph], heads: Mapping[int, Head]) -> bool:
    """Whether next to nothing says what the headings are, so that their shape must."""
    sure = sum(found[place].role != "cover" and _heads_matter(found, place) for place in heads)
    pages = max((paragraph.page or 0 for paragraph in found), default=0)
    return 2 * sure < pages if pages else sure == 0


def _heads_matter(found: Sequence[Paragraph], place: int) -> bool:
    """Whether prose, a table or another heading follows: the words of a drawing head nothing."""
    if place + 1 == len(found) or len(found[place].text) > _LONGEST:
        return True
    below = found[place + 1]
    return below.kind in ("table", "heading", "list") or len(below.text) >= _PROSE


def _by_shape(found: Sequence[Paragraph]) -> dict[int, Head]:
    heads: dict[int, Head] = {}
    for place, paragraph in enumerate(found):
        title = _clean(_PARENTHESES.sub(" ", paragraph.text)) if paragraph.page else _clean(paragraph.text)
        if paragraph.role in _FORMS or not title:
            continue
        in_page = paragraph.kind in ("heading", "paragraph") and (
            _is_line_of_capitals(title) or (paragraph.guessed and is_title(title) and _leads_prose(found, place))
        )
        if in_page if paragraph.page else paragraph.kind == "heading":
            heads[place] = Head(title, label_of(title))
    return heads


def _leads_prose(found: Sequence[Paragraph], place: int) -> bool:
    """Whether a short line stands between whole paragraphs, the next one of prose on the same page."""
    above, below = found[max(0, place - 1)], found[min(place + 1, len(found) - 1)]
    prose = below.kind in ("paragraph", "list") and len(below.text) >= _PROSE and below.page == found[place].page
    return prose and (
        above.page != below.page or above.kind != "paragraph" or above.text.endswith((".", ":", "”", '"'))
    )


def _is_line_of_capitals(title: str) -> bool:
    words = title.split()
    if not 1 < len(words) <= 12 or not is_title(title):
        return False
    return title.isupper() or (bool(_HEBREW.search(title)) and len(words) <= 8 and not re.search(r"[.!?;|\d]", title))


def _joined(found: Sequence[Paragraph], heads: Mapping[int, Head]) -> dict[int, Head]:
    """A heading set on two lines is one: "ARTICLE 1" above "OFFICES", "Report of" above "the Auditors"."""
    joined: dict[int, Head] = {}
    last: int | None = None
    for place, head in heads.items():
        above = joined.get(last) if last is not None else None
        if above and last is not None and place == last + _lines(found, last, place) and _goes_on(above, head):
            title = f"{above.title} {head.title}"
            if len(title) <= _LONGEST:
                joined[last] = replace(above, title=title, lines=place - last + 1)
                continue
        joined[place] = head
        last = place
    return joined


def _lines(found: Sequence[Paragraph], first: int, place: int) -> int:
    """How far ``place`` may lie from ``first`` to be the same heading: nothing but headings between, on one page."""
    between = found[first : place + 1]
    same = len({each.page for each in between}) == 1 and place - first <= 3
    return place - first if same and all(each.kind == "heading" for each in between) else -1


def _goes_on(above: Head, head: Head) -> bool:
    if head.label or head.fixed or above.fixed or head.level != above.level:
        return False
    if above.label and above.label.is_named and above.title == _clean(above.label.written):
        return True
    return above.size == head.size > 0 and (bool(_JOINS.search(above.title)) or head.title[:1].islower())


def _clean(text: str) -> str:
    title = _NOTE_SIGN.sub("", heading_title(text))
    if _ENDS.search(title) and len(title) > 3:
        title = _ENDS.sub("", title).rstrip()
    return title[:_LONGEST] if len(title) <= _LONGEST else title[:_LONGEST].rsplit(" ", 1)[0]
