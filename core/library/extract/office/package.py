"""Opens an Office package even if some of its parts are missing or broken, and reports which."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Generic, TypeVar

from lxml import etree

from core.library.extract import problems
from core.library.extract.office.skeleton import RELATIONS, TYPES, lost_parts, plain_package
from core.library.extract.ooxml import mended

Opened = TypeVar("Opened")
_UNREADABLE = (
    zipfile.BadZipFile, LookupError, ValueError, SyntaxError, AttributeError, TypeError, OSError, NotImplementedError,
)  # fmt: skip
_MOST_NAMED = 5
_LONGEST_NAME = 80
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True)
_RECOVERING = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)


@dataclass
class Package(Generic[Opened]):
    """An opened file; ``missing`` names the missing parts, ``broken`` those that could only be read in part."""

    document: Opened
    missing: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def notes(self) -> list[problems.Note]:
        notes = []
        if self.missing:
            notes.append(problems.missing_parts(_named(self.missing)))
        if self.broken:
            notes.append(problems.broken_parts(_named(self.broken)))
        return notes


def opened(path: Path, kind: str, filename: str, open_file: Callable[[BytesIO], Opened]) -> Package[Opened]:
    """The file as opened by its parser: unchanged, otherwise repaired, otherwise with the readable portion of its
    broken parts.

    Raises:
        PalimpsestError: none of these can be opened.
    """
    try:
        return Package(open_file(BytesIO(path.read_bytes())))
    except _UNREADABLE:
        pass
    missing: list[str] = []
    try:
        missing = _missing_parts(path)
        copy = mended(path)
        copy = plain_package(copy or BytesIO(path.read_bytes())) or copy
        if copy is not None:
            return Package(open_file(copy), missing)
    except _UNREADABLE:
        pass
    try:
        whole, broken = _recovered(path)
        whole = mended(whole) or whole
        return Package(open_file(plain_package(whole) or whole), missing, broken)
    except _UNREADABLE as error:
        raise problems.corrupt(filename, kind) from error


def _named(parts: list[str]) -> str:
    shown = ", ".join(part[:_LONGEST_NAME] for part in parts[:_MOST_NAMED])
    return f"{shown} …" if len(parts) > _MOST_NAMED else shown


def _missing_parts(path: Path) -> list[str]:
    """Names of parts that relationships refer to but the package lacks; the relationship's kind if it names no part."""
    found: dict[str, None] = {}
    with zipfile.ZipFile(path) as archive:
        names = {name.lower() for name in archive.namelist()}
        for entry in archive.namelist():
            if not entry.lower().endswith(".rels"):
                continue
            folder = "/" + posixpath.dirname(posixpath.dirname(entry))
            for relation in etree.fromstring(archive.read(entry), _RECOVERING).iter("{*}Relationship"):
                target = relation.get("Target") or ""
                place = posixpath.normpath(posixpath.join(folder, target.split("#")[0])).lstrip("/")
                if relation.get("TargetMode") == "External" or target.startswith("#") or place.lower() in names:
                    continue
                kind = (relation.get("Type") or "").rsplit("/", 1)[-1]
                found[kind if target.upper() in ("", "NULL") else posixpath.basename(place)] = None
    return list(found)


def _recovered(path: Path) -> tuple[BytesIO, list[str]]:
    """A copy in which truncated XML is closed, and parts that cannot be unpacked or parsed are removed."""
    copy, broken = BytesIO(), list[str]()
    kept: dict[str, bytes] = {}
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for entry in archive.infolist():
            data = _unpacked(archive, entry)
            if data is not None and entry.filename.lower().endswith((".xml", ".rels")):
                sound = _sound_relations(data) if entry.filename.lower().endswith(".rels") else _sound(data)
                if sound is not data:
                    broken.append(entry.filename)
                data = sound
            elif data is None:
                broken.append(entry.filename)
            if data is not None:
                kept[entry.filename] = data
        types = None if TYPES in broken else _root(kept.get(TYPES, b""), _PARSER)
        made = lost_parts(kept, types, _root(kept.get(RELATIONS, b""), _RECOVERING))
        broken += [name for name in made if name not in broken]
        for name, data in {**kept, **made}.items():
            target.writestr(name, data)
    copy.seek(0)
    return copy, broken


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | None:
    try:
        return archive.read(entry)
    except MemoryError:
        raise
    except Exception:  # zlib.error and similar errors have no common base class
        return None


def _sound(data: bytes) -> bytes | None:
    """``data`` itself if it is well-formed, otherwise its recoverable portion; ``None`` if nothing can be recovered."""
    if _root(data, _PARSER) is not None:
        return data
    root = _root(data, _RECOVERING)
    if root is None:
        return None
    whole: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True)
    return whole if _root(whole, _PARSER) is not None else None


def _sound_relations(data: bytes) -> bytes | None:
    """``data`` itself if all its relationships are complete, otherwise the complete ones; ``None`` if there are
    none."""
    root = _root(data, _RECOVERING)
    if root is None or etree.QName(root).localname != "Relationships":
        return None
    broken = [each for each in root if not all(map(each.attrib.get, ("Id", "Type", "Target")))]
    if not broken and _root(data, _PARSER) is not None:
        return data
    for each in broken:
        root.remove(each)
    whole: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True)
    return whole


def _root(data: bytes, parser: Any) -> Any:
    try:
        return etree.fromstring(data, parser)
    except (SyntaxError, ValueError):
        return None
