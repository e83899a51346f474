"""Repairs Office Open XML files for the parsers: removes Strict namespaces and dangling relationships.

Programs may save the same file in the namespaces of ISO Strict, which the parsers do not support. A relationship to a
missing part (``Target="NULL"``) makes them fail although nothing is lost. Such a relationship is kept as an external
one, so that references to it still work and no parser looks for its part.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

_HEAD = 4096
_MOST = 1 << 30
"""Maximum number of bytes that a repaired copy may unpack to; the upload check has much lower limits."""
_MOST_RELATIONS = 8 * 1024 * 1024
_STRICT_MARK = b"//purl.oclc.org/ooxml/"
_STRICT = re.compile(rb"""(["'])http://purl\.oclc\.org/ooxml/([A-Za-z]{1,40})/([A-Za-z/]{1,80})""")
_RENAMED = {
    b"extendedProperties": b"extended-properties",
    b"relationships/extendedProperties": b"relationships/extended-properties",
    b"customProperties": b"custom-properties",
    b"relationships/customProperties": b"relationships/custom-properties",
}
_RELATION = re.compile(rb"<(?:[A-Za-z0-9]{1,20}:)?Relationship\s[^>]{1,4000}>")
_TARGET = re.compile(rb"""\sTarget\s*=\s*["']([^"']{0,2000})["']""")
_EXTERNAL = re.compile(rb"""\sTargetMode\s*=\s*["']External["']""")
_MODE = re.compile(rb"""\sTargetMode\s*=\s*["'][^"']{0,40}["']""")


def readable_copy(path: Path) -> BytesIO:
    """The file in memory, repaired if needed.

    Raises:
        zipfile.BadZipFile: it is not an archive.
        ValueError: it needs repair and unpacks to more than a gigabyte.
    """
    return mended(path) or BytesIO(path.read_bytes())


def mended(path: Path | BytesIO) -> BytesIO | None:
    """A repaired copy, or ``None`` if no repair is needed. Raises as ``readable_copy``."""
    with zipfile.ZipFile(path) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        names = {entry.filename.lower() for entry in entries}
        relations = {
            entry.filename: part
            for entry in entries
            if _is_relations(entry.filename)
            and (part := _without_dangling(data := _read(archive, entry, _MOST_RELATIONS), entry.filename, names))
            is not data
        }
        strict = any(_STRICT_MARK in _read(archive, entry, _HEAD) for entry in entries if _is_xml(entry.filename))
        if not relations and not strict:
            return None
        if sum(entry.file_size for entry in entries) > _MOST:
            raise ValueError("too large to be mended")
        copy = BytesIO()
        left = _MOST
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
            for entry in entries:
                data = relations.get(entry.filename) or _read(archive, entry, left)
                left -= len(data)
                target.writestr(entry.filename, transitional(data) if _is_xml(entry.filename) else data)
    copy.seek(0)
    return copy


def transitional(xml: bytes) -> bytes:
    """The namespaces and relationship types of ISO Strict as those of the transitional form.

    >>> transitional(b'xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"')
    b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    """
    return _STRICT.sub(_transitional_name, xml) if _STRICT_MARK in xml else xml


def _transitional_name(found: re.Match[bytes]) -> bytes:
    quote, family, rest = found.groups()
    return quote + b"http://schemas.openxmlformats.org/" + family + b"/2006/" + _RENAMED.get(rest, rest)


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    """The beginning of a part; empty if it cannot be unpacked, because the rest may still be readable."""
    try:
        with archive.open(entry) as part:
            return part.read(most)
    except Exception:  # zlib.error and similar errors have no common base class
        return b""


def _is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels", ".vml"))


def _is_relations(name: str) -> bool:
    return name.lower().endswith(".rels")


def _without_dangling(data: bytes, name: str, names: set[str]) -> bytes:
    """A part's relationships, with those to missing parts made external; ``data`` itself if there are none."""
    folder = posixpath.dirname(posixpath.dirname(name))

    def checked(found: re.Match[bytes]) -> bytes:
        relation = found.group()
        target = _TARGET.search(relation)
        if not target or _EXTERNAL.search(relation) or _leads_to(target.group(1), folder, names):
            return relation
        bare = _MODE.sub(b"", relation)
        at = _TARGET.search(bare)
        return bare[: at.start()] + b' TargetMode="External"' + bare[at.start() :] if at else relation

    changed = _RELATION.sub(checked, data)
    return data if changed == data else changed


def _leads_to(target: bytes, folder: str, names: set[str]) -> bool:
    """Whether the package has a part at this path; an anchor inside the part itself is kept unchanged."""
    place = target.decode("utf-8", "replace").split("#")[0].replace("&amp;", "&")
    if not place:
        return target.startswith(b"#")
    full = posixpath.normpath(posixpath.join("/" + folder, place.replace("\\", "/"))).lstrip("/")
    return full.lower() in names or unquote(full).lower() in names
