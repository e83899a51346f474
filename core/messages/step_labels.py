"""Names the steps of a run: a step's name → its label, from the catalogue's ``steps``."""

from __future__ import annotations

from core.messages import message
from core.messages.catalogue import texts

STEP_LABELS = {key.removeprefix("steps."): message(key) for key in texts("en") if key.startswith("steps.")}
