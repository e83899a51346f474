"""Writes the prompt in which a model judges sentences: each passage once, and no more than fits its window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.language.tokens import count_tokens
from core.review.claims import Claim
from core.search.documents.context import without_markers

USUAL_ROOM = 16_000
"""Tokens for sentences and passages if the model's window is unknown."""
SHARE = 0.6
"""Share of a window for sentences and passages. The rest is for the rules and the verdicts, and for tokenizers that
count more tokens than ours."""
LONGEST_PASSAGE = 6_000
"""Characters of one passage, around the evidence in it."""
_AROUND = 2


@dataclass(frozen=True)
class CheckedClaim:
    """A sentence with the passages that it cites, by item id; ``evidence`` is the sentence that is nearest to it."""

    number: int
    claim: Claim
    passages: tuple[tuple[str, str], ...]
    evidence: str = ""


def claims_prompt(claims: Sequence[CheckedClaim], room: int) -> tuple[str, frozenset[int]]:
    """Returns the text for the model and the numbers of the sentences in it. Sentences that do not fit ``room`` tokens
    with their passages are left out."""
    blocks: list[str] = []
    lines: list[str] = []
    shown: dict[str, int] = {}
    asked: set[int] = set()
    used = 0
    for each in claims:
        new = [(item, text) for item, text in each.passages if item not in shown]
        numbers = {item: len(shown) + place for place, (item, _) in enumerate(new, 1)}
        texts = [f"PASSAGE {numbers[item]}: {_around(without_markers(text), each.evidence)}" for item, text in new]
        cited = ", ".join(str(shown.get(item) or numbers[item]) for item, _ in each.passages) or "none"
        line = f"SENTENCE {each.number} (passages: {cited}): {each.claim.text}"
        cost = sum(count_tokens(text) for text in (*texts, line))
        if used + cost > room:
            continue
        used += cost
        shown |= numbers
        blocks += texts
        lines.append(line)
        asked.add(each.number)
    passages = "\n\n".join(blocks) or "PASSAGE: (none)"
    return f"BEGIN PASSAGES\n{passages}\nEND PASSAGES\n\n" + "\n".join(lines), frozenset(asked)


def _around(text: str, evidence: str) -> str:
    """The part of a long passage around ``evidence``."""
    if len(text) <= LONGEST_PASSAGE:
        return text
    begin = max(0, text.find(evidence) - LONGEST_PASSAGE // _AROUND)
    return text[begin : begin + LONGEST_PASSAGE]
