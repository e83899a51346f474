"""Stops a model that repeats the same call."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from pydantic import JsonValue

MOST_ALIKE = 3
"""Maximum number of runs of one tool with the same arguments; the next such call is a loop."""


class LoopGuard:
    """Counts the calls for one question by tool and normalised arguments; ``seen`` are calls made before."""

    def __init__(self, seen: Mapping[str, int] | None = None) -> None:
        self.seen: Counter[str] = Counter(seen or {})
        self.looped = False

    def admit(self, name: str, arguments: Mapping[str, JsonValue]) -> bool:
        """Whether this call may run; ``looped`` is set after the first call that may not."""
        key = f"{name}:{json.dumps(dict(arguments), sort_keys=True, ensure_ascii=False)}"
        self.seen[key] += 1
        if self.seen[key] > MOST_ALIKE:
            self.looped = True
            return False
        return True
