"""Reads EML files: a message with its header, its text, and each readable attachment below its own heading."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from core.errors import PalimpsestError
from core.library.extract import extract, problems
from core.library.extract.encodings import encoding_of
from core.library.extract.mail.forms import TELLING, html_says_more
from core.library.extract.text import decode, normalise_line
from core.library.extracted import Block, Extracted, Progress
from core.library.guard import inspect, safe_filename
from core.settings import Settings

MIME = "message/rfc822"
MOST_ATTACHMENTS = 100
MOST_PARTS = 2_000
DEEPEST = 3
"""Maximum number of levels of messages inside messages that are read."""
MOST_NOTES = 20
_HEAD = 4_000
_LONGEST_FIELD = 4_000
_LOWEST = 6


def extract_eml(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """The subject as title and heading, then the header, the text and the attachments.

    Raises:
        PalimpsestError: it is encrypted, or its parts are nested deeper than in any real message.
    """
    message = parsed_message(path.read_bytes())
    reader = MessageReader(settings, settings.limits.extracted_characters, progress)
    return read_message(reader, message, filename)


def parsed_message(data: bytes) -> EmailMessage:
    """The raw message; one that was saved as UTF-16 is converted to UTF-8."""
    encoding = encoding_of(data[:_HEAD]).name
    if encoding.startswith(("utf-16", "utf-32")):
        data = data.decode(encoding, errors="replace").lstrip("\ufeff").encode()
    return message_from_bytes(data.removeprefix(b"\xef\xbb\xbf"), policy=policy.default)


def read_message(reader: MessageReader, message: EmailMessage, filename: str) -> Extracted:
    """One whole message with its metadata; raises ``PalimpsestError`` as ``extract_eml`` does."""
    try:
        blocks = reader.message(message, filename, 0)
    except RecursionError as error:
        raise problems.corrupt(filename, "EML") from error
    sender = field_of(message, "from")
    return Extracted(
        blocks=blocks,
        mime=MIME,
        title=field_of(message, "subject") or None,
        author=parseaddr(sender)[0] or sender or None,
        created=sent_date(message)[:10] or None,
        notes=reader.notes[:MOST_NOTES],
    )


@dataclass
class MessageReader:
    """Collects the content of a message and of the messages inside it."""

    settings: Settings
    left: int
    progress: Progress
    notes: list[tuple[str, str]] = field(default_factory=list)
    attachments: int = 0

    def message(self, message: EmailMessage, filename: str, depth: int) -> list[Block]:
        if _is_encrypted(message):
            raise problems.encrypted_mail(filename)
        subject = field_of(message, "subject")
        blocks = [Block(text=subject, kind="heading", level=1)] if subject else []
        head = _header_text(message)
        if head:
            blocks.append(Block(text=head, kind="paragraph"))
        texts, attached = _message_parts(message)
        for name, content in texts:
            blocks += self._attachment_blocks(name, content)
        for part in attached:
            if self.attachments == MOST_ATTACHMENTS:
                self.notes.insert(0, problems.only_attachments(MOST_ATTACHMENTS))
            self.attachments += 1
            if self.attachments > MOST_ATTACHMENTS or self.left <= 0:
                break
            blocks += self._attachment(part, depth)
            self.progress(self.attachments, max(self.attachments, min(len(attached), MOST_ATTACHMENTS)))
        return blocks

    def _attachment(self, part: EmailMessage, depth: int) -> list[Block]:
        name = _attachment_name(part)
        try:
            if part.get_content_type() == MIME:
                if depth >= DEEPEST:
                    self.notes.append(problems.left_out_attachment(name))
                    return []
                inner = self.message(_inner(part), name, depth + 1)
            else:
                inner = self._attachment_blocks(name, _content(part))
        except PalimpsestError as error:
            self.notes.append(problems.unread_attachment(name, error.problem))
            return []
        return [Block(text=name, kind="heading", level=1), *map(_lowered, inner)]

    def _attachment_blocks(self, name: str, content: bytes) -> list[Block]:
        """The blocks of an attached file, which is checked and read like a separate upload."""
        if not content.strip():
            return []
        with tempfile.TemporaryDirectory(prefix="palimpsest-mail-") as folder:
            path = Path(folder) / "part"
            path.write_bytes(content)
            inspect(path, name, self.settings)
            extracted = extract(path, name, self.settings, lambda *_: self.progress(self.attachments, self.attachments))
        self.notes += extracted.notes
        self.left -= sum(len(block.text) for block in extracted.blocks)
        return [block.model_copy(update={"page": None}) for block in extracted.blocks]


def _lowered(block: Block) -> Block:
    """Put the headings of an attachment one level below its name."""
    return block.model_copy(update={"level": min(block.level + 1, _LOWEST)}) if block.level else block


def _is_encrypted(message: EmailMessage) -> bool:
    kind = message.get_content_type()
    enveloped = str(message.get_param("smime-type") or "enveloped-data").lower().startswith("env")
    return kind == "multipart/encrypted" or (
        kind in ("application/pkcs7-mime", "application/x-pkcs7-mime") and enveloped
    )


def _header_text(message: EmailMessage) -> str:
    lines = [(name, field_of(message, name.lower())) for name in ("From", "To", "Cc")]
    return "\n".join(f"{name}: {text}" for name, text in [*lines, ("Date", sent_date(message))] if text)


def field_of(message: EmailMessage, name: str) -> str:
    """A decoded header field. It is cut first, because parsing takes more than linear time."""
    for key, raw in message.raw_items():
        if key.lower() != name:
            continue
        text = str(raw)[:_LONGEST_FIELD]
        if not text.isascii():
            text = decode(text.encode("ascii", "surrogateescape")) if _is_escaped(text) else text
        try:
            text = str(policy.default.header_factory(name, text))
        except Exception:  # the address parser fails on many broken addresses
            return normalise_line(text)
        return normalise_line(text)
    return ""


def _is_escaped(text: str) -> bool:
    """Whether the text contains bytes outside ASCII in the parser's escaped form."""
    return all(character < "\x80" or "\udc80" <= character <= "\udcff" for character in text)


def sent_date(message: EmailMessage) -> str:
    """ISO date and time; empty if it is not a valid date."""
    try:
        return parsedate_to_datetime(field_of(message, "date")).strftime("%Y-%m-%d %H:%M")
    except (ValueError, TypeError, OverflowError):
        return ""


def _message_parts(message: EmailMessage) -> tuple[list[tuple[str, bytes]], list[EmailMessage]]:
    """Returns (texts of the message itself, each with a name that gives its format; attachments)."""
    texts: list[tuple[str, bytes]] = []
    attached: list[EmailMessage] = []
    for part in _leaves(message):
        if _is_attached(part):
            attached.append(part)
        elif part.get_content_maintype() == "text":
            name = "message.html" if part.get_content_subtype() == "html" else "message.txt"
            texts.append((name, _content(part)))
    return texts, attached


def _leaves(message: EmailMessage) -> Iterator[EmailMessage]:
    """The parts with content, and of alternatives only the best one; messages inside are not entered."""
    stack, seen = [message], 0
    while stack and seen < MOST_PARTS:
        part = stack.pop()
        seen += 1
        if part.get_content_type() == MIME and part is not message:
            yield part
        elif part.is_multipart():
            inner = [each for each in part.iter_parts() if isinstance(each, EmailMessage)]
            chosen = _best_alternative(inner) if part.get_content_subtype() == "alternative" else inner
            stack.extend(reversed(chosen))
        else:
            yield part


def _best_alternative(forms: list[EmailMessage]) -> list[EmailMessage]:
    """From the alternatives of a text: the plain one if it is complete, otherwise the last one, which is the
    richest."""
    plain = next((form for form in forms if form.get_content_type() == "text/plain"), None)
    if plain is None or len(_content(plain).strip()) < TELLING:
        return forms[-1:]
    for form in reversed(forms):
        page = _page_of(form)
        if page is not None and html_says_more(_content(plain).decode(), _content(page).decode()):
            return [form]
    return [plain]


def _page_of(form: EmailMessage) -> EmailMessage | None:
    """The HTML of an alternative, which may be packed together with its images."""
    if form.get_content_type() == "text/html":
        return form
    if form.get_content_subtype() != "related":
        return None
    inner = (part for part in form.iter_parts() if isinstance(part, EmailMessage))
    return next((part for part in inner if part.get_content_type() == "text/html"), None)


def _is_attached(part: EmailMessage) -> bool:
    """Whether the part is an attachment; images inside the text (a logo, a signature) are not."""
    disposition = part.get_content_disposition()
    if part.get_content_maintype() == "image" and disposition != "attachment" and part["content-id"]:
        return False
    return disposition == "attachment" or part.get_filename() is not None or part.get_content_maintype() != "text"


def _attachment_name(part: EmailMessage) -> str:
    name = part.get_filename()
    if not name and part.get_content_type() == MIME:
        name = f"{field_of(_inner(part), 'subject') or 'message'}.eml"
    return safe_filename(name or f"attachment.{part.get_content_subtype()}")


def _inner(part: EmailMessage) -> EmailMessage:
    payload = part.get_payload()
    if isinstance(payload, list) and payload and isinstance(payload[0], EmailMessage):
        return payload[0]
    return message_from_bytes(_content(part), policy=policy.default)


def _content(part: EmailMessage) -> bytes:
    """The decoded bytes; text as UTF-8, because the readers do not see the part's charset."""
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    if part.get_content_maintype() != "text" or part.get_filename():
        return data
    return decode(data, part.get_content_charset()).encode()
