"""Formats a remaining time for users: seconds → words."""

from __future__ import annotations

import math

from core.messages.catalogue import message
from core.words import Words


def about_minutes(seconds: float) -> Words:
    """The remaining time in minutes: 100 -> "about 2 min left"."""
    minutes = math.ceil(seconds / 60)
    if seconds < 45:
        return message("time.under_a_minute")
    if minutes < 60:
        return message("time.minutes", count=minutes)
    return message("time.hours", count=round(seconds / 3600))
