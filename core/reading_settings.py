"""Settings of how files are read; a document may have its own."""

from __future__ import annotations

from pydantic import BaseModel, Field


class ReadingOptions(BaseModel, frozen=True):
    """How a file is read where there is a choice."""

    hidden: bool = Field(
        False,
        description="Whether hidden sheets, rows, columns, slides and text are read too; a document's own switch in "
        "the Library comes first.",
    )
    encoding: str = Field(
        "",
        description="Encoding of text files that do not declare one, such as cp1250; empty means it is found from "
        "the text. A document's own choice in the Library comes first.",
    )
