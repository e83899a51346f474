"""Sanitises a document's HTML so that it cannot run scripts, load resources, send data or cover the page."""

from __future__ import annotations

import nh3
from markupsafe import Markup

from core.words import Language
from viz.labels import label
from viz.templating import render

_TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre",
    "code", "em", "strong", "b", "i", "u", "s", "sub", "sup", "small", "table", "caption", "colgroup", "col", "thead",
    "tbody", "tfoot", "tr", "th", "td", "section", "article", "header", "div", "span", "a", "figure", "figcaption",
    "bdi", "bdo", "abbr", "time", "mark",
}  # fmt: skip
_SPANS = {"colspan", "rowspan"}
_ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    "th": {*_SPANS, "scope", "class"},
    "td": {*_SPANS, "class"},
    "bdo": {"dir"},
    "p": {"dir", "class"},
    "div": {"dir"},
    "table": {"dir"},
}
_CLASSES = {"cut", "short", "number"}
_DROPPED_WITH_CONTENT = {
    "script", "style", "title", "head", "template", "noscript", "iframe", "object", "embed", "svg", "math", "select",
    "textarea", "button", "audio", "video", "canvas",
}  # fmt: skip


def rendition(html: str, language: Language) -> Markup:
    """A document's ``html``, sanitised; links open in a new window, and only to web or mail addresses."""
    clean = nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_DROPPED_WITH_CONTENT,
        attributes=_ATTRIBUTES,
        attribute_filter=_only_known_classes,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    notice = Markup('<p class="cut">{}</p>').format(label("cut_here", language))
    return render("rendition", body=Markup(clean.replace('<p class="cut"></p>', notice)), language=language)


def _only_known_classes(tag: str, name: str, value: str) -> str | None:
    """Removes classes of the page's own styles; only those in core/library/viewing/renditions are allowed."""
    if name == "class":
        return " ".join(each for each in value.split() if each in _CLASSES) or None
    return value
