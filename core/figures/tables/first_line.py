"""Writes an answer's first line with a citation from a result, in the question's language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.figures.numbers import figure, natural
from core.figures.tables.result import Result
from core.figures.tables.series import SeriesLookup
from core.language.hebrew import IN, MAQAF, is_hebrew
from core.language.note_marks import without_note_marks
from core.messages import message
from core.words import Language

_FOOTNOTE = re.compile(r"(?:(?<!\s)\s++)?+[(\[](?:\d{1,2}|[a-z])[)\]]|(?<=[^\W\d]{3})\d$|:$", re.IGNORECASE)
_UNIT_LETTER = re.compile(r"\([mtglhs]\)$")
_WHOLE_YEAR, _DAY = 4, 10
MOST_NAMED = 20
"""Maximum number of rows, periods or figures listed in a line."""


def line_of(desk: SeriesLookup, result: Result, language: Language) -> str:
    """Returns ``Capital expenditure (3M), 2018: $1,577 million [1]``."""
    template = message(f"answering.first_line.{result.what.replace(' ', '_')}").to(language)
    shown = _figure(result, desk, language)
    calculation = result.calculation
    parts = {
        "name": _led(clean_label(result.names[0] if result.names else ""), template),
        "other": clean_label(result.names[-1] if len(result.names) > 1 else ""),
        "names": _enumeration([clean_label(name) for name in result.names], language),
        "entity": entity_phrase(desk.question.entities, language),
        "period": period_phrase(result.period, language),
        "figure": shown,
        "figures": _figures_by_period(desk, result, language),
        "calculation": calculation,
        "value": _value_text(result, language),
        "number": natural(result.value) if isinstance(result.value, float) else "",
        "cite": f"[{desk.sheet.evidence.origin.number}]",
        **_change_ends(desk, result),
    }
    return " ".join(template.format_map(parts).split()).removeprefix(": ")


def _led(name: str, template: str) -> str:
    """Adds a hyphen between a Hebrew prefix and a name in another script."""
    return f"{MAQAF}{name}" if f"{IN}{{name}}" in template and name and not is_hebrew(name[0]) else name


def _change_ends(desk: SeriesLookup, result: Result) -> dict[str, str]:
    """Returns the two periods and figures of a change, earlier first."""
    if result.what not in ("change", "percentage change", "trend"):
        return {}
    later, earlier = (desk.reading(place) for place in result.places[:2])
    return {
        "from": _period_text(result.names[2]), "to": _period_text(result.names[1]),
        "before": earlier.text if earlier else "", "after": later.text if later else "",
    }  # fmt: skip


def _figure(result: Result, desk: SeriesLookup, language: Language) -> str:
    if result.what in ("largest", "smallest", "largest part", "smallest part"):
        reading = desk.reading(result.places[0])
        value = reading.value if reading else 0.0
    elif isinstance(result.value, float) and result.what != "count":
        value = result.value
    else:
        return "" if isinstance(result.value, list) else str(result.value)
    if result.what == "trend":
        return result.calculation
    if desk.asked.wish.decimals is not None:
        decimals = desk.asked.wish.decimals
    else:
        decimals = result.decimals if abs(value) >= 1 or result.unit != "%" else max(2, result.decimals)
    wish = desk.asked.wish.scale
    if wish and result.scale > 1 and result.unit != "%":
        decimals = decimals if wish == result.scale else max(decimals, 2)
        return figure(value * result.scale / wish, result.unit, wish, result.currency, decimals, language)
    return figure(value, result.unit, result.scale, result.currency, decimals, language)


def _figures_by_period(desk: SeriesLookup, result: Result, language: Language) -> str:
    """Returns ``2019: $1,496.5 million; 2018: $1,202.9 million``."""
    shown: list[str] = []
    several = len({place[0] for place in result.places}) > 1
    for place in result.places[:MOST_NAMED]:
        reading = desk.reading(place)
        if reading:
            formatted = figure(reading.value, reading.unit, reading.scale, reading.currency, reading.decimals, language)
            head = (
                clean_label(reading.label)
                if several
                else _period_text(reading.period or "") or desk.sheet.column(*place).label
            )
            shown.append(f"{head}: {formatted}" if head else formatted)
    return "; ".join(shown)


def _value_text(result: Result, language: Language) -> str:
    if result.what == "count":
        return result.names[-1]
    if isinstance(result.value, list):
        return _enumeration([str(each) for each in result.value], language)
    text = str(result.value)
    return message(f"answering.{text}").to(language) if text in ("yes", "no") else text


def _enumeration(names: Sequence[str], language: Language) -> str:
    if len(names) < 2:
        return "".join(names)
    shown, last = names[:-1], names[-1]
    if len(names) > MOST_NAMED:
        more = f"{len(names) - MOST_NAMED:,}"
        shown, last = names[:MOST_NAMED], message("answering.first_line.more", count=more).to(language)
    return message("answering.first_line.and", first=", ".join(shown), last=last).to(language)


def listed(names: Sequence[str], language: Language) -> str:
    """Returns the names of the counted things: all of them, or the first ``MOST_NAMED`` and how many more there are."""
    more = len(names) - MOST_NAMED
    return ", ".join(names) if more <= 0 else _enumeration(names, language)


def entity_phrase(names: Sequence[str], language: Language) -> str:
    """Returns the organisation in brackets, as in `` (3M)``; empty if no name is known."""
    return message("answering.first_line.of", name=names[0]).to(language) if names else ""


def period_phrase(period: str | None, language: Language) -> str:
    """Returns the period after a comma, as in ``, 2022`` or ``, 2022-12-31``; empty for none."""
    if not period:
        return ""
    key = "answering.first_line.on_day" if len(period) == _DAY else "answering.first_line.in_period"
    return message(key, period=_period_text(period)).to(language)


def _period_text(period: str) -> str:
    """Formats part of a year: ``2022-Q2`` → ``Q2 2022``."""
    if len(period) > _WHOLE_YEAR and (period[5:6] in ("Q", "H") or period.endswith("M")):
        return f"{period[5:]} {period[:4]}"
    return period


def clean_head(head: str) -> str:
    """Returns a heading without footnote marks and colons, but keeps a letter in brackets that may be its unit: "Depth
    (m)"."""
    return head.strip() if _UNIT_LETTER.search(head) else clean_label(head)


def clean_label(label: str) -> str:
    """Returns a label without footnote marks and trailing colons."""
    return _FOOTNOTE.sub("", without_note_marks(label)).strip()
