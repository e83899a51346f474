"""Formats passages for a model's prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.events import Passage, Source
from core.language.tokens import count_tokens

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
    not fit."""

    text: str
    tokens: int
    numbers: frozenset[int] = frozenset()
    dropped: int = 0


def assemble(sources: Sequence[Source], most_tokens: int) -> str:
    """Returns the formatted text that :func:`fit` produces."""
    return fit(sources, most_tokens).text


def fit(sources: Sequence[Source], most_tokens: int, utmost: int | None = None) -> Context:
    """Formats ``[Source N - filename]: title`` blocks in citation order, passages in reading order.

    Drops whole passages, the lowest scores first and those of attachments last, until the rest fits ``most_tokens``.
    The best passage of each source stays even if this limit is exceeded, but the text never exceeds ``utmost``, the end
    of the model's context window.
    """
    kept, dropped = _fitting(sources, most_tokens, utmost)
    if not kept:
        return Context(NO_RESULTS, count_tokens(NO_RESULTS), dropped=dropped)
    shown = [source for source in sources if source.number in kept]
    text = SEPARATOR.join(_block(source, kept[source.number]) for source in shown)
    return Context(text, count_tokens(text), frozenset(kept), dropped)


def shown_passages(sources: Sequence[Source], most_tokens: int) -> list[Passage]:
    """Returns the passages that :func:`fit` would keep."""
    kept, _ = _fitting(sources, most_tokens, None)
    return [passage for passages in kept.values() for passage in passages]


def _fitting(sources: Sequence[Source], most_tokens: int, utmost: int | None) -> tuple[dict[int, list[Passage]], int]:
    attached = {source.number for source in sources if source.attached}
    heads = {source.number: count_tokens(SEPARATOR + _source_heading(source)) for source in sources}
    ranked = sorted(
        ((source.number, passage) for source in sources for passage in source.passages),
        key=lambda each: (each[0] not in attached, -each[1].score),
    )
    kept: dict[int, list[Passage]] = {}
    used = dropped = 0
    for number, passage in _best_of_each_first(ranked):
        cost = count_tokens("\n\n" + _passage_text(passage)) + (0 if number in kept else heads[number])
        most = most_tokens if number in kept else utmost
        if most is not None and used + cost > most:
            dropped += 1
            continue
        kept.setdefault(number, []).append(passage)
        used += cost
    return kept, dropped


def _best_of_each_first(ranked: Sequence[tuple[int, Passage]]) -> list[tuple[int, Passage]]:
    first: dict[int, tuple[int, Passage]] = {}
    for number, passage in ranked:
        first.setdefault(number, (number, passage))
    best = list(first.values())
    return [*best, *(each for each in ranked if each not in best)]


def _block(source: Source, passages: Sequence[Passage]) -> str:
    texts = [_passage_text(passage) for passage in sorted(passages, key=lambda each: each.position)]
    return "\n\n".join([_source_heading(source), *texts])


def _source_heading(source: Source) -> str:
    title = without_markers(source.title).replace("\n", " ")
    return f"[Source {source.number} - {source.filename}]: {title}".rstrip()


def _passage_text(passage: Passage) -> str:
    where = [f"p. {passage.page}" if passage.page else "", passage.section or ""]
    head = ", ".join(part for part in where if part)
    text = without_repetitions(without_markers(passage.text))
    return f"({head})\n{text}" if head else text


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
