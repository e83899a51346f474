"""Questions that may come next: about what the used documents hold and nobody has asked yet [spec A8]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from pydantic import RootModel

from core.errors import PalimpsestError
from core.events import Source
from core.graph.actions.numerals import CURRENCIES, UNITS, VALUES
from core.graph.actions.overlap import words
from core.graph.actions.polarity import base, meets
from core.graph.actions.records import titles_of
from core.graph.actions.themes import bare_title
from core.language.detection import detect
from core.language.normalisation import fold
from core.library.keywords import keywords
from core.models.meter import Usage
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.search.context import assemble
from core.words import Language, Words

COUNT = 3
CONTEXT_TOKENS = 2_000
LONGEST = 160
LONGEST_HEADING = 60
_GENERAL = frozenset(
    (
        "purpose", "scope", "introduction", "summary", "background", "overview", "conclusion", "conclusions",
        "appendix", "references", "general", "definitions", "contents", "abstract", "table",
        "author", "authors", "distribution", "version", "date", "owner", "subject",
        "תמצית", "מבוא", "רקע", "סיכום", "נספח", "נספחים", "כללי", "מטרה", "מטרות", "הגדרות", "תוכן", "עניינים",
        "מחבר", "מאת", "תפוצה", "נושא",
    )
)  # fmt: skip
"""Headings that say what a section is for, or who wrote it, and not what it is about."""
_AMOUNTS = frozenset((*VALUES, *UNITS, *map(str.lower, CURRENCIES)))
_QUESTION = Words(en="What does {title} say about {topic}?", he="מה נאמר ב{title} על {topic}?")
_HERE = Words(en="What else is said about {topic}?", he="מה עוד נאמר על {topic}?")


class _Questions(RootModel[list[str]]):
    pass


@dataclass(frozen=True)
class Followups:
    questions: list[str]
    generated: bool = False
    usage: Usage = field(default_factory=Usage)


async def followups(
    prompts: Prompts,
    model: TextModel | None,
    asked: Sequence[str],
    answer: str,
    sources: Sequence[Source],
    language: Language,
) -> Followups:
    """At most three questions in ``language``; ``asked`` are those of the conversation, the last one last."""
    if not sources:
        return Followups([])
    if model is None:
        return Followups(by_rule(asked, sources, language))
    system = prompts.render("suggestions", language=language, count=COUNT)
    history = "\n".join(f"- {question}" for question in asked)
    user = (
        f"BEGIN SOURCES\n{assemble(sources, CONTEXT_TOKENS)}\nEND SOURCES\n\nBEGIN QUESTIONS ASKED\n{history}\n"
        f"END QUESTIONS ASKED\n\nBEGIN ANSWER\n{answer}\nEND ANSWER"
    )
    try:
        found, usage = await ask_json(model, Prompt(system, user), _Questions)
    except PalimpsestError:
        return Followups(by_rule(asked, sources, language))
    tidy = list(_fresh(found.root, asked)) if found else []
    if not tidy:
        return Followups(by_rule(asked, sources, language), usage=usage)
    return Followups(tidy[:COUNT], generated=True, usage=usage)


def _fresh(questions: Sequence[str], asked: Sequence[str]) -> Iterator[str]:
    seen = {fold(question).rstrip("?") for question in asked}
    for question in questions:
        text = " ".join(question.split()).lstrip("-*0123456789. ")
        key = fold(text).rstrip("?")
        if text and len(text) <= LONGEST and key not in seen:
            seen.add(key)
            yield text


def by_rule(asked: Sequence[str], sources: Sequence[Source], language: Language) -> list[str]:
    """Headings, then keywords, of each document in turn, that no question has touched."""
    said = frozenset(base(word) for question in asked for word in words(question))
    topics = [list(_topics(source, said)) for source in sources]
    several = len(sources) > 1
    found: dict[str, str] = {}
    for turn in zip_longest(*topics):
        for source, topic in zip(sources, turn, strict=True):
            if topic and fold(topic) not in found:
                form = _QUESTION if several or language == "en" else _HERE
                found[fold(topic)] = form.to(language).format(title=_name(source, language), topic=topic)
    return list(found.values())[:COUNT]


def _name(source: Source, language: Language) -> str:
    """Hebrew joins the preposition with a hyphen to what is not Hebrew."""
    title = source.title or source.filename
    if language == "en":
        return title
    return f'"{title}"' if detect(title) == "he" else f"-{title}"


def _topics(source: Source, said: frozenset[str]) -> Iterator[str]:
    document = frozenset(base(word) for word in words(source.title))
    texts = [passage.text for passage in source.passages]
    headings = titles_of(source)
    if len(headings) > 1 and source.passages[0].position == 0:
        headings = headings[1:]  # the first one heads the whole document
    for heading in [*headings, *keywords(texts, detect(" ".join(texts)), limit=8)]:
        topic = bare_title(heading)
        own = [base(word) for word in words(topic)]
        if (
            not own
            or _GENERAL.issuperset(words(topic))
            or _AMOUNTS.issuperset(words(topic))
            or len(topic) > LONGEST_HEADING
            or all(meets(word, document) for word in own)
        ):
            continue
        if sum(meets(word, said) for word in own) * 2 < len(own):
            yield topic
