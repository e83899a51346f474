"""Shows how a question was interpreted, as chips (removable search filters) with their certainty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import prod

from core.language.entities.calendar_words import SHORT_NAMES
from core.language.entities.periods import NamedPeriod, extent
from core.messages import message
from core.question.known_entities import REPORTS, KnownDocument, by_organisation, organisation_of
from core.question.period_match import Fit, fit_of, named_as
from core.question.subject import Subject
from core.records.subject_matter import Absent, Chip, Completed, Meant
from core.words import Words

_FITS: dict[Fit, float] = {
    "exact": 1.0,
    "renamed": 0.95,
    "near": 0.9,
    "within": 0.9,
    "looks back": 0.85,
    "looks ahead": 0.75,
    "unknown": 0.7,
    "none": 0.3,
}
"""Certainty that the question means a document, by the way in which the document matches the question's period."""
_YEAR = len("2022")
_BEST: tuple[Fit, ...] = tuple(_FITS)
NOT_NAMED = 0.5
"""Certainty if the documents are of several organisations and the question names none."""
CARRIED, GUESSED, RELATIVE, LIFTED, MISSING = 0.9, 0.9, 0.95, 0.4, 0.2


@dataclass(frozen=True)
class Chips:
    """The chips of a question; ``confidence`` is the certainty of all of them together, 0..1."""

    chips: tuple[Chip, ...] = ()
    confidence: float = 1.0


def chips_of(
    subject: Subject,
    documents: Sequence[KnownDocument],
    completed: Completed | None = None,
    chosen: Sequence[str] = (),
    absent: Sequence[Absent] = (),
) -> Chips:
    """Returns the chips for ``subject``; ``chosen`` are documents that were resolved before and take precedence over
    those that the question names."""
    carried: set[str] = set(completed.carried) if completed else set()
    by_id = {each.id: each for each in documents}
    bound = [by_id[each] for each in (chosen or subject.document_ids) if each in by_id]
    organisations = list(_organisations(subject, "organisation" in carried, bool(chosen)))
    periods = list(_period_chips(subject, bound, "period" in carried, completed.relative if completed else {}))
    others = list(_others(subject, "metric" in carried))
    picked = [
        _document(by_id[each], "carried" if "document" in carried else "named") for each in chosen if each in by_id
    ]
    sure = [*_sure_of_names(subject, documents, carried, bool(chosen)), *_sure_of_periods(subject, bound, carried)]
    sure += [RELATIVE] if completed and completed.relative else []
    sure += [MISSING] if absent else []
    return Chips((*picked, *organisations, *periods, *others), round(prod(sure), 2))


def unbound_chips(chips: Chips) -> Chips:
    """Marks the chips as not filtering and lowers their certainty, since nothing was found in the documents that they
    select and the search was repeated in all documents."""
    free = tuple(each.model_copy(update={"binds": False}) for each in chips.chips)
    return Chips(free, round(chips.confidence * LIFTED, 2))


def period_name(key: str, kind: str = "") -> str:
    """Formats a period: "FY2022" for a report's year, "Q2 2022", "1 Jul 2022", "2022"."""
    year, _, rest = key.partition("-")
    if not rest:
        return f"FY{year}" if kind in REPORTS and kind != "current report" else year
    if rest[0] in "QH" or rest.endswith("M"):
        return f"{rest} {year}"
    day = extent(key)[1]
    return _day_text(day) if rest.count("-") else f"{SHORT_NAMES[day.month - 1]} {day.year}"


def _organisations(subject: Subject, carried: bool, settled: bool) -> Iterator[Chip]:
    bound = set(subject.document_ids)
    for each in subject.named:
        yield Chip(
            kind="organisation",
            label=each.name,
            text=each.phrase,
            meant="carried" if carried else "named",
            binds=bool(subject.organisations) and not settled,
            document_ids=[id for id in each.document_ids if not bound or id in bound],
        )


def _period_chips(
    subject: Subject, bound: Sequence[KnownDocument], carried: bool, relative: Mapping[str, str]
) -> Iterator[Chip]:
    seen: set[str] = set()
    for period in subject.asked:
        if period.key in seen:
            continue
        seen.add(period.key)
        phrase = relative.get(period.key, "")
        yield _period(period, bound, subject, "carried" if carried and not phrase else "named", phrase)
    if not subject.asked and subject.newest:
        there = [each for each in bound if each.id in subject.newest]
        keys = {each.covered[0].key for each in there if each.covered}
        if len(keys) == 1:
            key = keys.pop()
            note = message("search.chips.period_named_newest_comes_first")
            label = period_name(key, there[0].kind)
            ids = [each.id for each in there]
            yield Chip(kind="period", label=label, name=key, meant="guessed", document_ids=ids, note=note)


def _period(period: NamedPeriod, bound: Sequence[KnownDocument], subject: Subject, origin: Meant, phrase: str) -> Chip:
    fits = {each.id: fit_of(period, each) for each in bound}
    best = min(fits.values(), key=_BEST.index, default="unknown")
    there = [each for each in bound if fits[each.id] == best]
    taken = there[0] if there else None
    own = named_as(period, taken) if taken else None
    label = period_name(period.key, taken.kind if taken else "annual report" if period.fiscal else "")
    note = None
    if best == "renamed" and own and taken:
        label, note = _renamed(label, own.key, own.end, taken.kind)
    elif best in ("looks back", "looks ahead") and own and taken:
        note = message("search.chips.from_another", asked=label, own=period_name(own.key, taken.kind))
    elif phrase:
        note = message("search.chips.taken", said=phrase, label=label)
    return Chip(
        kind="period",
        label=label,
        name=period.key,
        text=phrase or period.key,
        meant=origin,
        binds=bool(subject.document_ids) and best not in ("none", "unknown"),
        document_ids=[each.id for each in there] if best != "none" else [],
        note=note,
    )


def _renamed(asked: str, key: str, end: str | None, kind: str) -> tuple[str, Words]:
    """Returns the period with the name that the document uses for it, and with its end date."""
    own = label = period_name(key, kind)
    if end:
        what = "year" if len(key) == _YEAR else "period"
        label = f"{own} ({what} ended {_day_text(date.fromisoformat(end))})"
    return label, message("search.chips.renamed", asked=asked, own=own)


def _others(subject: Subject, carried: bool) -> Iterator[Chip]:
    origin: Meant = "carried" if carried else "named"
    for figure in subject.figures:
        yield Chip(kind="metric", label=figure.name, text=figure.text, meant=origin)
    for kind, phrase in subject.kinds:
        yield Chip(kind="kind", label=kind, text=phrase, binds=bool(subject.organisations))
    for term in subject.terms:
        yield Chip(kind="term", label=term, text=term, meant=origin if carried else "named")


def _document(document: KnownDocument, origin: Meant) -> Chip:
    return Chip(
        kind="document",
        label=document.title or document.filename,
        name=document.id,
        meant=origin,
        binds=True,
        document_ids=[document.id],
    )


def _sure_of_names(
    subject: Subject, documents: Sequence[KnownDocument], carried: set[str], settled: bool
) -> Iterator[float]:
    if settled:
        return
    if subject.named:
        yield CARRIED if "organisation" in carried else 1.0
    elif len(by_organisation([each for each in documents if each.reports])) > 1:
        yield NOT_NAMED


def _sure_of_periods(subject: Subject, bound: Sequence[KnownDocument], carried: set[str]) -> Iterator[float]:
    for period in subject.asked:
        fits = [fit_of(period, each) for each in bound]
        yield _FITS[min(fits, key=_BEST.index)] if fits else 1.0
    if subject.asked and "period" in carried:
        yield CARRIED
    if not subject.asked and subject.newest:
        yield GUESSED


def guessed_organisation(chips: Chips, found: Sequence[str], documents: Sequence[KnownDocument]) -> Chips:
    """Adds a chip for the organisation if all ``found`` documents (ids) are of one organisation and the question named
    none."""
    if any(each.kind in ("organisation", "document") for each in chips.chips):
        return chips
    there = [each for each in documents if each.id in set(found)]
    groups = by_organisation(there)
    if len(groups) != 1 or len(groups[0]) < len(there) or not any(each.reports for each in there):
        return chips
    name = organisation_of(groups[0])
    chip = Chip(kind="organisation", label=name, meant="guessed", document_ids=[each.id for each in there])
    return Chips((chip, *chips.chips), chips.confidence)


def _day_text(day: date) -> str:
    return f"{day.day} {SHORT_NAMES[day.month - 1]} {day.year}"
