"""A prompt that a model's window does not hold: *the service's refusal* → what share of it would have fitted.

Windows are counted in the model's own tokens, which are more than ours for scripts that it was not made for, and a
server may give each of its slots a part of the window alone. Nobody knows before it refuses.
"""

from __future__ import annotations

import re

from core.errors import PalimpsestError, Problem

UNSTATED = 0.5
"""The share that is tried where the refusal names no numbers."""
SPARE = 0.95
"""Of the share that the numbers give: texts of another mixture have other tokens."""
_REQUESTED = re.compile(r"(?:request|too long:|contains|requested|resulted in)\D{0,8}?(\d{2,})")
_HELD = re.compile(r"(?:context (?:length|size|window)(?: is| of)?|model with|>)\D{0,4}?(\d{2,})")


class ContextOverflowError(PalimpsestError):
    """``share``, between 0 and 1, of the prompt may be sent anew."""

    def __init__(self, problem: Problem, detail: str) -> None:
        super().__init__(problem, detail)
        self.share = share_that_fits(detail)


def share_that_fits(refusal: str) -> float:
    """As the numbers in it say; :data:`UNSTATED` where they say nothing of use."""
    requested, held = _REQUESTED.search(refusal), _HELD.search(refusal)
    if requested is None or held is None or int(held[1]) >= int(requested[1]):
        return UNSTATED
    return SPARE * int(held[1]) / int(requested[1])
