"""Finds dated events: the sentences of passages that state a date, with those that they name.

A date with its month counts in any sentence that states something. A bare year counts only if the sentence names a
person, an organisation or an event, and not in parentheses, where it is a reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from core.knowledge.extraction.running_text import sentences_of
from core.knowledge.sentences import names_of
from core.knowledge.views import Concept, ConceptKind, Event
from core.language.entities.calendar_words import is_year
from core.language.entities.dates import dates_in
from core.language.normalisation import fold
from core.store.items import MemoryItem

ACTORS: frozenset[ConceptKind] = frozenset(["person", "company", "organisation", "programme", "event", "product"])
"""Kinds of concepts that can take part in an event."""
LONGEST = 500
"""Maximum number of characters of a sentence that is an event; a longer one is a list or a table."""
MOST_OF_A_DATE = 40
"""Maximum number of events of one date in one document; more are rows of a table."""

_JOINS = ("-", "/", ".", "–")
_WORD = re.compile(r"\w{1,40}")


def events_of(items: Iterable[MemoryItem], actors: Mapping[str, Sequence[Concept]]) -> list[Event]:
    """The events in the passages, oldest first; ``actors`` has the concepts that each passage names, by its id."""
    found: dict[tuple[str, str], Event] = {}
    counts: dict[tuple[str, str], int] = {}
    for item in items:
        book = item.source.book
        if book is None or item.document_id is None:
            continue
        for sentence in sentences_of(item.text):
            text = " ".join(sentence.split())
            if len(text) > LONGEST:
                continue
            who = _named(text, actors.get(item.id, ()))
            for when in _dates(text, named=bool(who)):
                of = (item.document_id, when)
                counts[of] = counts.get(of, 0) + 1
                if counts[of] > MOST_OF_A_DATE or (when, fold(text)) in found:
                    continue
                found[when, fold(text)] = Event(
                    when=when,
                    text=text,
                    who=who,
                    item_id=item.id,
                    document_id=item.document_id,
                    title=book.title,
                    page=book.page,
                )
    return sorted(found.values(), key=lambda event: event.when)


def _dates(text: str, *, named: bool) -> list[str]:
    """The dates that the sentence states, without repetitions; bare years only if it names someone (``named``)."""
    found = []
    for span in dates_in(text):
        day = span.day
        if day.year and day.month:
            found.append(f"{day.year:04}-{day.month:02}" + (f"-{day.day:02}" if day.day else ""))
    if not found and named:
        found = [word.group() for word in _WORD.finditer(text) if is_year(word.group()) and _is_alone(text, word)]
    return list(dict.fromkeys(found))


def _is_alone(text: str, word: re.Match[str]) -> bool:
    """Whether the year is neither part of a reference in brackets nor of a number such as 2018-23-51."""
    before, after = text[: word.start()], text[word.end() :]
    if before.count("(") > before.count(")") or before.count("[") > before.count("]"):
        return False
    return not (before[-1:] in _JOINS and before[-2:-1].isalnum()) and not (
        after[:1] in _JOINS and after[1:2].isalnum()
    )


def _named(text: str, concepts: Sequence[Concept]) -> list[Concept]:
    folded = fold(text)
    return [each for each in concepts if any(name in folded for name in names_of(each))]
