"""Validates and normalises names of accounts and keys."""

from __future__ import annotations

import unicodedata

from core.errors import fail

LONGEST_NAME = 80


def plain_name(text: str) -> str | None:
    """The name in composed Unicode form with single spaces; ``None`` if it is empty, too long or has an invisible
    character, which could make one name look like another."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    visible = not any(unicodedata.category(each).startswith("C") for each in name)
    return name if 1 <= len(name) <= LONGEST_NAME and visible else None


def name_of(text: str) -> str:
    """An account's or group's name in its stored form. Raises ``PalimpsestError`` when it is invalid."""
    name = plain_name(text)
    if name is None:
        raise fail("validation", "accounts.no_account_name", longest=LONGEST_NAME)
    return name
