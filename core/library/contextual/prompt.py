"""Writes the prompt for contextual prefixes, and extracts the usable contexts from the answer."""

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
"""Maps a text to whether it was written by a model that followed instructions in what it read."""

MARGIN = 0.05
"""Share of the context window that stays free, because other models count tokens differently."""
AROUND_PASSAGE = 16
"""Tokens for a passage's number and for the JSON around its context."""
CHARACTERS_A_TOKEN = 3.0
"""Characters per token of a context: English has more, Hebrew fewer."""
MOST_TITLE, MOST_OUTLINE, MOST_OPENING, MOST_PATH = 200, 1_500, 1_500, 200
SENTENCES = 3
LEAST_CHARACTERS = 10
"""A context with fewer characters than this is useless."""
FAR_TOO_LONG = 4
"""A context longer than this many times the limit is off the task, and is left out, not cut."""

_ENTRY = re.compile(r'"\s*\[?(\d{1,5})\]?\s*"\s*:\s*("(?:[^"\\]|\\.)*")', re.DOTALL)
_LINK = re.compile(r"!?\[([^\]\n]{0,1000})\]\([^)\n]{0,1000}\)")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
_TAG = re.compile(r"<[^<>]{0,200}>")
_MARKUP = re.compile(r"[*`#~|<>{}\\]+|(?<!\w)_+|(?<!_)_++(?!\w)|^\s{0,200}+[-•]\s+", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True)
class DocumentOutline:
    """The model's view of the whole document. ``outline`` lists the section titles, indented by level."""

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
    """The prompt for ``items``, numbered from 1; it includes the beginning of the document unless the first passage is
    among them."""
    parts = about.lines(opening=all(item.place.order for item in items))
    parts += [f"[{number}] {passage_with_path(item)}" for number, item in enumerate(items, 1)]
    return Prompt(rules, "BEGIN DOCUMENT\n" + "\n\n".join(parts) + "\nEND DOCUMENT")


def passage_with_path(item: MemoryItem) -> str:
    """The passage's text after its section headings, without characters that have a meaning in the prompt."""
    book = item.source.book
    path = " > ".join(book.path if book else [])[:MOST_PATH]
    text = without_markers(item.text)
    return f"({without_markers(path)})\n{text}" if path else text


def batch(
    items: Sequence[MemoryItem], rules: str, about: DocumentOutline, window: int, characters: int
) -> list[MemoryItem]:
    """As many of the first ``items`` as fit into a window of ``window`` tokens together with the answer."""
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
    """Passage position (from 0) → its context, from the usable parts of ``answer``.

    Entries are parsed one by one, so a cut-off answer is used too. Numbers without a passage and unusable contexts are
    left out.
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
    """``text`` as one line of at most ``characters`` without markup; "" if it is not a context."""
    if len(text) > FAR_TOO_LONG * characters or suspicious(text):
        return ""
    bare = _ADDRESS.sub(" ", _LINK.sub(r"\1", _CONTROL.sub("", text)))
    line = " ".join(_MARKUP.sub(" ", _TAG.sub(" ", bare)).split())
    kept = " ".join(sentence.text.strip() for sentence in split_sentences(line)[:SENTENCES])
    if len(kept) > characters:
        kept = kept[: characters + 1].rpartition(" ")[0][:characters].rstrip(" ,;:–-")
    words = sum(character.isalpha() for character in kept)
    # Injected instructions may only be visible after the markup that hid them is removed.
    return kept if words >= LEAST_CHARACTERS and not suspicious(kept) else ""
