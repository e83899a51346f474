"""Finds the sentences that sum up others of the same answer, such as its first sentence over a table.

Their numbers are repeated below, where each has its own citation. A model judges such a sentence by what is below it
too, and it is supported only if sentences or cells with its numbers are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.language.entities.dates import dates_in, without_dates
from core.language.entities.facts import prepared
from core.review.claims import Claim
from core.review.printed_figures import years_of

LEAST_BELOW = 2
"""A sentence sums up at least so many sentences or cells."""
BELOW = "what the answer says below this sentence"
"""Heading of the text below a sentence in the prompt for a model."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def numbers_of(text: str) -> frozenset[str]:
    """Returns the numbers of a text as printed, without separators of thousands, dates and years.

    >>> sorted(numbers_of("Net sales rose from $1,250 million in 2021 to $1,300 million."))
    ['1250', '1300']
    """
    plain = prepared(text)
    bare = without_dates(plain, dates_in(plain))
    years = {f"{year:g}" for year in years_of(bare)}
    return frozenset(number.replace(",", "") for number in _NUMBER.findall(bare) if number not in years)


def summed_up(found: Sequence[Claim]) -> dict[int, tuple[int, ...]]:
    """Returns the places of the claims that each summary sentence sums up, by its own place: those below it with one of
    its numbers, if all of its numbers are among them."""
    numbers = [numbers_of(claim.text) for claim in found]
    sums: dict[int, tuple[int, ...]] = {}
    for place, claim in enumerate(found):
        if claim.is_cell or not numbers[place]:
            continue
        below = tuple(other for other in range(place + 1, len(found)) if numbers[place] & numbers[other])
        if len(below) >= LEAST_BELOW and numbers[place] <= frozenset().union(*(numbers[other] for other in below)):
            sums[place] = below
    return sums


def are_supported(place: int, below: Sequence[int], found: Sequence[Claim], supported: Sequence[bool]) -> bool:
    """Returns whether each number of a summary sentence is in a supported claim below it."""
    shown = frozenset().union(*(numbers_of(found[other].text) for other in below if supported[other]))
    return numbers_of(found[place].text) <= shown


def lines_below(place: int, found: Sequence[Claim]) -> Iterator[str]:
    """Yields what is below a sentence, a cell with the labels of its row and column."""
    for claim in found[place + 1 :]:
        labels = " · ".join(part for part in claim.subject.split(" . ") if part.strip())
        yield f"{labels}: {claim.text}" if labels and claim.is_cell else claim.text
