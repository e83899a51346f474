"""Makes Markdown harmless: removes pictures, tags and all links except those to the addresses of cited sources.

A model that follows instructions in a document could write a link or picture whose address leaks what it has read. A
link is kept only if a cited source has exactly its address; any other address is shown as code, which is not clickable.
The result is parsed again: if anything active is left, it is reduced to plain words. Code keeps its text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from html import unescape
from typing import Protocol

from markdown_it import MarkdownIt
from markdown_it.token import Token

NONE: frozenset[str] = frozenset()
_ACTIVE = re.compile(r"<[A-Za-z/!?]|\]\s*[(\[:]|!\[|://|(?<!\w)www\.", re.IGNORECASE)
"""A text without any of these cannot contain a link."""
_MOST_NESTED = 8
_LINK = re.compile(
    r"""(?<!\\)(?P<escaped>(?:\\\\)*+)(?P<picture>!?)\[(?P<label>(?:[^\[\]\\]|\\.)*+)\]
    \([ \t\n]*+(?:<(?P<angled>[^<>\n]*+)>|(?P<bare>[^\s()<]*+(?:\([^\s()]*+\)[^\s()]*+)*+))
    (?:[ \t\n]++(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?[ \t\n]*+\)""",
    re.VERBOSE,
)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_AUTOLINK = re.compile(r"<(?P<address>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*)>")
_DEFINITION = re.compile(r"^(?P<lead>[ \t>*+\-\d.)]*\[(?:[^\[\]\\]|\\.){1,999}\]):", re.MULTILINE)
_ADDRESS = re.compile(r"(?:(?:https?|ftp)://|(?<!\w)www\.)[^\s<>`|\ue000-\ue00f]+", re.IGNORECASE)
_TRAILING = "?!.,:;*_~'\"”’"
"""Punctuation at the end of an address that belongs to the sentence, not to the address."""
_SHOWN = ("http", "https", "mailto", "ftp")
"""Addresses with other schemes mean nothing to a reader, and are left out."""
_CITATION = re.compile(r"(?<!!)\[\d{1,3}\](?!\s*[\[(:])")
_HELD = re.compile(r"\ue000(\d+)\ue001")
_PRIVATE = re.compile(r"[\ue000-\ue00f]")
_SPECIAL = re.compile(r"[<\[\]`\\&]")
_RUN = re.compile(r"(?<!`)`+(?!`)")
_BREAK = re.compile(r"\n[ \t>]*\n")

_reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _credulous(*, tables: bool) -> MarkdownIt:
    """A permissive parser that accepts everything that any Markdown reader might accept."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"] if tables else [])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


_checkers = (_credulous(tables=True), _credulous(tables=False))


def neutral_markdown(text: str, addresses: Collection[str] = NONE) -> str:
    """Markdown in which links lead only to ``addresses``. Applying the function again changes nothing."""
    if not _ACTIVE.search(text):
        return text
    try:
        rewritten = _rewritten(_PRIVATE.sub("", text), addresses)
    except RecursionError:
        return _flattened(text)
    return rewritten if is_neutral(rewritten, addresses) else _flattened(text)


def is_neutral(text: str, addresses: Collection[str] = NONE) -> bool:
    """Whether a Markdown reader would find no picture, no tag, and no link except to ``addresses``."""
    for checker in _checkers:
        env: dict[str, object] = {}
        tokens = checker.parse(text, env)
        if env.get("references") or not all(_is_harmless(token, addresses) for token in _walk(tokens)):
            return False
    return True


class Passage(Protocol):
    """A passage of a source, with its text."""

    @property
    def text(self) -> str: ...


class Placed(Protocol):
    """A source: its address, if it has one, and its passages."""

    @property
    def url(self) -> str: ...

    @property
    def passages(self) -> Sequence[Passage]: ...


def addresses_of(sources: Sequence[Placed]) -> frozenset[str]:
    """The sources' addresses, and the addresses that occur in their passages."""
    named = {source.url for source in sources if source.url}
    texts = (passage.text for source in sources for passage in source.passages if "://" in passage.text)
    return frozenset(named | {_trimmed(found.group()) for text in texts for found in _ADDRESS.finditer(text)})


def _is_harmless(token: Token, addresses: Collection[str]) -> bool:
    if token.type in ("image", "html_block", "html_inline"):
        return False
    if token.type == "link_open":
        return str(token.attrGet("href")) in _as_parsed(addresses)
    if token.type == "text":
        return all(_trimmed(found.group()) in addresses for found in _ADDRESS.finditer(token.content))
    return True


def _as_parsed(addresses: Collection[str]) -> set[str]:
    return {*addresses, *(_reader.normalizeLink(address) for address in addresses)}


def _walk(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _walk(token.children or ())


class _Held:
    """Parts that stay unchanged while the rest is rewritten."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def hold(self, part: str) -> str:
        self._parts.append(part)
        return f"\ue000{len(self._parts) - 1}\ue001"

    def let_go(self, text: str) -> str:
        while (freed := _HELD.sub(lambda found: self._parts[int(found.group(1))], text)) != text:
            text = freed
        return text


def _rewritten(text: str, addresses: Collection[str]) -> str:
    held = _Held()
    text = "".join(_without_spans(part, held) for part in _without_code_blocks(text, held))
    for _ in range(_MOST_NESTED):
        before, text = text, _LINK.sub(lambda found: _link(found, held, addresses), text)
        if before == text:
            break
    text = _AUTOLINK.sub(lambda found: _kept_or_shown(found.group("address"), held, addresses, angled=True), text)
    text = _TAG.sub("&lt;", text)
    text = _DEFINITION.sub(r"\g<lead>\\:", text)
    text = _ADDRESS.sub(lambda found: _bare(found.group(), held, addresses), text)
    return held.let_go(text)


def _without_code_blocks(text: str, held: _Held) -> Iterator[str]:
    """The text between code blocks, and placeholders for the blocks."""
    lines = text.splitlines(keepends=True)
    blocks = [token.map for token in _reader.parse(text) if token.type in ("fence", "code_block") and token.map]
    place = 0
    for begin, end in blocks:
        yield "".join(lines[place:begin])
        yield held.hold("".join(lines[begin:end]))
        place = end
    yield "".join(lines[place:])


def _without_spans(text: str, held: _Held) -> str:
    """The text with placeholders for inline code. Inline code ends within its paragraph."""
    return "".join(
        part if number % 2 else _spans_held(part, held)
        for number, part in enumerate(re.split(f"({_BREAK.pattern})", text))
    )


def _spans_held(text: str, held: _Held) -> str:
    runs = [(run.start(), run.end()) for run in _RUN.finditer(text)]
    written: list[str] = []
    place = at = 0
    while at < len(runs):
        begin, end = runs[at]
        begin += _is_escaped(text, begin)
        closing = next((n for n in range(at + 1, len(runs)) if runs[n][1] - runs[n][0] == end - begin), None)
        if begin == end or closing is None:
            at += 1
            continue
        written += [text[place:begin], held.hold(text[begin : runs[closing][1]])]
        place, at = runs[closing][1], closing + 1
    return "".join([*written, text[place:]])


def _is_escaped(text: str, place: int) -> bool:
    begin = place
    while begin and text[begin - 1] == "\\":
        begin -= 1
    return (place - begin) % 2 == 1


def _link(found: re.Match[str], held: _Held, addresses: Collection[str]) -> str:
    label, address = found.group("label"), found.group("angled") or found.group("bare") or ""
    before = found.group("escaped")
    if not found.group("picture") and _is_allowed(address, addresses):
        return before + held.hold(f"[{held.let_go(label)}]({_destination(found)})")
    shown = _shown(address, held)
    if label.isdecimal():
        label = f"[{label}]"  # a citation
    if not label.strip() or held.let_go(shown).strip("`") == label.strip():
        return before + shown
    return f"{before}{label} ({shown})" if shown else before + label


def _destination(found: re.Match[str]) -> str:
    return f"<{found.group('angled')}>" if found.group("angled") is not None else found.group("bare")


def _is_allowed(address: str, addresses: Collection[str]) -> bool:
    plain = unescape(address)
    return plain in addresses and plain.partition(":")[0].lower() in ("http", "https")


def _shown(address: str, held: _Held) -> str:
    plain = " ".join(held.let_go(unescape(address)).replace("`", "").split())
    scheme = plain.partition(":")[0].lower()
    return held.hold(f"`{plain}`") if scheme in _SHOWN or plain.startswith(("www.", "//")) else ""


def _kept_or_shown(address: str, held: _Held, addresses: Collection[str], *, angled: bool = False) -> str:
    if not _is_allowed(address, addresses):
        return _shown(address, held)
    return held.hold(f"<{address}>" if angled else address)


def _bare(found: str, held: _Held, addresses: Collection[str]) -> str:
    address = _trimmed(found)
    return _kept_or_shown(address, held, addresses) + found[len(address) :]


def _trimmed(address: str) -> str:
    """The address without punctuation of the sentence at its end, and without closing brackets that have no opening
    bracket in it."""
    closing = {")": "(", "]": "[", "}": "{"}
    excess = {close: address.count(close) - address.count(opening) for close, opening in closing.items()}
    end = len(address)
    while end and (address[end - 1] in _TRAILING or excess.get(address[end - 1], 0) > 0):
        end -= 1
        if address[end] in excess:
            excess[address[end]] -= 1
    return address[:end]


def _flattened(text: str) -> str:
    """The text as plain words without any Markdown that could be a link. Citations are kept."""
    held = _Held()
    text = _ADDRESS.sub(lambda found: held.hold(f"`{found.group()}`"), _PRIVATE.sub("", text))
    text = _CITATION.sub(lambda found: held.hold(found.group()), text)
    return held.let_go(_SPECIAL.sub(lambda found: f"&#{ord(found.group())};", text))
