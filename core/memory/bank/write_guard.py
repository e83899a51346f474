"""Checks what may be stored in the memory bank: lasting facts with tags, never raw conversation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import TypedDict

from core.errors import PalimpsestError, fail
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.vocabulary import phrases
from core.memory.items.records import BANK_TAGS, BankTag, NewMemory
from core.memory.outcomes.scoring import quality
from core.store.items import Kind

_phrase = phrases("memory/bank.write_guard")

LONGEST = 2_000
"""Maximum number of characters in an entry: enough for a fact and its circumstances, not for a document."""
TITLE = 120
"""Maximum number of characters in a title."""
DEFAULT_IMPORTANCE = 0.7
DEFAULT_CONFIDENCE = 0.7

_MARKS = r"[\s>*_#\-\[(\"']{0,100}+"
_TIME = r"\[?\(?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+)?\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?\)?\]?\s*[-–]?\s*"
_LINE_LABEL = re.compile(
    rf"^{_MARKS}(?P<time>{_TIME})?{_MARKS}(?P<label>[^\W\d_][\w .'\"-]{{0,24}}?)[*_\s\])]{{0,100}}+:(?!//)", re.M
)
_ROLE = re.compile(
    rf"(?:^|[\n.!?,;…|/]){_MARKS}(?:(?P<asking>{_phrase('asking')})|(?P<answering>{_phrase('answering')}))[*_\s\])]{{0,100}}+:|"
    rf"\b(?:{_phrase('asking_inline')}|{_phrase('answering_inline')})\s?:",
    re.I,
)
_MARKUP = re.compile(r"<\|?(?:im_start|im_end|user|assistant|system|eot_id)\|?>|\[/?INST\]|[\"']role[\"']\s*:", re.I)

_TAGS: tuple[BankTag, ...] = (
    "agent_growth", "goal", "preference", "workflow", "system_mastery", "project", "identity",
)  # fmt: skip
_TAG_RULES = {tag: re.compile(_phrase(f"tags.{tag}")) for tag in _TAGS}
"""Patterns that suggest a tag. They are matched against the folded text; the first match decides."""


class Given(TypedDict, total=False):
    """Optional values that a caller can give for an entry; see :func:`bank_entry`."""

    tags: Sequence[str]
    importance: float | None
    confidence: float | None
    always_inject: bool
    conversation_id: str | None


def clean(text: str) -> str:
    """``text`` without control and invisible formatting characters, and without surrounding white space."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    kept = "".join(each for each in lines if each == "\n" or unicodedata.category(each) not in ("Cc", "Cf", "Cs", "Co"))
    return "\n".join(line.rstrip() for line in kept.split("\n")).strip()


@lru_cache(maxsize=8192)
def normalised_entry(text: str) -> str:
    """The entry's normalised form; two entries with the same form count as the same text."""
    return fold(text).strip(" .!,;:-")


def title_of(text: str) -> str:
    """The first sentence of the first line, cut between words when it is long."""
    line = text.strip().partition("\n")[0]
    sentences = split_sentences(line)
    first = " ".join((sentences[0].text if sentences else line).split())
    if len(first) <= TITLE:
        return first
    head = first[: TITLE - 1]
    return f"{head.rsplit(' ', 1)[0] if ' ' in head else head}…"


def is_raw_exchange(text: str) -> bool:
    """Whether ``text`` is a piece of conversation and not a fact."""
    if _MARKUP.search(text):
        return True
    roles = ["asking" if match["asking"] or match["asking_inline"] else "answering" for match in _ROLE.finditer(text)]
    if len(set(roles)) == 2 or len(roles) > 2 or (roles and "?" in text):
        return True
    labels = list(_LINE_LABEL.finditer(text))
    timed = sum(match["time"] is not None for match in labels)
    names = [fold(match["label"]) for match in labels]
    return timed > 1 or (len(names) > 2 and len(set(names)) < len(names) and len(set(names)) > 1)


def validated_memory(new: NewMemory) -> NewMemory:
    """Return ``new`` cleaned and with its quality calculated, ready to be stored.

    Raises:
        PalimpsestError: it may not be stored ("validation"); the message gives the reason and a remedy.
    """
    text = clean(new.text)
    summary = clean(new.summary) if new.summary else None
    if new.tier != "memory_bank":
        raise fail("validation", "memory.write_guard.other_tier")
    check_text(text)
    if new.kind == "exchange" or new.question is not None or new.answer is not None:
        raise _raw()
    if new.quality is None:
        raise fail("validation", "memory.write_guard.no_quality")
    if not summary and len(text.split("\n", 1)[0]) > TITLE:
        raise fail("validation", "memory.write_guard.no_title", most=TITLE)
    measured = quality(new.quality.importance, new.quality.confidence, max(1, new.quality.mentioned_count))
    titled = {"text": text, "summary": summary or title_of(text)}
    return new.model_copy(update={**titled, "tags": list(check_tags(new.tags)), "quality": measured})


def check_text(text: str) -> None:
    """Raises ``PalimpsestError`` ("validation") when a cleaned text is empty, too long or raw conversation."""
    if not re.search(r"\w", text):
        raise fail("validation", "memory.write_guard.empty")
    if len(text) > LONGEST:
        raise fail("validation", "memory.write_guard.too_long", count=len(text), most=LONGEST)
    if is_raw_exchange(text):
        raise _raw()


def check_tags(tags: Sequence[str]) -> list[BankTag]:
    """The tags without duplicates. Raises ``PalimpsestError`` ("validation") if there are none, or one is unknown."""
    allowed = ", ".join(BANK_TAGS)
    given = list(dict.fromkeys(tag.strip().lower() for tag in tags))
    known: list[BankTag] = [tag for tag in BANK_TAGS if tag in given]
    unknown = [tag for tag in given if tag not in BANK_TAGS]
    if unknown:
        raise fail("validation", "memory.write_guard.unknown_tag", unknown=", ".join(unknown), allowed=allowed)
    if not known:
        raise fail("validation", "memory.write_guard.no_tag", allowed=allowed)
    return sorted(known, key=given.index)


def bank_entry(
    content: str,
    *,
    tags: Sequence[str] = (),
    importance: float | None = None,
    confidence: float | None = None,
    summary: str | None = None,
    always_inject: bool = False,
    conversation_id: str | None = None,
    message_id: str | None = None,
    kind: Kind = "fact",
) -> NewMemory:
    """Create an entry and fill in the values that the caller did not give; the bank validates it later."""
    text = clean(content)
    return NewMemory(
        tier="memory_bank",
        kind=kind,
        text=text,
        summary=summary or title_of(text) or None,
        tags=list(tags) or [tag_of(text)],
        quality=quality(
            DEFAULT_IMPORTANCE if importance is None else importance,
            DEFAULT_CONFIDENCE if confidence is None else confidence,
        ),
        always_inject=always_inject,
        conversation_id=conversation_id,
        message_id=message_id,
    )


def tag_of(text: str) -> BankTag:
    """The tag that the words of ``text`` suggest; ``context`` if no pattern matches."""
    folded = fold(text)
    return next((tag for tag, pattern in _TAG_RULES.items() if pattern.search(folded)), "context")


def _raw() -> PalimpsestError:
    return fail("validation", "memory.write_guard.raw_exchange")
