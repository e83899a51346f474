"""Which actions a message asks for by its words, in English and Hebrew [spec A3]."""

from __future__ import annotations

import re

from core.events import Action
from core.language.normalisation import normalise

_WORDS: dict[Action, re.Pattern[str]] = {
    "summarize": re.compile(
        r"\bsummari[sz]e\b|\b(?:give|write|make|prepare)(?: me| us)? an? (?:short |brief )?summary\b|\btl;?dr\b|"
        r"(?<![א-ת])ו?(?:סכמו|סכם|סכמי|לסכם|תסכם|תסכמי|תסכמו|תמצתו?|לתמצת)(?![א-ת])|"
        r"(?<![א-ת])(?:תנו?|כתבו?|הכינו?) (?:לי )?(?:סיכום|תקציר)",
        re.IGNORECASE,
    ),
    "compare": re.compile(
        r"\bcompare\b|\b(?:make|write|prepare)(?: me| us)? a comparison\b|"
        r"(?<![א-ת])ו?(?:השוו|השווה|השווי|להשוות|תשוו|תשווה|תשווי)(?![א-ת])|(?<![א-ת])(?:ערכו?|הכינו?) (?:לי )?השוואה",
        re.IGNORECASE,
    ),
    "audit": re.compile(
        r"\baudit\b|\b(?:check|hold|test|review)\b.{0,60}\b(?:against|complies with|comply with)\b|"
        r"(?<![א-ת])ו?(?:בדקו?|בדקי|לבדוק|תבדקו?|תבדקי)(?![א-ת]).{0,60}"
        r"(?<![א-ת])(?:מול|אם .{0,30}(?:תואמ?ת?|עומדת?)|התאמה)",
        re.IGNORECASE,
    ),
}
_ABOUT = re.compile(
    r"\bsummari[sz]e\b.{0,80}\b(?:about|regarding|concerning)\b|(?:סכמ?ו?|לסכם|סיכום).{0,80}\b(?:על|בנושא|בנוגע)\b",
    re.IGNORECASE,
)
_TALK = re.compile(r"\b(?:how|why|when|who|where|does|did|is|was|were|what)\b.{0,40}$", re.IGNORECASE)


def asked_actions(message: str) -> list[Action]:
    """In the order of their words. A summary *about* something is a question, and so is talk about an audit."""
    text = normalise(message)
    found: dict[Action, int] = {}
    for action, words in _WORDS.items():
        match = words.search(text)
        if match and not _TALK.search(text[: match.start()]):
            found[action] = match.start()
    if "summarize" in found and _ABOUT.search(text):
        del found["summarize"]
    return sorted(found, key=lambda action: found[action])
