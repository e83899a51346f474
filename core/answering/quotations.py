"""Selects and formats quotations by research mode and personality.

Quick mode quotes only what answers. Enhanced and Deep mode quote more, grouped by document, so that each is
represented.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.events import Quote
from core.models.extractive import Spread
from core.personality.rules import Length, Rules
from core.records.answer import Manner
from core.setting_groups import ModeName

SPREADS: dict[ModeName, dict[Length, Spread]] = {
    "quick": {"concise": Spread(1), "balanced": Spread(2), "detailed": Spread(2)},
    "enhanced": {"concise": Spread(3, 2), "balanced": Spread(5, 3), "detailed": Spread(7, 4)},
    "deep": {"concise": Spread(5, 3), "balanced": Spread(9, 5), "detailed": Spread(12, 6)},
}
"""Number of sentences in total and per document, by research mode and answer length."""
NEAREST = Spread(3, of_passage=1)
"""If nothing answers: one sentence from each of the nearest passages."""


def spread_of(mode: ModeName, rules: Rules) -> Spread:
    """Returns how many sentences an answer quotes."""
    return SPREADS[mode][rules.length]


def manner_of(rules: Rules) -> Manner:
    """Returns how quotations are displayed, according to the personality."""
    return Manner(structure=rules.structure, names_first=rules.citations == "conversational")


def by_document(quotes: Sequence[Quote]) -> list[Quote]:
    """Groups quotations by document, in the order of each document's first quotation."""
    order = list(dict.fromkeys(quote.number for quote in quotes))
    return sorted(quotes, key=lambda quote: order.index(quote.number))


def written(
    quotes: Sequence[Quote], titles: Mapping[int, str], manner: Manner, opening: str = "", remarks: Sequence[str] = ()
) -> str:
    """Returns the full text of an answer from quotations, as Markdown; ``titles`` by number."""
    lines = [_quotation_line(quote, titles.get(quote.number, ""), manner) for quote in quotes]
    quoted = ("\n" if manner.structure == "bullets" else "\n\n").join(lines)
    return "\n\n".join(part for part in (opening, quoted, *remarks) if part)


def _quotation_line(quote: Quote, title: str, manner: Manner) -> str:
    mark = "-" if manner.structure == "bullets" else ">"
    name = f"{title}: " if manner.names_first and title else ""
    return f"{mark} {name}{quote.text} [{quote.number}]"
