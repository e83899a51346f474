"""Prepares a query for the retrievers: language, terms, expansions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from core.language.detection import detect
from core.language.expansions import expand
from core.language.fields import SoughtFigures, sought_figures, statements
from core.language.normalisation import normalise
from core.language.terms import content_terms, query_terms, stem
from core.question.focus import Focus
from core.question.wanted_roles import wanted_roles
from core.store.items import SectionRole
from core.words import Language

_QUESTIONS = 64
"""Number of questions whose analysis is cached."""


@dataclass(frozen=True)
class Analysis:
    """An analysed query.

    ``terms`` are its own keyword terms, ``expanded`` those added by synonyms and acronyms, ``labels`` the terms of the
    row labels that may answer it. ``content`` are its content words, ``sought`` the figures and statements that it asks
    for in the terms of a field (such as finance), ``roles`` the document parts that it asks for, ``headings`` the stems
    expected in a matching heading.
    """

    text: str
    language: Language
    terms: list[str]
    expanded: list[str]
    content: list[str]
    labels: list[str] = field(default_factory=list)
    headings: frozenset[str] = frozenset()
    roles: frozenset[SectionRole] = frozenset({"body"})
    sought: SoughtFigures = field(default_factory=SoughtFigures)


@lru_cache(maxsize=_QUESTIONS)
def analyse_focused(focus: Focus) -> Analysis:
    """Analyses a question about documents: only its focus (the sentences that ask) is searched, and each term counts
    once."""
    analysis = analyse(focus.asked)
    found = sought_figures(focus.asked, focus.framing)
    terms = list(dict.fromkeys(analysis.terms))
    lines = [line for figure in found.figures.values() for line in figure.lines]
    lines += [line for name in found.statements for line in statements()[name].lines]
    stems = {stem(word) for text in (focus.asked, *expand(focus.asked).added) for word in content_terms(text)}
    known = {*terms, *analysis.expanded}
    labels = dict.fromkeys(term for line in lines for term in query_terms(line, detect(line)) if term not in known)
    return replace(
        analysis,
        terms=terms,
        labels=list(labels),
        sought=found,
        roles=wanted_roles(focus.asked),
        headings=frozenset(stems),
    )


def analyse(text: str) -> Analysis:
    """Analyses any text that is searched for.

    >>> analyse("What is the monthly rent of the workshop?").content
    ['monthly', 'rent', 'workshop']
    """
    language = detect(text)
    terms = query_terms(text, language)
    known = set(terms)
    added = [term for phrase in expand(text).added for term in query_terms(phrase, detect(phrase))]
    return Analysis(
        text=normalise(text),
        language=language,
        terms=terms,
        expanded=[term for term in dict.fromkeys(added) if term not in known],
        content=content_terms(text),
    )
