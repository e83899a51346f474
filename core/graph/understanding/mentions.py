"""Parses ``@`` mentions of documents, document sets and actions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import get_args

from core.events import Action
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of, words_of
from core.library.extract.sniff import readable_extensions

MARK = "¤"
"""Marks the position of a mention that was removed from a text."""

ACTION_TAGS: dict[str, Action] = {
    word: action for action in get_args(Action) for word in words_of(f"graph/understanding.mentions.actions.{action}")
}
"""Tags that select an action, after ``@`` or ``/``."""
WEB_TAGS = frozenset(words_of("graph/understanding.mentions.web"))

_MENTION = re.compile(phrase_of("graph/understanding.mentions.mention"))
_REST = 400
"""Number of characters after a mention that may still be part of its name."""
_AROUND = ".,;:!?'…"
_BLANKS = re.compile(r"[ \t]+")
_FILE = re.compile(rf"(?<=[\w)\]])\.(?:{'|'.join(readable_extensions())})(?!\w|\.\w)", re.IGNORECASE)
_HASH = re.compile(r"(?<!\S)#(?=[^\W\d])")


@dataclass(frozen=True)
class Mention:
    """A mention of a document or document set; ``name`` as it is written; ``document_id`` if the mention contains an
    id.

    ``bare``: written without quotation marks, so the name may continue in ``rest``, the text after it in the same line.
    ``of_set``: a document set is meant.
    """

    name: str
    start: int
    end: int
    document_id: str | None = None
    bare: bool = False
    rest: str = ""
    of_set: bool = False


@dataclass(frozen=True)
class Tags:
    """Tags of a message; ``actions`` in order without duplicates."""

    actions: tuple[Action, ...]
    web: bool


def mentions(message: str) -> list[Mention]:
    """Returns the mentioned documents and document sets, in order."""
    return [each for each in _all(message) if not _is_tag(each)]


def tags(message: str) -> Tags:
    """Returns the tagged actions and the web search tag."""
    names = [fold(each.name) for each in _all(message) if _is_tag(each)]
    actions = dict.fromkeys(ACTION_TAGS[name] for name in names if name in ACTION_TAGS)
    return Tags(tuple(actions), any(name in WEB_TAGS for name in names))


def without_mentions(message: str, mark: str = "") -> str:
    """Returns ``message`` with ``mark`` in place of every mentioned document or document set, and without its tags."""
    parts, place = [], 0
    for each in _all(message):
        parts += [message[place : each.start], "" if _is_tag(each) else mark]
        place = each.end
    return _BLANKS.sub(" ", "".join([*parts, message[place:]])).strip()


def readable(message: str) -> str:
    """Returns ``message`` as a title prints it: names in place of mentions, without tags, hash signs and file
    extensions; the message itself if nothing would be left."""
    parts, place = [], 0
    for each in _all(message):
        parts += [message[place : each.start], "" if _is_tag(each) else each.name]
        place = each.end
    words = "".join([*parts, message[place:]]).split()
    plain = " ".join(word if "://" in word else _HASH.sub("", _FILE.sub("", word)) for word in words)
    return plain.strip(" ,;:") or message


def _is_tag(mention: Mention) -> bool:
    return mention.bare and (fold(mention.name) in ACTION_TAGS or fold(mention.name) in WEB_TAGS)


def _all(message: str) -> list[Mention]:
    found = []
    for match in _MENTION.finditer(message):
        if match["bare"] is None:
            name = (match["title"] or match["quoted"]).strip()
            found.append(Mention(name, match.start(), match.end(), match["id"], of_set=bool(match["set"])))
            continue
        name = match["bare"].rstrip(_AROUND)
        if name:
            end = match.start("bare") + len(name)
            rest = message[end : end + _REST].split("\n", 1)[0]
            found.append(Mention(name, match.start(), end, bare=True, rest=rest))
    return found
