"""Reads HTML: headings, paragraphs, lists, tables and code of the main text, without menus and other page elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from core.library.extract import problems
from core.library.extract.printed import Place, Printed
from core.library.extract.table import lines_above, table_block
from core.library.extract.text import is_short_line, normalise, normalise_line, read_text
from core.library.extract.web.looks import Look, Looks, looks_of
from core.library.extract.web.mathml import math_text
from core.library.extracted import Block, BlockKind, Extracted
from core.library.tables.grid import MOST_COLUMNS
from core.settings import Settings

MIME = "text/html"
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "form", "header", "hr", "html", "legend", "li", "main", "ol", "p", "section", "summary",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "h1", "h2", "h3", "h4", "h5", "h6", "caption",
))  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CARRIERS = frozenset(("p", "div", "section", "article", "center"))
_RICH = "table, pre, h1, h2, h3, h4, h5, h6, blockquote"
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_SELF_CLOSING = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "p", "li",
    "td", "th", "tr", "dt", "dd", "option", "tbody", "thead",
))  # fmt: skip
_SET_IN = re.compile(r"(?:padding-left|margin-left|text-indent)\s*:\s*(-?\d+(?:\.\d+)?)p[tx]", re.IGNORECASE)
_POINTS_OF_LETTER = 10.0
_DEEPEST = 4_000
_LISTS = frozenset(("ul", "ol"))
_DEEPEST_INDENT = 20
"""Number of list levels that get different indentation."""
_MOST_ROWS = 100_000
_WHITE = re.compile(r"[ \t\r\n\f]+")


def extract_html(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the page. Raises ``PalimpsestError`` when it is nested deeper than any real page."""
    data = path.read_bytes()
    declared = _CHARSET.search(data[:4096])
    text, notes = read_text(data, settings, declared.group(1).decode("ascii") if declared else None)
    if _nesting_depth(text) > _DEEPEST:
        raise problems.corrupt(filename, "HTML")
    page = LexborHTMLParser(text)
    root = _main(page)
    looks = looks_of(page, settings.reading.hidden)
    walker = _Walker(looks)
    if root is not None:
        walker.walk(root)
    return Extracted(
        blocks=walker.blocks,
        mime=MIME,
        title=_page_title(page),
        author=_meta(page, "author", "article:author"),
        created=_meta(page, "article:published_time", "date", "dcterms.created", "dc.date"),
        notes=[*notes, *([problems.hidden_text(len(looks.hidden))] if looks.hidden else [])],
    )


def _nesting_depth(text: str) -> int:
    """The approximate nesting depth of tags; the parser's time grows with its square."""
    depth = deepest = 0
    for found in _TAG.finditer(text):
        if found.group(2).lower() in _SELF_CLOSING:
            continue
        depth = max(0, depth - 1) if found.group(1) else depth + 1
        deepest = max(deepest, depth)
    return deepest


def _main(page: LexborHTMLParser) -> LexborNode | None:
    """The element that the page marks as main text, if it contains much of it; otherwise the body."""
    body = page.body
    if body is None:
        return page.root
    whole = len(body.text())
    for selector in ("main", "[role=main]", "article"):
        found = page.css(selector)
        if len(found) == 1 and len(found[0].text()) > max(200, 0.25 * whole):
            return found[0]
    return body


def _page_title(page: LexborHTMLParser) -> str | None:
    node = page.css_first("title")
    return normalise_line(node.text()) or None if node else None


def _meta(page: LexborHTMLParser, *names: str) -> str | None:
    for name in names:
        for key in ("name", "property"):
            node = page.css_first(f'meta[{key}="{name}"]')
            value = node.attributes.get("content") if node else None
            if value and value.strip():
                return normalise_line(value)
    return None


class _Walker:
    """Walks the tree without recursion, and ends a block where the page does."""

    def __init__(self, looks: Looks) -> None:
        self.blocks: list[Block] = []
        self._looks = looks
        self._inline = Printed()
        self._places = [Place.PLAIN]
        self._strong = 0
        self._all_strong = True

    def walk(self, root: LexborNode) -> None:
        stack: list[tuple[LexborNode, Look | None]] = [(root, None)]
        while stack:
            node, entered = stack.pop()
            if entered:
                self._leave(node, entered)
            elif node.is_text_node:
                self._add_inline(_WHITE.sub(" ", node.text_content or ""))
            elif node.is_element_node:
                look = self._looks.of(node)
                if look.left_out or self._taken_whole(node):
                    continue
                if node.tag in _BLOCKS:
                    self._close_block(None)
                if node.tag in _BLOCKS or look.strong or look.place is not None:
                    stack.append((node, look))
                self._strong += look.strong
                if look.place is not None:
                    self._places.append(look.place)
                stack.extend((child, None) for child in reversed(list(node.iter(include_text=True))))
        self._close_block(None)

    def _leave(self, node: LexborNode, look: Look) -> None:
        if node.tag in _BLOCKS:
            self._close_block(node.tag)
        self._strong -= look.strong
        if look.place is not None:
            self._places.pop()

    def _add_inline(self, text: str) -> None:
        self._inline.add(text, self._places[-1])
        self._all_strong = self._all_strong and (self._strong > 0 or not text.strip())

    def _taken_whole(self, node: LexborNode) -> bool:
        """Handles an element that is not entered, and returns whether it was one; lists, tables and code become one
        block each."""
        tag = node.tag
        if tag == "br":
            self._inline.add("\n")
            return True
        if tag == "math":
            self._add_inline(math_text(node))
            return True
        if tag == "pre":
            self._close_block(None)
            self._add_block("\n".join(line.rstrip() for line in node.text().strip("\n").splitlines()), "code", raw=True)
            return True
        if tag in ("ul", "ol") and not node.css(_RICH):
            self._close_block(None)
            self._add_block("\n".join(_list_lines(node, self._looks)), "list", raw=True)
            return True
        return tag == "table" and self._add_table(node)

    def _add_table(self, node: LexborNode) -> bool:
        if (node.attributes.get("role") or "") in ("presentation", "none"):
            return False
        # Check the width first: otherwise nested one-column layout tables would be read with all their content.
        if max(map(len, _table_rows(node, self._looks, _no_text)[0]), default=0) < 2:
            return False
        rows, headings = _table_rows(node, self._looks)
        self._close_block(None)
        caption = node.css_first("caption")
        title = _visible_text(caption, self._looks) if caption else None
        if title:
            self._add_block(title, None)
        above = lines_above(self.blocks)
        block = table_block(
            rows,
            headings or None,
            cautious=True,
            caption=title,
            above=above,
            indents=[_indent(row) for row in _own_rows(node, self._looks)],
            spans=node.css_first("[colspan]") is not None,
        )
        if block:
            self.blocks.append(block)
        return True

    def _close_block(self, tag: str | None) -> None:
        text = normalise(self._inline.text())
        self._inline = Printed()
        level = _HEADINGS.get(tag or "", 0)
        heads = level > 0 or (self._all_strong and tag in _CARRIERS and is_short_line(text))
        self._all_strong = True
        if heads:
            text = " ".join(text.split())
        self._add_block(text, "heading" if heads else None, level)

    def _add_block(self, text: str, kind: BlockKind | None, level: int = 0, raw: bool = False) -> None:
        text = text if raw else normalise(text)
        if text.strip():
            self.blocks.append(Block(text=text, kind=kind, level=level))


def _visible_text(root: LexborNode, looks: Looks, without: frozenset[str] = frozenset()) -> str:
    """Visible text on one line; inner blocks are separated by spaces."""
    line = Printed()
    stack: list[tuple[LexborNode | str, Place]] = [(root, Place.PLAIN)]
    while stack:
        node, place = stack.pop()
        if isinstance(node, str):
            line.add(node)
        elif node.is_text_node:
            line.add(_WHITE.sub(" ", node.text_content or ""), place)
        elif node.is_element_node:
            tag = node.tag
            if tag == "math":
                line.add(math_text(node), place)
                continue
            if node is not root:
                look = looks.of(node)
                if look.left_out or tag in without:
                    continue
                place = place if look.place is None else look.place
            edge = tag in _BLOCKS or tag == "br"
            if edge:
                stack.append((" ", place))
                line.add(" ")
            stack.extend([(child, place) for child in reversed(list(node.iter(include_text=True)))])
    return normalise_line(line.text())


def _list_lines(root: LexborNode, looks: Looks) -> Iterator[str]:
    """Items of a list and its inner lists, each on a line, indented by depth."""
    stack: list[tuple[LexborNode, int, int]] = [(root, 0, 0)]
    while stack:
        node, depth, number = stack.pop()
        if node.tag in _LISTS:
            items = [child for child in node.iter() if child.tag == "li" or child.tag in _LISTS]
            items = [item for item in items if not looks.of(item).left_out]
            numbered = node.tag == "ol"
            stack.extend((item, depth, n * numbered) for n, item in reversed(list(enumerate(items, 1))))
            continue
        text = _visible_text(node, looks, without=_LISTS)
        if text:
            yield "  " * min(depth, _DEEPEST_INDENT) + (f"{number}. " if number else "- ") + text
        stack.extend((child, depth + 1, 0) for child in reversed(list(_lists_within(node))))


def _lists_within(item: LexborNode) -> Iterator[LexborNode]:
    """The lists inside an item, without the lists inside those."""
    stack = [item]
    while stack:
        node = stack.pop()
        if node.tag in _LISTS:
            yield node
        else:
            stack.extend(reversed(list(node.iter())))


def _no_text(cell: LexborNode, looks: Looks) -> str:
    return ""


def _table_rows(
    table: LexborNode, looks: Looks, text_of: Callable[[LexborNode, Looks], str] = _visible_text
) -> tuple[list[list[str]], int]:
    """Returns (cells with spans repeated, number of heading rows)."""
    rows: list[list[str]] = []
    spans: dict[int, tuple[str, int]] = {}
    headings, still_heading = 0, True
    for tr in _own_rows(table, looks):
        if len(rows) >= _MOST_ROWS:
            break
        row: list[str] = []
        cells = [cell for cell in tr.iter() if cell.tag in ("td", "th") and not looks.of(cell).left_out]
        for cell in cells:
            _fill_spans(row, spans)
            text = text_of(cell, looks)
            down, across = _cell_span(cell, "rowspan"), _cell_span(cell, "colspan")
            for _ in range(min(across, MOST_COLUMNS - len(row))):
                if down > 1:
                    spans[len(row)] = (text, down - 1)
                row.append(text)
        _fill_spans(row, spans)
        in_head = tr.parent is not None and tr.parent.tag == "thead"
        still_heading = still_heading and bool(cells) and (in_head or all(cell.tag == "th" for cell in cells))
        headings += still_heading
        rows.append(row)
    return rows, headings


def _indent(row: LexborNode) -> float:
    """The first cell's indentation in letter widths, from its style or from non-breaking spaces."""
    cell = next((cell for cell in row.iter() if cell.tag in ("td", "th")), None)
    if cell is None:
        return 0.0
    styles = " ".join(filter(None, (node.attributes.get("style") for node in [cell, *cell.css("p, div, span")][:4])))
    points = sum(float(found[1]) for found in _SET_IN.finditer(styles))
    text = cell.text()
    return points / _POINTS_OF_LETTER + len(text) - len(text.lstrip("\u00a0 "))


def _own_rows(table: LexborNode, looks: Looks) -> Iterator[LexborNode]:
    for part in table.iter():
        if part.tag == "tr":
            rows = [part]
        elif part.tag in ("thead", "tbody", "tfoot") and not looks.of(part).left_out:
            rows = [row for row in part.iter() if row.tag == "tr"]
        else:
            continue
        yield from (row for row in rows if not looks.of(row).left_out)


def _fill_spans(row: list[str], spans: dict[int, tuple[str, int]]) -> None:
    """Repeat the cells that span into this row, as far as they come next."""
    while len(row) in spans:
        text, left = spans[len(row)]
        if left > 1:
            spans[len(row)] = (text, left - 1)
        else:
            del spans[len(row)]
        row.append(text)


def _cell_span(cell: LexborNode, name: str) -> int:
    value = (cell.attributes.get(name) or "1").strip()
    return max(1, min(int(value), 1000)) if value.isascii() and value.isdigit() and len(value) < 6 else 1
