"""Quotations as an answer shows them: mode and personality → how many of which document, and the text they make.

Quick quotes what answers and no more. Enhanced and Deep quote more, by document, so that each may speak for itself.
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
"""Sentences in all and of one document, by the mode and the length that is wished for."""
NEAREST = Spread(3, of_passage=1)
"""Where nothing answers: a sentence of each of the passages that come nearest."""


def spread_of(mode: ModeName, rules: Rules) -> Spread:
    """How many sentences an answer quotes."""
    return SPREADS[mode][rules.length]


def manner_of(rules: Rules) -> Manner:
    """How they are drawn."""
    return Manner(structure=rules.structure, names_first=rules.citations == "conversational")


def by_document(quotes: Sequence[Quote]) -> list[Quote]:
    """The same, those of one document together, in the order of the first of each."""
    order = list(dict.fromkeys(quote.number for quote in quotes))
    return sorted(quotes, key=lambda quote: order.index(quote.number))


def written(
    quotes: Sequence[Quote], titles: Mapping[int, str], manner: Manner, opening: str = "", remarks: Sequence[str] = ()
) -> str:
    """All that an answer of quotations says, as Markdown; ``titles`` by number."""
    lines = [_quotation_line(quote, titles.get(quote.number, ""), manner) for quote in quotes]
    quoted = ("\n" if manner.structure == "bullets" else "\n\n").join(lines)
    return "\n\n".join(part for part in (opening, quoted, *remarks) if part)


def _quotation_line(quote: Quote, title: str, manner: Manner) -> str:
    mark = "-" if manner.structure == "bullets" else ">"
    name = f"{title}: " if manner.names_first and title else ""
    return f"{mark} {name}{quote.text} [{quote.number}]"
