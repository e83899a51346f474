"""Returns how large a file may be: *its name or format* → bytes. Table files are read in pieces and may be larger."""

from __future__ import annotations

from core.library.extract.sniff import EXTENSIONS, Format, extension_of
from core.settings import Settings

TABLES: frozenset[Format] = frozenset(("csv", "xlsx", "parquet"))
_UNPACKED = 10
"""A workbook of rows unpacks to about this many times its file size."""


def file_limit(filename: str, settings: Settings) -> int:
    """The largest size of a file of this name."""
    return format_limit(EXTENSIONS.get(extension_of(filename)), settings)


def format_limit(found: Format | None, settings: Settings) -> int:
    """The largest size of a file of this format."""
    return settings.limits.table_file_bytes if found in TABLES else settings.limits.file_bytes


def table_extensions() -> list[str]:
    """The extensions of table files, sorted."""
    return sorted(extension for extension, kind in EXTENSIONS.items() if kind in TABLES)


def unpacked_limit(found: Format, size: int, settings: Settings) -> int:
    """The size that an archive of ``size`` bytes may unpack to, in bytes."""
    limits = settings.limits
    if found not in TABLES:
        return limits.unpacked_bytes
    return max(limits.unpacked_bytes, _UNPACKED * min(2 * size, limits.table_file_bytes))
