"""What a model is asked for contextual prefixes, and what of its answer can be used."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.language.sentences import split_sentences
from core.language.tokens import count_tokens
from core.models.structured import Prompt
from core.search.documents.context import without_markers
from core.store.items import MemoryItem

Suspicious = Callable[[str], bool]
"""A text → whether the model that wrote it was taken over by what it read."""

MARGIN = 0.05
"""Share of the window that stays free: other models count their tokens in another way."""
AROUND_PASSAGE = 16
"""Tokens of a passage's number and of what JSON puts around its context."""
CHARACTERS_A_TOKEN = 3.0
"""Of a context: English has more of them to a token, Hebrew fewer."""
MOST_TITLE, MOST_OUTLINE, MOST_OPENING, MOST_PATH = 200, 1_500, 1_500, 200
SENTENCES = 3
LEAST_CHARACTERS = 10
"""A context shorter than this says nothing."""
FAR_TOO_LONG = 4
"""Times the limit beyond which an answer has missed the task, and is not cut but left out."""

_ENTRY = re.compile(r'"\s*\[?(\d{1,5})\]?\s*"\s*:\s*("(?:[^"\\]|\\.)*")', re.DOTALL)
_LINK = re.compile(r"!?\[([^\]\n]{0,1000})\]\([^)\n]{0,1000}\)")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
_TAG = re.compile(r"<[^<>]{0,200}>")
_MARKUP = re.compile(r"[*`#~|<>{}\\]+|(?<!\w)_+|(?<!_)_++(?!\w)|^\s{0,200}+[-•]\s+", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True)
class DocumentOutline:
    """What a model is told of the whole document. ``outline`` are the titles of sections, indented by level."""

    title: str
    outline: Sequence[str] = ()
    opening: str = ""

    def lines(self, *, opening: bool) -> list[str]:
        outline = "\n".join(self.outline)[:MOST_OUTLINE]
        parts = [f"Title: {without_markers(self.title[:MOST_TITLE])}"]
        parts += [f"Sections:\n{without_markers(outline)}"] if outline else []
        parts += [f"It begins:\n{without_markers(self.opening[:MOST_OPENING])}"] if opening and self.opening else []
        return parts


def prompt_of(rules: str, about: DocumentOutline, items: Sequence[MemoryItem]) -> Prompt:
    """``items`` numbered from 1; how the document begins is told unless its first passage is among them."""
    parts = about.lines(opening=all(item.place.order for item in items))
    parts += [f"[{number}] {passage_with_path(item)}" for number, item in enumerate(items, 1)]
    return Prompt(rules, "BEGIN DOCUMENT\n" + "\n\n".join(parts) + "\nEND DOCUMENT")


def passage_with_path(item: MemoryItem) -> str:
    """Its text behind the headings that it stands under, without marks that a prompt means something by."""
    book = item.source.book
    path = " > ".join(book.path if book else [])[:MOST_PATH]
    text = without_markers(item.text)
    return f"({without_markers(path)})\n{text}" if path else text


def batch(
    items: Sequence[MemoryItem], rules: str, about: DocumentOutline, window: int, characters: int
) -> list[MemoryItem]:
    """As many of ``items``, from the first, as a window of ``window`` tokens holds together with what is answered."""
    answer = AROUND_PASSAGE + int(characters / CHARACTERS_A_TOKEN)
    room = window * (1 - MARGIN) - count_tokens(rules) - count_tokens("\n\n".join(about.lines(opening=True)))
    taken: list[MemoryItem] = []
    for item in items:
        room -= count_tokens(passage_with_path(item)) + AROUND_PASSAGE + answer
        if room < 0:
            break
        taken.append(item)
    return taken


def contexts_in(answer: str, count: int, characters: int, suspicious: Suspicious) -> dict[int, str]:
    """Place (from 0) of a passage → its context: what of ``answer`` can be used.

    Entries are looked for one by one, so what came of an answer that broke off counts too; numbers that no passage has,
    and contexts that are none, are left out.
    """
    found: dict[int, str] = {}
    for number, quoted in _ENTRY.findall(answer):
        place = int(number) - 1
        if not 0 <= place < count or place in found:
            continue
        context = plain(_unquoted(quoted), characters, suspicious)
        if context:
            found[place] = context
    return found


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return ""


def plain(text: str, characters: int, suspicious: Suspicious) -> str:
    """``text`` as one line of at most ``characters`` without markup; "" when it is not a context at all."""
    if len(text) > FAR_TOO_LONG * characters or suspicious(text):
        return ""
    bare = _ADDRESS.sub(" ", _LINK.sub(r"\1", _CONTROL.sub("", text)))
    line = " ".join(_MARKUP.sub(" ", _TAG.sub(" ", bare)).split())
    kept = " ".join(sentence.text.strip() for sentence in split_sentences(line)[:SENTENCES])
    if len(kept) > characters:
        kept = kept[: characters + 1].rpartition(" ")[0][:characters].rstrip(" ,;:–-")
    words = sum(character.isalpha() for character in kept)
    # What is taken over may only show once the marks that hid it are gone.
    return kept if words >= LEAST_CHARACTERS and not suspicious(kept) else ""
