"""Reads the parts of an XLSX file: *an archive* → its sheets, properties, and shared texts and formats.

Each part is read separately: an unreadable part is reported, and the others are still read. Element names are compared
without their namespace, so that ISO Strict files are read like others.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree

from core.library.extract.text import normalise_line

Element = Any
"""An XML element; lxml has no type hints."""
_MOST = 64 * 1024 * 1024
_MAIN = "xl/workbook.xml"
_SHEET_KINDS = frozenset(("worksheet", "chartsheet"))
_UNTITLED = "openpyxl"


@dataclass(frozen=True)
class Relation:
    """A relationship. ``kind`` is the last word of its type; ``target`` is the path of the part in the archive."""

    kind: str
    target: str


@dataclass(frozen=True)
class SheetPart:
    """A sheet of cells or a chart sheet: its name, its path in the archive, and whether it is visible."""

    name: str
    place: str
    hidden: bool


@dataclass
class WorkbookParts:
    """An open XLSX file; ``damaged`` are the paths of parts that could not be read."""

    path: Path
    epoch_1904: bool = False
    sheets: list[SheetPart] = field(default_factory=list)
    title: str | None = None
    author: str | None = None
    created: str | None = None
    damaged: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.archive = zipfile.ZipFile(self.path)
        self.names = {name.lower(): name for name in self.archive.namelist()}
        root = self.relations("")
        self.main = next((each.target for each in root.values() if each.kind == "officeDocument"), _MAIN)
        self._read_book()
        self._read_properties(root)

    def close(self) -> None:
        self.archive.close()

    def tree(self, place: str) -> Element | None:
        """A small part as a tree; ``None`` if it is missing or damaged."""
        data = self.bytes_of(place)
        try:
            tree = etree.fromstring(data, _parser()) if data else None
        except (etree.XMLSyntaxError, ValueError):
            tree = None
        if tree is None and place.lower() in self.names:
            self.damaged.append(place)
        return tree

    def bytes_of(self, place: str) -> bytes:
        """A part's bytes, up to the limit for small parts; empty if it is missing or cannot be unpacked."""
        name = self.names.get(place.lower())
        if name is None:
            return b""
        try:
            with self.archive.open(name) as part:
                return part.read(_MOST)
        except MemoryError:
            raise
        except Exception:  # zlib.error and similar errors have no common base class
            return b""

    def relations(self, place: str) -> dict[str, Relation]:
        """The parts that the part at ``place`` refers to, by their ids."""
        folder, name = posixpath.split(place)
        tree = self.tree(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, Relation] = {}
        for each in children(tree, "Relationship"):
            if each.get("TargetMode") != "External":
                target = unquote(each.get("Target", "")).replace("\\", "/")
                full = posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")
                found[each.get("Id", "")] = Relation(each.get("Type", "").rsplit("/", 1)[-1], full)
        return found

    def related(self, place: str, kind: str) -> list[str]:
        """The paths of all parts of a kind that the part at ``place`` refers to."""
        found = self.relations(place)
        if not found and place == self.main and (usual := f"xl/{kind}.xml".lower()) in self.names:
            return [usual]
        return [each.target for each in found.values() if each.kind == kind]

    def _read_book(self) -> None:
        tree = self.tree(self.main)
        relations = self.relations(self.main)
        for found in children(tree, "workbookPr"):
            self.epoch_1904 = is_on(found.get("date1904"))
        sheets = [sheet for group in children(tree, "sheets") for sheet in children(group, "sheet")]
        for number, sheet in enumerate(sheets, start=1):
            ids = [value for key, value in sheet.attrib.items() if local(key) == "id"]
            relation = relations.get(ids[0]) if ids else None
            if relation is None:
                # Without its relationships, a workbook's parts are expected at their usual paths.
                relation = Relation("worksheet", "" if relations else f"xl/worksheets/sheet{number}.xml")
            if relation.kind in _SHEET_KINDS:
                hidden = sheet.get("state", "visible") in ("hidden", "veryHidden")
                self.sheets.append(SheetPart(normalise_line(sheet.get("name", "")), relation.target, hidden))

    def _read_properties(self, root: dict[str, Relation]) -> None:
        """Reads title, author and date from the file's own properties; the date may be missing."""
        place = next((each.target for each in root.values() if each.kind == "core-properties"), "docProps/core.xml")
        tree = self.tree(place)
        said = {local(each.tag): each.text or "" for each in children(tree)}
        self.title = normalise_line(said.get("title", "")) or None
        author = normalise_line(said.get("creator", ""))
        self.author = author if author and author != _UNTITLED else None
        try:
            self.created = date.fromisoformat(said.get("created", "").strip()[:10]).isoformat()
        except ValueError:
            self.created = None


def _parser() -> Any:
    """A tolerant parser: errors inside a part do not stop the rest; entities are not resolved."""
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_comments=True)


def local(name: Any) -> str:
    """The name of an element or attribute without its namespace."""
    return name.rsplit("}", 1)[-1] if isinstance(name, str) else ""


def children(element: Element | None, name: str | None = None) -> Iterator[Element]:
    """The child elements of ``element``, only those with a name if one is given."""
    if element is None:
        return
    for each in element:
        if isinstance(each.tag, str) and (name is None or local(each.tag) == name):
            yield each


def is_on(value: str | None) -> bool:
    """Whether a switch is on."""
    return value is not None and value.lower() in ("1", "true", "on")


_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def unescaped(text: str) -> str:
    """Decodes control characters, which XML cannot contain and which are written as ``_x000D_``."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
