"""What a file really is: its first bytes decide, its name only among texts."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path, PurePosixPath
from typing import Literal

from core.library.extract import problems
from core.library.extract.encodings import encoding_of
from core.library.extract.mail.parting import holds_messages, holds_several
from core.library.extract.text import decode

Format = Literal[
    "pdf", "docx", "xlsx", "pptx", "csv", "html", "rtf", "txt", "md", "eml", "png", "jpeg", "tiff",
    "mbox", "msg",
]  # fmt: skip

EXTENSIONS: dict[str, Format] = {
    "pdf": "pdf", "docx": "docx", "docm": "docx", "dotx": "docx", "xlsx": "xlsx", "xlsm": "xlsx", "xltx": "xlsx",
    "pptx": "pptx", "pptm": "pptx", "ppsx": "pptx", "ppsm": "pptx", "potx": "pptx", "eml": "eml",
    "png": "png", "jpg": "jpeg", "jpeg": "jpeg", "jpe": "jpeg", "tif": "tiff", "tiff": "tiff",
    "csv": "csv", "tsv": "csv", "tab": "csv", "html": "html", "htm": "html", "xhtml": "html", "rtf": "rtf",
    "mbox": "mbox", "mbx": "mbox", "msg": "msg",
    "txt": "txt", "text": "txt", "log": "txt", "md": "md", "markdown": "md", "mdown": "md",
}  # fmt: skip
_TEXTS: frozenset[Format] = frozenset(("csv", "html", "txt", "md"))
_HEAD = 64 * 1024
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAIN_PARTS: dict[str, Format] = {
    "word/document.xml": "docx", "xl/workbook.xml": "xlsx", "ppt/presentation.xml": "pptx",
}  # fmt: skip
_OTHER_PARTS = (
    ("ppt/", "a presentation"),
    ("content.xml", "an OpenDocument file"),
    ("xl/", "a binary workbook"),
    ("META-INF/container.xml", "an e-book"),
)
ARCHIVES: frozenset[Format] = frozenset(("docx", "xlsx", "pptx"))
PICTURES: frozenset[Format] = frozenset(("png", "jpeg", "tiff"))
_PICTURE_MARKS: list[tuple[bytes, Format]] = [
    (b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"),
    (b"II*\x00", "tiff"), (b"MM\x00*", "tiff"), (b"II+\x00", "tiff"), (b"MM\x00+", "tiff"),
]  # fmt: skip
_OLE_STREAMS = (
    ("WordDocument", "an old Word file (.doc)"),
    ("Workbook", "an old Excel file (.xls)"),
    ("PowerPoint Document", "an old presentation (.ppt)"),
    ("__substg1.0", "an Outlook message"),
)
_OTHERS: list[tuple[bytes, str]] = [
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"RIFF", "a sound, film or picture"),
    (b"ID3", "a sound"),
    (b"OggS", "a sound"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
]
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->).){0,4000}-->\s*)*+<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_MAIL_FIELD = re.compile(rb"([!-9;-~]{1,76}):[ \t]?[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*(?:\r?\n|$)")
_OF_MAIL = frozenset((b"from", b"to", b"subject", b"date", b"received", b"message-id", b"mime-version", b"return-path"))


def extension_of(filename: str) -> str:
    """Lower-case extension without its dot."""
    return PurePosixPath(filename).suffix.lower().removeprefix(".")


def format_of(path: Path, filename: str) -> Format:
    """The supported format of the contents.

    Raises:
        PalimpsestError: empty, encrypted, damaged, or of a kind that is not supported.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head.strip(b"\x00 \t\r\n"):
        raise problems.empty(filename)
    claimed = EXTENSIONS.get(extension_of(filename))
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _format_of_archive(path, filename)
    if head.startswith(_OLE):
        if _is_outlook(path):
            return "msg"
        raise _ole_problem(path, filename)
    if head.lstrip().startswith(b"{\\rtf"):
        return "rtf"
    for mark, found in _PICTURE_MARKS:
        if head.startswith(mark):
            return found
    if claimed in (None, "eml", "mbox", "msg") and (mail := _kind_of_mail(head, claimed)):
        return mail
    return _format_of_text(head, filename, claimed)


def _format_of_archive(path: Path, filename: str) -> Format:
    claimed = EXTENSIONS.get(extension_of(filename))
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        kind = claimed.upper() if claimed in ARCHIVES else "ZIP"
        raise problems.corrupt(filename, kind) from error
    if main := next((kind for part, kind in _MAIN_PARTS.items() if part in names), None):
        return main
    if claimed in ARCHIVES and "[Content_Types].xml" in names:
        raise problems.corrupt(filename, claimed.upper())
    known = (found for mark, found in _OTHER_PARTS if any(name.startswith(mark) for name in names))
    raise problems.unsupported(filename, next(known, "a ZIP archive"))


def _ole_problem(path: Path, filename: str) -> Exception:
    """Old Office files and encrypted new ones share a container; the names of its streams tell them apart."""
    data = path.read_bytes()
    if "EncryptedPackage".encode("utf-16-le") in data:
        return problems.protected(filename)
    known = (found for stream, found in _OLE_STREAMS if stream.encode("utf-16-le") in data)
    return problems.unsupported(filename, next(known, "an old Office file"))


def _format_of_text(head: bytes, filename: str, claimed: Format | None) -> Format:
    for mark, found in _OTHERS:
        if head.startswith(mark) and not _is_text(head):
            raise problems.unsupported(filename, found)
    if not _is_text(head):
        if claimed and claimed not in _TEXTS and claimed not in ("eml", "mbox"):
            raise problems.corrupt(filename, claimed.upper())
        raise problems.unsupported(filename)
    if claimed == "html" or (claimed != "md" and _HTML.match(decode(head[:8192]))):
        return "html"
    return claimed if claimed in _TEXTS else "txt"


def _is_outlook(path: Path) -> bool:
    """Whether an OLE container holds the properties of a message: the names of its streams say so."""
    return "__properties_version1.0".encode("utf-16-le") in path.read_bytes()


def _kind_of_mail(head: bytes, claimed: Format | None) -> Format | None:
    """A message or several of them, one that was saved as UTF-16 too."""
    encoding = encoding_of(head[:4_000]).name
    if encoding.startswith("utf-16"):
        head = head[: len(head) // 2 * 2].decode(encoding, errors="replace").lstrip("\ufeff").encode()
    if holds_messages(head, claimed == "mbox"):
        return "mbox"
    if not _is_mail(head, 2 if claimed else 3):
        return None
    return "mbox" if claimed == "mbox" or holds_several(head) else "eml"


def _is_mail(head: bytes, least: int) -> bool:
    """Whether it begins with the fields of a message, at least so many of those that every message has."""
    place, names = len(head) - len(head.removeprefix(b"\xef\xbb\xbf").lstrip()), set()
    while field := _MAIL_FIELD.match(head, place):
        names.add(field.group(1).lower())
        place = field.end()
    return len(names & _OF_MAIL) >= least


def _is_text(head: bytes) -> bool:
    """Hardly any control characters once decoded."""
    text = decode(head[:16_384])
    strange = sum(
        1 for character in text if character == "\ufffd" or (character < " " and character not in "\t\n\r\f\v\x1b")
    )
    return strange <= 0.02 * len(text)


def is_disguised(filename: str, found: Format) -> bool:
    """Whether the name promises another supported format, or none that holds text."""
    extension = extension_of(filename)
    claimed = EXTENSIONS.get(extension)
    if claimed == found or not extension:
        return False
    return claimed is not None or found not in _TEXTS
