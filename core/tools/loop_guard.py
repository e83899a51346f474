"""Stops a model that asks for the same thing again and again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from pydantic import JsonValue

MOST_ALIKE = 3
"""Calls of one tool with the same arguments that are run; the next one is a loop."""


class LoopGuard:
    """Counts the calls of one turn by tool and normalised arguments; ``seen`` are those of its beginning."""

    def __init__(self, seen: Mapping[str, int] | None = None) -> None:
        self.seen: Counter[str] = Counter(seen or {})
        self.looped = False

    def admit(self, name: str, arguments: Mapping[str, JsonValue]) -> bool:
        """Whether this call may run; ``looped`` once one may not."""
        key = f"{name}:{json.dumps(dict(arguments), sort_keys=True, ensure_ascii=False)}"
        self.seen[key] += 1
        if self.seen[key] > MOST_ALIKE:
            self.looped = True
            return False
        return True
