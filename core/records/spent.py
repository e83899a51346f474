"""What the model calls of a run cost: *one sum, another* → both together."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class Spent(BaseModel, frozen=True):
    """What the model calls of a run cost since it began, or went on after a question; those of a run add up.

    ``calls`` are all of them: the answer's, and those that understood, judged and named it. ``cost`` in US dollars;
    ``unpriced``: it leaves out calls of models whose price is not known.
    """

    type: Literal["spent"] = "spent"
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    unpriced: bool = False

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost=self.cost + other.cost,
            unpriced=self.unpriced or other.unpriced,
        )
