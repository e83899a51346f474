"""Handles prompts that exceed a model's window: *the service's refusal* → the share of the prompt that would have
fitted.

Windows are measured in the model's own tokens, which are more than by our count for scripts it was not trained on. A
server may also give each of its slots only a part of the window. This is not known before the server refuses.
"""

from __future__ import annotations

import re

from core.errors import PalimpsestError, Problem

UNSTATED = 0.5
"""The share that is tried if the refusal contains no numbers."""
SPARE = 0.95
"""Safety factor on the share that the numbers give: other texts have other token counts."""
_REQUESTED = re.compile(r"(?:request|too long:|contains|requested|resulted in)\D{0,8}?(\d{2,})")
_HELD = re.compile(r"(?:context (?:length|size|window)(?: is| of)?|model with|>)\D{0,4}?(\d{2,})")


class ContextOverflowError(PalimpsestError):
    """The prompt is too long; ``share`` of it (between 0 and 1) may be sent in a new attempt."""

    def __init__(self, problem: Problem, detail: str) -> None:
        super().__init__(problem, detail)
        self.share = share_that_fits(detail)


def share_that_fits(refusal: str) -> float:
    """The share from the numbers in the refusal; :data:`UNSTATED` if they are of no use."""
    requested, held = _REQUESTED.search(refusal), _HELD.search(refusal)
    if requested is None or held is None or int(held[1]) >= int(requested[1]):
        return UNSTATED
    return SPARE * int(held[1]) / int(requested[1])
