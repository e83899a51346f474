"""Reads mailboxes: several messages in one file, separated by "From " lines or directly one after the other."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from core.errors import PalimpsestError
from core.library.extract import problems
from core.library.extract.eml import MOST_NOTES, MessageReader, field_of, parsed_message, sent_date
from core.library.extract.encodings import encoding_of
from core.library.extract.mail.parting import parted
from core.library.extracted import Block, Extracted, Progress
from core.library.guard import safe_filename
from core.settings import Settings

MIME = "application/mbox"
MOST_MESSAGES = 2_000
_LONGEST_LINE = 1_000_000
_HEAD = 64 * 1024


def messages_in(path: Path) -> Iterator[tuple[str, bytes]]:
    """The messages of a mailbox in order, each with a file name from its subject; limited in number and size."""
    for number, data in enumerate(parted(_lines(path)), 1):
        if number > MOST_MESSAGES:
            return
        subject = field_of(parsed_message(data[:_HEAD]), "subject")
        yield safe_filename(f"{number:04d} {subject[:100] or 'message'}.eml"), data


def extract_mbox(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the messages, each below its own heading: its subject, or its sender and time.

    A message that cannot be read leaves a note. Raises ``PalimpsestError`` if none can be read.
    """
    reader = MessageReader(settings, settings.limits.extracted_characters, progress)
    blocks: list[Block] = []
    first: PalimpsestError | None = None
    dates: list[str] = []
    count = 0
    for name, data in messages_in(path):
        count += 1
        if reader.left <= 0:
            break
        message = parsed_message(data)
        try:
            read = reader.message(message, name, 0)
        except RecursionError:
            first = first or problems.corrupt(name, "EML")
            continue
        except PalimpsestError as error:
            first = first or error
            reader.notes.append(problems.unread_attachment(name, error.problem))
            continue
        if not field_of(message, "subject"):
            heading = " ".join(filter(None, (field_of(message, "from"), sent_date(message)))) or name
            blocks.append(Block(text=heading, kind="heading", level=1))
        blocks += read
        dates += filter(None, [sent_date(message)[:10]])
        progress(count, count)
    if not blocks:
        raise first or problems.empty(filename)
    if count == MOST_MESSAGES:
        reader.notes.insert(0, problems.only_messages(MOST_MESSAGES))
    return Extracted(blocks=blocks, mime=MIME, created=min(dates, default=None), notes=reader.notes[:MOST_NOTES])


def _lines(path: Path) -> Iterator[bytes]:
    """Raw lines; those of a UTF-16 mailbox are converted to UTF-8."""
    with path.open("rb") as file:
        encoding = encoding_of(file.read(_HEAD)).name
        file.seek(0)
        if encoding.startswith("utf-16"):
            text = io.TextIOWrapper(file, encoding=encoding, errors="replace", newline="\n")
            while line := text.readline(_LONGEST_LINE):
                yield line.encode()
            return
        while data := file.readline(_LONGEST_LINE):
            yield data
