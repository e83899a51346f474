"""Determines the role of each part of a document: cover, contents, signatures, exhibits, boilerplate or body.

It uses the shape of the text and words that all such pages share (``sections.yaml``), no titles of particular
documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from core.language.normalisation import fold
from core.language.vocabulary import pattern_of
from core.library.chunking.paragraphs import Paragraph
from core.library.structure.labels import label_of
from core.library.structure.words import bare, role_titles, section_words
from core.store.items import SectionRole

_PAGE = re.compile(r"(?:[\s|]|[.\u2026_-]{3})(?P<page>(?:[A-Z]{1,2}-)?\d{1,3}|[ivxl]{1,6})$")
_WORD = re.compile(r"[^\W\d_]{2}")
_SUM = re.compile(r"[$€£₪%]|\d,\d{3}")
_LONGEST_SIGN = 10
FORMS: frozenset[SectionRole] = frozenset(("cover", "contents", "signatures", "exhibits"))
"""Roles whose text looks like headings but has none."""
_LEADERS = re.compile(r"(?:\.\s?){4,}|\u2026{2,}")
_EXHIBIT = re.compile(r"^[\s|*†+(]*\d{1,3}(?:\.\d{1,3})?(?:\([a-z]\))?[\s|*†+).]+\S")
_SIGNED = pattern_of("library/structure.roles.signed")
_LEAST_ENTRIES = 4
_ENTRIES_ALONE = 6
"""At least this many labelled lines with increasing page numbers are a table of contents, even without a title."""
_LAST_COVER_PAGE = 3
_COVER_PHRASES = 3
_COVER_PARAGRAPHS = 60
_LONG = 400
_SHORT = 120
_REACH = {"contents": 1, "signatures": 1, "exhibits": 1, "boilerplate": 1, "cover": 0, "body": 0}
"""Pages for which a title decides the role; further on, the text itself must show it."""
_REACH_CHARACTERS = 8_000


def with_roles(found: Sequence[Paragraph]) -> list[Paragraph]:
    """Assign the roles that the text itself shows; a role from the extractor is kept."""
    folded = [fold(each.text if len(each.text) < 4 * _LONG else each.text[: 4 * _LONG]) for each in found]
    roles: dict[int, SectionRole] = {}
    for shown in (_boilerplate, _exhibits, _signatures, _cover, _contents):
        roles |= shown(found, folded)
    return [
        replace(each, role=roles.get(place, each.role)) if each.role == "body" else each
        for place, each in enumerate(found)
    ]


def under_title(found: Sequence[Paragraph], titles: Mapping[int, str]) -> list[Paragraph]:
    """Assign the roles that headings give to the text directly below; ``titles`` by position of the heading."""
    result = list(found)
    role: SectionRole = "body"
    head, length = 0, 0
    for place, paragraph in enumerate(found):
        if place in titles:
            role, head, length = title_role(titles[place]), place, 0
        length += len(paragraph.text)
        if role != "body" and paragraph.role == "body" and _reaches(role, found[head], paragraph, length):
            result[place] = replace(paragraph, role=role)
    return result


def title_role(title: str) -> SectionRole:
    """The role that a heading names; also for "Item 15. Exhibits" and "(d) Exhibits"."""
    label = label_of(title)
    rest = bare(title[label.end :] if label else title)
    return role_titles().get(rest) or role_titles().get(rest.removesuffix(" continued")) or "body"


def _reaches(role: SectionRole, head: Paragraph, paragraph: Paragraph, length: int) -> bool:
    if role == "exhibits" and len(paragraph.text) > 2 * _LONG and paragraph.kind == "paragraph":
        return False
    if head.page is None or paragraph.page is None:
        return length <= _REACH_CHARACTERS
    return paragraph.page - head.page <= _REACH[role] and length <= _REACH_CHARACTERS


def _role_phrases(role: SectionRole) -> list[str]:
    return [fold(phrase) for phrase in section_words().roles[role].phrases]


def _boilerplate(found: Sequence[Paragraph], folded: Sequence[str]) -> dict[int, SectionRole]:
    phrases = _role_phrases("boilerplate")
    counts = {place: sum(phrase in text for phrase in phrases) for place, text in enumerate(folded)}
    return {place: "boilerplate" for place, count in counts.items() if count > 1 and found[place].kind != "table"}


def _exhibits(found: Sequence[Paragraph], folded: Sequence[str]) -> dict[int, SectionRole]:
    """Finds lists of exhibits: lists and tables whose lines begin with a number and say where the exhibit is."""
    phrases = _role_phrases("exhibits")
    roles: dict[int, SectionRole] = {}
    for place, paragraph in enumerate(found):
        if paragraph.kind not in ("table", "list") and len(paragraph.text) > _LONG:
            continue
        lines = paragraph.text.split("\n")
        numbered = sum(bool(_EXHIBIT.match(line)) for line in lines)
        count = sum(folded[place].count(phrase) for phrase in phrases)
        if (len(lines) > 2 and numbered * 2 >= len(lines) and count >= 2) or (len(lines) == 1 and numbered and count):
            roles[place] = "exhibits"
    return roles


def _signatures(found: Sequence[Paragraph], folded: Sequence[str]) -> dict[int, SectionRole]:
    """Finds the signatures: from the sentence that announces them, as long as short lines and tables follow."""
    phrases = [phrase for phrase in _role_phrases("signatures") if len(phrase) > len("power of attorney")]
    roles: dict[int, SectionRole] = {}
    running = -1
    for place, paragraph in enumerate(found):
        announced = any(phrase in folded[place] for phrase in phrases)
        signed = bool(_SIGNED.search(paragraph.text))
        if announced and (signed or _is_followed_by_names(found, place)):
            running = place
        elif not signed and _ends_signatures(paragraph):
            running = -1
        if running >= 0 and _is_near(found[running], paragraph):
            roles[place] = "signatures"
    return roles


def _ends_signatures(paragraph: Paragraph) -> bool:
    label = label_of(paragraph.text)
    return bool(label and label.is_named) or (paragraph.kind != "table" and len(paragraph.text) > _SHORT)


def _is_followed_by_names(found: Sequence[Paragraph], place: int) -> bool:
    after = found[place + 1 : place + 12]
    return any(_SIGNED.search(each.text) for each in after) or all(len(each.text) <= _SHORT for each in after[:2])


def _is_near(first: Paragraph, paragraph: Paragraph) -> bool:
    return first.page is None or paragraph.page is None or paragraph.page - first.page <= 1


def _cover(found: Sequence[Paragraph], folded: Sequence[str]) -> dict[int, SectionRole]:
    """Finds the cover form at the beginning of a filing: the first pages that contain several of its phrases, up to the
    last phrase."""
    phrases = _role_phrases("cover")
    roles: dict[int, SectionRole] = {}
    for places in _first_pages(found):
        phrases_met = {place: {phrase for phrase in phrases if phrase in folded[place]} for place in places}
        if len(set().union(*phrases_met.values())) < _COVER_PHRASES:
            continue
        last = max(place for place in places if phrases_met[place])
        rest = [place for place in places if place > last]
        while rest and len(found[rest[0]].text) <= _LONG and found[rest[0]].page is not None:
            last = rest.pop(0)
        roles |= {place: "cover" for place in places if place <= last}
    return roles


def _first_pages(found: Sequence[Paragraph]) -> Iterator[list[int]]:
    if all(each.page is None for each in found):
        yield list(range(min(len(found), _COVER_PARAGRAPHS)))
        return
    for page in range(1, _LAST_COVER_PAGE + 1):
        yield [place for place, each in enumerate(found[: 10 * _COVER_PARAGRAPHS]) if each.page == page]


def _contents(found: Sequence[Paragraph], folded: Sequence[str]) -> dict[int, SectionRole]:
    """Finds tables of contents: sequences of lines that end in increasing page numbers, with the title above and short
    lines between them."""
    roles: dict[int, SectionRole] = {}
    place = 0
    while place < len(found):
        titled = title_role(found[place].text) == "contents" and len(found[place].text) <= _SHORT
        entries = _entries(found[place])
        if not titled and not entries:
            place += 1
            continue
        end, pages, led = _contents_run(found, place)
        enough = len(pages) >= (_LEAST_ENTRIES if titled or led else _ENTRIES_ALONE)
        enough = enough and 3 * sum(bool(_entries(each)) for each in found[place:end]) >= end - place
        sure = titled or led or _are_labelled(found[place:end])
        if enough and sure and _are_in_order(pages):
            roles |= dict.fromkeys(range(place, end), "contents")
            place = end
        else:
            place += 1
    return roles


def _are_labelled(run: Sequence[Paragraph]) -> bool:
    """Whether lines name parts of a document; increasing counts in a list do not."""
    labels = [label_of(line.strip("| ")) for each in run for line in each.text.split("\n")]
    return sum(label is not None and label.scheme != "paren" for label in labels) * 3 >= len(labels)


def _contents_run(found: Sequence[Paragraph], first: int) -> tuple[int, list[int], bool]:
    """The end of the sequence that begins at ``first``, its page numbers, and whether it has dot leaders."""
    pages: list[int] = []
    end, idle, led = first, 0, False
    for place in range(first, len(found)):
        entries = _entries(found[place])
        if entries:
            if pages and not _are_in_order([*pages, *entries]):
                break
            pages += entries
            led = led or bool(_LEADERS.search(found[place].text))
            end, idle = place + 1, 0
        elif len(found[place].text) > _SHORT or (idle := idle + 1) > _LEAST_ENTRIES:
            break
    return end, pages, led


def _entries(paragraph: Paragraph) -> list[int]:
    """The page numbers at the ends of its lines; empty if most lines end otherwise, or contain amounts."""
    lines = [line.strip("| \t") for line in paragraph.text.split("\n") if line.strip("| \t")]
    if not lines or len(paragraph.text) / len(lines) > 2 * _SHORT:
        return []
    signs = [sign for sign in map(_page_sign, lines) if sign]
    return list(map(_page, signs)) if 2 * len(signs) >= len(lines) else []


def _page_sign(line: str) -> str | None:
    """The page number at the end of a contents line; the number of a heading ("Section 5") is none."""
    found = _PAGE.search(line[-_LONGEST_SIGN:])
    if not found or not _WORD.search(line[:-2]) or _SUM.search(line):
        return None
    label = label_of(line.lstrip("# "))
    if label and label.end >= len(line.lstrip("# ")):
        return None
    return found["page"]


def _page(sign: str) -> int:
    number = sign.rpartition("-")[2]
    return int(number) + (500 if "-" in sign else 0) if number.isdigit() else 0


def _are_in_order(pages: Sequence[int]) -> bool:
    wrong = sum(after < before for before, after in pairwise(pages))
    return wrong <= len(pages) // 10 and (len(pages) < _LEAST_ENTRIES or pages[-1] > pages[0])
