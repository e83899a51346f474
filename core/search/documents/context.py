"""Formats passages for a model's prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.events import Passage, Source
from core.language.tokens import count_tokens
from core.search.documents.passage_numbers import belongs_to, document_key, grouped_by_document
from core.search.documents.repetitions import (
    Wording,
    differing_lines,
    running_lines,
    without_running_lines,
    wording_of,
)
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
    kept, dropped, blocks = _fitting(sources, most_tokens, utmost, width)
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
    text = _joined(shown, blocks)
    return Context(text, count_tokens(text), frozenset(kept), dropped, tuple(shown))


def shown_passages(sources: Sequence[Source], most_tokens: int, width: Width | None = None) -> list[Passage]:
    """Returns the passages that :func:`fit` would keep."""
    kept, _, _ = _fitting(sources, most_tokens, None, width)
    return [passage for passages in kept.values() for passage in passages]


def _fitting(
    sources: Sequence[Source], most_tokens: int, utmost: int | None, width: Width | None
) -> tuple[dict[int, list[Passage]], int, _Blocks]:
    ranked = selected(sources, width.least, width.cited) if width else selected(sources)
    most_found = min(most_tokens, width.tokens) if width else most_tokens
    kept: dict[int, list[Passage]] = {}
    begun: set[str] = set()
    blocks = _Blocks(sources)
    used = dropped = 0
    for source, passage in ranked:
        cost = count_tokens(SEPARATOR + blocks.text(source, passage))
        most = utmost if document_key(source) not in begun else most_tokens if source.attached else most_found
        if most is not None and used + cost > most:
            dropped += 1
            continue
        kept.setdefault(source.number, []).append(passage)
        begun.add(document_key(source))
        blocks.keep(source, passage)
        used += cost
    return kept, dropped, blocks


class _Blocks:
    """The blocks of a prompt. A passage with the wording of one that is kept already only refers to it."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._running = {
            document_key(group[0]): running_lines([passage for source in group for passage in source.passages])
            for group in grouped_by_document(sources)
        }
        self._originals: dict[Wording, tuple[Source, Passage]] = {}

    def keep(self, source: Source, passage: Passage) -> None:
        if wording := self._wording(source, passage):
            self._originals.setdefault(wording, (source, passage))

    def text(self, source: Source, passage: Passage) -> str:
        """Returns the heading of a passage and its text, or what of it differs from the passage that it repeats."""
        found = self._originals.get(self._wording(source, passage))
        if found is not None and found[1] is not passage:
            original, first = found
            others = differing_lines(passage, first)
            if others is not None:
                same = f"(The same text as source {original.number}{', except:' if others else '.'})"
                return "\n".join([heading(source, passage), same, *(without_markers(line) for line in others)])
        running = self._running.get(document_key(source), frozenset())
        return block(source, passage.model_copy(update={"text": without_running_lines(passage.text, running)}))

    def _wording(self, source: Source, passage: Passage) -> Wording:
        is_prose = source.kind == "document" and passage.table is None and not source.attached
        return wording_of(passage) if is_prose else ()


def _joined(shown: Sequence[tuple[Source, Passage]], blocks: _Blocks) -> str:
    texts: list[str] = []
    before: tuple[Source, Passage] | None = None
    for source, passage in shown:
        text = blocks.text(source, passage)
        if before is not None:
            texts.append("\n\n" if document_key(source) == document_key(before[0]) else SEPARATOR)
            if before[0] is source and belongs_to(before[1], passage):
                text = text.removeprefix(heading(source, passage)).lstrip("\n")
        texts.append(text)
        before = source, passage
    return "".join(texts)


def block(source: Source, passage: Passage) -> str:
    """Formats one passage with its heading."""
    return f"{heading(source, passage)}\n{without_repetitions(without_markers(passage.text))}"


def heading(source: Source, passage: Passage) -> str:
    """Returns the heading of a passage: its number, document, period, page and section."""
    return f"[Source {source.number}] {place_of(source, passage)}"


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
