"""Exact ``cl100k_base`` tokens without network [004 §1.2].

The merge ranks come with the bpe-openai package; tiktoken's engine reads them. bpe-openai's own engine
refuses long runs of one character ("Input too long to encode safely"), tiktoken's takes 0.4 s for a million.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

_loading = Lock()


@cache
def _load() -> Encoding:
    from bpe_openai.registry import cl100k_base
    from tiktoken import Encoding

    ranks = cl100k_base()
    return Encoding(
        name="cl100k_base",
        pat_str=ranks["pat_str"],
        mergeable_ranks=ranks["mergeable_ranks"],
        special_tokens=ranks["special_tokens"],
    )


def _encoding() -> Encoding:
    with _loading:
        return _load()


def encode(text: str) -> list[int]:
    """Token ids; what looks like a special token is encoded as ordinary text."""
    return _encoding().encode_ordinary(text)


def decode(ids: Sequence[int]) -> str:
    """The text of ``ids``; ids that end within a character give U+FFFD there."""
    return _encoding().decode(list(ids))


def count_tokens(text: str) -> int:
    """How many ``cl100k_base`` tokens ``text`` has."""
    return len(encode(text))
