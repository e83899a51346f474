"""A run as the message thread displays it: recorded events → changes of the page. Without side effects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from markupsafe import Markup
from pydantic import BaseModel

from core.events import (
    Answered,
    AnswerNow,
    AssistantDelta,
    Entry,
    Event,
    Failure,
    FirstLine,
    FollowedUp,
    Heartbeat,
    Interrupted,
    Notice,
    Offered,
    PartlyRead,
    Reasoning,
    Remembered,
    Response,
    RunCompleted,
    RunOutcome,
    Searched,
    Sources,
    Suggested,
    Title,
)
from core.records.memory_meta import MemoryMeta
from core.records.quotations import Meanwhile, Quote
from core.records.spent import Spent
from core.store.items import Outcome
from viz.answer import ToldRun, finished_answer, line_markup, partial_blocks, quotes_meanwhile, searched_row
from viz.card import Exchange, answer_now, card, trail
from viz.feedback import Rated
from viz.offers import Decisions, offer_cards
from viz.quotes import passage_labels


class Frame(BaseModel):
    """One change of the page.

    ``blocks``: replaces the answer's blocks from number ``begin`` on with ``html``. ``card``: PalAssist's question; if
    empty, the card is removed. ``offer``: the offer to answer from the documents that are ready; if empty, it is
    removed. ``searched``: how the question was understood; ``first``: the answer line above the blocks.
    ``meanwhile``: what the documents say; empty once the model writes.
    """

    kind: Literal[
        "trace",
        "trail",
        "card",
        "offer",
        "searched",
        "first",
        "meanwhile",
        "blocks",
        "final",
        "title",
        "notice",
        "end",
        "beat",
    ]
    html: str | list[str] = ""
    live: str = ""
    begin: int = 0
    outcome: RunOutcome | None = None


@dataclass
class RunView(ToldRun):
    """Builds the view from events, without any I/O."""

    meta: MemoryMeta | None = None
    offered: Offered | None = None
    decided: Decisions = field(default_factory=dict)
    at_once: AnswerNow | None = None
    meanwhile: list[Quote] = field(default_factory=list)
    sequence: int = 0
    _blocks: list[Markup] = field(default_factory=list)
    _shown_meanwhile: str = ""

    @classmethod
    def of(cls, run_id: str, message_id: str, entries: Iterable[Entry]) -> RunView:
        view = cls(run_id, message_id)
        for entry in entries:
            view.fold(entry)
        return view

    def fold(self, entry: Entry) -> None:
        self.sequence = entry.sequence
        self.trace.fold(entry.event)
        match entry.event:
            case AssistantDelta(text=text):
                self.text += text
                self.meanwhile = []
            case Sources(sources=sources, confidence=confidence):
                self.sources, self.confidence = sources, confidence
            case Notice(words=words):
                # After its question to the user, a run searches a second time; a notice from both searches is shown
                # once.
                self.notices += [words] if words not in self.notices else []
            case Interrupted():
                self.exchanges.append(Exchange(entry.event))
            case Answered():
                self._answered(entry.event)
            case Response():
                self.response = entry.event
            case Remembered(meta=meta):
                self.meta = meta
            case Failure(problem=problem):
                self.problem = problem
            case RunCompleted(outcome=outcome):
                self.outcome = outcome
            case _:
                self._fold_beside(entry.event)

    def _fold_beside(self, event: Event) -> None:
        match event:
            case Searched():
                self.searched = event
            case Suggested():
                self.suggested = event
            case Offered():
                self.offered = event
            case Reasoning(text=text, retracted=retracted):
                self.reasoning.append(text)
                self.text = self.text[: max(0, len(self.text) - retracted)]
            case Spent():
                self.spent = self.spent + event if self.spent else event
            case FirstLine() | Meanwhile():
                self._fold_before_model(event)
            case AnswerNow():
                self.at_once = event if event.open else None
            case PartlyRead():
                self.partly = event
            case FollowedUp():
                self.followed = event

    def _fold_before_model(self, event: FirstLine | Meanwhile) -> None:
        if isinstance(event, FirstLine):
            self.line = event.answer
        else:
            self.meanwhile = [] if self.text else event.quotes

    def _answered(self, answer: Answered) -> None:
        for place, exchange in enumerate(self.exchanges):
            if exchange.answer is None and exchange.asked.interrupt_id == answer.interrupt_id:
                self.exchanges[place] = Exchange(exchange.asked, answer)

    @property
    def passage_labels(self) -> dict[str, str]:
        """Button labels of quoted passages, by item."""
        return passage_labels(self.response.quotes) if self.response else {}

    @property
    def pending(self) -> Interrupted | None:
        """The question to the user that the run waits for."""
        last = self.exchanges[-1] if self.exchanges and not self.outcome else None
        return last.asked if last and last.answer is None else None

    def frames(self, event: Event) -> list[Frame]:
        """The changes of the page that ``event`` causes; the event has just been applied."""
        match event:
            case Heartbeat():
                return [Frame(kind="beat")]
            case AssistantDelta() | Meanwhile() | Reasoning():
                return [*self._waiting_quotes(), *self._grown()]
            case Title(title=title):
                return [Frame(kind="title", html=title)]
            case Notice(words=words):
                return [Frame(kind="notice", html=words.to(self.trace.language))]
            case Interrupted() | Answered():
                return [self._traced(), *self._conversed()]
            case RunCompleted():
                return self._ended()
            case AnswerNow() | Searched() | FirstLine():
                return [self._above(event)]
            case PartlyRead() | FollowedUp():
                return []
            case Response() | Suggested() | Failure() | Sources() | Spent() | Remembered() | Offered():
                return []
        return [self._traced()]

    def snapshot(self) -> list[Frame]:
        """The whole state so far, for a page that was just opened or has reconnected."""
        if self.outcome:
            return self._ended()
        self._blocks, self._shown_meanwhile = [], ""
        notices = [Frame(kind="notice", html=words.to(self.trace.language)) for words in self.notices]
        return [
            self._traced(),
            *self._conversed(),
            self._about(),
            self._offering(),
            self._headed(),
            *self._waiting_quotes(),
            *self._grown(),
            *notices,
        ]

    def html(self, said: Outcome | None = None) -> str:
        """The HTML of the finished answer; ``said``: the user's rating, if there is one."""
        eligible = self.meta if self.meta and self.meta.feedback.eligible and self.outcome == "answered" else None
        offers = offer_cards(self.offered, self.decided, self.trace.language) if self.offered else None
        return str(finished_answer(self, Rated.of(eligible, said) if eligible else None, offers))

    def _traced(self) -> Frame:
        return Frame(kind="trace", html=str(self.trace.html()), live=self.trace.live_text())

    def _conversed(self) -> list[Frame]:
        language, asked = self.trace.language, self.pending
        past = [exchange for exchange in self.exchanges if exchange.answer]
        return [
            Frame(kind="trail", html=str(trail(past, language)) if past else ""),
            Frame(kind="card", html=str(card(asked, self.run_id, language)) if asked else ""),
        ]

    def _above(self, event: AnswerNow | Searched | FirstLine) -> Frame:
        match event:
            case AnswerNow():
                return self._offering()
            case Searched():
                return self._about()
        return self._headed()

    def _about(self) -> Frame:
        return Frame(
            kind="searched", html=str(searched_row(self.searched, self.trace.language)) if self.searched else ""
        )

    def _headed(self) -> Frame:
        return Frame(kind="first", html=str(line_markup(self, self.trace.language) or ""))

    def _offering(self) -> Frame:
        return Frame(kind="offer", html=str(answer_now(self.at_once, self.trace.language)) if self.at_once else "")

    def _waiting_quotes(self) -> list[Frame]:
        """The quotations that are shown until the model writes, if they changed."""
        html = str(quotes_meanwhile(self.meanwhile, self.sources, self.trace.language)) if self.meanwhile else ""
        changed = html != self._shown_meanwhile
        self._shown_meanwhile = html
        return [Frame(kind="meanwhile", html=html)] if changed else []

    def _grown(self) -> list[Frame]:
        grown = partial_blocks(self.text, self.sources, self.trace.language)
        begin = common_prefix(self._blocks, grown)
        changed = begin < max(len(grown), len(self._blocks))
        self._blocks = grown
        return [Frame(kind="blocks", html=[str(block) for block in grown[begin:]], begin=begin)] if changed else []

    def _ended(self) -> list[Frame]:
        return [Frame(kind="final", html=self.html()), Frame(kind="end", outcome=self.outcome)]


def common_prefix(old: Sequence[Markup], new: Sequence[Markup]) -> int:
    """The number of equal blocks at the beginning of both lists."""
    for position, (before, after) in enumerate(zip(old, new, strict=False)):
        if before != after:
            return position
    return min(len(old), len(new))
