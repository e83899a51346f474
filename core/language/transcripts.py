"""Transcripts of chats and meetings: *text whose lines begin with who speaks* → what each said, in order
(docs/specification.md, "Transcripts")."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

LEAST_TURNS = 4
LEAST_SHARE = 0.25
"""Of the lines, those that begin with a speaker: one may speak for several lines."""

_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_STAMP = rf"(?:\[{_TIME}\]|\({_TIME}\)|{_TIME})"
_NAME = r"[^\W\d_][\w.'’־-]*(?: [^\W\d_][\w.'’־-]*){0,3}"
_TURN = re.compile(rf"(?:{_STAMP}[ \t]*[-–]?[ \t]*)?\**(?P<name>{_NAME})\**(?: {_STAMP})?\**:\**[ \t]+(?P<text>\S.*)")
"""``Noa: …``, ``[10:32] Noa: …``, ``Noa (10:32): …``, ``**Noa:** …``"""
_VOICE = re.compile(r"<v(?:\.[\w.]+)?[ \t]+(?P<name>[^>]+)>(?P<text>.*)")
"""A WebVTT voice span."""
_CUE = re.compile(rf"WEBVTT\b.*|NOTE\b.*|\d+|{_TIME} --> {_TIME}.*")
_CLOSED = re.compile(r"</?[a-z][^>]*>")


class Utterance(NamedTuple):
    """What one person said before another spoke; ``text`` is on one line."""

    speaker: str
    text: str


def utterances_in(text: str) -> list[Utterance]:
    """Empty when the text is no transcript: a form has as many labels as lines, a conversation few speakers."""
    lines = [line for each in text.splitlines() if (line := each.strip()) and not _CUE.fullmatch(line)]
    said: list[Utterance] = []
    begun = 0
    for line in lines:
        turn = _VOICE.match(line) or _TURN.match(line)
        begun += bool(turn)
        speaker = turn["name"].strip() if turn else said[-1].speaker if said else ""
        words = _CLOSED.sub("", turn["text"] if turn else line).strip()
        if said and (turn is None or said[-1].speaker == speaker):
            said[-1] = Utterance(speaker, f"{said[-1].text} {words}".strip())
        elif turn:
            said.append(Utterance(speaker, words))
    speakers = Counter(each.speaker for each in said)
    several = 2 <= len(speakers) <= len(said) / 2
    return said if several and len(said) >= LEAST_TURNS and begun >= LEAST_SHARE * len(lines) else []
