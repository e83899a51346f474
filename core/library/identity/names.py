"""Provides a document's names for searches: *document* → its names and aliases, and the keys of its periods."""

from __future__ import annotations

import re
from pathlib import PurePath

from core.language.entities.periods import named_keys
from core.language.normalisation import fold
from core.library.identity.aliases import bare_name
from core.library.records import Document, Metadata

LONGEST_CALL = 110
"""Maximum number of characters that identify the document at the start of each of its passages."""
_MOST_SAID = 3


def names_of(document: Document) -> set[str]:
    """Title, filename (also split into words), organisations and their aliases, in normalised form."""
    stem = PurePath(document.filename).stem
    names = [document.metadata.title, document.filename, stem, stem.replace("_", " ").replace("-", " ")]
    for organisation in document.metadata.organisations:
        names += [organisation.name, *organisation.aliases]
    return {fold(name) for name in names if name.strip()}


def period_keys(document: Document) -> set[str]:
    """The keys of all periods it covers, under all their names."""
    keys = {period.key for period in document.metadata.periods}
    names = [name for period in document.metadata.periods for name in period.names]
    return keys.union(*map(named_keys, names))


def words_of(document: Document) -> str:
    """All text that a keyword search in the catalogue looks through."""
    return " ".join([*sorted(names_of(document)), *sorted(period_keys(document)), document.metadata.kind])


def display_name(metadata: Metadata) -> str:
    """The title, with the organisation and periods that it lacks: "Loss of a key supplier (Acme, 2023-Q2)"."""
    title = metadata.title
    periods = set(named_keys(title))
    more = [bare_name(each.name) for each in metadata.organisations[:1]]
    more = [name for name in more if fold(name) not in fold(title)]
    keys = [name for period in metadata.periods for name in (period.key, *period.names)]
    more += [key for key in dict.fromkeys(keys) if key not in periods and re.fullmatch(r"[\d-]+(?:[QH]\d)?", key)]
    if not more:
        return title[:LONGEST_CALL]
    beside = f" ({', '.join(more[:_MOST_SAID])[: LONGEST_CALL // 2]})"
    return title[: LONGEST_CALL - len(beside)].rstrip() + beside
