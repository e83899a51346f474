"""Reads the files of a ZIP archive: *an archive* → each file with a safe name, or the reason why it is left out.

The declared values are checked before anything is unpacked: number of entries, sizes, compression ratios. An entry is
never unpacked beyond its declared size, so the sum of the declared sizes limits the disk space used.
"""

from __future__ import annotations

import re
import shutil
import struct
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from core.errors import PalimpsestError
from core.library.extract import problems
from core.library.extract.sniff import CONTAINERS, EXTENSIONS, extension_of, is_plain_archive, is_zip
from core.library.guard import MOST_RATIO, RATIO_MATTERS_FROM, safe_filename
from core.library.intake.file_limits import file_limit
from core.library.intake.members import Member, Refused
from core.library.refusals import empty, oversize
from core.settings import Settings
from core.store.room import refuse_without_room

MOST_FILES = 500
"""Maximum number of documents of one archive."""
MOST_DIRECTORY = 4 * 1024 * 1024
"""Largest size in bytes of the list of entries, which is held in memory."""
_ENTRY = 46
"""Smallest size in bytes of one entry in the list."""
_TAIL = 22 + 65_535 + 20 + 56
"""Furthest distance from the end of the file at which the end record with its comment, and the ZIP64 end record before
it, can start."""
_END, _WIDE_END = b"PK\x05\x06", b"PK\x06\x06"
_SAID_ELSEWHERE = 0xFFFFFFFF
"""Value of the size field if the size is only in the ZIP64 end record."""
_OF_SYSTEMS = frozenset(("__macosx", "thumbs.db", "desktop.ini"))
_EXTENSION = "zip"
_ARCHIVES = frozenset((*CONTAINERS, "7z", "rar", "gz", "tgz", "bz2", "xz", "tar"))
_HEBREW_PAIR = re.compile(rb"[\x80-\x9a]{2}")
_OTHER_HIGH = re.compile(rb"[\x9b-\xff]")
_UTF8_NAME = 0x800
_ENCRYPTED = 1


def is_archive(path: Path, filename: str) -> bool:
    """Whether the file is a plain ZIP archive of files; documents that use the ZIP format (such as DOCX) are not.

    Raises:
        PalimpsestError: its list of entries is damaged, or too long to be opened.
    """
    if extension_of(filename) not in ("", _EXTENSION) or not is_zip(path):
        return False
    return is_plain_archive({entry.filename for entry in _entries(path, filename)})


def files_in(path: Path, filename: str, folder: Path, settings: Settings) -> Iterator[Member | Refused]:
    """Unpack the files into ``folder`` one by one, without hidden files and files that operating systems add.

    Raises:
        PalimpsestError: the archive is damaged, is empty, or has too many files or too much to unpack.
    """
    entries = [each for each in _entries(path, filename) if not each.is_dir() and not _is_hidden(_name_of(each))]
    if not entries:
        raise problems.nothing_inside(filename)
    if len(entries) > MOST_FILES:
        raise problems.too_many_files(filename, len(entries), MOST_FILES)
    limits = settings.limits
    most = max(limits.unpacked_bytes, limits.table_file_bytes)
    if sum(each.file_size for each in entries if _is_readable(each)) > most:
        raise problems.unpacks_too_large(filename, most)
    with zipfile.ZipFile(path) as archive:
        for entry, name in zip(entries, _names(entries), strict=True):
            try:
                _refuse(entry, name, settings)
                yield Member(name, _unpacked(archive, entry, folder))
            except PalimpsestError as error:
                yield Refused(name, error.problem)
            except Exception as error:  # zlib.error, LZMAError and similar errors have no common base class
                yield Refused(name, problems.corrupt(name, "ZIP").problem, str(error))


def _refuse(entry: zipfile.ZipInfo, name: str, settings: Settings) -> None:
    """Raises ``PalimpsestError`` for an entry that is not unpacked."""
    if entry.flag_bits & _ENCRYPTED:
        raise problems.protected(name)
    if extension_of(name) in _ARCHIVES:
        raise problems.nested_archive(name)
    if not _is_readable(entry):
        raise problems.unsupported(name)
    if entry.file_size == 0:
        raise empty(name)
    if entry.file_size > (limit := file_limit(name, settings)):
        raise oversize(name, entry.file_size, limit)
    if entry.file_size > RATIO_MATTERS_FROM and entry.file_size > MOST_RATIO * max(entry.compress_size, 1):
        raise problems.unpacks_too_large(name, limit)
    refuse_without_room(settings, entry.file_size)


def _is_readable(entry: zipfile.ZipInfo) -> bool:
    """Whether the format can be read; files without an extension are tried."""
    extension = extension_of(entry.filename)
    return not extension or extension in EXTENSIONS


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> Path:
    """Write the entry's bytes to a file whose name does not come from the archive."""
    target = folder / f"member-{entry.header_offset}"
    try:
        with archive.open(entry) as packed, target.open("wb") as file:
            shutil.copyfileobj(packed, file, 1 << 20)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    if is_zip(target) and not extension_of(entry.filename):
        target.unlink()
        raise problems.nested_archive(PurePosixPath(entry.filename).name)
    return target


# -- names ---------------------------------------------------------------------------------------


def _names(entries: Sequence[zipfile.ZipInfo]) -> list[str]:
    """Safe file names; if two folders have files with the same name, the folder's name is put in front."""
    paths = [PurePosixPath(_name_of(each).replace("\\", "/")) for each in entries]
    times = Counter(path.name.casefold() for path in paths)
    return [
        safe_filename(f"{path.parent.name} - {path.name}" if times[path.name.casefold()] > 1 else path.name)
        for path in paths
    ]


def _is_hidden(name: str) -> bool:
    """Whether the file is hidden: it, or one of its folders, starts with a dot or was added by an operating system."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any((part.startswith(".") and part.strip(".")) or part.casefold() in _OF_SYSTEMS for part in parts)


def _name_of(entry: zipfile.ZipInfo) -> str:
    """The decoded name. If the archive does not give the encoding: UTF-8 if valid, otherwise the old Hebrew code
    page."""
    if entry.flag_bits & _UTF8_NAME or entry.filename.isascii():
        return entry.filename
    try:
        raw = entry.filename.encode("cp437")
    except UnicodeEncodeError:
        return entry.filename
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        is_hebrew = _HEBREW_PAIR.search(raw) and not _OTHER_HIGH.search(raw)
        return raw.decode("cp862") if is_hebrew else entry.filename


# -- the list of entries ---------------------------------------------------------------------------


def _entries(path: Path, filename: str) -> list[zipfile.ZipInfo]:
    size = _directory_size(path)
    if size > MOST_DIRECTORY:
        raise problems.too_many_files(filename, size // _ENTRY, MOST_FILES)
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error) as error:
        raise problems.corrupt(filename, "ZIP") from error


def _directory_size(path: Path) -> int:
    """Size in bytes of the list of entries, as the archive declares it; 0 if there is no end record."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        tail = file.read()
    end, wide = tail.rfind(_END), tail.rfind(_WIDE_END)
    narrow = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
    wider = int.from_bytes(tail[wide + 40 : wide + 48], "little") if wide >= 0 else 0
    return max(0 if narrow == _SAID_ELSEWHERE else narrow, wider)
