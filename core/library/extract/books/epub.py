"""Reads EPUB files: the chapters in spine order, each as an HTML page.

Title, author and date come from the package. A chapter without a heading takes its title from the table of contents.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import etree

from core.errors import PalimpsestError
from core.library.extract import problems
from core.library.extract.books.parts import read_html
from core.library.extract.text import decode, normalise_line
from core.library.extracted import Block, Extracted, Progress
from core.settings import Settings

MIME = "application/epub+zip"
MOST_CHAPTERS = 5_000
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_PAGES = frozenset(("application/xhtml+xml", "text/html", "application/xml", "text/xml", "text/x-oeb1-document"))
_OF_FONTS = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
"""Encryption methods that only obfuscate fonts and not text."""
_EMPTY = re.compile(r"<([a-zA-Z][a-zA-Z0-9]{0,20})((?:\s[^<>]{0,2000})?)/>")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_DAY = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


@dataclass(frozen=True)
class _Item:
    """An entry of the manifest; ``path`` is its name in the archive."""

    path: str
    kind: str
    properties: str


def extract_epub(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the book; each chapter becomes one page of the result.

    Raises:
        PalimpsestError: the chapters are encrypted for one reading program, or the file has no package.
    """
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        package_path = _package_path(archive, filename)
        package = _xml(archive, package_path)
        items = _manifest(package, posixpath.dirname(package_path))
        spine = [items[each] for each in _spine(package) if each in items and items[each].path in names]
        if _encrypted(archive, names) & {each.path for each in spine}:
            raise problems.encrypted_book(filename)
        titles = _contents(archive, package, items, names)
        blocks: list[Block] = []
        notes: list[problems.Note] = []
        chapters = [each for each in spine if each.kind in _PAGES and "nav" not in each.properties.split()]
        if len(chapters) > MOST_CHAPTERS:
            notes.append(problems.only_pages(MOST_CHAPTERS, len(chapters)))
        for number, item in enumerate(chapters[:MOST_CHAPTERS], 1):
            blocks += _chapter(archive, item, titles.get(item.path), settings, notes)
            progress(number, len(chapters))
    return Extracted(blocks=blocks, mime=MIME, notes=notes, **_said(package))


def _chapter(
    archive: zipfile.ZipFile, item: _Item, title: str | None, settings: Settings, notes: list[problems.Note]
) -> list[Block]:
    try:
        text = decode(archive.read(item.path))
        blocks = read_html(_EMPTY.sub(_closed, text), settings).blocks
    except PalimpsestError as error:
        notes.append(problems.unread_attachment(title or item.path, error.problem))
        return []
    if title and blocks and not any(block.kind == "heading" for block in blocks[:3]):
        blocks = [Block(text=title, kind="heading", level=1), *blocks]
    return blocks


def _closed(found: re.Match[str]) -> str:
    """Expand self-closing elements; an HTML parser would treat everything after them as their content."""
    name, attributes = found.groups()
    return found[0] if name.lower() in _VOID else f"<{name}{attributes}></{name}>"


# -- the package -----------------------------------------------------------------------------------


def _package_path(archive: zipfile.ZipFile, filename: str) -> str:
    try:
        found = _all(_xml(archive, _CONTAINER), "rootfile")
        return unquote(next(each.get("full-path", "") for each in found))
    except (StopIteration, KeyError) as error:
        raise problems.corrupt(filename, "EPUB") from error


def _xml(archive: zipfile.ZipFile, name: str) -> etree._Element:
    """The parsed XML. Raises ``ValueError`` if there is nothing to read."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False)
    root = etree.fromstring(archive.read(name).strip(), parser)
    if root is None:
        raise ValueError(f"{name} is no XML")
    return root


def _all(root: etree._Element, name: str) -> Iterator[etree._Element]:
    """Elements with this name in any namespace."""
    return (each for each in root.iter(etree.Element) if etree.QName(each).localname == name)


def _manifest(package: etree._Element, folder: str) -> dict[str, _Item]:
    return {
        each.get("id", ""): _Item(
            _inside(folder, each.get("href", "")), each.get("media-type", ""), each.get("properties", "")
        )
        for each in _all(package, "item")
    }


def _inside(folder: str, address: str) -> str:
    """Resolve a link from a folder to a name in the archive."""
    return posixpath.normpath(posixpath.join(folder, unquote(urlsplit(address).path)))


def _spine(package: etree._Element) -> list[str]:
    return [each.get("idref", "") for each in _all(package, "itemref")]


def _encrypted(archive: zipfile.ZipFile, names: set[str]) -> set[str]:
    if _ENCRYPTION not in names:
        return set()
    found = set()
    for each in _all(_xml(archive, _ENCRYPTION), "EncryptedData"):
        method = next((one.get("Algorithm", "") for one in _all(each, "EncryptionMethod")), "")
        if method not in _OF_FONTS:
            found |= {_inside("", one.get("URI", "")) for one in _all(each, "CipherReference")}
    return found


def _said(package: etree._Element) -> dict[str, str]:
    fields = (("title", "title"), ("author", "creator"), ("created", "date"))
    said = {
        what: text
        for what, name in fields
        if (text := next((normalise_line("".join(each.itertext())) for each in _all(package, name)), ""))
    }
    if "created" in said and not (day := _DAY.match(said["created"])):
        del said["created"]
    elif "created" in said and day:
        said["created"] = day[0]
    return said


def _contents(
    archive: zipfile.ZipFile, package: etree._Element, items: dict[str, _Item], names: set[str]
) -> dict[str, str]:
    """Titles by the chapter that they link to, from the navigation page, otherwise from the older table of contents."""
    titles: dict[str, str] = {}
    for item in items.values():
        if item.path not in names:
            continue
        folder = posixpath.dirname(item.path)
        if "nav" in item.properties.split():
            links = [(each.get("href", ""), each) for each in _all(_xml(archive, item.path), "a")]
        elif item.kind == "application/x-dtbncx+xml":
            points = list(_all(_xml(archive, item.path), "navPoint"))
            links = [
                (next((one.get("src", "") for one in _all(each, "content")), ""), next(_all(each, "text"), each))
                for each in points
            ]
        else:
            continue
        for address, label in links:
            titles.setdefault(_inside(folder, address), normalise_line("".join(label.itertext()))[:300])
    return titles
