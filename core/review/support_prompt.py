"""Writes the prompt in which a model judges sentences: each passage once, and no more than fits its window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.language.tokens import count_tokens
from core.review.claims import Claim
from core.review.nearest_passages import NearPassage
from core.search.documents.context import without_markers

USUAL_ROOM = 16_000
"""Tokens for sentences and passages if the model's window is unknown."""
SHARE = 0.6
"""Share of a window for sentences and passages. The rest is for the rules and the verdicts, and for tokenizers that
count more tokens than ours."""
LONGEST_PASSAGE = 6_000
"""Characters of one passage: its beginning, with captions, units and column headings, and the lines that matter."""
_BEGINNING = 800
_LEAST_AROUND = 400


@dataclass(frozen=True)
class CheckedClaim:
    """A sentence with the passages that it is judged by."""

    number: int
    claim: Claim
    passages: tuple[NearPassage, ...]


def claims_prompt(claims: Sequence[CheckedClaim], room: int) -> tuple[str, frozenset[int]]:
    """Returns the text for the model and the numbers of the sentences in it. Sentences that do not fit ``room`` tokens
    with their passages are left out."""
    blocks: list[str] = []
    lines: dict[int, str] = {}
    shown: dict[str, int] = {}
    used = 0
    wanted = _wanted_lines(claims)
    for each in claims:
        new = [passage for passage in each.passages if passage.item_id not in shown]
        numbers = {passage.item_id: len(shown) + place for place, passage in enumerate(new, 1)}
        texts = [_block(numbers[passage.item_id], passage, wanted[passage.item_id]) for passage in new]
        cited = ", ".join(str(shown.get(one.item_id) or numbers[one.item_id]) for one in each.passages) or "none"
        line = f"SENTENCE {each.number} (passages: {cited}): {_sentence(each.claim)}"
        cost = sum(count_tokens(text) for text in (*texts, line))
        if used + cost > room:
            continue
        used += cost
        shown |= numbers
        blocks += texts
        lines[each.number] = line
    passages = "\n\n".join(blocks) or "PASSAGE: (none)"
    ordered = "\n".join(lines[number] for number in sorted(lines))
    return f"BEGIN PASSAGES\n{passages}\nEND PASSAGES\n\n{ordered}", frozenset(lines)


def _wanted_lines(claims: Sequence[CheckedClaim]) -> Mapping[str, list[str]]:
    """Returns the lines that matter of each passage, for all sentences: a passage is sent once."""
    wanted: dict[str, list[str]] = {}
    for each in claims:
        for passage in each.passages:
            wanted.setdefault(passage.item_id, []).extend(passage.lines)
    return wanted


def _sentence(claim: Claim) -> str:
    """The sentence; a cell with the labels of its row and column in front."""
    labels = " · ".join(part for part in claim.subject.split(" . ") if part.strip())
    return f"{labels}: {claim.text}" if labels and claim.is_cell else claim.text


def _block(number: int, passage: NearPassage, lines: Sequence[str]) -> str:
    heading = f"({passage.heading}) " if passage.heading else ""
    return f"PASSAGE {number}: {heading}{_around(without_markers(passage.text), lines)}"


def _around(text: str, lines: Sequence[str]) -> str:
    """The beginning of a long passage and the parts around ``lines``, in order."""
    if len(text) <= LONGEST_PASSAGE:
        return text
    places = sorted({place for line in lines if (place := text.find(line[:200])) >= 0})
    around = max(_LEAST_AROUND, (LONGEST_PASSAGE - _BEGINNING) // max(1, len(places)))
    spans = [(0, _BEGINNING if places else LONGEST_PASSAGE)]
    for place in places:
        begin, end = max(0, place - around // 2), place + around // 2
        if sum(last - first for first, last in spans) + end - max(begin, spans[-1][1]) > LONGEST_PASSAGE:
            continue
        if begin <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((begin, end))
    return " … ".join(text[first:last] for first, last in spans)
