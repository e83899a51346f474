"""Names that people give accounts and keys: *what was typed* → the name as it is kept, or none."""

from __future__ import annotations

import unicodedata

from core.errors import fail

LONGEST_NAME = 80


def plain_name(text: str) -> str | None:
    """Composed, with single spaces; ``None`` for what is empty, too long or has a character that cannot be seen, which
    could make one name look like another."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    visible = not any(unicodedata.category(each).startswith("C") for each in name)
    return name if 1 <= len(name) <= LONGEST_NAME and visible else None


def name_of(text: str) -> str:
    """The name of an account or a group as it is kept. Raises ``PalimpsestError`` when it is none."""
    name = plain_name(text)
    if name is None:
        raise fail("validation", "accounts.no_account_name", longest=LONGEST_NAME)
    return name
