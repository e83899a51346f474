"""Checks a file before any parser opens it, and refuses unsafe, damaged or unsupported files."""

from __future__ import annotations

import re
import unicodedata
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

from core.errors import PalimpsestError
from core.library.extract import ocr, problems
from core.library.extract.pdf import is_all_scans, open_document
from core.library.extract.sniff import ARCHIVES, MAIN_PARTS, PICTURES, Format, format_of
from core.library.intake.file_limits import file_limit, format_limit, unpacked_limit
from core.settings import Settings

MOST_ENTRIES = 10_000
MOST_RATIO = 200
RATIO_MATTERS_FROM = 20 * 1024 * 1024
_LONGEST_NAME = 150
_PIECE = 1 << 20
_LOCAL_HEAD = 30
"""Length in bytes of a ZIP entry's fixed header; its last four bytes give the lengths of the name and the extra field.
"""
_DECLARATION = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ENTITY = re.compile(rb"<!\s*ENTITY", re.IGNORECASE)
"""The only XML declarations that are refused in an e-book. An e-book's pages declare their document type, and so do
formulas of older OpenDocument files, so a plain type declaration is allowed."""
_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)


def inspect(path: Path, filename: str, settings: Settings) -> None:
    """Refuse a file that is unsafe or cannot be read.

    Raises:
        PalimpsestError: category "validation": the file is too large, empty, unsupported, protected, damaged, hostile,
        or consists only of scans while there is no OCR engine; each case has its own message.
    """
    name = safe_filename(filename)
    size = path.stat().st_size
    if size > (limit := file_limit(name, settings)):
        raise problems.too_large(name, size, limit)
    if size == 0:
        raise problems.empty(name)
    found = format_of(path, name)
    if size > format_limit(found, settings):
        raise problems.too_large(name, size, format_limit(found, settings))
    if found == "pdf":
        _inspect_pdf(path, name, settings)
    elif found in ARCHIVES:
        _inspect_archive(path, name, found, settings)
    elif found in PICTURES and not ocr.is_available(settings):
        raise problems.scanned(name, tried=False)


def safe_filename(filename: str) -> str:
    """A safe file name for display and storage: no path, no control or direction characters, at most 150 characters."""
    name = re.split(r"[/\\]", unicodedata.normalize("NFC", filename))[-1]
    name = "".join(character for character in name if unicodedata.category(character)[0] != "C")
    name = " ".join(_FORBIDDEN.sub("_", name).split()).strip(" .")
    if _RESERVED.match(name):
        name = f"_{name}"
    stem, dot, extension = name.rpartition(".")
    if dot and len(extension) <= 10:
        return f"{stem[: _LONGEST_NAME - len(extension) - 1].rstrip(' .') or 'document'}.{extension}"
    return name[:_LONGEST_NAME] or "document"


def _inspect_pdf(path: Path, filename: str, settings: Settings) -> None:
    with open_document(path, filename) as document:
        if len(document) == 0:
            raise problems.corrupt(filename, "PDF")
        if not ocr.is_available(settings) and is_all_scans(document, settings.limits.document_pages):
            raise problems.scanned(filename, tried=False)


def _inspect_archive(path: Path, filename: str, found: Format, settings: Settings) -> None:
    """Check the declared sizes first, which is cheap, then the actual decompressed sizes, because declarations can be
    false."""
    limit = unpacked_limit(found, path.stat().st_size, settings)
    kind = found.upper()
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if any(entry.flag_bits & 1 for entry in entries):
                raise problems.protected(filename)
            declared = sum(entry.file_size for entry in entries)
            if len(entries) > MOST_ENTRIES or _is_bomb(declared, path.stat().st_size, limit):
                raise problems.unpacks_too_large(filename, limit)
            unpacked = 0
            refused = _ENTITY if found in ("epub", "ods", "odt", "odp") else _DECLARATION
            for entry in entries:
                unpacked += _unpack(archive, entry, filename, kind, limit - unpacked, limit, refused)
            if _is_bomb(unpacked, path.stat().st_size, limit):
                raise problems.unpacks_too_large(filename, limit)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise problems.corrupt(filename, kind) from error


def _is_bomb(unpacked: int, packed: int, limit: int) -> bool:
    return unpacked > limit or (unpacked > RATIO_MATTERS_FROM and unpacked > MOST_RATIO * max(packed, 1))


def _unpack(
    archive: zipfile.ZipFile,
    entry: zipfile.ZipInfo,
    filename: str,
    kind: str,
    left: int,
    limit: int,
    refused: re.Pattern[bytes],
) -> int:
    """The actual size of ``entry`` in bytes; refuses XML with forbidden declarations.

    If the main document part cannot be decompressed, the file is refused. Other broken parts are skipped and reported
    later by the reader.
    """
    is_xml = entry.filename.lower().endswith((".xml", ".rels", ".vml"))
    total, tail = 0, b""
    try:
        with archive.open(entry) as part:
            while data := part.read(_PIECE):
                total += len(data)
                if total > left:
                    raise problems.unpacks_too_large(filename, limit)
                if is_xml:
                    window = (tail + data).replace(b"\x00", b"")
                    if refused.search(window):
                        raise problems.hostile_xml(filename)
                    tail = window[-16:]
    except (PalimpsestError, MemoryError):
        raise
    except Exception as error:  # zlib.error and similar errors have no common base class
        if entry.filename in MAIN_PARTS or _holds_more(archive, entry):
            raise problems.corrupt(filename, kind) from error
    return total


def _holds_more(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    """Whether a broken entry decompresses to more than its declared size, which is a sign of an attack."""
    if entry.compress_type != zipfile.ZIP_DEFLATED:
        return entry.compress_size != entry.file_size
    file = archive.fp
    assert file is not None, "the archive is open"
    file.seek(entry.header_offset)
    head = file.read(_LOCAL_HEAD)
    file.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    left = entry.compress_size
    total = 0
    with suppress(zlib.error):
        while left > 0 and total <= entry.file_size and (data := file.read(min(left, _PIECE))):
            left -= len(data)
            total += len(unpacker.decompress(data, entry.file_size + 1 - total))
    return total > entry.file_size
