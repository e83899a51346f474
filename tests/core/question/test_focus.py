import pytest

from core.question.focus import focus_of


@pytest.mark.parametrize(
    ("question", "asked", "framing"),
    [
        ("What is the rent?", "What is the rent?", ""),
        ("rent of the flat", "rent of the flat", ""),
        (
            "Assume you are an auditor. What is the rent? Answer in euros.",
            "What is the rent?",
            "Assume you are an auditor. Answer in euros.",
        ),
        (
            "What is the cover ratio? It is defined as: profit / interest.",
            "What is the cover ratio? It is defined as: profit / interest.",
            "",
        ),
        (
            "Is the margin rising? If it does not apply, then say so.",
            "Is the margin rising?",
            "If it does not apply, then say so.",
        ),
        ("What share of U.S. obligations is due? Be brief.", "What share of U.S. obligations is due?", "Be brief."),
        ("אני מבקרת. מהו שכר הדירה?", "מהו שכר הדירה?", "אני מבקרת."),
        ("Rent of the flat. Really?", "Rent of the flat. Really?", ""),
    ],
)
def test_what_is_asked_is_told_from_how_it_is_to_be_answered(question: str, asked: str, framing: str) -> None:
    assert focus_of(question) == (asked, framing)
