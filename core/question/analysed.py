"""Defines a question as it was understood: analysed once a turn, then read by search, figures, answers and review."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from functools import cached_property

from pydantic.dataclasses import dataclass

from core.events import Action
from core.language.detection import detect
from core.language.entities.periods import NamedPeriod, periods_in
from core.language.fields import NamedFigure, SoughtFigures, named_figures
from core.language.terms import content_terms
from core.question.analysis import Analysis, analyse_focused
from core.question.destination import Destination
from core.question.focus import Focus, focus_of
from core.question.form import Form, form_of
from core.question.kinds import kinds_in
from core.question.measures.question import MeasureQuestion, measure_question
from core.question.operation import QuestionOperation, read_question
from core.words import Language

_FROM_THE_PART_THAT_ASKS = ("parts", "terms", "content", "figures", "named_periods", "operation")
_FROM_THE_TEXT = ("kinds",)


@dataclass(frozen=True)
class AnalysedQuestion:
    """A question and what it asks for.

    ``text`` is the question in full, with the parts that a follow-up question takes over from earlier ones; ``focus``
    is the part that asks, ``framing`` all other sentences. ``entities`` and ``periods`` (keys) are those that the
    search found it to be about. ``route`` is the action that it requests, ``destination`` where its answer comes from.
    ``document_ids`` are the documents that the user chose or named; ``None`` if there are none. What follows from its
    words alone is worked out when it is first read, and then kept.

    >>> question = analysed("What was the net income in 2022? Answer in millions.")
    >>> question.focus, question.framing
    ('What was the net income in 2022?', 'Answer in millions.')
    >>> [figure.name for figure in question.figures], [period.key for period in question.named_periods]
    (['net income'], ['2022'])
    """

    text: str
    language: Language
    focus: str
    entities: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    framing: str = ""
    route: Action = "inquire"
    destination: Destination = Destination()
    document_ids: tuple[str, ...] | None = None

    def owner(self, organisation: str) -> str:
        """Returns the question's name for the organisation whose figures a document contains; by default the given
        name."""
        return self.entities[0] if self.entities else organisation

    def about(self, *, focus: str, entities: tuple[str, ...], periods: tuple[str, ...]) -> AnalysedQuestion:
        """Returns the question with what the search found it to be about; ``focus`` is its part that asks, without the
        name of a document."""
        found = dataclasses.replace(self, focus=focus, entities=entities, periods=periods)
        return self._shared(
            found, _FROM_THE_TEXT if focus != self.focus else (*_FROM_THE_TEXT, *_FROM_THE_PART_THAT_ASKS)
        )

    def routed(self, route: Action) -> AnalysedQuestion:
        """Returns the question with the action that it requests."""
        return self._shared(dataclasses.replace(self, route=route), vars(self))

    def sent_to(self, destination: Destination) -> AnalysedQuestion:
        """Returns the question with where its answer comes from."""
        return self._shared(dataclasses.replace(self, destination=destination), vars(self))

    def naming(self, document_ids: Iterable[str] | None) -> AnalysedQuestion:
        """Returns the question with the documents that the user chose or named."""
        named = None if document_ids is None else tuple(document_ids)
        return self._shared(dataclasses.replace(self, document_ids=named), vars(self))

    def _shared(self, changed: AnalysedQuestion, names: Iterable[str]) -> AnalysedQuestion:
        """Gives ``changed`` the parts of these names that were already worked out for this question."""
        vars(changed).update(
            {name: vars(self)[name] for name in names if name in vars(self) and name not in vars(changed)}
        )
        return changed

    @cached_property
    def parts(self) -> Focus:
        return Focus(self.focus, self.framing)

    @cached_property
    def terms(self) -> Analysis:
        """The terms of the part that asks, for a keyword search."""
        return analyse_focused(self.parts)

    @property
    def sought(self) -> SoughtFigures:
        """The figures and statements that it asks for, with those from which they are calculated."""
        return self.terms.sought

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The content words of the part that asks."""
        return tuple(content_terms(self.focus))

    @cached_property
    def figures(self) -> tuple[NamedFigure, ...]:
        """The figures that the part that asks names itself."""
        return named_figures(self.focus)

    @cached_property
    def named_periods(self) -> tuple[NamedPeriod, ...]:
        """The periods that the part that asks names, or else those of the other sentences."""
        return tuple(periods_in(self.focus) or periods_in(self.framing))

    @cached_property
    def operation(self) -> QuestionOperation:
        """What it asks to do with the figures of a table."""
        return read_question(self.focus or self.text)

    @cached_property
    def measures(self) -> MeasureQuestion | None:
        """The measures of financial statements that it asks for; ``None`` if it asks for none."""
        return self.measured()

    def measured(self, names: Sequence[str] = ()) -> MeasureQuestion | None:
        """Returns ``measures``, read with other ``names`` of the organisations that the question is about."""
        return measure_question(self.text, self.entities, self.periods, names)

    @cached_property
    def form(self) -> Form:
        """How many numbers its answer has."""
        return form_of(self.measures, len(self.entities))

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kinds of reports that it names, each with the words that name it."""
        return kinds_in(self.text)


def analysed(text: str, language: Language | None = None) -> AnalysedQuestion:
    """Analyses a question in full; ``language`` is detected if it is not given."""
    focus = focus_of(text)
    return AnalysedQuestion(text, language or detect(text), focus.asked, framing=focus.framing)


def analysed_as(question: AnalysedQuestion | None, text: str, language: Language | None = None) -> AnalysedQuestion:
    """Returns ``question`` if its text is ``text``, or else analyses ``text`` as its new wording."""
    if question is None:
        return analysed(text, language)
    if question.text == text:
        return question
    return analysed(text, language).routed(question.route).sent_to(question.destination).naming(question.document_ids)
