"""Writes the answer to a question about earlier conversations, with the date of each and a source to open it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.events import Passage, Response, Source
from core.graph.memory.recollection.excerpts import excerpt
from core.graph.memory.recollection.records import Exchange, Found, Recollected, Utterance
from core.graph.memory.recollection.search import CERTAIN
from core.graph.memory.recollection.wording import pattern
from core.language.entities.calendar_words import month_name
from core.language.normalisation import fold
from core.messages import message_group
from core.records.answer import CITATION
from core.words import Language

_TEXTS = message_group("graph.recollection")
_SPEAKERS = message_group("graph.recollection.speakers")
SHORT_REPLY = 200
"""Maximum length of the other part of an exchange that is quoted too."""
TALK_LENGTH = 160


@dataclass(frozen=True)
class Reply:
    """An answer with its sources, numbered from 1."""

    response: Response
    sources: list[Source]


def reply_of(found: Recollected, question: str, language: Language) -> Reply | None:
    """Returns the answer without a model, or ``None`` if nothing was found."""
    if found.talks:
        return _talks_reply(found.talks, language)
    if found.best is None:
        return _nearest_reply(found, question, language) if found.nearest else None
    lines = [_line(found.best, 1, question, language)]
    sources = [source_of(found.best.exchange, 1, language, found.best.main)]
    if found.unsure:
        lines[0] = _TEXTS["nearest"].to(language).format(line=lines[0])
    elif found.missed_time:
        lines[0] = _TEXTS["other_time"].to(language).format(line=lines[0])
    elif found.ever:
        lines[0] = _TEXTS["yes"].to(language).format(line=lines[0])
    if found.earlier is not None:
        before = found.earlier
        said = quoted(before.main, question)
        day = day_of(before.exchange.at, language)
        lines.append(_TEXTS["before"].to(language).format(day=day, text=said) + " [2]")
        sources.append(source_of(before.exchange, 2, language, before.main))
    confidence = "low" if found.unsure else "high" if found.evidence >= CERTAIN else "medium"
    text = "\n\n".join(lines)
    return Reply(Response(kind="remembered", text=text, language=language, confidence=confidence), sources)


def never_said(found: Recollected, language: Language) -> Response:
    """Returns one sentence that says that nothing was found."""
    key = "no_talk" if not found.subject else "never" if found.ever else "not_said"
    text = _TEXTS[key].to(language).format(subject=", ".join(f"“{each}”" for each in found.subject[:3]))
    return Response(kind="nothing_found", text=text, language=language, opening=text)


def _line(found: Found, number: int, question: str, language: Language) -> str:
    exchange, main = found.exchange, found.main
    day, said = day_of(main.at, language), quoted(main, question)
    if exchange.kind == "memory":
        return _TEXTS["fact"].to(language).format(day=day, text=said) + f" [{number}]"
    other = exchange.by("assistant" if main.speaker == "user" else "user")
    beside = quoted(other, question) if other else ""
    if main.speaker == "assistant":
        if other and len(beside) <= SHORT_REPLY:
            return _TEXTS["asked_answered"].to(language).format(day=day, asked=beside, text=said) + f" [{number}]"
        return _TEXTS["assistant"].to(language).format(day=day, text=said) + f" [{number}]"
    if other and len(beside) <= SHORT_REPLY and not pattern("acknowledgement").search(fold(beside)):
        return _TEXTS["asked_answered"].to(language).format(day=day, asked=said, text=beside) + f" [{number}]"
    return _TEXTS["user"].to(language).format(day=day, text=said) + f" [{number}]"


def _nearest_reply(found: Recollected, question: str, language: Language) -> Reply:
    """Says that nothing answers, and lists what is nearest in meaning."""
    numbered = list(enumerate(found.nearest, start=1))
    opening = never_said(found, language).text
    lines = [f"- {_line(each, number, question, language)}" for number, each in numbered]
    text = "\n".join([opening, "", _TEXTS["closest"].to(language), "", *lines])
    sources = [source_of(each.exchange, number, language, each.main) for number, each in numbered]
    return Reply(Response(kind="remembered", text=text, language=language, confidence="low"), sources)


def _talks_reply(talks: Sequence[Exchange], language: Language) -> Reply:
    lines, sources = [_TEXTS["talks"].to(language)], []
    for number, exchange in enumerate(talks, start=1):
        asked, answered = exchange.by("user"), exchange.by("assistant")
        parts = [f"“{quoted(each, each.text, TALK_LENGTH)}”" for each in (asked, answered) if each]
        lines.append(f"- {day_of(exchange.at, language)}: {' – '.join(parts)} [{number}]")
        sources.append(source_of(exchange, number, language, asked or answered))
    text = "\n".join([lines[0], "", *lines[1:]])
    return Reply(Response(kind="remembered", text=text, language=language, confidence="high"), sources)


def quoted(said: Utterance, question: str, longest: int | None = None) -> str:
    """Returns what was said on one line, without citations; of a long text, the sentences that fit the question."""
    text = CITATION.sub("", said.text)
    return " ".join((excerpt(text, question, longest) if longest else excerpt(text, question)).split())


def source_of(exchange: Exchange, number: int, language: Language, main: Utterance | None = None) -> Source:
    """Returns an exchange or a fact as a source: its date is the period; a conversation's id is the ``document_id``."""
    day = day_of(exchange.at, language)
    if exchange.kind == "memory":
        title = _TEXTS["fact_title"].to(language).format(day=day)
    else:
        title = _TEXTS["conversation_title"].to(language).format(day=day, title=exchange.title)
    passage = Passage(item_id=(main or exchange.said[0]).id, text=whole_text(exchange, language), score=1.0)
    return Source(
        kind=exchange.kind,
        number=number,
        document_id=exchange.conversation_id,
        title=title,
        filename="",
        score=1.0,
        passages=[passage],
        period=day,
    )


def whole_text(exchange: Exchange, language: Language) -> str:
    """Returns the exchange in full, each part with its speaker."""
    if exchange.kind == "memory":
        return exchange.said[0].text
    return "\n".join(f"{_SPEAKERS[each.speaker].to(language)}: {each.text}" for each in exchange.said)


def day_of(at: float, language: Language) -> str:
    """Returns a day in words: "14 May 2025"."""
    day = datetime.fromtimestamp(at)
    return _TEXTS["day"].to(language).format(day=day.day, month=month_name(day.month, language), year=day.year)
