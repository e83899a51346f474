"""Repairs an Office package's list of content types and first relationships, or rebuilds them from the part names."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Collection
from io import BytesIO
from typing import Any

from lxml import etree

TYPES, RELATIONS = "[Content_Types].xml", "_rels/.rels"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_SLIDES = "application/vnd.openxmlformats-officedocument.presentationml"
_MAIN = (
    (
        re.compile(
            rb"application/vnd\.(?:ms-word|openxmlformats-officedocument\.wordprocessingml)\."
            rb"(?:document|template)(?:\.macroEnabled(?:Template)?)?\.main\+xml"
        ),
        f"{_WORD}.document.main+xml".encode(),
    ),
    (
        re.compile(
            rb"application/vnd\.(?:ms-powerpoint|openxmlformats-officedocument\.presentationml)\."
            rb"(?:presentation|slideshow|template|addin)(?:\.macroEnabled)?\.main\+xml"
        ),
        f"{_SLIDES}.presentation.main+xml".encode(),
    ),
)
"""Types of main parts with macros, of templates and of slide shows, which are read like the plain types."""
_NAMED = (
    (re.compile(r"word/document\d*\.xml"), f"{_WORD}.document.main+xml"),
    (re.compile(r"word/(styles|numbering|settings|footnotes|endnotes|comments|fontTable|webSettings)\d*\.xml"), _WORD),
    (re.compile(r"word/(header|footer)\d*\.xml"), _WORD),
    (re.compile(r"ppt/presentation\.xml"), f"{_SLIDES}.presentation.main+xml"),
    (re.compile(r"ppt/\w{1,40}/(slide|slideLayout|slideMaster|notesSlide|notesMaster)\d*\.xml"), _SLIDES),
    (re.compile(r"ppt/charts/(chart)\d*\.xml"), "application/vnd.openxmlformats-officedocument.drawingml"),
)
"""Names of parts with their types; if only the beginning of a type is given, the kind in the name completes it."""
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"


def plain_package(file: BytesIO) -> BytesIO | None:
    """The package with a main part of the plain type; ``None`` if it already has one."""
    with zipfile.ZipFile(file) as archive:
        if TYPES not in archive.namelist():
            return None
        types = archive.read(TYPES)
        plain = types
        for pattern, kind in _MAIN:
            plain = pattern.sub(kind, plain)
        if plain == types:
            return None
        copy = BytesIO()
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
            for name in dict.fromkeys(archive.namelist()):
                target.writestr(name, plain if name == TYPES else archive.read(name))
    copy.seek(0)
    return copy


def lost_parts(names: Collection[str], types: Any, relations: Any) -> dict[str, bytes]:
    """The parts that must be rebuilt, from the names of the others.

    Args:
        types, relations: the roots of both parts, ``None`` if they are missing or broken.
    """
    made: dict[str, bytes] = {}
    if types is None or etree.QName(types).localname != "Types":
        made[TYPES] = _types(names)
    main = next((name for name in names if _NAMED[0][0].fullmatch(name) or _NAMED[3][0].fullmatch(name)), None)
    if main and (relations is None or not any(each.get("Type", "").endswith("officeDocument") for each in relations)):
        made[RELATIONS] = (
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" Type="{_OFFICE}" '
            f'Target="{main}"/></Relationships>'
        ).encode()
    return made


def _types(names: Collection[str]) -> bytes:
    root = etree.Element(f"{{{_PACKAGE}/content-types}}Types")
    for extension, kind in (("rels", "application/vnd.openxmlformats-package.relationships+xml"),
                            ("xml", "application/xml")):  # fmt: skip
        etree.SubElement(root, "Default", Extension=extension, ContentType=kind)
    for extension in sorted({name.rpartition(".")[2].lower() for name in names} - {"rels", "xml"}):
        etree.SubElement(root, "Default", Extension=extension, ContentType="application/octet-stream")
    for name in names:
        for pattern, kind in _NAMED:
            if found := pattern.fullmatch(name):
                kind = f"{kind}.{found.group(1)}+xml" if found.groups() else kind
                etree.SubElement(root, "Override", PartName=f"/{name}", ContentType=kind)
    for each in root:
        each.tag = f"{{{_PACKAGE}/content-types}}{each.tag}"
    made: bytes = etree.tostring(root)
    return made
