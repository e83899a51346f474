"""Reads reviewers' comments on slides, of the older type and of the newer threaded type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pptx.oxml import parse_xml

from core.library.extract.office.comments import Comment, threads
from core.library.extract.office.slide_text import line_of

_COMMENTS, _AUTHORS = "/comments", ("/commentAuthors", "/authors")
_UNREADABLE = (LookupError, ValueError, SyntaxError, AttributeError, TypeError)
_DAY = len("2026-05-04")


def authors_of(presentation: Any) -> dict[str, str]:
    """The names of the commenters, by their ids."""
    return {
        author.get("id") or "": author.get("name") or ""
        for root in _parts(presentation.part, *_AUTHORS)
        for author in root.iter("{*}cmAuthor", "{*}author")
    }


def comments_of(slide: Any, authors: dict[str, str], shapes: dict[str, str]) -> list[Comment]:
    """The threads on a slide.

    Args:
        shapes: text of the slide's shapes by their ids, which newer comments refer to.
    """
    found: list[Comment] = []
    for root in _parts(slide.part, _COMMENTS):
        older: list[tuple[str, Comment]] = []
        parents: dict[str, str] = {}
        for element in root.iter("{*}cm"):
            if element.find("{*}text") is not None:
                key = f"{element.get('authorId')}/{element.get('idx')}"
                older.append((key, _comment(element, authors, element.get("dt"))))
                for parent in element.iter("{*}parentCm"):
                    parents[key] = f"{parent.get('authorId')}/{parent.get('idx')}"
            else:
                found.append(_threaded(element, authors, shapes))
        found += threads(older, parents).values()
    return [comment for comment in found if comment.text]


def _threaded(element: Any, authors: dict[str, str], shapes: dict[str, str]) -> Comment:
    comment = _comment(element, authors, element.get("created"))
    marked = next(element.iter("{*}spMk", "{*}graphicFrameMk"), None)
    comment.quoted = shapes.get(marked.get("id") or "", "") if marked is not None else ""
    comment.replies = [_comment(reply, authors, reply.get("created")) for reply in element.iter("{*}reply")]
    return comment


def _comment(element: Any, authors: dict[str, str], created: str | None) -> Comment:
    plain = element.find("{*}text")
    body = element.find("{*}txBody")
    text = (plain.text or "") if plain is not None else line_of(body) if body is not None else ""
    return Comment(authors.get(element.get("authorId") or "", ""), text.strip(), (created or "")[:_DAY])


def _parts(part: Any, *endings: str) -> Iterator[Any]:
    """The roots of the parts with this relationship type; unreadable ones are skipped."""
    for relation in part.rels.values():
        if not relation.is_external and relation.reltype.endswith(endings):
            try:
                root = parse_xml(relation.target_part.blob)
            except _UNREADABLE:
                continue
            yield root
