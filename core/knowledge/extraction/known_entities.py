"""Collects data from the library's document records: companies by each name, and reporting periods by last day."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from core.knowledge.extraction.gazetteer import place_key
from core.language.normalisation import fold, normalise
from core.language.vocabulary import phrase_of

REPORTS = frozenset(["annual report", "quarterly report", "current report", "earnings release"])
_LONGEST_TICKER = 5
_LEAST_ALIAS = 3
"""Minimum number of letters in a name that is searched in running text: shorter names are also codes of states and
units."""


class KnownCompany(BaseModel):
    name: str
    aliases: list[str] = []


class KnownPeriod(BaseModel):
    key: str
    names: list[str] = []
    end: str | None = None


class _About(BaseModel):
    title: str = ""
    kind: str = "other"
    organisations: list[KnownCompany] = []
    periods: list[KnownPeriod] = []


class DocumentRecord(BaseModel):
    """The parts of a document's record that the graph needs."""

    id: str = Field(alias="_id")
    filename: str = ""
    metadata: _About = _About()


@dataclass(frozen=True)
class Company:
    key: str
    label: str
    names: tuple[str, ...] = ()
    """All names, folded."""


@dataclass(frozen=True)
class Known:
    """Known companies and periods. ``companies`` has them by every folded name; ``names`` is a pattern that finds them
    in text; ``ends`` gives, for each document, the key of the period that ends on a day."""

    companies: dict[str, Company] = field(default_factory=dict)
    names: re.Pattern[str] | None = None
    ends: dict[str, dict[str, str]] = field(default_factory=dict)
    reports: frozenset[str] = frozenset()
    """Ids of documents that are financial reports."""
    issuers: dict[str, str] = field(default_factory=dict)
    """The organisation that a financial report is of, by the document's id."""
    written: frozenset[str] = frozenset()
    """The names that are searched in text."""


def known_from(records: Collection[DocumentRecord]) -> Known:
    """Companies of the records; two that share a name are one company."""
    companies: dict[str, Company] = {}
    written: set[str] = set()
    ends: dict[str, dict[str, str]] = {}
    for record in sorted(records, key=lambda each: each.id):
        for given in record.metadata.organisations:
            names = [_as_name(normalise(name)) for name in (given.name, *given.aliases) if _is_own(name)]
            if not names:
                continue
            folded = [bare_key(name) for name in names]
            company = next((companies[name] for name in folded if name in companies), None)
            if company is None:
                company = Company(folded[0], _short_name(names), tuple(dict.fromkeys(folded)))
            companies |= dict.fromkeys((name for name in folded if name not in companies), company)
            written |= {name for name in names if _is_written(name, names[0])}
        ends[record.id] = {each.end: each.key for each in record.metadata.periods if each.end and len(each.key) < 8}
    reports = frozenset(record.id for record in records if record.metadata.kind in REPORTS)
    issuers = {
        record.id: record.metadata.organisations[0].name
        for record in records
        if record.id in reports and record.metadata.organisations
    }
    return Known(companies, names_in(written), ends, reports, issuers, frozenset(written))


_COMPANY_OF = phrase_of("knowledge/extraction.hebrew_names.company_of")
_LEGAL = re.compile(phrase_of("knowledge/extraction.known_entities.legal"))


def bare_key(name: str) -> str:
    """The folded name without article and legal form; spellings with the same result are one company."""
    key = fold(name).removeprefix("the ").removeprefix(_COMPANY_OF).removeprefix("u.s. ").strip(" ,.")
    while (shorter := _LEGAL.sub("", key).strip(" ,.&")) != key and shorter:
        key = shorter
    return key


def _is_own(name: str) -> bool:
    """Whether a name in a record is no place: an organisation's record may have the place in its name as an alias."""
    return bool(name.strip()) and place_key(name) is None


def _as_name(name: str) -> str:
    """The name with a first capital if it has none: an alias taken from a filename has no capital letters."""
    return name if name != name.lower() else name[:1].upper() + name[1:]


def _is_written(name: str, full: str) -> bool:
    """Whether running text uses this name for the company. A ticker that is not the company's initials ("ABL" of "Able
    Water") is often another word, so it does not count."""
    if any(sign.isdigit() for sign in name):
        return True
    if name.isupper() and len(name) <= _LONGEST_TICKER:
        initials = "".join(word[0] for word in bare_key(full).replace("&", " ").split())
        return len(name) >= _LEAST_ALIAS and name.lower() in (initials, bare_key(full))
    return len(name) >= _LEAST_ALIAS


def _short_name(names: list[str]) -> str:
    """The short name in common use, if the record has one: "Acme" before "Acme Holdings, Inc."."""
    bare = [name for name in names[1:] if bare_key(name) == bare_key(names[0])]
    return bare[0] if bare else names[0]


def names_in(names: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern that finds any of these names as a whole, the longest first."""
    ranked = sorted(names, key=lambda name: (-len(name), name))
    if not ranked:
        return None
    joined = "|".join(re.escape(name) for name in ranked)
    return re.compile(rf"(?<![\w@./-])(?:{joined})(?![\w@-])(?!\.\w)")
