"""A query as the lanes need it: language, terms, expansions [001 §6.0]."""

from __future__ import annotations

from dataclasses import dataclass

from core.language.detection import detect
from core.language.expansions import expand
from core.language.normalisation import normalise
from core.language.terms import content_terms, query_terms
from core.words import Language


@dataclass(frozen=True)
class Analysis:
    """``terms`` are the query's own lexical terms, ``expanded`` those that synonyms and acronyms add;
    ``content`` are its words that carry meaning [spec S3]."""

    text: str
    language: Language
    terms: list[str]
    expanded: list[str]
    content: list[str]


def analyse(text: str) -> Analysis:
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
