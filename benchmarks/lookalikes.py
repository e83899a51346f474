"""Creates libraries of similar documents of one kind, and questions with and without a company's name.

Everything is generated from ``lookalikes.yaml`` with a fixed seed. Each document gets its own title, order, wording and
numbers. One title in six names no company, and one filename in two is meaningless.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel

from core.library.extracted import Block, Extracted
from core.words import Language

SEED = 20
PAIRS = 24
"""Number of question pairs for each kind: one pair for each of its documents."""
SILENT = 6
"""One title in this many names no company; then only the document's text names it."""

Half = Literal["tune", "held out"]
Expected = Literal["ask", "go on"]


class House(BaseModel):
    name: str
    said: list[str]


class Fact(BaseModel):
    head: dict[Language, str]
    text: dict[Language, str]
    ask: dict[Language, list[str]]


class Kind(BaseModel):
    half: Half
    titles: dict[Language, list[str]]
    file: str
    intro: dict[Language, str]
    facts: list[Fact]


class AllWanted(BaseModel):
    plural: dict[str, dict[Language, str]]
    en: list[str]
    he: list[str]


class Varied(BaseModel):
    language: Language
    title: str
    text: str
    ask: str


class Content(BaseModel):
    houses: dict[Language, list[House]]
    naming: dict[Language, list[str]]
    kinds: dict[str, Kind]
    filler: dict[Language, list[dict[str, str]]]
    all_wanted: AllWanted
    varied: list[Varied]


@dataclass(frozen=True)
class Made:
    """A document as it is read from a file."""

    filename: str
    extracted: Extracted
    language: Language


@dataclass(frozen=True)
class Question:
    """A question. ``sort``: with or without a name, about all documents, or in a library of many kinds."""

    text: str
    language: Language
    expected: Expected
    sort: Literal["with", "without", "all", "varied"]
    document: int | None = None


@dataclass
class MadeLibrary:
    name: str
    half: Half
    documents: list[Made] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def libraries() -> list[MadeLibrary]:
    """Creates one library for each kind, and one in which no two documents are similar."""
    path = Path(__file__).with_name("lookalikes.yaml")
    content = Content.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    made = [_of_kind(name, kind, content) for name, kind in content.kinds.items()]
    return [*made, _varied(content)]


def _of_kind(name: str, kind: Kind, content: Content) -> MadeLibrary:
    chance = random.Random(f"{SEED}/{name}")
    library = MadeLibrary(name, kind.half)
    houses = [(language, house) for language in content.houses for house in content.houses[language]]
    for number, (language, house) in enumerate(houses):
        library.documents.append(_document(number, language, house, kind, content, chance))
        library.questions += _pair(number, language, house, kind, content, chance)
    library.questions += _all_wanted(name, kind, content, chance)
    library.documents += [_one_of_many(place, each) for place, each in enumerate(content.varied) if place % 2]
    return library


def _document(
    number: int, language: Language, house: House, kind: Kind, content: Content, chance: random.Random
) -> Made:
    silent = number % SILENT == SILENT - 1
    title = chance.choice(kind.titles[language]).format(org=house.name)
    if silent:
        title = re.sub(
            r"\s*[-:,]?\s*(?:of|at|with|עם)?\s*" + re.escape(house.name) + r"\s*[-:,]?\s*", " ", title
        ).strip()
    blocks = [Block(text=title, kind="heading", level=1), Block(text=_one(kind.intro[language], chance, house))]
    sections = [
        (_one(fact.head[language], chance, house), _one(fact.text[language], chance, house)) for fact in kind.facts
    ]
    sections += [(each["head"], each["text"]) for each in content.filler[language]]
    chance.shuffle(sections)
    for place, (head, text) in enumerate(sections, start=1):
        blocks.append(Block(text=f"{place}. {head}", kind="heading", level=2))
        blocks.append(Block(text=text))
    said = "_".join(re.findall(r"[a-z]+", house.said[-1].lower())) or "scan"
    filename = (
        f"{kind.file}_{said}.md" if number % 2 and not silent else f"{kind.file[:2]}-{chance.randrange(10**4):04}.md"
    )
    return Made(filename, Extracted(blocks=blocks, mime="text/markdown"), language)


def _pair(
    number: int, language: Language, house: House, kind: Kind, content: Content, chance: random.Random
) -> Iterator[Question]:
    """Returns the same question without and with the company's name, in one of its forms."""
    asked = chance.choice(kind.facts[number % len(kind.facts)].ask[language])
    bare = asked.format(at="")
    yield Question(bare, language, "ask", "without")
    form = chance.choice(content.naming[language]).replace("ORG", chance.choice(house.said))
    inside = re.fullmatch(r"\{q@(.*)\}", form)
    named = asked.format(at=inside[1]) if inside else form.format(q=bare)
    yield Question(named, language, "go on", "with", number)


def _all_wanted(name: str, kind: Kind, content: Content, chance: random.Random) -> Iterator[Question]:
    for language, forms in (("en", content.all_wanted.en), ("he", content.all_wanted.he)):
        for form in forms:
            asked = chance.choice(chance.choice(kind.facts).ask[language]).format(at="")
            text = form.format(kind=content.all_wanted.plural[name][language], q=asked)
            yield Question(text, language, "go on", "all")


def _varied(content: Content) -> MadeLibrary:
    library = MadeLibrary("varied", "held out")
    for place, each in enumerate(content.varied):
        library.documents.append(_one_of_many(place, each))
        library.questions.append(Question(each.ask, each.language, "go on", "varied"))
    return library


def _one_of_many(place: int, each: Varied) -> Made:
    blocks = [Block(text=each.title, kind="heading", level=1), Block(text=each.text)]
    return Made(f"scan-{place:03}.md", Extracted(blocks=blocks, mime="text/markdown"), each.language)


def _one(wordings: str, chance: random.Random, house: House) -> str:
    return chance.choice(wordings.split("|")).format(org=house.name, a=chance.randrange(2, 96))
