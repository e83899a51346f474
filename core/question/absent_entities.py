"""Finds organisations and periods that a question names but no document has.

It reports only with evidence. A capital letter is not enough for an organisation: a name counts only if the question
asks for its figure ("X's net income", "revenue of X"), no document is by it, and no text of the library contains it. A
period is missing if the named organisation has reports, and none of them covers it, shows it as an earlier period or
looks ahead to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language.fields import named_figures
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of
from core.messages import message
from core.question.chips import period_name
from core.question.known_entities import KnownDocument, joined, organisation_of
from core.question.period_match import matches_period
from core.question.rare_terms import rare_terms
from core.question.subject import Subject
from core.records.subject_matter import Absent

_OF = pattern_of("search/query.absent_entities.of")
_NEAR = 60
"""Number of characters before and after a name in which words such as "revenue of" must be, for the name to count."""
_POSSESSED = re.compile(r"^['’]s?(?!\w)")
_MOST_KNOWN = 4
_POSSESSOR = re.compile(r"^(.{2,60}?)['’]s?\s+\S")


def unrecorded_names(question: str, subject: Subject, documents: Sequence[KnownDocument]) -> list[str]:
    """Returns names that look like an organisation whose figure is requested and that no record has. The caller must
    still check that no text contains them."""
    if subject.named or not named_figures(question):
        return []
    records = fold(" ".join(f"{each.title} {each.filename} {' '.join(each.names)}" for each in documents))
    squeezed = joined(records)
    return [
        term
        for term in rare_terms(question)
        if _is_asked_of(question, term)
        and not any(map(str.isdigit, term))
        and joined(term) not in squeezed
        and not _is_of_known(term, squeezed)
    ]


def _is_of_known(term: str, records: str) -> bool:
    """Whether the term is a segment or product of a name that the records have: "Amazon's AWS"."""
    possessor = _POSSESSOR.match(term)
    return possessor is not None and joined(fold(possessor[1])) in records


def absent_organisation(name: str) -> Absent:
    return Absent(
        kind="organisation",
        name=name,
        words=message("search.absent_entities.absent_organisation", name=name),
    )


def absent_periods(subject: Subject, documents: Sequence[KnownDocument]) -> list[Absent]:
    """Returns periods that no document of the named organisations covers."""
    found = []
    for organisation in subject.named if subject.organisations else ():
        theirs = [each for each in documents if each.id in organisation.document_ids and each.reports]
        asked = {period.key: period for period in subject.asked}
        if not theirs or not asked:
            continue
        missing = [key for key, period in asked.items() if all(matches_period([period], each) <= 0 for each in theirs)]
        if len(missing) == len(asked):
            found += [_absent_period(key, organisation_of(theirs), theirs) for key in missing]
    return found


def _absent_period(key: str, organisation: str, theirs: Sequence[KnownDocument]) -> Absent:
    name = period_name(key, theirs[0].kind)
    has = sorted(
        {(each.covered[0].key, each.kind) for each in theirs if each.covered and each.kind != "current report"}
    )
    known = list(dict.fromkeys(period_name(own, kind) for own, kind in has))[-_MOST_KNOWN:]
    listed = f": {', '.join(known)}" if known else ""
    return Absent(
        kind="period",
        name=key,
        organisation=organisation,
        words=message("search.absent_entities.absent_period", organisation=organisation, name=name, listed=listed),
    )


def _is_asked_of(question: str, name: str) -> bool:
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question):
        before = question[max(0, match.start() - _NEAR) : match.start()]
        if _POSSESSED.match(question[match.end() : match.end() + _NEAR]) or _OF.search(before):
            return True
    return False
