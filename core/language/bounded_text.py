"""Limits a text for processing: normalises its spaces, and shortens repeated characters and very long words.

Ordinary text is not affected. In a text made to overload a parser, thousands of repeated characters are shortened, so
that no later step has to process them. The original text is stored and shown.
"""

from __future__ import annotations

import re

MOST_REPEATED = 200
"""Maximum number of repetitions of one character; ordinary lines of dashes and dot leaders in tables have fewer."""
LONGEST_WORD = 100
"""Maximum number of letters and digits without a break. A checksum or a key may be longer, but no rule needs its end.
"""
LONGEST_ADDRESS = 2_000

_LINE_END = re.compile(r"\r\n?")
_ZERO_WIDTH = re.compile("[\u200b\u2060\ufeff]+")
_OTHER_BLANK = re.compile(r"[^\S\n\t ]")
_REPEATED = re.compile(rf"(.)\1{{{MOST_REPEATED}}}(?:\1)*+", re.DOTALL)
_LONG = re.compile(
    rf"(?P<address>https?://\S{{1,{LONGEST_ADDRESS}}})\S*+|(?P<word>\w{{{LONGEST_WORD}}})\w++", re.IGNORECASE
)


def bounded(text: str) -> str:
    """Returns ``text`` with each Unicode space as a plain space, and with repeated characters and long words shortened.

    Line breaks, tabs and indentation are kept; the limit for a web address is higher than that for a word.
    """
    text = _LINE_END.sub("\n", text)
    text = _OTHER_BLANK.sub(" ", _ZERO_WIDTH.sub("", text))
    return _LONG.sub(_cut, _REPEATED.sub(_shortened, text))


def in_full(part: str, sent: str) -> str:
    """Returns ``part`` of a shortened text with its shortened words replaced by the original ones from ``sent``."""
    if bounded(part) != part or bounded(sent) == sent:
        return part
    for match in _LONG.finditer(sent):
        if _cut(match) != match.group():
            whole = rf"(?<!\w){re.escape(_cut(match))}(?!\w)"
            part = re.sub(whole, match.group().replace("\\", r"\\"), part)
    return part


def _shortened(match: re.Match[str]) -> str:
    return match.group(1) * MOST_REPEATED


def _cut(match: re.Match[str]) -> str:
    return match["word"] or match["address"]
