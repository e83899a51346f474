"""Yes or no without a model: a question that asks for one, and a sentence → the answer that the sentence decides.

The question is read as a claim ("Does Larch pay the fee?": Larch pays the fee) and held against the sentence: *yes*
where it says all of that in its order, *no* where it denies just that, and neither where it speaks of what may be. All
else stays the sentence, with its doubt.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import Literal

from pydantic import field_validator

from core.answering.prose.question import read_question
from core.answering.prose.tokens import ROOTED, term, term_match, tokens
from core.answering.records import Candidate, Question
from core.events import Passage, Source
from core.grounding.polarity import base, opposites, polarity
from core.grounding.support import rule_based_support
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.vocabulary import Entry, file_of
from core.messages import message

Verdict = Literal["yes", "no"]

SAID = {"yes": message("answering.yes"), "no": message("answering.no")}
LEAST = 0.62
"""The share of verdicts that are right, at least: they are checked beyond what the sentence was chosen by."""
_ORDERED = 0.75
"""The share of a claim's words that must stand in its order; of names and figures all."""
_PERMITTED = frozenset({"can", "may"})
_BRACKETS = re.compile(r"\([^()]*\)")
_DECIDES_NOTHING = frozenset({"number", "exchanged", "date", "name", "limit", "no_source"})


class _Wording(Entry):
    """``opening``: what makes a question of a claim; ``open``: words of a sentence that leaves open what is so;
    ``telling``: words that say something here though they are common."""

    opening: re.Pattern[str]
    open: frozenset[str]
    telling: frozenset[str]

    @field_validator("open", "telling", mode="before")
    @classmethod
    def _split(cls, words: str) -> list[str]:
        return [base(word) for word in fold(words).split()]


_wording = file_of("graph/verdict", _Wording)


def yes_no_answer(question: Question, candidate: Candidate) -> Candidate:
    """``candidate`` with its sentence behind *Yes* or *No* where that decides; else as it was."""
    wanted = read_question(question.focus or question.text, question.language)
    answer = candidate.answer
    if wanted.main != "yesno" or answer.kind not in ("sentence", "span") or not answer.cells:
        return candidate
    sentence = verdict(question.focus or question.text, answer.cells[0].text, " ".join(question.entities))
    if sentence is None:
        return candidate
    line = f"{SAID[sentence].to(question.language)}: {answer.line}"
    changed = answer.model_copy(
        update={"kind": "choice", "value": sentence, "line": line, "doubt": None, "decided": True}
    )
    return replace(candidate, answer=changed, sureness=max(candidate.sureness, LEAST))


def verdict(question: str, sentence: str, about: str = "") -> Verdict | None:
    """What ``sentence`` of a document ``about`` somebody says to ``question``; None where it decides nothing."""
    claim = _wording().opening.sub("", question.strip(), count=1).rstrip("?؟ ").strip()
    # What stands in brackets is said by the way: of what, only its reader knows.
    sentence = _BRACKETS.sub(" ", sentence)
    ours, theirs, question_words = polarity(claim), polarity(sentence), polarity(question).words
    # What somebody can is what they may.
    question_words |= _PERMITTED if question_words & _PERMITTED else frozenset()
    if not claim or _wording().open & (theirs.words - question_words) or (ours.universal and not theirs.universal):
        return None
    lacking = _lacking(claim, sentence, about)
    if lacking is None:
        return None
    passage = Passage(item_id="", text=sentence)
    source = Source(number=1, document_id="", title=about, filename="", score=1.0, passages=[passage])
    reason = rule_based_support(claim[:1].upper() + claim[1:], source).reason
    if reason == "negation":
        opposed = opposites(ours.words, theirs.words)
        denied = ours.count == 0 and (theirs.count == 1 if not lacking else opposed is not None and theirs.count == 0)
        return "no" if denied and lacking <= set(opposed or ()) else None
    return "yes" if not lacking and reason not in _DECIDES_NOTHING and ours.count == theirs.count else None


def _lacking(claim: str, sentence: str, about: str) -> frozenset[str] | None:
    """The words of ``claim`` that neither ``sentence`` nor ``about`` has; None where it has them in another order: who
    and whom, and which figure is whose, is told by order alone."""
    words, known = tokens(sentence), tokens(about)
    places: list[list[int]] = []
    lacking: set[str] = set()
    exact: list[list[int]] = []
    for token in tokens(claim):
        if not token.word or (token.stop and token.base not in _wording().telling):
            continue
        wanted = term(token)
        found = [place for place, other in enumerate(words) if other.word and term_match(wanted, other) >= ROOTED]
        if found:
            places.append(found)
            exact += [found] if wanted.exact else []
        elif not any(term_match(wanted, other) >= ROOTED for other in known if other.word):
            lacking.add(base(token.folded))
    # Hebrew names have no capitals: there each word may be one.
    least = 1.0 if is_hebrew(claim) else _ORDERED
    ordered = _longest_ordered_run(exact) == len(exact) and _longest_ordered_run(places) >= least * len(places)
    return frozenset(lacking) if ordered else None


def _longest_ordered_run(places: list[list[int]]) -> int:
    """How many of the words stand one behind the other at most, each at one of its places."""
    ends: list[int] = []
    for found in places:
        for place in sorted(found, reverse=True):
            at = bisect_left(ends, place)
            ends[at : at + 1] = [place]
    return len(ends)
