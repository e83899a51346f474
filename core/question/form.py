"""Decides how many numbers a question asks for, on which the form of its answer depends."""

from __future__ import annotations

from typing import Literal

from core.question.measures.question import MeasureQuestion

Form = Literal["none", "one", "several"]
"""How many numbers a question asks for; *none* if it asks for something else."""

_ONE_PER_PERIOD = ("value", "trend")
"""Operations with a number for each period; others make one number of several periods."""


def form_of(asked: MeasureQuestion | None, organisations: int, certain: Form | None = None) -> Form:
    """Returns how many numbers a question asks for: measures × organisations × periods.

    Args:
        certain: the form of the answer that the tables give for certain; it decides if the question names no known
            measure, or asks for more than its value.
    """
    if asked is None:
        return certain or "none"
    if asked.why or asked.judges:
        return "none"
    periods = len(asked.periods) if asked.operation in _ONE_PER_PERIOD and not asked.measures[0].defined else 1
    if len(asked.measures) * max(1, organisations) * max(1, periods) > 1:
        return "several"
    return "none" if asked.rest and certain is None else "one"
