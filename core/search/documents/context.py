"""Formats passages for a model's prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.events import Passage, Source
from core.language.tokens import count_tokens
from core.search.documents.passage_numbers import document_key, grouped_by_document
from core.search.documents.selection import Width, selected

NO_RESULTS = """[No passage in the library is relevant to this question.]
- If a tool can search the documents, use it. If nothing is found, say that nothing was found in the documents.
- Do not guess what a document might contain, and cite only what a tool has found.
- Offer to try other words, or to check which documents are in the library.
- Use general knowledge only if you call it that."""

_MARKER = re.compile(r"[ \t]?\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]")
_CODE_LINE = re.compile(
    r"[;{}]\s*$|[\w\])]\s*[-+*/|&]?=\s|\w\[\d+\]\s*[\[.(+*/=-]|^\s*(?:return|if|for|while|def)\b.*\w\[\d+\]"
)
_FENCE = re.compile(r"^\W{0,200}+((?:BEGIN|END) [A-Z]+)\W*$", re.MULTILINE)
_HEADING = re.compile(r"\[(?=(?:Source\s+\d|M\d+\]))", re.IGNORECASE)
_REPEATED_NOTE = re.compile(r"(\([^()]{3,80}\)):?[ \t]+(?=\1)")
_NOT_LETTERS = re.compile(r"[\W_]+")
SEPARATOR = "\n\n---\n\n"


@dataclass(frozen=True)
class Context:
    """Formatted passages; ``numbers`` are the citation numbers in ``text``; ``dropped`` counts the passages that did
    not fit; ``shown`` are the others, in the order of ``text``."""

    text: str
    tokens: int
    numbers: frozenset[int] = frozenset()
    dropped: int = 0
    shown: tuple[tuple[Source, Passage], ...] = ()


def assemble(sources: Sequence[Source], most_tokens: int) -> str:
    """Returns the formatted text that :func:`fit` produces."""
    return fit(sources, most_tokens).text


def fit(sources: Sequence[Source], most_tokens: int, utmost: int | None = None, width: Width | None = None) -> Context:
    """Formats a block for each passage, headed ``[Source N] title · period · page · section``: the documents in the
    order of their sources, their passages in reading order.

    Passages below the threshold of ``width`` are left out first. Then whole passages are dropped, the lowest ranks
    first and those of attachments last, until the rest fits ``most_tokens``, and those of other sources ``width``. The
    best passage of each document stays even if this limit is exceeded, but the text never exceeds ``utmost``, the end
    of the model's context window.
    """
    kept, dropped = _fitting(sources, most_tokens, utmost, width)
    if not kept:
        return Context(NO_RESULTS, count_tokens(NO_RESULTS), dropped=dropped)
    shown = [
        pair
        for group in grouped_by_document(sources)
        for pair in sorted(
            ((source, passage) for source in group for passage in kept.get(source.number, [])),
            key=lambda pair: pair[1].position,
        )
    ]
    text = _joined(shown)
    return Context(text, count_tokens(text), frozenset(kept), dropped, tuple(shown))


def shown_passages(sources: Sequence[Source], most_tokens: int, width: Width | None = None) -> list[Passage]:
    """Returns the passages that :func:`fit` would keep."""
    kept, _ = _fitting(sources, most_tokens, None, width)
    return [passage for passages in kept.values() for passage in passages]


def _fitting(
    sources: Sequence[Source], most_tokens: int, utmost: int | None, width: Width | None
) -> tuple[dict[int, list[Passage]], int]:
    ranked = selected(sources, width.least if width else 0.0)
    most_found = min(most_tokens, width.tokens) if width else most_tokens
    kept: dict[int, list[Passage]] = {}
    begun: set[str] = set()
    used = dropped = 0
    for source, passage in ranked:
        cost = count_tokens(SEPARATOR + block(source, passage))
        most = utmost if document_key(source) not in begun else most_tokens if source.attached else most_found
        if most is not None and used + cost > most:
            dropped += 1
            continue
        kept.setdefault(source.number, []).append(passage)
        begun.add(document_key(source))
        used += cost
    return kept, dropped


def _joined(shown: Sequence[tuple[Source, Passage]]) -> str:
    texts: list[str] = []
    before = ""
    for source, passage in shown:
        if texts:
            texts.append("\n\n" if document_key(source) == before else SEPARATOR)
        texts.append(block(source, passage))
        before = document_key(source)
    return "".join(texts)


def block(source: Source, passage: Passage) -> str:
    """Formats one passage with its heading."""
    return f"[Source {source.number}] {place_of(source, passage)}\n{without_repetitions(without_markers(passage.text))}"


def place_of(source: Source, passage: Passage) -> str:
    """Returns the document, period, page and section of a passage on one line."""
    title = without_markers(source.title).replace("\n", " ").strip() or source.filename
    period = source.period if source.period not in title else ""
    page = f"p. {passage.page}" if passage.page else ""
    section = without_markers(passage.section or "").replace("\n", " ").strip()
    return " · ".join(part for part in (title, period, page, section) if part)


def without_repetitions(text: str) -> str:
    """Removes a line that repeats the one before it, as a table's caption does, and a note of units given twice."""
    kept: list[str] = []
    before = ""
    for line in _REPEATED_NOTE.sub("", text).split("\n"):
        letters = _NOT_LETTERS.sub("", line).lower()
        if letters and letters == before and " | " not in line:
            continue
        kept.append(line)
        before = letters or before
    return "\n".join(kept)


def without_markers(text: str) -> str:
    """Removes text in a source that could be read as this product's own markup: citation markers such as ``[48]``, and
    headings and fences like those of a prompt.

    Lines of code keep their ``[0]``.
    """
    lines = (line if _CODE_LINE.search(line) else _MARKER.sub("", line) for line in text.splitlines())
    return unfenced(_HEADING.sub("(", "\n".join(lines))).strip("\n")


def unfenced(text: str) -> str:
    """Removes lines that would end or begin the fence around the text."""
    return _FENCE.sub(r"(\1)", text)
