"""Lists the items of a report section: its subheadings, or the sentences that introduce its parts.

Risk factors, for example, are subheadings in most documents; in others, each is a bold sentence that forms its own
paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.disclosures.newest import newest_first
from core.answering.disclosures.vocabulary import Disclosure
from core.figures.records import TextEvidence
from core.language.sentences import split_sentences
from core.question.analysed import AnalysedQuestion

_FEWEST, _MOST = 3, 7
_SHORTEST, _LONGEST = 40, 260
_PARAGRAPH = re.compile(r"\n\n+|\n(?=[*•])")
_BULLET = re.compile(r"^[*•\-–\s]+")


@dataclass(frozen=True)
class SectionNames:
    """The items of a section; ``passages`` holds, for each of the ``names``, the passage that contains it."""

    names: list[str]
    passages: list[TextEvidence]


def named_in_section(
    kind: Disclosure, question: AnalysedQuestion, passages: Sequence[TextEvidence]
) -> SectionNames | None:
    """Returns the items from the newest document with the section; ``None`` if too few items are found."""
    for document in newest_first(passages, question.periods):
        own = [each for each in document if kind.stands_under(each.path)]
        for found in (_section_headings(kind, own), _first_sentences(kind, own)):
            if len(found) >= _FEWEST:
                chosen = dict(list(found.items())[:_MOST])
                return SectionNames(list(chosen), list(chosen.values()))
    return None


def _section_headings(kind: Disclosure, passages: Sequence[TextEvidence]) -> dict[str, TextEvidence]:
    """Returns the subheadings directly under the section, each with its first passage."""
    found: dict[str, TextEvidence] = {}
    for each in passages:
        level = next(place for place, heading in enumerate(each.path) if kind.stands_under([heading]))
        if len(each.path) > level + 1 and not kind.is_never(each.path[level + 1]):
            found.setdefault(each.path[level + 1], each)
    return found


def _first_sentences(kind: Disclosure, passages: Sequence[TextEvidence]) -> dict[str, TextEvidence]:
    """Returns one-sentence paragraphs on the section's subject, and sentences that begin a bullet."""
    patterns = kind.patterns(passages[0].origin.names) if passages else []
    found: dict[str, TextEvidence] = {}
    for passage in passages:
        for paragraph in _PARAGRAPH.split(passage.text):
            sentences = split_sentences(paragraph)
            if not sentences or (len(sentences) > 1 and not _BULLET.match(paragraph)):
                continue
            text = _BULLET.sub("", " ".join(sentences[0].text.split()))
            whole = _SHORTEST <= len(text) <= _LONGEST and text.endswith(".") and text[:1].isupper()
            if whole and not kind.is_never(text) and any(pattern.search(text) for pattern in patterns):
                found.setdefault(text.rstrip("."), passage)
    return found
