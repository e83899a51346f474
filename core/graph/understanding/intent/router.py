"""Handles messages that need no classification: memory commands, slash commands, several questions in one message."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import get_args

from core.events import Action
from core.graph.records import Command, CommandKind
from core.graph.understanding.mentions import ACTION_TAGS, WEB_TAGS, tags
from core.language.normalisation import fold, normalise, strip_nikud
from core.language.vocabulary import phrases, words_of
from core.memory.profile.statements import personal_statements

_phrase = phrases("graph/understanding.router")

MOST_PARTS = 12
MOST_WORDS = 60
"""Maximum words of one question in a message that asks several; a longer part is not a question."""

_SLASH = re.compile(r"/([\w-]+)(?:\s+|$)(.*)", re.DOTALL)
_SLASHED: dict[str, CommandKind] = {
    word: kind for kind in get_args(CommandKind) for word in words_of(f"graph/understanding.router.slash.{kind}")
}
_LISTING = frozenset({"list_goals", "list_values", "help"})

_LEAD = r"^(?:please,? |can you |could you |hey,? |hi,? )*"
_HEBREW_LEAD = _phrase("lead")
_KIND = r"(?P<aim>goal|value)"
_HEBREW_KIND = _phrase("kind")
_COMMANDS: list[tuple[str, re.Pattern[str]]] = [
    (verb, re.compile(lead + words + "$", re.IGNORECASE | re.DOTALL))
    for verb, lead, words in (
        (
            "add",
            _LEAD,
            rf"(?:add|set|create|save) (?:a |an |my |this )?(?:new )?{_KIND}\s*(?:[:–-]\s*|of |to )?(?P<text>.+)",
        ),
        ("add", _LEAD, rf"(?:my )?new {_KIND}\s*[:–-]\s*(?P<text>.+)"),
        (
            "remove",
            _LEAD,
            rf"(?:remove|delete|drop|cancel) (?:my |the |this )?{_KIND}\s*(?:[:–-]\s*|of |to )?(?P<text>.+)",
        ),
        ("list", _LEAD, rf"(?:list|show|display|see|view)(?: me)? (?:all )?(?:my |the )?{_KIND}s[.!]?"),
        ("list", _LEAD, rf"(?:what are|what're|which are|show me|list|tell me) (?:all )?my {_KIND}s\s*[?.!]?"),
        (
            "remember",
            _LEAD,
            r"(?:remember|keep in mind|bear in mind|memori[sz]e|make a note)(?: please)?(?: this| it)?"
            r"\s*(?:that |[:,–-]\s*|to )?(?P<text>(?!when\b|how\b|what\b|where\b|who\b|which\b|if\b).+)",
        ),
        ("recall", _LEAD, r"what do you (?:know|remember|keep) (?:about|of) me\s*[?.!]*"),
        (
            "forget",
            _LEAD,
            r"(?:forget|don't remember|do not remember) (?:that |about |what i (?:said|told you) about |"
            r"everything about |(?=(?:my|our|where i|who i|how i)\b))(?P<text>.+)",
        ),
        ("forget", _LEAD, r"(?:delete|erase|remove|forget) what you (?:know|remember) about (?P<text>.+)"),
        ("forget", _LEAD, r"(?:delete|erase|remove) (?P<text>.+?) from (?:your |the )?memory\b.*"),
        (
            "correct",
            r"^(?:no|nope|actually|correction|sorry|that's wrong|wrong)\b[,:.!-]*\s+",
            r"(?P<text>(?:my|our|i|i'm|we|we're)\b.+?)(?P<wrong>,? (?:and |but )?not (?:[^,.]|[.,](?=\d))+)?[.!]*",
        ),
        ("add", _HEBREW_LEAD, f"{_phrase('add')}{_HEBREW_KIND}{_phrase('added')}"),
        ("add", _HEBREW_LEAD, f"{_HEBREW_KIND}{_phrase('new')}"),
        ("remove", _HEBREW_LEAD, f"{_phrase('remove')}{_HEBREW_KIND}{_phrase('removed')}"),
        ("list", _HEBREW_LEAD, f"{_phrase('list')}{_phrase('listed')}"),
        ("remember", _HEBREW_LEAD, f"{_phrase('remember')}{_phrase('remembered')}"),
        ("recall", _HEBREW_LEAD, _phrase("recall")),
        ("forget", _HEBREW_LEAD, _phrase("forget_of_memory")),
        ("forget", _HEBREW_LEAD, _phrase("forget")),
        ("correct", _HEBREW_LEAD, _phrase("correct")),
    )
]
_OWN = re.compile(rf"(?:my|our)\b|{_phrase('own')}", re.IGNORECASE)
_GOALS = frozenset(words_of("graph/understanding.router.goals"))
_NUMBER = re.compile(r"(?:(?<=\s)|^)\(?(\d{1,2})[.)]\s+(?=\S)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^'\n]{12,}'|\([^)]{0,1000}\)")


@dataclass(frozen=True)
class RoutedMessage:
    """A message without its tags and commands; ``text`` is what remains to be classified; ``actions`` were selected by
    tag, in order."""

    text: str
    actions: tuple[Action, ...] = ()
    web: bool = False
    command: Command | None = None


@dataclass(frozen=True)
class QuestionParts:
    """The questions of a message that asks several, and the text before them."""

    lead: str
    parts: list[str]


def route(message: str) -> RoutedMessage:
    """Removes tags and commands from ``message``."""
    text = message.strip()
    slash = _SLASH.fullmatch(text)
    if slash:
        name, rest = fold(slash[1]).replace("-", "_"), slash[2].strip()
        if name in _SLASHED and (rest or _SLASHED[name] in _LISTING):
            kind = _SLASHED[name]
            return RoutedMessage(rest, command=Command(kind=kind, text="" if kind in _LISTING else rest))
        if name in ACTION_TAGS:
            return RoutedMessage(rest, (ACTION_TAGS[name],), tags(rest).web)
        if name in WEB_TAGS:
            return RoutedMessage(rest, tags(rest).actions, True)
        return RoutedMessage(text)
    tagged = tags(text)
    left = _untagged(text) if tagged.actions or tagged.web else text
    return RoutedMessage(left, tagged.actions, tagged.web, command_in(text))


def command_in(message: str) -> Command | None:
    """Returns the memory command that ``message`` expresses in plain words; questions are not commands."""
    text = strip_nikud(normalise(message))
    for verb, words in _COMMANDS:
        match = words.match(text)
        if match:
            groups = match.groupdict()
            aim = "goal" if (groups.get("aim") or "").lower() in _GOALS else "value"
            content = (groups.get("text") or "").strip()
            kind = {"list": f"list_{aim}s", "add": f"add_{aim}", "remove": f"remove_{aim}"}.get(verb, verb)
            if verb in ("remember", "forget", "correct") and content.endswith("?"):
                return None
            if verb == "correct" and not (
                personal_statements(content) or (groups.get("wrong") and _OWN.match(content))
            ):
                continue
            return Command.model_validate({"kind": kind, "text": content})
    return None


def split_parts(message: str) -> QuestionParts:
    """Splits ``message`` into questions: the points of a numbered list, or parts separated by ``;``. Returns no parts
    if it contains only one question."""
    numbered = _numbered(message)
    if numbered:
        return numbered
    quoted = [match.span() for match in _QUOTED.finditer(message)]
    cuts = [
        match.start()
        for match in re.finditer(r";(?=\s)", message)
        if not any(start <= match.start() < end for start, end in quoted)
    ]
    pieces = [message[start:end].strip(" ;\n") for start, end in zip([0, *cuts], [*cuts, len(message)], strict=True)]
    return QuestionParts("", pieces) if len(pieces) > 1 and _are_parts(pieces) else QuestionParts("", [])


def _numbered(message: str) -> QuestionParts | None:
    points: list[re.Match[str]] = []
    for match in _NUMBER.finditer(message):
        if int(match[1]) == len(points) + 1:
            points.append(match)
    if len(points) < 2:
        return None
    ends = [*(point.start() for point in points[1:]), len(message)]
    pieces = [message[point.end() : end].strip() for point, end in zip(points, ends, strict=True)]
    return QuestionParts(message[: points[0].start()].strip(), pieces) if _are_parts(pieces) else None


def _are_parts(pieces: list[str]) -> bool:
    return len(pieces) <= MOST_PARTS and all(1 < len(piece.split()) <= MOST_WORDS for piece in pieces)


def _untagged(text: str) -> str:
    """Returns ``text`` without its tags, but with its document mentions."""
    kept = re.sub(r"(?<!\w)@(\w+)\b", lambda tag: "" if fold(tag[1]) in _TAGS else tag[0], text)
    return " ".join(kept.split(" ")).strip()


_TAGS = frozenset({*ACTION_TAGS, *WEB_TAGS})
