"""Defines the type of texts for users, which contain the text in every language of the workbench."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel

CATALOGUES = Path(__file__).parent / "messages"
LANGUAGES = tuple(sorted(file.stem for file in CATALOGUES.glob("*.yaml")))
"""Languages with a message catalogue; English, in which every text exists, is one of them."""


if TYPE_CHECKING:
    Language: TypeAlias = str
else:
    Language = Literal[LANGUAGES]
    """A ``Literal`` of the languages found, so that requests are validated and the API description lists them."""


class Words(BaseModel, frozen=True, extra="allow"):
    """One short text in each language; core code never chooses the language.

    A text that was stored before a language was added is read in English.
    """

    __pydantic_extra__: dict[str, str]

    en: str

    @classmethod
    def alike(cls, text: str) -> Words:
        """A text that is the same in every language, such as a name or a number."""
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
        """The text with its placeholders filled; a value of type ``Words`` is translated too."""
        return Words.model_validate({language: fill(self.to(language), language, values) for language in LANGUAGES})


def fill(text: str, language: Language, values: dict[str, object]) -> str:
    """A text with its placeholders filled from ``values``, in ``language``."""
    return text.format(
        **{name: each.to(language) if isinstance(each, Words) else each for name, each in values.items()}
    )
