"""Settings for reading files; they can be changed for a single document."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import BaseModel, Field

Encoding = Literal[
    "", "utf-8", "utf-16", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r", "shift_jis",
    "euc_jp", "gb18030", "big5", "euc_kr",
]  # fmt: skip
"""Encodings that can be chosen, by their Python names; empty means that the encoding is detected from the text."""
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)[1:]


class ReadingOptions(BaseModel, frozen=True):
    """Options for reading files."""

    hidden: bool = Field(
        False,
        description="Whether hidden sheets, rows, columns, slides and text are read too. A document's own switch in "
        "the Library takes precedence.",
    )
    encoding: Encoding = Field(
        "",
        description="Encoding of text files that do not declare one, such as cp1250. If empty, it is detected from "
        "the text. A document's own choice in the Library takes precedence.",
    )
