"""Answers yes/no questions without a model: takes a question and a sentence; returns yes or no if the sentence decides.

The question is turned into a claim ("Does Larch pay the fee?": Larch pays the fee) and compared with the sentence. It
is *yes* if the sentence contains all of the claim in order, *no* if it negates exactly that, and neither if the
sentence is about possibilities. Otherwise the sentence itself stays the answer, with its warning.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import Literal

from pydantic import field_validator

from core.answering.prose.question import read_question
from core.answering.prose.tokens import ROOTED, term, term_match, tokens
from core.events import Passage, Source
from core.figures.records import Candidate
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.stance import marks
from core.language.vocabulary import Entry, file_of, phrase_of
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.review.polarity import base, opposites, polarity
from core.review.support import rule_based_support

Verdict = Literal["yes", "no"]

SAID = {"yes": message("answering.yes"), "no": message("answering.no")}
LEAST = 0.62
"""Certainty of a yes or no: the lowest measured share of correct verdicts. It also depends on whether the right
sentence was chosen."""
_ORDERED = 0.75
"""Minimum share of a claim's words that a sentence must contain in the same order; names and figures must all be in
order."""
_EXISTING = 0.5
"""Minimum share of the question's rare words in a sentence that says that something exists."""
_EXISTS = re.compile(phrase_of("answering/prose.document.exists"))
_PERMITTED = frozenset({"can", "may"})
_BRACKETS = re.compile(r"\([^()]*\)")
_DECIDES_NOTHING = frozenset({"number", "exchanged", "date", "name", "limit", "no_source"})


class _Wording(Entry):
    """Word lists for verdicts; ``opening``: words that turn a claim into a question; ``open``: words that leave a point
    open; ``telling``: common words that still matter here."""

    opening: re.Pattern[str]
    open: frozenset[str]
    telling: frozenset[str]

    @field_validator("open", "telling", mode="before")
    @classmethod
    def _split(cls, words: str) -> list[str]:
        return [base(word) for word in fold(words).split()]


_wording = file_of("graph/verdict", _Wording)


def yes_no_answer(question: AnalysedQuestion, candidate: Candidate) -> Candidate:
    """Returns ``candidate`` with *Yes* or *No* before its sentence if the sentence decides; otherwise unchanged."""
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


def stated_yes(question: AnalysedQuestion, candidate: Candidate) -> Candidate:
    """Returns ``candidate`` with *Yes* before its line if the question asks whether a document has or provides
    something, and the sentence has the words for it without a negation."""
    answer, reasons = candidate.answer, candidate.reasons
    if answer.kind == "choice" or not _EXISTS.search(fold(question.focus or question.text)) or not answer.cells:
        return candidate
    has_words = reasons.get("words", 0.0) >= _EXISTING and reasons.get("rarest", 0.0) >= _EXISTING
    asked = polarity(question.focus or question.text).words
    if not has_words or any(denied & asked for denied in polarity(answer.cells[0].text).denied):
        return candidate
    line = f"{SAID['yes'].to(question.language)}: {answer.line}"
    return replace(candidate, answer=answer.model_copy(update={"kind": "choice", "value": "yes", "line": line}))


def verdict(question: str, sentence: str, about: str = "") -> Verdict | None:
    """Returns whether ``sentence`` says yes or no; ``about`` is the subject of its document. Returns ``None`` if the
    sentence decides nothing."""
    claim = _wording().opening.sub("", question.strip(), count=1).rstrip("?؟ ").strip()
    # Text in brackets is an aside; what it refers to cannot be determined.
    sentence = _BRACKETS.sub(" ", sentence)
    ours, theirs, question_words = polarity(claim), polarity(sentence), polarity(question).words
    # "Can" and "may" both mean permission.
    question_words |= _PERMITTED if question_words & _PERMITTED else frozenset()
    if _is_excepted(claim, sentence):
        return None
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


def _is_excepted(claim: str, sentence: str) -> bool:
    """Returns whether the sentence makes an exception ("except", "unless") that says something of the claim: then it
    decides the other cases, and the one that is asked for only with a condition."""
    starts = [start for start, _ in marks(fold(sentence), "exceptions")]
    if not starts:
        return False
    after = [token for token in tokens(fold(sentence)[min(starts) :]) if token.word and not token.stop]
    asked = [term(token) for token in tokens(claim) if token.word and not token.stop]
    return any(term_match(wanted, token) >= ROOTED for wanted in asked for token in after)


def _lacking(claim: str, sentence: str, about: str) -> frozenset[str] | None:
    """Returns the words of ``claim`` that are neither in ``sentence`` nor in ``about``. Returns ``None`` if the words'
    order differs, since only the order shows who acts on whom and which figure belongs to whom."""
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
    # Hebrew names have no capitals, so any word may be a name.
    least = 1.0 if is_hebrew(claim) else _ORDERED
    ordered = _longest_ordered_run(exact) == len(exact) and _longest_ordered_run(places) >= least * len(places)
    return frozenset(lacking) if ordered else None


def _longest_ordered_run(places: list[list[int]]) -> int:
    """Returns the length of the longest sequence of words in the same order; each word may be at one of several
    positions."""
    ends: list[int] = []
    for found in places:
        for place in sorted(found, reverse=True):
            at = bisect_left(ends, place)
            ends[at : at + 1] = [place]
    return len(ends)
