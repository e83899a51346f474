"""Extracts a web page's main text in a separate process: ``python -m core.tools.web.main_text``, one request per line.

The process can be killed, because some pages can make a parser hang. It writes each reply to its standard output. The
extraction breaks merged table cells, so tables are taken out before it and put back at their positions afterwards.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

import lxml.html
import trafilatura
from pydantic import BaseModel

from core.library.extract.text import decode, normalise_line
from core.resilience.watchdog import die_with_parent, limit_memory

MEMORY_BYTES = 2 * 1024**3
LEAST = 200
"""Minimum number of characters in a valid main text."""
_HELD = 600
"""Number of characters from a table that represent it during the extraction."""
_MARK = re.compile(r"palimpsesttable(\d{1,6})x")
_SAID = frozenset(("author", "article:author", "article:published_time", "date", "dcterms.created", "dc.date"))
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)


class Order(BaseModel):
    """A request. ``path``: the stored page; ``url``: its address."""

    path: Path
    url: str


class MainText(BaseModel):
    """The result. ``html``: the main text as a page, empty if none was found."""

    title: str = ""
    html: str = ""


def main() -> None:
    die_with_parent()
    limit_memory(MEMORY_BYTES)
    order = Order.model_validate_json(sys.stdin.readline())
    sys.stdout.write(main_text(order.path.read_bytes(), order.url).model_dump_json())


def main_text(content: bytes, url: str) -> MainText:
    """A page's title and main text."""
    declared = _CHARSET.search(content[:4096])
    text = decode(content, declared.group(1).decode("ascii") if declared else None)
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=False)
    page = lxml.html.document_fromstring(text.encode(), parser=parser)
    title = normalise_line(page.findtext(".//title") or "")
    said = "".join(_said(page))
    tables = _hold_tables(page)
    found = trafilatura.extract(page, url=url, output_format="html", include_comments=False, include_formatting=True)
    if not found or len(found) < LEAST:
        return MainText(title=title)
    return MainText(title=title, html=_written(found, tables, f"<title>{escape(title)}</title>{said}"))


def _said(page: lxml.html.HtmlElement) -> Iterator[str]:
    """Author and date as declared in the page's metadata; a date guessed from the text would wrongly look reliable."""
    for meta in page.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").lower()
        if name in _SAID and (content := meta.get("content")):
            yield f'<meta name="{name}" content="{escape(content)}">'


def _hold_tables(page: lxml.html.HtmlElement) -> list[str]:
    """The page's data tables; in ``page`` each is replaced by a placeholder line."""
    held: list[str] = []
    for table in list(page.iter("table")):
        if table.get("role") in ("presentation", "none") or table.find(".//table") is not None:
            continue
        if next(table.iterancestors("table"), None) is not None or not _has_columns(table):
            continue
        line = lxml.html.Element("p")
        line.text = f"palimpsesttable{len(held)}x {' '.join(table.itertext())[:_HELD]}"
        line.tail, table.tail = table.tail, None
        parent = table.getparent()
        if parent is not None:
            parent.replace(table, line)
            held.append(lxml.html.tostring(table, encoding="unicode"))
    return held


def _has_columns(table: lxml.html.HtmlElement) -> bool:
    return any(sum(cell.tag in ("td", "th") for cell in row) > 1 for row in table.iter("tr"))


def _written(found: str, tables: list[str], said: str) -> str:
    """The main text as a page, with its tables at their places."""
    page = lxml.html.document_fromstring(found.encode(), parser=lxml.html.HTMLParser(encoding="utf-8"))
    for line in list(page.iter()):
        mark = _MARK.search(line.text or "") if isinstance(line.tag, str) else None
        parent = line.getparent()
        if mark is None or parent is None or int(mark[1]) >= len(tables):
            continue
        table = lxml.html.fragment_fromstring(tables[int(mark[1])])
        table.tail = line.tail
        parent.replace(line, table)
    body = page.find("body")
    inside = "".join(lxml.html.tostring(each, encoding="unicode") for each in body) if body is not None else ""
    return f'<!doctype html>\n<html><head><meta charset="utf-8">{said}</head><body>\n{inside}\n</body></html>\n'


if __name__ == "__main__":
    main()
