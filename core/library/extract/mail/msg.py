"""Reads Outlook messages (.msg): *file* → the same message in MIME form, read like any other.

Property numbers are those of [MS-OXPROPS]. The container is read by python-oxmsg, and compressed RTF (which Outlook
stores if there is no HTML) by compressed-rtf.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.header import Header
from email.message import Message
from email.mime.application import MIMEApplication
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime
from pathlib import Path

import compressed_rtf  # type: ignore[import-untyped]
from olefile import OleFileIO  # type: ignore[import-untyped]
from oxmsg.domain.model import ATTACH_HDR_OFFSET, MSG_HDR_OFFSET, RECIP_HDR_OFFSET
from oxmsg.properties import Properties
from oxmsg.storage import Storage

from core.library.extract import problems
from core.library.extract.eml import DEEPEST, MOST_ATTACHMENTS, MessageReader, read_message
from core.library.extract.rtf import extract_rtf
from core.library.extract.text import decode, normalise_line
from core.library.extracted import Extracted, Progress
from core.settings import Settings

MIME = "application/vnd.ms-outlook"
_CLASS, _SUBJECT, _BODY, _HTML, _RTF = 0x001A, 0x0037, 0x1000, 0x1013, 0x1009
_SENDER_NAME, _SENDER_ADDRESS, _SENDER_SMTP, _FOR_NAME = 0x0C1A, 0x0C1F, 0x5D01, 0x0042
_SENT, _DELIVERED, _HEADERS, _CODE_PAGE = 0x0039, 0x0E06, 0x007D, 0x3FDE
_NAME, _ADDRESS, _SMTP, _ROLE = 0x3001, 0x3003, 0x39FE, 0x0C15
_DATA, _LONG_NAME, _SHORT_NAME, _TYPE, _CONTENT_ID = 0x3701, 0x3707, 0x3704, 0x370E, 0x3712
_EMBEDDED = "__substg1.0_3701000D"
_EMBEDDED_OFFSET = 24
"""Length of the header, in bytes, before the properties of a message inside a message."""
_COPY = 2
"""Recipient type of those who get a copy (Cc); 1 are the main recipients, 3 the hidden ones (Bcc)."""
_MOST_RECIPIENTS = 200
_LONGEST_RTF = 20_000_000


def extract_msg(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Read it like an EML message, within the same limits.

    Raises:
        PalimpsestError: it is encrypted, damaged, or has neither text nor attachments.
    """
    try:
        with OleFileIO(str(path)) as container:
            storage = Storage.from_ole(container)
        reader = _OutlookReader(filename, settings)
        mail = reader.mail(storage, MSG_HDR_OFFSET, 0)
    except (AssertionError, AttributeError, OSError, RecursionError, NotImplementedError) as error:
        raise problems.corrupt(filename, "MSG") from error
    message = message_from_bytes(mail.as_bytes(), policy=policy.default)
    extracted = read_message(MessageReader(settings, settings.limits.extracted_characters, progress), message, filename)
    return extracted.model_copy(update={"mime": MIME, "notes": [*reader.notes, *extracted.notes]})


@dataclass
class _Properties:
    """Properties of a message, recipient or attachment; missing or broken ones are empty."""

    found: Properties

    def text(self, *numbers: int) -> str:
        """The first of several properties that exists."""
        for number in numbers:
            try:
                if value := self.found.str_prop_value(number):
                    return value.rstrip("\0")
            except (LookupError, ValueError):
                continue
        return ""

    def data(self, number: int) -> bytes:
        try:
            return self.found.binary_prop_value(number) or b""
        except (LookupError, ValueError):
            return b""

    def number(self, number: int) -> int:
        try:
            return int(self.found.int_prop_value(number) or 0)
        except (LookupError, ValueError, AttributeError):
            return 0

    def date(self, *numbers: int) -> str:
        for number in numbers:
            try:
                if value := self.found.date_prop_value(number):
                    return format_datetime(value)
            except (LookupError, ValueError, OverflowError, AttributeError):
                continue
        return ""


class _OutlookReader:
    def __init__(self, filename: str, settings: Settings) -> None:
        self._filename = filename
        self._settings = settings
        self.notes: list[problems.Note] = []

    def mail(self, storage: Storage, offset: int, depth: int) -> Message:
        """The message as MIME; raises ``PalimpsestError`` for one that is encrypted or empty."""
        own = _Properties(Properties(storage, offset))
        kind = own.text(_CLASS).upper()
        if ".SMIME" in kind and "MULTIPARTSIGNED" not in kind:
            raise problems.encrypted_mail(self._filename)
        mail = MIMEMultipart("mixed")
        for name, value in self._head(own, storage):
            mail[name] = Header(value, "utf-8").encode(linesep="\n") if not value.isascii() else value
        texts = [*self._texts(own)]
        if texts:
            alternative = MIMEMultipart("alternative")
            for text in texts:
                alternative.attach(text)
            mail.attach(alternative)
        attached = [part for each in _attachments(storage) for part in self._attachment(each, depth)]
        for part in attached:
            mail.attach(part)
        if not texts and not attached and not own.text(_SUBJECT):
            raise problems.empty(self._filename)
        return mail

    def _head(self, own: _Properties, storage: Storage) -> Iterator[tuple[str, str]]:
        sent = message_from_bytes(own.text(_HEADERS).encode(), policy=policy.compat32)
        sender = own.text(_SENDER_SMTP, _SENDER_ADDRESS)
        name = own.text(_SENDER_NAME, _FOR_NAME)
        # An Exchange address ("/O=…/CN=…") means nothing to people.
        yield "From", _mailbox(name, sender) or _plain(str(sent["from"] or ""))
        copies = [*map(_recipient, _recipients(storage))]
        yield "To", ", ".join(each for role, each in copies if role not in (_COPY, 3))
        yield "Cc", ", ".join(each for role, each in copies if role == _COPY)
        yield "Subject", _plain(own.text(_SUBJECT))
        yield "Date", own.date(_SENT, _DELIVERED) or _plain(str(sent["date"] or ""))

    def _texts(self, own: _Properties) -> Iterator[Message]:
        if plain := own.text(_BODY).strip():
            yield MIMEText(plain, "plain", "utf-8")
        code_page = own.number(_CODE_PAGE)
        page = own.data(_HTML)
        html = decode(page, f"cp{code_page}" if code_page and code_page != 65001 else None) if page else own.text(_HTML)
        if html.strip():
            yield MIMEText(html, "html", "utf-8")
        if not plain and not html.strip() and (rich := self._rich_text(own.data(_RTF))):
            yield MIMEText(rich, "plain", "utf-8")

    def _rich_text(self, packed: bytes) -> str:
        """The text of compressed RTF; empty if it is broken."""
        if not packed or int.from_bytes(packed[4:8], "little") > _LONGEST_RTF:
            return ""
        with tempfile.TemporaryDirectory(prefix="palimpsest-mail-") as folder:
            path = Path(folder) / "body.rtf"
            try:
                path.write_bytes(compressed_rtf.decompress(packed))
                return extract_rtf(path, self._filename, self._settings).text
            except Exception:  # the unpacker does not catch errors from broken data
                return ""

    def _attachment(self, storage: Storage, depth: int) -> list[Message]:
        own = _Properties(Properties(storage, ATTACH_HDR_OFFSET))
        name = _plain(own.text(_LONG_NAME, _SHORT_NAME, _NAME)) or "attachment"
        inner = next((each for each in storage.storages if each.name == _EMBEDDED), None)
        if inner is not None:
            if depth >= DEEPEST:
                self.notes.append(problems.left_out_attachment(name))
                return []
            return [MIMEMessage(self.mail(inner, _EMBEDDED_OFFSET, depth + 1))]
        data = own.data(_DATA)
        if not data:
            return []
        kind = own.text(_TYPE).lower()
        if kind == "multipart/signed":  # A signed message contains itself as its only attachment.
            return [message_from_bytes(data, policy=policy.compat32)]
        part = MIMEApplication(data)
        part.replace_header("Content-Type", kind if kind.startswith("image/") else "application/octet-stream")
        content_id = _plain(own.text(_CONTENT_ID))
        if content_id and kind.startswith("image/"):
            part["Content-ID"] = f"<{content_id}>"
            part.add_header("Content-Disposition", "inline", filename=("utf-8", "", name))
        else:
            part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", name))
        return [part]


def _attachments(storage: Storage) -> Sequence[Storage]:
    # One more than the limit, so that the reader reports that there are more.
    return [*storage.iter_attachment_storages()][: MOST_ATTACHMENTS + 1]


def _recipients(storage: Storage) -> Sequence[Storage]:
    return [*storage.iter_recipient_storages()][:_MOST_RECIPIENTS]


def _recipient(storage: Storage) -> tuple[int, str]:
    """The recipient's role and address."""
    own = _Properties(Properties(storage, RECIP_HDR_OFFSET))
    return own.number(_ROLE), _mailbox(own.text(_NAME), own.text(_SMTP, _ADDRESS))


def _mailbox(name: str, address: str) -> str:
    name, address = _plain(name).replace('"', ""), _plain(address)
    if "@" not in address or address == name:
        return name or address
    return f'"{name}" <{address}>' if name else address


def _plain(text: str) -> str:
    """The text on one line, so that it cannot end a header."""
    return normalise_line(text)[:4_000]
