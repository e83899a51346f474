"""An answer's Markdown as HTML that can neither run, nor fetch, nor deceive [spec X2]."""

from __future__ import annotations

import re
from collections.abc import Mapping

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

_TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em",
    "strong", "s", "table", "thead", "tbody", "tr", "th", "td", "a",
}  # fmt: skip
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}
_CITATION = re.compile(r"\[(\d{1,3})\]")
_CODE = re.compile(r"(<(?:pre|code)>.*?</(?:pre|code)>)", re.DOTALL)

_parser = (
    MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"]).disable("image")
)


def blocks(text: str, citations: Mapping[int, str], language: str = "en") -> list[Markup]:
    """One sanitised HTML string per top-level block; ``citations`` maps N to the label of its button."""
    tokens = _parser.parse(text)
    rendered: list[Markup] = []
    begin = 0
    depth = 0
    for position, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            html = _parser.renderer.render(tokens[begin : position + 1], _parser.options, {})
            rendered.append(_finish(html, citations))
            begin = position + 1
    return rendered


def _finish(html: str, citations: Mapping[int, str]) -> Markup:
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    parts = _CODE.split(clean)
    linked = [
        part if index % 2 else _CITATION.sub(lambda match: _button(match, citations), part)
        for index, part in enumerate(parts)
    ]
    return Markup("".join(linked))


def _button(match: re.Match[str], citations: Mapping[int, str]) -> str:
    number = int(match.group(1))
    if number not in citations:
        return match.group(0)
    return str(citation(number, citations[number]))


def citation(number: int, label: str) -> Markup:
    """The button [N]."""
    return Markup(
        '<button type="button" class="cite" data-cite="{number}" title="{label}" aria-label="{label}">{number}</button>'
    ).format(number=number, label=escape(label))
