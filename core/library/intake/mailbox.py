"""Splits a mailbox into messages: *a file with several messages* → one file for each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from core.errors import PalimpsestError
from core.library.extract import problems
from core.library.extract.mail.mbox import messages_in
from core.library.extract.sniff import extension_of, format_of
from core.library.intake.members import Member, Refused
from core.settings import Settings

MOST_MESSAGES = 500
"""Maximum number of documents of one mailbox; a longer mailbox becomes one document with its messages as sections."""
_EXTENSIONS = ("", "mbox", "mbx", "eml", "txt")


def is_mailbox(path: Path, filename: str) -> bool:
    """Whether the file holds several messages, but not more than ``MOST_MESSAGES``."""
    if extension_of(filename) not in _EXTENSIONS:
        return False
    try:
        if format_of(path, filename) != "mbox":
            return False
    except PalimpsestError:
        return False
    count = sum(1 for _ in islice(messages_in(path), MOST_MESSAGES + 1))
    return 1 < count <= MOST_MESSAGES


def messages_of(path: Path, filename: str, folder: Path, settings: Settings) -> Iterator[Member | Refused]:
    """Yield each message, named by its position and its subject; messages that are too large are left out."""
    for name, content in messages_in(path):
        if len(content) > settings.limits.file_bytes:
            yield Refused(name, problems.unpacks_too_large(name, settings.limits.file_bytes).problem)
        else:
            yield Member(name, content)
