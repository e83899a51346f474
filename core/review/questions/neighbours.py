"""Puts a question about one document to others: takes a question that names its document; returns candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from core.language.normalisation import fold
from core.library.records import Document
from core.review.questions.candidate import CandidateQuestion

_MARKS = '“”„"'


def same_elsewhere(
    question: str, own: Document, documents: Sequence[Document], names: Mapping[str, str]
) -> Iterator[CandidateQuestion]:
    """Yields the question with the names of other documents of the same kind, those with the likest titles first; none
    if it does not name its document."""
    spoken = names.get(own.id, "").strip(_MARKS)
    place = re.search(rf"[{_MARKS}]?{re.escape(spoken)}[{_MARKS}]?", question, re.IGNORECASE) if spoken else None
    if place is None:
        return
    title = set(fold(own.metadata.title).split())
    others = [each for each in documents if each.id != own.id and each.metadata.kind == own.metadata.kind]
    alike = {each.id: len(title & set(fold(each.metadata.title).split())) for each in others}
    for other in sorted(others, key=lambda each: -alike[each.id]):
        name = names.get(other.id)
        if name and alike[other.id]:
            text = f"{question[: place.start()]}{name}{question[place.end() :]}"
            yield CandidateQuestion(text, other.id, text)
