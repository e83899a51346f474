from __future__ import annotations

import pytest

from core.language.detection import detect, document_language, hebrew_share


@pytest.mark.parametrize(
    ("text", "language", "document"),
    [
        ("", "en", "en"),
        ("12 345 !?", "en", "en"),
        ("What is the budget?", "en", "en"),
        ("מה התקציב?", "he", "he"),
        ("מה עושה Kubernetes?", "he", "mixed"),
        ("שָׁלוֹם עוֹלָם", "he", "he"),
        ("The Hebrew word for peace, a greeting as well, is שלום", "en", "en"),
        ("Wann endet der Vertrag mit der Firma Keller?", "en", "de"),
        ("公司共有员工312人。", "en", "zh"),
        ("한국어 문서입니다", "en", "other"),
        ("English words here and כמה מילים בעברית", "he", "mixed"),
    ],
)
def test_language(text: str, language: str, document: str) -> None:
    assert detect(text) == language
    assert document_language(text) == document


def test_share_counts_letters_only() -> None:
    assert hebrew_share("אב ab 12 ...") == 0.5
    assert detect("a" * 9 + "א") == "en"
    assert detect("a" * 8 + "א") == "he"
