"""The passages as a model reads them [004 §4; spec S8]."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.events import Passage, Source
from core.language.tokens import count_tokens

NO_RESULTS = """[The library holds no passage that bears on this question.]
- Say that nothing was found in the documents.
- Do not guess what a document might contain, and cite nothing.
- Offer to try other words, or to check which documents are there.
- General knowledge may be used only when it is plainly called that."""

_MARKER = re.compile(r"[ \t]?\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]")
_CODE_LINE = re.compile(
    r"[;{}]\s*$|[\w\])]\s*[-+*/|&]?=\s|\w\[\d+\]\s*[\[.(+*/=-]|^\s*(?:return|if|for|while|def)\b.*\w\[\d+\]"
)
_HEADING = re.compile(r"\[(?=(?:Source\s+\d|M\d+\]))", re.IGNORECASE)
SEPARATOR = "\n\n---\n\n"


def assemble(sources: Sequence[Source], most_tokens: int) -> str:
    """``[Source N - filename]:`` blocks in citation order, passages in reading order.

    Whole passages are dropped, the lowest first and those of attachments last, until the rest fits; one of each source
    always stays.
    """
    if not sources:
        return NO_RESULTS
    kept = _fitting(sources, most_tokens)
    return SEPARATOR.join(_block(source, kept[source.number]) for source in sources)


def _fitting(sources: Sequence[Source], most_tokens: int) -> dict[int, list[Passage]]:
    attached = {source.number for source in sources if source.attached}
    ranked = sorted(
        ((source.number, passage) for source in sources for passage in source.passages),
        key=lambda each: (each[0] not in attached, -each[1].score),
    )
    kept: dict[int, list[Passage]] = {}
    used = 0
    for number, passage in _best_of_each_first(ranked):
        cost = count_tokens(_passage(passage))
        if number in kept and used + cost > most_tokens:
            continue
        kept.setdefault(number, []).append(passage)
        used += cost
    return kept


def _best_of_each_first(ranked: Sequence[tuple[int, Passage]]) -> list[tuple[int, Passage]]:
    first: dict[int, tuple[int, Passage]] = {}
    for number, passage in ranked:
        first.setdefault(number, (number, passage))
    best = list(first.values())
    return [*best, *(each for each in ranked if each not in best)]


def _block(source: Source, passages: Sequence[Passage]) -> str:
    texts = [_passage(passage) for passage in sorted(passages, key=lambda each: each.position)]
    return "\n\n".join([f"[Source {source.number} - {source.filename}]:", *texts])


def _passage(passage: Passage) -> str:
    where = [f"p. {passage.page}" if passage.page else "", passage.section or ""]
    head = ", ".join(part for part in where if part)
    text = without_markers(passage.text)
    return f"({head})\n{text}" if head else text


def without_markers(text: str) -> str:
    """Without what could be read as ours: the source's own ``[48]`` and headings like those of this context [004 §4.2].

    Lines of code keep their ``[0]``.
    """
    lines = (line if _CODE_LINE.search(line) else _MARKER.sub("", line) for line in text.splitlines())
    return _HEADING.sub("(", "\n".join(lines)).strip("\n")
