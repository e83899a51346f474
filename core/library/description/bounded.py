"""Bounds the text for the description rules: *extracted file* → no word and no line longer than people write.

The rules look for names, dates and titles. None of these is in a word of a hundred letters, or far into an endless
line. Some rules need more than linear time in the length of their input.
"""

from __future__ import annotations

import re
from operator import is_

from core.library.extracted import Block, Extracted

LONGEST_WORD = 100
LONGEST_LINE = 10_000
_LONG_WORD = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")
_LONG_LINE = re.compile(rf"([^\n]{{{LONGEST_LINE}}})[^\n]+")


def bounded(extracted: Extracted) -> Extracted:
    """``extracted`` with over-long words and lines cut; the same object if nothing in it is too long."""
    blocks = [_bounded_block(block) for block in extracted.blocks]
    title, author = (text and bounded_text(text) for text in (extracted.title, extracted.author))
    is_same = (title, author) == (extracted.title, extracted.author) and all(map(is_, blocks, extracted.blocks))
    if is_same:
        return extracted
    return extracted.model_copy(update={"blocks": blocks, "title": title, "author": author})


def bounded_text(text: str) -> str:
    """The text with over-long words and lines cut."""
    return _LONG_LINE.sub(r"\1", _LONG_WORD.sub(r"\1", text)) if len(text) > LONGEST_WORD else text


def _bounded_block(block: Block) -> Block:
    text = bounded_text(block.text)
    header = block.header and bounded_text(block.header)
    if len(text) == len(block.text) and header == block.header:
        return block
    return block.model_copy(update={"text": text, "header": header})
