"""Handles prompts that exceed a model's window: finds in the service's refusal which share of the prompt would have
fitted.

Windows are measured in the model's own tokens, and our count may be too low, for example for scripts that the model was
not trained on. A server may also give each parallel request only a part of the window. This is not known before the
server refuses.
"""

from __future__ import annotations

import re

from core.errors import PalimpsestError, Problem

UNSTATED = 0.5
"""The share that is tried if the refusal contains no numbers."""
SPARE = 0.95
"""Safety factor on the share calculated from the refusal's numbers, because other texts have other token counts."""
_REQUESTED = re.compile(r"(?:request|too long:|contains|requested|resulted in)\D{0,8}?(\d{2,})")
_HELD = re.compile(r"(?:context (?:length|size|window)(?: is| of)?|model with|>)\D{0,4}?(\d{2,})")


class ContextOverflowError(PalimpsestError):
    """The prompt is too long; ``share`` of it (between 0 and 1) may be sent in a new attempt."""

    def __init__(self, problem: Problem, detail: str) -> None:
        super().__init__(problem, detail)
        self.share = share_that_fits(detail)


def share_that_fits(refusal: str) -> float:
    """The share calculated from the numbers in the refusal; :data:`UNSTATED` if they cannot be used."""
    requested, held = _REQUESTED.search(refusal), _HELD.search(refusal)
    if requested is None or held is None or int(held[1]) >= int(requested[1]):
        return UNSTATED
    return SPARE * int(held[1]) / int(requested[1])
