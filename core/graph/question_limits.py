"""What a question must be before a run starts."""

from __future__ import annotations

import re

from core.errors import fail

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


def readable(text: str) -> tuple[str, int]:
    """The text without invisible control characters, and how many there were."""
    cleaned, removed = _CONTROL.subn("", text)
    return cleaned.strip(), removed


def clean_question(text: str, most_characters: int) -> tuple[str, int]:
    """The question without control characters, and how many there were.

    Raises:
        PalimpsestError: nothing is left, or it is longer than ``most_characters``.
    """
    cleaned, removed = readable(text)
    if not cleaned:
        raise fail(
            "validation",
            ("There is no question.", "אין כאן שאלה."),
            ("The text is empty, or holds nothing that can be read.", "הטקסט ריק, או שאין בו דבר שניתן לקרוא."),
            ("Type a question and send it again.", "הקלידו שאלה ושלחו שוב."),
        )
    if len(cleaned) > most_characters:
        raise fail(
            "validation",
            ("The question is too long.", "השאלה ארוכה מדי."),
            (
                f"It has {len(cleaned):,} characters; the limit is {most_characters:,}.",
                f"יש בה {len(cleaned):,} תווים; המגבלה היא {most_characters:,}.",
            ),
            (
                "Put long material into the Library as a document and ask about it. Your text is still in the box.",
                "העלו חומר ארוך לספרייה כמסמך ושאלו עליו. הטקסט שלכם נשאר בתיבה.",
            ),
        )
    return cleaned, removed
