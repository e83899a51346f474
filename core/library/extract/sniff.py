"""Detects the actual format of a file: by its first bytes; its name only decides between text formats."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Literal

from core.library.extract import problems
from core.library.extract.encodings import encoding_of
from core.library.extract.mail.parting import holds_messages, holds_several
from core.library.extract.office import libreoffice
from core.library.extract.text import decode

Format = Literal[
    "pdf", "docx", "xlsx", "pptx", "csv", "html", "rtf", "txt", "md", "eml", "png", "jpeg", "tiff",
    "xls", "xlsb", "ods",
    "json", "jsonl", "xml", "yaml", "epub", "ipynb", "rst", "webp", "bmp", "gif", "heic",
    "odt", "odp", "doc", "ppt",
    "mbox", "msg", "parquet",
]  # fmt: skip

EXTENSIONS: dict[str, Format] = {
    "pdf": "pdf", "docx": "docx", "docm": "docx", "dotx": "docx", "xlsx": "xlsx", "xlsm": "xlsx", "xltx": "xlsx",
    "pptx": "pptx", "pptm": "pptx", "ppsx": "pptx", "ppsm": "pptx", "potx": "pptx", "eml": "eml",
    "png": "png", "jpg": "jpeg", "jpeg": "jpeg", "jpe": "jpeg", "tif": "tiff", "tiff": "tiff",
    "csv": "csv", "tsv": "csv", "tab": "csv", "html": "html", "htm": "html", "xhtml": "html", "rtf": "rtf",
    "mbox": "mbox", "mbx": "mbox", "msg": "msg", "parquet": "parquet",
    "txt": "txt", "text": "txt", "log": "txt", "md": "md", "markdown": "md", "mdown": "md",
    "xls": "xls", "xlt": "xls", "xlsb": "xlsb", "ods": "ods", "ots": "ods",
    "json": "json", "geojson": "json", "jsonl": "jsonl", "ndjson": "jsonl", "xml": "xml", "yaml": "yaml", "yml": "yaml",
    "odt": "odt", "ott": "odt", "odp": "odp", "otp": "odp", "doc": "doc", "dot": "doc", "ppt": "ppt", "pps": "ppt",
    "epub": "epub", "ipynb": "ipynb", "rst": "rst", "rest": "rst",
    "webp": "webp", "bmp": "bmp", "dib": "bmp", "gif": "gif", "heic": "heic", "heif": "heic",
    "adoc": "txt", "asciidoc": "txt", "org": "txt", "tex": "txt", "srt": "txt", "vtt": "txt", "sql": "txt", "py": "txt",
    "ini": "txt", "cfg": "txt", "conf": "txt", "toml": "txt",
}  # fmt: skip
TREES: frozenset[Format] = frozenset(("json", "jsonl", "xml", "yaml"))
"""Data formats whose tables may be as long as a workbook's."""
_TEXTS: frozenset[Format] = frozenset(("csv", "html", "txt", "md", "ipynb", "rst", *TREES))
MEDIA_TYPES = {
    "application/pdf": "pdf", "text/plain": "txt", "text/markdown": "md", "text/csv": "csv",
    "text/tab-separated-values": "tsv", "application/json": "json", "application/x-ndjson": "jsonl",
    "application/xml": "xml", "text/xml": "xml", "application/rss+xml": "xml", "application/atom+xml": "xml",
    "application/yaml": "yaml", "application/epub+zip": "epub", "application/vnd.apache.parquet": "parquet",
}  # fmt: skip
"""Content types that web servers send for files that are stored unchanged, with the extension by which each file is
read."""
_HEAD = 64 * 1024
_PARQUET = b"PAR1"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MAIN_PARTS: dict[str, Format] = {
    "word/document.xml": "docx", "xl/workbook.xml": "xlsx", "ppt/presentation.xml": "pptx",
    "xl/workbook.bin": "xlsb",
    "META-INF/container.xml": "epub",
}  # fmt: skip
_NUMBERED_MAIN = re.compile(r"word/document\d{1,4}\.xml")
_OTHER_PARTS = (
    ("ppt/", "a presentation"),
    ("content.xml", "an OpenDocument file"),
    ("xl/", "a binary workbook"),
)
CONTAINERS = ("zip",)
"""Extensions of containers: files that hold documents and are not documents; ``core.library.intake.containers`` opens
them."""
_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_OPEN_DOCUMENTS: dict[str, Format] = {"spreadsheet": "ods", "text": "odt", "presentation": "odp"}
"""OpenDocument formats by the last part of the type given in the file."""
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."
ARCHIVES: frozenset[Format] = frozenset(("docx", "xlsx", "pptx", "epub", "xlsb", "ods", "odt", "odp"))
WORKBOOKS: frozenset[Format] = frozenset(("xlsx", "xls", "xlsb", "ods"))
PICTURES: frozenset[Format] = frozenset(("png", "jpeg", "tiff", "webp", "bmp", "gif", "heic"))
_PICTURE_MARKS: list[tuple[bytes, Format]] = [
    (b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"),
    (b"II*\x00", "tiff"), (b"MM\x00*", "tiff"), (b"II+\x00", "tiff"), (b"MM\x00+", "tiff"),
    (b"GIF87a", "gif"), (b"GIF89a", "gif"),
]  # fmt: skip
_BMP_HEADS = frozenset(size.to_bytes(4, "little") for size in (12, 40, 52, 56, 64, 108, 124))
_HEIC_BRANDS = frozenset((b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1", b"heif"))
_OLE_STREAMS = (
    ("WordDocument", "an old Word file (.doc)"),
    ("PowerPoint Document", "an old presentation (.ppt)"),
    ("__substg1.0", "an Outlook message"),
)
_XML_WORKBOOK = b'="urn:schemas-microsoft-com:office:spreadsheet"'
_DECLARED = 2048
"""Number of bytes at the beginning of an XML file that are searched for its type."""
_OLE_WORKBOOKS = ("Workbook", "Book")
_OLD_OFFICE: dict[str, Format] = {"WordDocument": "doc", "PowerPoint Document": "ppt"}
"""Stream names of the old Office files that LibreOffice converts."""
_OTHERS: list[tuple[bytes, str]] = [
    (b"RIFF", "a sound or film"),
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
        PalimpsestError: the file is empty, encrypted, damaged, or of an unsupported kind.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head.strip(b"\x00 \t\r\n"):
        raise problems.empty(filename)
    claimed = EXTENSIONS.get(extension_of(filename))
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(_PARQUET):
        return "parquet"
    if head.startswith(_ZIP_MARKS):
        return _format_of_archive(path, filename)
    if head.startswith(_OLE):
        return "msg" if _is_outlook(path) else _format_of_ole(path, filename)
    if head.lstrip().startswith(b"{\\rtf"):
        return "rtf"
    if picture := _picture_of(head):
        return picture
    if claimed in (None, "eml", "mbox", "msg") and (mail := _kind_of_mail(head, claimed)):
        return mail
    return _format_of_text(head, filename, claimed)


def _picture_of(head: bytes) -> Format | None:
    """The image format by its first bytes; if they could also start a text, by more bytes."""
    for mark, found in _PICTURE_MARKS:
        if head.startswith(mark):
            return found
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith(b"BM") and head[14:18] in _BMP_HEADS:
        return "bmp"
    return "heic" if head[4:8] == b"ftyp" and head[8:12] in _HEIC_BRANDS else None


def _format_of_archive(path: Path, filename: str) -> Format:
    claimed = EXTENSIONS.get(extension_of(filename))
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            open_document = _open_document_in(archive) if "content.xml" in names else None
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        kind = claimed.upper() if claimed in ARCHIVES else "ZIP"
        raise problems.corrupt(filename, kind) from error
    if main := _document_in(names):
        return main
    if open_document:
        return open_document
    if claimed in ARCHIVES and "[Content_Types].xml" in names:
        raise problems.corrupt(filename, claimed.upper())
    raise problems.unsupported(filename, _other_in(names) or "a ZIP archive")


def _document_in(names: Collection[str]) -> Format | None:
    """The document format of an archive with these parts."""
    if found := next((kind for part, kind in MAIN_PARTS.items() if part in names), None):
        return found
    # Some servers number the main part.
    return "docx" if any(map(_NUMBERED_MAIN.fullmatch, names)) else None


def _open_document_in(archive: zipfile.ZipFile) -> Format | None:
    """The kind of a readable OpenDocument file."""
    try:
        with archive.open("mimetype") as part:
            kind = part.read(100).strip()
    except KeyError:
        return None
    family = kind.removeprefix(_OPEN_DOCUMENT).decode("ascii", "replace").removesuffix("-template")
    return _OPEN_DOCUMENTS.get(family) if kind.startswith(_OPEN_DOCUMENT) else None


def _other_in(names: Collection[str]) -> str | None:
    """The type of an archive with these parts that is neither a document nor a plain archive."""
    return next((found for mark, found in _OTHER_PARTS if any(name.startswith(mark) for name in names)), None)


def is_zip(path: Path) -> bool:
    """Whether the file begins like a ZIP archive, which may also be a document."""
    with path.open("rb") as file:
        return file.read(4) in _ZIP_MARKS


def is_plain_archive(names: Collection[str]) -> bool:
    """Whether a ZIP archive with these entries is a folder of files and not a document."""
    return _document_in(names) is None and _other_in(names) is None and "[Content_Types].xml" not in names


def readable_extensions() -> list[str]:
    """The extensions of all files that can be added, without dots, sorted."""
    return sorted({*EXTENSIONS, *CONTAINERS})


def _format_of_ole(path: Path, filename: str) -> Format:
    """The format of an OLE container by its stream names: old Office files and new encrypted ones both use such
    containers."""
    data = path.read_bytes()
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise problems.protected(filename)
    known = next((found for stream, found in _OLE_STREAMS if stream.encode("utf-16-le") in data), None)
    if old := next((kind for stream, kind in _OLD_OFFICE.items() if stream.encode("utf-16-le") in data), None):
        if libreoffice.is_available():
            return old
        raise problems.needs_libreoffice(filename, known or "an old Office file")
    if known:
        raise problems.unsupported(filename, known)
    claims = EXTENSIONS.get(extension_of(filename)) == "xls"
    if claims or any(f"{stream}\0".encode("utf-16-le") in data for stream in _OLE_WORKBOOKS):
        return "xls"
    raise problems.unsupported(filename, "an old Office file")


def _format_of_text(head: bytes, filename: str, claimed: Format | None) -> Format:
    for mark, found in _OTHERS:
        if head.startswith(mark) and not _is_text(head):
            raise problems.unsupported(filename, found)
    if not _is_text(head):
        if claimed and claimed not in _TEXTS and claimed not in ("eml", "mbox"):
            raise problems.corrupt(filename, claimed.upper())
        raise problems.unsupported(filename)
    if _XML_WORKBOOK in head[:_DECLARED]:
        return "xls"
    if claimed == "html" or (claimed != "md" and _HTML.match(decode(head[:8192]))):
        return "html"
    if claimed in WORKBOOKS and b"\t" in head:
        return "csv"  # Programs export text with a workbook's extension.
    return claimed if claimed in _TEXTS else "txt"


def _is_outlook(path: Path) -> bool:
    """Whether an OLE container is an Outlook message, judged by its stream names."""
    return "__properties_version1.0".encode("utf-16-le") in path.read_bytes()


def _kind_of_mail(head: bytes, claimed: Format | None) -> Format | None:
    """The format of a mail file: one message or several, including files saved as UTF-16."""
    encoding = encoding_of(head[:4_000]).name
    if encoding.startswith("utf-16"):
        head = head[: len(head) // 2 * 2].decode(encoding, errors="replace").lstrip("\ufeff").encode()
    if holds_messages(head, claimed == "mbox"):
        return "mbox"
    if not _is_mail(head, 2 if claimed else 3):
        return None
    return "mbox" if claimed == "mbox" or holds_several(head) else "eml"


def _is_mail(head: bytes, least: int) -> bool:
    """Whether the data begins with enough of the header fields that every message has."""
    place, names = len(head) - len(head.removeprefix(b"\xef\xbb\xbf").lstrip()), set()
    while field := _MAIL_FIELD.match(head, place):
        names.add(field.group(1).lower())
        place = field.end()
    return len(names & _OF_MAIL) >= least


def _is_text(head: bytes) -> bool:
    """Whether the data has almost no control characters after decoding."""
    text = decode(head[:16_384])
    strange = sum(
        1 for character in text if character == "\ufffd" or (character < " " and character not in "\t\n\r\f\v\x1b")
    )
    return strange <= 0.02 * len(text)


def is_disguised(filename: str, found: Format) -> bool:
    """Whether the name's extension belongs to another supported format, or to one that is not text."""
    extension = extension_of(filename)
    claimed = EXTENSIONS.get(extension)
    if claimed == found or not extension:
        return False
    return claimed is not None or found not in _TEXTS
