"""Gives each step of a run its label, from ``steps`` in the message catalogue."""

from __future__ import annotations

from core.messages import message
from core.messages.catalogue import texts

STEP_LABELS = {key.removeprefix("steps."): message(key) for key in texts("en") if key.startswith("steps.")}
