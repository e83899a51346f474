"""What the records of a library say of its documents: *records* → companies by every name, periods by last day."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from core.language.normalisation import fold, normalise
from core.language.vocabulary import phrase_of

REPORTS = frozenset(["annual report", "quarterly report", "current report", "earnings release"])
_LONGEST_TICKER = 5
_LEAST_ALIAS = 3
"""Letters of a name that is looked for in running text: shorter ones are also those of states and units."""


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
    """As far as the graph reads a document's record."""

    id: str = Field(alias="_id")
    filename: str = ""
    metadata: _About = _About()


@dataclass(frozen=True)
class Company:
    key: str
    label: str
    names: tuple[str, ...] = ()
    """Folded."""


@dataclass(frozen=True)
class Known:
    """``companies`` by every folded name; ``names`` finds them in text; ``ends``: the last day of a period, by
    document, to the period's key."""

    companies: dict[str, Company] = field(default_factory=dict)
    names: re.Pattern[str] | None = None
    ends: dict[str, dict[str, str]] = field(default_factory=dict)
    reports: frozenset[str] = frozenset()
    """Documents that are financial reports."""
    written: frozenset[str] = frozenset()
    """The names that are looked for."""


def known_from(records: Collection[DocumentRecord]) -> Known:
    """A company that two documents call differently is one when they share a name."""
    companies: dict[str, Company] = {}
    written: set[str] = set()
    ends: dict[str, dict[str, str]] = {}
    for record in sorted(records, key=lambda each: each.id):
        for given in record.metadata.organisations:
            names = [_as_name(normalise(name)) for name in (given.name, *given.aliases) if name.strip()]
            folded = [bare_key(name) for name in names]
            company = next((companies[name] for name in folded if name in companies), None)
            if company is None:
                company = Company(folded[0], _short_name(names), tuple(dict.fromkeys(folded)))
            companies |= dict.fromkeys((name for name in folded if name not in companies), company)
            written |= {name for name in names if _is_written(name, names[0])}
        ends[record.id] = {each.end: each.key for each in record.metadata.periods if each.end and len(each.key) < 8}
    reports = frozenset(record.id for record in records if record.metadata.kind in REPORTS)
    return Known(companies, names_in(written), ends, reports, frozenset(written))


_COMPANY_OF = phrase_of("knowledge/extraction.hebrew_names.company_of")
_LEGAL = re.compile(phrase_of("knowledge/extraction.known_entities.legal"))


def bare_key(name: str) -> str:
    """The name folded, without article and legal form: by which two spellings of a company are one."""
    key = fold(name).removeprefix("the ").removeprefix(_COMPANY_OF).removeprefix("u.s. ").strip(" ,.")
    while (shorter := _LEGAL.sub("", key).strip(" ,.&")) != key and shorter:
        key = shorter
    return key


def _as_name(name: str) -> str:
    """As a name is written: an alias that is a word of a filename has no capital letter."""
    return name if name != name.lower() else name[:1].upper() + name[1:]


def _is_written(name: str, full: str) -> bool:
    """Whether running text calls the company so; a ticker that is no initials ("ABL" of "Able Water") is another word
    as often."""
    if any(sign.isdigit() for sign in name):
        return True
    if name.isupper() and len(name) <= _LONGEST_TICKER:
        initials = "".join(word[0] for word in bare_key(full).replace("&", " ").split())
        return len(name) >= _LEAST_ALIAS and name.lower() in (initials, bare_key(full))
    return len(name) >= _LEAST_ALIAS


def _short_name(names: list[str]) -> str:
    """The short name that people use, where a record has one: "Acme" before "Acme Holdings, Inc."."""
    bare = [name for name in names[1:] if bare_key(name) == bare_key(names[0])]
    return bare[0] if bare else names[0]


def names_in(names: Iterable[str]) -> re.Pattern[str] | None:
    """What finds any of these names as a whole, the longest first."""
    ranked = sorted(names, key=lambda name: (-len(name), name))
    if not ranked:
        return None
    joined = "|".join(re.escape(name) for name in ranked)
    return re.compile(rf"(?<![\w@./-])(?:{joined})(?![\w@-])(?!\.\w)")
