"""Applies a person's corrections to a document's metadata: *field, text* → metadata that later readings keep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from core.errors import PalimpsestError, fail
from core.language.entities.periods import NamedPeriod, periods_in
from core.language.normalisation import normalise
from core.library.identity.aliases import bare_name
from core.library.records import CorrectedField, CoveredPeriod, DocumentKind, Metadata, Organisation

KINDS: tuple[DocumentKind, ...] = get_args(DocumentKind)
LONGEST = 200
MOST = 12
"""Maximum number of organisations, or of periods, for one document."""


def corrected(metadata: Metadata, field: CorrectedField, value: str) -> Metadata:
    """Set ``field`` of ``metadata`` to the person's text. Several organisations or periods are separated by ";"; an
    empty text means none. Title and kind cannot be empty.

    Raises:
        PalimpsestError: ``value`` is not a valid title, kind, period or date.
    """
    words = normalise(value)
    read: object
    match field:
        case "title":
            read = _parsed_title(words)
        case "kind":
            read = _parsed_kind(words)
        case "organisations":
            read = [organisation_named(name, metadata.organisations) for name in _parsed_names(words)]
        case "periods":
            read = [_period(name) for name in _parsed_names(words)]
        case "date":
            read = _parsed_day(words) if words else None
    fields = list(dict.fromkeys([*metadata.corrected, field]))
    unsure = [each for each in metadata.unsure if each != field]
    return metadata.model_copy(update={field: read, "corrected": fields, "unsure": unsure})


def with_corrections(metadata: Metadata, before: Metadata) -> Metadata:
    """The ``metadata`` of a new reading, with the fields that a person had corrected ``before``."""
    theirs = {field: getattr(before, field) for field in before.corrected}
    return metadata.model_copy(update={**theirs, "corrected": before.corrected})


def _parsed_names(words: str) -> list[str]:
    names = list(dict.fromkeys(name.strip() for name in words.split(";") if name.strip()))
    if len(names) > MOST or any(len(name) > LONGEST for name in names):
        raise _too_long()
    return names


def _parsed_title(words: str) -> str:
    if not words:
        raise fail("validation", "library.correction.title")
    if len(words) > LONGEST:
        raise _too_long()
    return words


def _parsed_kind(words: str) -> DocumentKind:
    for kind in KINDS:
        if kind == words.lower():
            return kind
    listed = ", ".join(KINDS)
    raise fail("validation", "library.correction.kind", words=words[:60], listed=listed)


def organisation_named(name: str, known: Iterable[Organisation] = ()) -> Organisation:
    """The organisation with this name; a known one keeps its aliases."""
    for each in known:
        if each.name == name:
            return each
    bare = bare_name(name)
    return Organisation(name=name, aliases=[bare] if bare != name else [])


def _period(name: str) -> CoveredPeriod:
    period = covered_period(name)
    if period is None:
        raise fail("validation", "library.correction.period", name=name[:60])
    return period


def covered_period(name: str) -> CoveredPeriod | None:
    """The first period found in ``name``, with ``name`` as one of its names."""
    found = periods_in(name)
    if not found:
        return None
    key = _period_key(found[0])
    return CoveredPeriod(key=key, names=list(dict.fromkeys([key, name])), end=key if found[0].day else None)


def _period_key(period: NamedPeriod) -> str:
    """Map a period such as "Year ended December 31, 2022" to its year, so that a search for 2022 finds it."""
    return str(period.year) if period.months == 12 else period.key


def _parsed_day(words: str) -> str:
    found = [period for period in periods_in(words) if period.month]
    if not found:
        raise fail("validation", "library.correction.day", words=words[:60])
    return found[0].key


def _too_long() -> PalimpsestError:
    return fail("validation", "library.correction.too_long", longest=LONGEST, most=MOST)
