"""A sentence for people, in every language of the workbench: language → text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel

CATALOGUES = Path(__file__).parent / "messages"
LANGUAGES = tuple(sorted(file.stem for file in CATALOGUES.glob("*.yaml")))
"""The languages that there is a catalogue for; English, which every text has, is one of them."""


if TYPE_CHECKING:
    Language: TypeAlias = str
else:
    Language = Literal[LANGUAGES]
    """So that requests are checked and the API's description names them, whatever files there are."""


class Words(BaseModel, frozen=True, extra="allow"):
    """One short text in each language; core never decides which of them is read.

    A text that was stored when there was no such language yet is read in English.
    """

    __pydantic_extra__: dict[str, str]

    en: str

    @classmethod
    def alike(cls, text: str) -> Words:
        """What reads the same in every language: a name, a number."""
        return cls.model_validate(dict.fromkeys(LANGUAGES, text))

    @classmethod
    def joined(cls, parts: Iterable[Words], between: str = " ") -> Words:
        """Several texts as one."""
        given = list(parts)
        return cls.model_validate(
            {language: between.join(each.to(language) for each in given) for language in LANGUAGES}
        )

    def to(self, language: Language) -> str:
        return self.en if language == "en" else self.__pydantic_extra__.get(language, self.en)

    def filled(self, **values: object) -> Words:
        """With its placeholders filled; a value that is itself ``Words`` is read in each language."""
        return Words.model_validate({language: fill(self.to(language), language, values) for language in LANGUAGES})


def fill(text: str, language: Language, values: dict[str, object]) -> str:
    """A text whose placeholders say what ``values`` say in ``language``."""
    return text.format(
        **{name: each.to(language) if isinstance(each, Words) else each for name, each in values.items()}
    )
