"""Lists hostile questions: long texts for which a careless regular expression takes a very long time."""

from __future__ import annotations

from collections.abc import Mapping

LENGTH = 8_000
"""Length of a question in characters: the maximum that is accepted."""

_BLANKS = "\u0009\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

_REPEATED: Mapping[str, str] = {
    "no-break spaces": "\u00a0",
    "every blank": _BLANKS,
    "line separators": "\u2028",
    "line breaks": "\n",
    "one digit": "7",
    "one letter": "a",
    "one Hebrew letter": "\u05d0",
    "Hebrew points": "\u05d1\u05b8",
    "combining marks": "e\u0301\u0323",
    "zero width": "a\u200b\u200d",
    "direction marks": "\u202e\u05d0\u202c",
    "one quote": '"',
    "one apostrophe": "'",
    "emoji": "\U0001f600",
    "brackets": "(",
    "nested brackets": "([{",
    "dashes": "-",
    "dots": ".",
    "commas": ",",
    "slashes": "/",
    "hashes": "#",
    "stars": "*",
    "underscores": "_",
    "currency signs": "$",
    "pipes": "| a ",
    "two periods": "compare 2023 and 2024 ",
    "dates": "12 March 2024, ",
    "amounts": "$1,234.56 million ",
    "citations": "[1][2] ",
    "mentions": '@"report" ',
    "addresses": "https://example.com/a?b=c&d=e ",
    "e-mails": "a.b@example.com ",
    "Markdown links": "[a](b) ![c](d) ",
    "JSON": '{"a": [1, {"b": null}]}, ',
    "base64": "UGFsaW1wc2VzdA==",
    "mixed scripts": "a\u05d0\u0410\u03b1\u4e00\u0627",
}


def question(repeated: str) -> str:
    """Creates a question of ``LENGTH`` characters by repeating a text in its middle."""
    before, after = "What was the revenue ", " of the company in 2023?"
    length = LENGTH - len(before) - len(after)
    return before + (repeated * (length // len(repeated) + 1))[:length] + after


QUESTIONS: Mapping[str, str] = {kind: question(repeated) for kind, repeated in _REPEATED.items()}
"""Hostile questions by kind."""
