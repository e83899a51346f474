"""Adds up the cost of a run's model calls: *two costs* → their sum."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class Spent(BaseModel, frozen=True):
    """The cost of a run's model calls since it began, or since it resumed after a question; the parts of a run are
    added up.

    ``calls`` counts all of them: the calls for the answer, and the calls to interpret the question, judge the answer
    and write a title. ``cost`` is in US dollars; ``unpriced`` means that ``cost`` leaves out calls to models whose
    prices are unknown. ``left_out`` lists the purposes of small tasks that rules did, because the model was too slow.
    """

    type: Literal["spent"] = "spent"
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    unpriced: bool = False
    left_out: list[str] = []

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost=self.cost + other.cost,
            unpriced=self.unpriced or other.unpriced,
            left_out=list(dict.fromkeys([*self.left_out, *other.left_out])),
        )
