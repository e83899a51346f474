"""Finds who holds an office in a company: takes a question and whole documents; returns the name next to the title.

A report names its officers in a list with ages, in signatures and in its text; a scan may have broken the layout. Each
place where a name is next to the title counts as a vote, and the name with the most votes in the newest report is the
answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from core.answering.disclosures.newest import newest_first, year_of
from core.answering.disclosures.plain_facts import PlainFact
from core.answering.disclosures.vocabulary import NEVER, compiled, self_reference_pattern
from core.figures.records import TextEvidence
from core.language.vocabulary import Entry, file_of
from core.question.analysed import AnalysedQuestion
from core.words import Language, Words

DECIDED = 3.0
"""Minimum weight of a name for an answer without a warning, reached if a list and a signature agree; it must also be
twice the weight of the next name."""
_LEAST = 1.0
_LISTED, _SIGNED, _SAID = 2.0, 2.0, 1.0
_PRINCIPAL = 1.0
_REACH = 40
_WIDEST = 180
"""Maximum characters between the start of a name and the title after it."""

_TITLES = (
    "Chief|President|Chair|Chairman|Chairwoman|Chairperson|Director|Executive|Senior|Vice|Managing|Officer|Principal|"
    "Independent|Former|Lead|Interim|Acting|Non|Co"
)
_FORMS = (
    "Date|Title|Name|Names|Signature|Signatures|By|Inc|Board|Company|Corporation|Group|Exhibit|Certification|Registrant|"
    "Age|Position|Positions|Held|Annual|Report|Form|Committee"
)
_OTHERS = (
    "The|Our|Mr|Ms|Mrs|Dr|Prior|From|Since|Become|Retire|Legal|Affairs|Human|Resources|Finance|Global|Operations|"
    "Corporate|Business|Technology|Strategy|Audit|Marketing|Sales|Supply|International|Americas|North|South|United|States|"
    "New"
)
_PART = (
    rf"(?!(?i:and|or|the|{_TITLES}|{_FORMS}|{_OTHERS})\b)"
    r"[A-Z](?:[a-z][\w'’\-]{0,60}|['’][A-Z]\w{1,60}|[A-Z'’\-]{2,60}(?![a-z]))"
)
_NAME = rf"(?P<name>(?:[A-Z]\.\s)?{_PART}(?:\s(?:[A-Z]\.|{_PART}|de|van|von|der|la|bin)){{1,4}}(?:,? (?:Jr|Sr)\.)?)"
_OFFICES = (
    r"(?:Executive |Senior |Group |Interim |Acting |Co-)*"
    r"(?:Chairman|Chairwoman|Chairperson|Chair|Vice President|President|Director|Managing Director|Founder|Treasurer|"
    r"Secretary|Chief \w+(?: \w+)? Officer|General Counsel|Controller)(?: of the Board(?: of Directors)?)?"
)
_WORDS = r"is|serves as|has served as|has been|was appointed|was named|became|as|our|the|its|and"
_BETWEEN = (
    rf"(?:\s*(?:,|\||–|—|-|\(\d\d\)|\b\d\d\b|\b(?:{_WORDS})\b|[A-Z][\w&]*(?: [A-Z][\w&]*)?['’]s|\n+|&|{_OFFICES}))*\s*"
)
"""Text allowed between a name and its title: list punctuation, an age, other titles."""
_ELSEWHERE = re.compile(
    r"\s*(?:,|–|-|\bof\b|\bfor\b|\bat\b|\bfrom\b|\buntil\b|\bthrough\b|\bto\b)\s*(?P<next>[\w.’']+(?: [\w.’']+)?)"
)
"""Words after a title which show that the office is in a division or another company, or was held in the past."""
_OWN = re.compile(
    r"(?:and|president|chair|chairman|director|chief|member|principal|our|the company|the corporation|the registrant|"
    r"us|since|the board|effective|duly|group|executive|senior|secretary|treasurer)\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(rf"{_NAME}{_BETWEEN}\Z")
_LIST = re.compile(r"\|\s*\d\d\s*\||\(\d\d\)|\s\d\d\s")
"""An age next to a name, which shows a list of officers."""
_PAST = re.compile(r"\b(?:former\w*|previous\w*|prior|was|were|served|until|then|to the)\s*$", re.IGNORECASE)


class OfficeKind(Entry):
    """An office, such as chief executive, as defined in the vocabulary file."""

    office: str
    office_he: str
    title: str
    principal: str = NEVER
    line: Words


class _File(Entry):
    asked: str
    unless: str
    offices: dict[str, OfficeKind]
    doubt: Words


_file = file_of("answering/offices", _File)


@dataclass(frozen=True)
class _Vote:
    """A place in a document where a name is next to the title."""

    name: str
    passage: TextEvidence
    text: str
    weight: float


@dataclass(frozen=True)
class Holder(_Vote):
    """The name with the most votes; ``weight`` is the sum of its votes, ``next_weight`` that of the next name."""

    next_weight: float

    @property
    def is_decided(self) -> bool:
        return self.weight >= DECIDED and self.weight >= 2 * self.next_weight


def office_sought(question: AnalysedQuestion) -> OfficeKind | None:
    """Returns the office whose holder a question asks for."""
    known = _file()
    for text in (question.focus, question.text):
        if compiled(known.unless).search(text):
            continue
        for kind in known.offices.values():
            asked = known.asked.replace("{office}", f"(?:{kind.office})")
            asked = asked.replace("{office_he}", f"(?:{kind.office_he})")
            if compiled(asked).search(text):
                return kind
    return None


def plain_holder(question: AnalysedQuestion, passages: Sequence[TextEvidence]) -> PlainFact | None:
    """Returns the holder from the newest document that names one; ``passages`` in reading order."""
    kind = office_sought(question)
    if kind is None:
        return None
    for document in newest_first(passages, question.periods):
        votes = [vote for passage in document for vote in _votes(kind, passage)]
        if (found := _elected(votes)) is not None:
            doubt = None if found.is_decided else _file().doubt
            worded = partial(_officer_line, found, kind, question.language)
            return PlainFact(found.passage, found.text, found.name, worded, doubt)
    return None


def _officer_line(found: Holder, kind: OfficeKind, language: Language, entity: str) -> str:
    """Returns the first line of the answer."""
    year = year_of(found.passage.origin)
    at = f" ({year})" if year else ""
    cite = f"[{found.passage.origin.number}]"
    return kind.line.to(language).format(entity=entity, value=found.name, at=at, cite=cite)


def _votes(kind: OfficeKind, passage: TextEvidence) -> Iterator[_Vote]:
    text = passage.text
    for title in _title_pattern(kind.title).finditer(text):
        after = _ELSEWHERE.match(text[title.end() : title.end() + _REACH])
        if after and not _is_own(after["next"], passage.origin.names):
            continue
        start = max(0, title.start() - _WIDEST)
        match = _BESIDE.search(text[start : title.start()])
        if match is None or _PAST.search(text[: start + match.start()][-_REACH:]):
            continue
        name = _deduplicated_name(match["name"])
        if len(name.split()) > 1 and not compiled(self_reference_pattern(passage.origin.names)).search(name):
            line = " ".join(f"{match.group()}{title.group()}".split())
            weight = _title_weight(kind, match.group(), text[: start + match.start()], text[title.end() :])
            yield _Vote(name, passage, line, weight)


def _title_weight(kind: OfficeKind, title: str, before: str, after: str) -> float:
    listed = _LIST.search(title)
    own = _LISTED if listed else _SIGNED if "/s/" in before[-_REACH:] else _SAID
    return own + (_PRINCIPAL if compiled(kind.principal).search(after[: 2 * _REACH]) else 0.0)


def _is_own(word: str, names: Sequence[str]) -> bool:
    return bool(_OWN.match(word)) or any(word.lower().startswith(name.lower()[: len(word)]) for name in names if name)


def _elected(votes: Sequence[_Vote]) -> Holder | None:
    weights: dict[str, float] = defaultdict(float)
    for vote in votes:
        weights[_family(vote.name)] += vote.weight
    ranked = sorted(weights.items(), key=lambda each: -each[1])
    if not ranked or ranked[0][1] < _LEAST or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    own = [vote for vote in votes if _family(vote.name) == ranked[0][0]]
    best = max(own, key=lambda each: each.weight)
    name = max((vote.name for vote in own), key=lambda each: (not each.isupper(), len(each)))
    return Holder(name, best.passage, best.text, ranked[0][1], ranked[1][1] if len(ranked) > 1 else 0.0)


def _family(name: str) -> str:
    return re.sub(r",? (?:jr|sr)\.$", "", name.lower()).split()[-1]


def _deduplicated_name(name: str) -> str:
    """Removes repetitions where a signature and the printed name run together: "Berg Anna L. Berg" gives the last full
    name."""
    words = name.split()
    while words[-1].lower() in (earlier := [word.lower() for word in words[:-1]]):
        words = words[earlier.index(words[-1].lower()) + 1 :]
    initial = max((n for n, word in enumerate(words) if len(word) == 2 and word[1] == "."), default=0)
    if initial >= 2:
        words = words[initial - 1 :]
    elif initial == 0 and len(words) >= 4:
        words = words[-2:]
    return " ".join(word.capitalize() if name.isupper() and len(word) > 2 else word for word in words)


@cache
def _title_pattern(title: str) -> re.Pattern[str]:
    return re.compile(rf"(?i:{title})(?![\w])")
