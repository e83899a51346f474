"""Suggests follow-up questions about topics in the used documents that have not been asked about yet."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from pydantic import RootModel

from core.errors import PalimpsestError
from core.events import Source
from core.language.detection import detect
from core.language.entities.numerals import CURRENCIES, UNITS, VALUES
from core.language.normalisation import fold
from core.library.description.keywords import keywords
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.review.actions.question_templates import GENERAL, SELVES, is_clause, is_noun, named, topic
from core.review.actions.records import titles_of
from core.review.actions.table_questions import CitedTables, PastQuestions, row_questions
from core.review.actions.themes import bare_title
from core.review.overlap import words
from core.review.polarity import base, matches_any
from core.search.documents.context import assemble
from core.words import Language

COUNT = 2
CONTEXT_TOKENS = 2_000
LONGEST = 160
MOST_ASKED, LONGEST_ASKED, LONGEST_ANSWER = 20, 500, 6_000
"""Earlier questions, and characters of each and of the answer, that the model reads; the window may be small."""
LONGEST_HEADING = 48
_LONGEST_TITLE = 40
"""Longer titles are not used in a question."""
_AMOUNTS = frozenset((*VALUES, *UNITS, *map(str.lower, CURRENCIES)))


class _Questions(RootModel[list[str]]):
    pass


async def followups(
    prompts: Prompts,
    model: TextModel | None,
    asked: Sequence[str],
    answer: str,
    sources: Sequence[Source],
    language: Language,
    held: Mapping[str, CitedTables] | None = None,
) -> list[str]:
    """Returns at most two questions in ``language``, from the model if it suggests any. ``asked`` are the questions
    asked in the conversation, newest last.

    Args: held: facts about the documents of ``sources``, by id.
    """
    if not sources:
        return []
    by_model = await _by_model(prompts, model, asked, answer, sources, language) if model else []
    return by_model or by_rule(asked, sources, language, held or {}, answer)


async def _by_model(
    prompts: Prompts,
    model: TextModel,
    asked: Sequence[str],
    answer: str,
    sources: Sequence[Source],
    language: Language,
) -> list[str]:
    """Returns the model's questions, or none if it fails or has nothing new to ask."""
    system = prompts.render("suggestions", language=language, count=COUNT)
    history = "\n".join(f"- {question[:LONGEST_ASKED]}" for question in asked[-MOST_ASKED:])
    user = (
        f"BEGIN SOURCES\n{assemble(sources, CONTEXT_TOKENS)}\nEND SOURCES\n\nBEGIN QUESTIONS ASKED\n{history}\n"
        f"END QUESTIONS ASKED\n\nBEGIN ANSWER\n{answer[:LONGEST_ANSWER]}\nEND ANSWER"
    )
    try:
        found, _ = await ask_json(model, Prompt(system, user), _Questions)
    except PalimpsestError:
        return []
    return list(islice(_fresh(found.root, asked), COUNT)) if found else []


def _fresh(questions: Iterable[str], asked: Sequence[str]) -> Iterator[str]:
    seen = {fold(question).rstrip("?") for question in asked}
    for question in questions:
        text = " ".join(question.split()).lstrip("-*0123456789. ")
        key = fold(text).rstrip("?")
        if text and len(text) <= LONGEST and key not in seen:
            seen.add(key)
            yield text


def by_rule(
    asked: Sequence[str],
    sources: Sequence[Source],
    language: Language,
    held: Mapping[str, CitedTables],
    answer: str = "",
) -> list[str]:
    """Suggests questions without a model: for one document after another, about table rows, then headings and keywords,
    that have not been mentioned yet."""
    past = PastQuestions.of([*asked, answer])
    names = _source_names(sources, held, language)
    about = [
        chain(
            row_questions(held.get(source.document_id, CitedTables()), past, language),
            _topics_of(source, names[source.number], past, language),
        )
        for source in sources
    ]
    return list(islice(_fresh(_in_turn(about), asked), COUNT))


def _in_turn(about: Iterable[Iterator[str]]) -> Iterator[str]:
    """Yields one item from each source, then a second from each, and so on; an item is computed only when needed, since
    this takes time."""
    waiting = deque(about)
    while waiting:
        questions = waiting.popleft()
        for question in islice(questions, 1):
            yield question
            waiting.append(questions)


def _topics_of(source: Source, name: str, past: PastQuestions, language: Language) -> Iterator[str]:
    text = "\n".join(passage.text for passage in source.passages)
    for each in _topics(source, past.stems):
        yield topic(_heading_in_sentence(each, text), name, language)


def _source_names(sources: Sequence[Source], held: Mapping[str, CitedTables], language: Language) -> dict[int, str]:
    """Returns each source's name in a question: its organisation and kind, or its title if short."""
    known = {source.number: held.get(source.document_id, CitedTables()) for source in sources}
    names = {number: named(each.organisation, each.kind, "", language) for number, each in known.items()}
    twice = {name for name, count in Counter(names.values()).items() if count > 1}
    for source in sources:
        each = known[source.number]
        if names[source.number] in twice:
            names[source.number] = named(each.organisation, each.kind, each.period, language)
        title = source.title or source.filename
        names[source.number] = names[source.number] or (title if len(title) <= _LONGEST_TITLE else "")
    return names


def _heading_in_sentence(topic: str, text: str) -> str:
    """Returns a heading as it is written inside a sentence: in lowercase if the text itself uses it in lowercase."""
    lowered = topic[:1].lower() + topic[1:]
    return lowered if re.search(rf"\b{re.escape(lowered)}\b", text) else topic


def _topics(source: Source, stems: frozenset[str]) -> Iterator[str]:
    document = frozenset(base(word) for word in words(source.title))
    texts = [passage.text for passage in source.passages]
    headings = titles_of(source)
    if len(headings) > 1 and source.passages[0].position == 0:
        headings = headings[1:]  # The first heading is the title of the whole document.
    for heading in chain(headings, _key_terms(texts)):
        topic = bare_title(heading)
        own = [base(word) for word in words(topic)]
        if (
            not own
            or GENERAL.issuperset(words(topic))
            or _AMOUNTS.issuperset(words(topic))
            or len(topic) > LONGEST_HEADING
            or is_clause(topic)
            or not SELVES.isdisjoint(fold(topic).split())
            or all(matches_any(word, document) for word in own)
        ):
            continue
        if sum(matches_any(word, stems) for word in own) * 2 < len(own):
            yield topic


def _key_terms(texts: Sequence[str]) -> Iterator[str]:
    whole = "\n".join(texts)
    for key in keywords(texts, detect(whole), limit=8):
        if " " in key or is_noun(key, whole):
            yield key
