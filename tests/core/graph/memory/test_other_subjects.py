from __future__ import annotations

import pytest

from core.graph.memory.other_subjects import about_others
from core.question.known_entities import KnownDocument

KNOWN = [
    KnownDocument(id="d1", filename="a.pdf", title="a", names=("Acme Corp", "Acme")),
    KnownDocument(id="d2", filename="z.pdf", title="z", names=("Zeugma Ltd", "Zeugma")),
]


@pytest.mark.parametrize(
    ("question", "memory", "other"),
    [
        ("What was the revenue of Acme?", "The revenue of Zeugma was 5.", True),
        ("What was the revenue of Acme?", "The revenue of Acme was 7, that of Zeugma 5.", False),
        ("What was the revenue of Acme?", "Answer in millions.", False),
        ("What was the revenue?", "The revenue of Zeugma was 5.", False),
    ],
)
def test_a_memory_is_about_others_if_it_names_only_them(question: str, memory: str, other: bool) -> None:
    assert about_others(question, KNOWN)(memory) is other
