"""Reads XML: repeated elements become tables; sentences with marked words inside are read as prose.

No entity is resolved, no DTD is loaded, nothing is fetched; a file that declares entities is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from core.library.extract import problems
from core.library.extract.records.alike import Tree
from core.library.extract.records.reading import blocks_of, read_as_text
from core.library.extract.text import decode, normalise, normalise_line
from core.library.extracted import Block, Extracted
from core.settings import Settings

MIME = "application/xml"
MOST_ELEMENTS = 2_000_000
_DEEPEST = 200
_ENTITY = re.compile(rb"<!\s*ENTITY", re.IGNORECASE)
_HEADINGS = frozenset(("title", "head", "heading", "header", "subtitle"))
_PROSE = 0.02
"""A file is prose if at least this share of its elements has text around child elements."""
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}encoding", re.IGNORECASE)


def extract_xml(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the file; a damaged one is read up to the damage, with a note.

    Raises:
        PalimpsestError: it declares entities, or has more elements than any real file.
    """
    data = path.read_bytes()
    if _ENTITY.search(data.replace(b"\x00", b"")):
        raise problems.hostile_xml(filename)
    root, whole = _parsed(data)
    if root is None:
        return read_as_text(decode(data), MIME, "XML", settings)
    elements = mixed = 0
    for element in root.iter(etree.Element):
        elements += 1
        mixed += _is_mixed(element)
        if elements > MOST_ELEMENTS:
            raise problems.too_demanding(filename, settings.limits.unpacked_bytes)
    notes = [] if whole else [problems.read_in_part("XML")]
    if mixed >= max(1, _PROSE * elements):
        return _prose(root, settings, notes)
    name = _name(root)
    tree = _tree(root, 0)
    return blocks_of({name: tree} if isinstance(tree, str) else tree, MIME, filename, settings, notes)


def _parsed(data: bytes) -> tuple[etree._Element | None, bool]:
    """The outermost element, and whether the file was well-formed."""
    # An undeclared encoding is detected as for any other text.
    encoding = None if _DECLARED.match(data.lstrip(b"\xef\xbb\xbf \r\n\t")) or b"\x00" in data[:4] else "utf-8"
    content = data if encoding is None else decode(data).encode()
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        encoding=encoding,
    )
    try:
        root = etree.fromstring(content.strip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None, False
    return root, not parser.error_log


def _name(element: etree._Element) -> str:
    return str(etree.QName(element).localname)


def _is_mixed(element: etree._Element) -> bool:
    """Whether the element has text around its child elements."""
    return any((child.tail or "").strip() for child in element)


def _tree(element: etree._Element, depth: int) -> Tree:
    """Attributes and child elements by name, repeated ones as a list; the direct text has an empty name."""
    text = normalise(" ".join([element.text or "", *((child.tail or "") for child in element)]))
    if depth >= _DEEPEST:
        return normalise("".join(element.itertext()))
    fields: dict[str, Tree] = {etree.QName(name).localname: value for name, value in element.attrib.items()}
    if not fields and not len(element):
        return text
    if text:
        fields[""] = text
    gathered: dict[str, list[Tree]] = {}
    for child in element:
        gathered.setdefault(_name(child), []).append(_tree(child, depth + 1))
    for name, found in gathered.items():
        taken = name if name not in fields else f"{name}.{name}"
        fields[taken] = found[0] if len(found) == 1 else _of_one_shape(found)
    return fields


def _of_one_shape(found: list[Tree]) -> list[Tree]:
    """If some values in a list are objects, all become objects."""
    if any(isinstance(each, dict) for each in found):
        return [each if isinstance(each, dict) else {"": each} for each in found]
    return found


# -- prose -----------------------------------------------------------------------------------------


def _prose(root: etree._Element, settings: Settings, notes: list[problems.Note]) -> Extracted:
    limit = settings.limits.extracted_characters
    blocks: list[Block] = []
    left = limit
    for level, name, text in _passages(root):
        if left <= 0:
            notes.append(problems.only_characters(limit))
            break
        left -= len(text)
        if name in _HEADINGS and len(text) <= 300:
            blocks.append(Block(text=normalise_line(text), kind="heading", level=min(max(level, 1), 6)))
        else:
            blocks.append(Block(text=text))
    title = next((block.text for block in blocks if block.kind == "heading"), None)
    return Extracted(blocks=blocks, mime=MIME, title=title, notes=notes)


def _passages(root: etree._Element) -> Iterator[tuple[int, str, str]]:
    """Yields (depth, name, text) of the elements with direct text, whole, in file order."""
    stack: list[tuple[etree._Element, int]] = [(root, 0)]
    while stack:
        element, depth = stack.pop()
        if (element.text or "").strip() or _is_mixed(element) or not len(element):
            text = normalise("".join(element.itertext()))
            if text:
                yield depth, _name(element), text
            continue
        stack.extend((child, depth + 1) for child in reversed(element))
