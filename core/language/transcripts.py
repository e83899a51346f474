"""Parses chat and meeting transcripts into utterances, in order (docs/specification.md, "Transcripts")."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

LEAST_TURNS = 4
LEAST_SHARE = 0.25
"""Minimum share of lines that start with a speaker's name; it is below 1, since an utterance may have several lines."""

_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_STAMP = rf"(?:\[{_TIME}\]|\({_TIME}\)|{_TIME})"
_NAME = r"[^\W\d_][\w.'’־-]*(?: [^\W\d_][\w.'’־-]*){0,3}"
_TURN = re.compile(rf"(?:{_STAMP}[ \t]*[-–]?[ \t]*)?\**(?P<name>{_NAME})\**(?: {_STAMP})?\**:\**[ \t]+(?P<text>\S.*)")
"""Matches ``Noa: …``, ``[10:32] Noa: …``, ``Noa (10:32): …``, ``**Noa:** …``"""
_VOICE = re.compile(r"<v(?:\.[\w.]+)?[ \t]+(?P<name>[^>]+)>(?P<text>.*)")
"""Matches a WebVTT voice span."""
_CUE = re.compile(rf"WEBVTT\b.*|NOTE\b.*|\d+|{_TIME} --> {_TIME}.*")
_CLOSED = re.compile(r"</?[a-z][^>]*>")


class Utterance(NamedTuple):
    """What one speaker says before another one speaks; ``text`` is on one line."""

    speaker: str
    text: str


def utterances_in(text: str) -> list[Utterance]:
    """Returns the utterances of a transcript; none if the text is not one. A form, for example, has a different label
    on every line, while a conversation has few speakers."""
    lines = [line for each in text.splitlines() if (line := each.strip()) and not _CUE.fullmatch(line)]
    utterances: list[Utterance] = []
    begun = 0
    for line in lines:
        turn = _VOICE.match(line) or _TURN.match(line)
        begun += bool(turn)
        speaker = turn["name"].strip() if turn else utterances[-1].speaker if utterances else ""
        words = _CLOSED.sub("", turn["text"] if turn else line).strip()
        if utterances and (turn is None or utterances[-1].speaker == speaker):
            utterances[-1] = Utterance(speaker, f"{utterances[-1].text} {words}".strip())
        elif turn:
            utterances.append(Utterance(speaker, words))
    speakers = Counter(each.speaker for each in utterances)
    several = 2 <= len(speakers) <= len(utterances) / 2
    return utterances if several and len(utterances) >= LEAST_TURNS and begun >= LEAST_SHARE * len(lines) else []
