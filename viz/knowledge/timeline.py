"""Renders the timeline: a bar for each stretch of time, which opens it, and the events as a table; or as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from babel.dates import format_date
from markupsafe import Markup

from core.knowledge.views import Event
from core.language.entities.periods import extent
from core.messages import message_group
from core.words import Language
from viz.knowledge.data_files import csv_of
from viz.knowledge.graph import concept_name
from viz.templating import render

WORDS = message_group("view.timeline")
MOST_YEARS = 40
"""Maximum number of years that have a bar each; more are shown by decade."""
MOST = 400
"""Maximum number of events in the table."""
DECADE, YEAR, MONTH, DAY = 3, 4, 7, 10
"""Lengths of the keys of stretches of time: ``199``, ``1998``, ``1998-05``, ``1998-05-07``."""


def timeline(events: Sequence[Event], at: str, language: Language, *, left_out: int = 0) -> Markup:
    """The events of the stretch of time ``at`` ("" is all of it), and a bar for each part of it that has events.

    ``left_out``: the number of documents that were not read because there are too many.
    """
    within = [event for event in events if event.when.startswith(at)]
    parts = bars(within, at)
    most = max(parts.values(), default=1)
    return render(
        "timeline",
        words={key: each.to(language) for key, each in WORDS.items()},
        bars=[(key, _words(key, language), count, round(100 * count / most)) for key, count in parts.items()],
        trail=[(key, _words(key, language) if key else WORDS["all"].to(language)) for key in trail(events, at)],
        events=[(event, _words(event.when, language)) for event in within[:MOST]],
        more=len(within) - MOST,
        count=len(within),
        left_out=left_out,
        called=concept_name,
        language=language,
    )


def bars(events: Sequence[Event], at: str) -> dict[str, int]:
    """The parts of the stretch ``at`` and their numbers of events; empty for a day."""
    length = _next_length(events, at)
    if length is None:
        return {}
    return dict(sorted(Counter(event.when[:length] for event in events if len(event.when) >= length).items()))


def trail(events: Sequence[Event], at: str) -> list[str]:
    """The stretches that contain ``at``, the whole first."""
    lengths = [length for length in (DECADE, YEAR, MONTH, DAY) if length <= len(at)]
    if not _has_decades(events):
        lengths = [length for length in lengths if length != DECADE]
    return ["", *(at[:length] for length in lengths)]


def events_csv(events: Sequence[Event], language: Language) -> str:
    """The events as CSV: date, event, who, source, page."""
    head = [WORDS[key].to(language) for key in ("date", "event", "who", "source", "page")]
    named = ("; ".join(concept_name(who, language) for who in each.who) for each in events)
    return csv_of(
        head,
        ([each.when, each.text, who, each.title, each.page or ""] for each, who in zip(events, named, strict=True)),
    )


def _has_decades(events: Sequence[Event]) -> bool:
    return len({event.when[:YEAR] for event in events}) > MOST_YEARS


def _next_length(events: Sequence[Event], at: str) -> int | None:
    if not at:
        return DECADE if _has_decades(events) else YEAR
    return {DECADE: YEAR, YEAR: MONTH, MONTH: DAY}.get(len(at))


def _words(key: str, language: Language) -> str:
    if len(key) <= YEAR:
        return f"{key}0–{key}9" if len(key) == DECADE else key
    try:
        first = extent(key)[0]
    except ValueError:
        return key
    return str(format_date(first, "MMM yyyy" if len(key) == MONTH else "d MMM yyyy", locale=language))
