"""Finds forbidden combinations of settings; returns their keys in the message catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.setting_groups import LOOPBACK

if TYPE_CHECKING:
    from core.settings import Settings


def forbidden_combinations(settings: Settings) -> Iterator[str]:
    """Yields the message key of each forbidden combination in the settings."""
    memory, production = settings.memory, settings.profile == "production"
    known = settings.users or settings.openid.issuer
    rules = {
        "open_to_all": settings.host not in LOOPBACK and not known and settings.login != "always",
        "overlap": settings.chunking.overlap_tokens * 2 >= settings.chunking.max_tokens,
        "scoring_without_memory": memory.enforce_scoring and not memory.enabled,
        "production_without_login": production and settings.login != "always" and not known,
        "nobody_works": settings.jobs.workers == 0 and settings.mongodb_uri is None,
        "production_tells_texts": production and settings.traces_content,
        "production_langsmith": production and settings.langsmith,
        "production_metrics": production and settings.metrics_for == "anyone",
    }
    yield from (name for name, found in rules.items() if found)
