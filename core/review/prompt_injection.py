"""Detects whether a model's answer was hijacked by a prompt injection in the text it read."""

from __future__ import annotations

import re
from typing import Literal

from core.language.normalisation import normalise
from core.language.sentences import split_sentences
from core.language.vocabulary import pattern_of, phrase_of
from core.messages import message, message_group
from core.words import Language

Sign = Literal["role", "tag", "payload", "short"]

SHORTEST = 15
SIGN_CHARACTERS = 80
"""Maximum characters of a text pattern that reveals a hijacked answer."""
REPLACEMENT = message("graph.prompt_injection.replacement")

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED = re.compile(r"\"[^\"\n]{1,400}\"|\u201c[^\u201d\n]{1,400}\u201d")
_QUOTED_LINE = re.compile(r"^[ \t]*>[^\n]*$", re.MULTILINE)
_ROLE = pattern_of("grounding/patterns.prompt_injection.role")
_TAG = re.compile(
    r"</?\s*(?:system|assistant|user|instructions?|tool_call|function_call)\s*>|<\|[a-z_]{2,20}\|>|\[/?INST\]|<</?SYS>>|"
    r"^\s{0,200}+(?:#{1,3}\s*+)?(?:system|developer) ?(?:prompt|message)?:\s",
    re.IGNORECASE | re.MULTILINE,
)
_PAYLOAD = re.compile(phrase_of("grounding/patterns.prompt_injection.payload"))
_SUSPICIOUS = pattern_of("grounding/patterns.prompt_injection.suspicious")

REASONS = message_group("graph.prompt_injection.reasons")
"""The reason that is shown for each kind of hijacking sign."""


def find_injection(answer: str) -> Sign | None:
    """Returns the first sign that a model's ``answer`` was hijacked; quotations from documents do not count."""
    # Normalising turns the marks around code into apostrophes.
    text = normalise_lines(_CODE.sub(" ", answer))
    if len(text.strip()) < SHORTEST and _SUSPICIOUS.search(text):
        return "short"
    own = _QUOTED.sub(" ", _QUOTED_LINE.sub(" ", text))
    if _TAG.search(own):
        return "tag"
    if _ROLE.search(own):
        return "role"
    sentences = split_sentences(own)
    return "payload" if sentences and _PAYLOAD.search(sentences[-1].text) else None


def is_injected(answer: str) -> bool:
    """Returns whether the model that wrote it was hijacked by the text it read."""
    return find_injection(answer) is not None


class StreamGuard:
    """Withholds a streamed answer from the point where it starts to look hijacked.

    An unclosed quotation can look like that; when it closes, the withheld text is released. :func:`safe_answer` judges
    what is still withheld at the end.
    """

    def __init__(self) -> None:
        self._text = ""
        self._given = 0
        self._holding = False

    def feed(self, piece: str) -> str:
        """Returns the text that may be shown after ``piece``."""
        self._text += piece
        self._holding = (self._holding or self._suspicious()) and self._taken_over()
        if self._holding:
            return ""
        new = self._text[self._given :]
        self._given = len(self._text)
        return new

    def _suspicious(self) -> bool:
        """Quickly checks only the new text and a little before it; most pieces need no more."""
        recent = normalise_lines(self._text[max(0, self._given - SIGN_CHARACTERS) :])
        return bool(_TAG.search(recent) or _ROLE.search(recent))

    def _taken_over(self) -> bool:
        return find_injection(self._text) in ("tag", "role")


def normalise_lines(text: str) -> str:
    """Unifies the spelling, so that wide letters and invisible characters hide nothing; keeps line breaks."""
    return "\n".join(normalise(line) for line in text.splitlines())


def safe_answer(answer: str, language: Language) -> tuple[str, Sign | None]:
    """Returns ``answer``, or a replacement text and the sign that was found."""
    found = find_injection(answer)
    return (REPLACEMENT.to(language), found) if found else (answer, None)
