"""What a text of a template amounts to before it is kept: YAML -> quick settings, prompt, errors and warnings."""

from __future__ import annotations

from collections.abc import Mapping

from core.personality.parsing import parse
from core.personality.prompt import prompt_of
from core.personality.quick import quick_settings, with_quick_settings
from core.personality.records import Preview


def preview(text: str, changes: Mapping[str, bool | str]) -> Preview:
    """``changes`` of quick settings are written into the text first. Raises ``PalimpsestError`` ("validation")."""
    if changes:
        text = with_quick_settings(text, changes)
    parsed = parse(text)
    known = parsed.personality
    return Preview(
        text=text,
        quick=quick_settings(parsed.draft) if parsed.draft else None,
        prompt=prompt_of(known) if known else None,
        assistant=known.identity.name if known else None,
        errors=parsed.errors,
        warnings=parsed.warnings,
    )
