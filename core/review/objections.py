"""Finds objections to a claim although a text window contains its words: takes both; returns the objections.

A claim may state as certain what is only expected, add a cause, generalise from some to all, omit an exception, name a
different period, or swap the parties.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from core.language import hebrew, stance
from core.language.entities.facts import facts
from core.language.entities.frequencies import frequencies
from core.language.entities.numerals import ORDINALS
from core.language.entities.quantities import quantities, references, says_same
from core.language.hebrew import THE
from core.language.normalisation import fold
from core.language.vocabulary import phrases, words_of
from core.review.lexicon import Term, ambivalent, is_held, keys, terms
from core.review.polarity import Polarity, matches_any, polarity, unpaired

_phrase = phrases("grounding/patterns.objections")
_JOINED_LETTERS = _phrase("prefixes")
_OBJECT_LETTERS = _phrase("object_letters")
_PARTS = words_of("grounding/patterns.objections.parts")
_PARTS_IN = words_of("grounding/patterns.objections.parts_in")

SIDES = frozenset(words_of("grounding/patterns.objections.sides"))
"""Term keys for the parties of a deal."""

Reserve = Literal[
    "hedge", "cause", "scope", "negation", "exception", "period", "frequency", "inclusion", "roles", "both"
]

_END = re.compile(r"[;:]|\.\s")
_BEARS = 0.66
"""Share of the negated words that the other sentence must contain."""
_JOINED = 0.6
"""Share of a cause, and of its effect, that must be on the two sides of a word that joins them."""
_NEXT = 24
"""Number of characters after "some" or "mostly" that contain what it refers to."""
_COVERED = 0.5
"""Share of an exception that a claim must repeat to account for it."""
_RESPECTIVELY = re.compile(_phrase("respectively"))
_DEALS_FROM = re.compile(r"[;:]|\.\s|\b(?:and|but|while|due|offset)\b.{0,12}\b(?:to|by)\b")
"""Latest start of the list that "respectively" refers to."""
_LIMITED = re.compile(_phrase("limited"))
_NOT_LIMITED = re.compile(_phrase("not_limited"))
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+")
_PASSIVE = re.compile(_phrase("passive"))
_FIGURE = re.compile(r"\s*[$€£₪]?\d")
_ON_CONDITION = re.compile(_phrase("on_condition"))
_NOT_WITHOUT = re.compile(_phrase("not_without"))
_INCLUDING = re.compile(_phrase("including"))
_EXCLUDING = re.compile(_phrase("excluding"))
_PERIOD_WORDS = frozenset(words_of("grounding/patterns.objections.period_words"))
_LAST = frozenset(words_of("grounding/patterns.objections.last"))


def objections_to(claim: str, window: str, around: str = "", permits: bool = False) -> list[Reserve]:
    """Returns the objections to saying that ``window`` supports ``claim``; empty if there are none. ``permits``: a
    window that says "may" allows the claim's action."""
    ours, theirs = fold(claim), fold(window)
    wide = f"{window} {around}"
    checks: dict[Reserve, bool] = {
        "negation": denial(claim, window) != "none",
        "period": _other_period(claim, wide) or _other_date(claim, wide),
        "frequency": frequency_conflict(claim, window) in ("other", "untold"),
        "inclusion": inclusion_conflict(claim, window),
        "hedge": _is_hedged(ours, theirs, claim, permits),
        "cause": _invents_cause(ours, theirs),
        "scope": _widens(ours, theirs),
        "exception": _has_exception(claim, theirs),
        "roles": _roles_exchanged(claim, window) or swapped_roles(claim, window),
        "both": any(is_held(term, keys(window)) and ambivalent(term, keys(window)) for term in terms(claim)),
    }
    return [name for name, speaks in checks.items() if speaks]


Often = Literal["none", "same", "other", "untold"]


def frequency_conflict(claim: str, window: str) -> Often:
    """Returns whether the window states the claim's frequency, an*other* one, or no frequency (*untold*); *none*: the
    claim states none."""
    ours, theirs = frequencies(claim), frequencies(window)
    if not ours:
        return "none"
    if not theirs:
        return "untold"
    return "same" if all(any(each.same(other) for other in theirs) for each in ours) else "other"


def inclusion_conflict(claim: str, window: str) -> bool:
    """Returns whether one includes what the other excludes: including VAT, excluding VAT."""
    ours, theirs = _counted_in(fold(claim)), _counted_in(fold(window))
    return any(theirs.get(key, counted) != counted for key, counted in ours.items())


def _counted_in(plain: str) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for counted, pattern in ((True, _INCLUDING), (False, _EXCLUDING)):
        for match in pattern.finditer(plain):
            for term in terms(plain[match.end() : match.end() + 2 * _NEXT])[:1]:
                found[term.key.removeprefix(THE)] = counted
    return found


def _is_hedged(ours: str, theirs: str, claim: str, allowing: bool) -> bool:
    """Returns whether the window only expects or allows what the claim states as certain."""
    own = terms(claim)
    permits, asks = allowing or stance.marks(ours, "may"), stance.marks(ours, "must")
    for start, end in stance.marks(theirs, "hedges"):
        if stance.marks(ours, "hedges"):
            return False
        if permits and theirs[start:end] in stance.phrases("may"):
            continue
        if asks and theirs[start:end] in stance.phrases("conditions"):
            continue
        stop = _END.search(theirs, end)
        scope = keys(theirs[start : stop.start() if stop else len(theirs)])
        met = [term for term in own if is_held(term, scope)]
        if len(met) * 3 >= len(own):
            return True
    return False


def _is_as_wide(ours: str, span: tuple[int, int], theirs: str) -> bool:
    """Returns whether the window's "all" covers everything that the claim's "all" covers."""
    whole = terms(ours[span[1] :])[:1]
    for _, end in stance.marks(theirs, "universals"):
        beside = frozenset(term.key for term in terms(theirs[end : end + 4 * _NEXT])[:3])
        if all(is_held(term, beside) for term in whole):
            return True
    return False


Denial = Literal["none", "one", "unclear"]


def denial(claim: str, window: str) -> Denial:
    """Returns whether exactly one of them negates what the other states (*one*), or whether the negations cannot be
    matched (*unclear*).

    Two negations match if they share a word. Negations in the window about other subjects are ignored.
    """
    if _LIMITED.search(fold(claim)) and _LIMITED.search(fold(window)):
        limits = [bool(_NOT_LIMITED.search(fold(text))) for text in (claim, window)]
        if limits[0] != limits[1]:
            return "one"
    ours, theirs = polarity(claim), polarity(window)
    if stance.has(claim, "must") and not ours.denied:
        theirs = polarity(_as_requirement(window))
    elif stance.has(window, "must") and not theirs.denied:
        ours = polarity(_as_requirement(claim))
    yours = [scope for scope in theirs.denied if any(matches_any(word, ours.words) for word in scope)]
    of_ours, of_theirs = unpaired(ours.denied, yours)
    alone = [*((scope, theirs) for scope in of_ours), *((scope, ours) for scope in of_theirs)]
    if not alone:
        return "unclear" if _turns_limit(ours, theirs) or _turns_limit(theirs, ours) else "none"
    scope, other = alone[0]
    shared = sum(matches_any(word, other.words) for word in scope)
    return "one" if len(alone) == 1 and shared >= _BEARS * len(scope) else "unclear"


def _turns_limit(one: Polarity, other: Polarity) -> bool:
    """Returns whether ``one`` says "not only" or "not later" and ``other`` says "only" or "later"."""
    return any(
        turned and (word, False) in other.limits and (word, True) not in other.limits for word, turned in one.limits
    )


def _as_requirement(text: str) -> str:
    """Rewrites "shall not ... without" as "requires", so that neither word is a negation."""
    return _NOT_WITHOUT.sub(lambda match: f" {match['what']} requires ", fold(text))


def _invents_cause(ours: str, theirs: str) -> bool:
    """Returns whether the claim states a cause that the window does not state."""
    for start, end in stance.marks(ours, "causes"):
        effect, cause = terms(ours[:start]), terms(ours[end:])
        splits = [(keys(theirs[:begin]), keys(theirs[stop:])) for begin, stop in stance.marks(theirs, "causes")]
        if not any(
            (_held_share(effect, one) >= _JOINED and _held_share(cause, other) >= _JOINED)
            or (_held_share(effect, other) >= _JOINED and _held_share(cause, one) >= _JOINED)
            for one, other in splits
        ):
            return True
    return False


def _held_share(wanted: Sequence[Term], held: frozenset[str]) -> float:
    return sum(is_held(term, held) for term in wanted) / len(wanted) if wanted else 1.0


def _widens(ours: str, theirs: str) -> bool:
    """Returns whether the claim generalises: it says all, always or only and the window does not, or the window says
    some and the claim does not."""
    ours, theirs = _without_frequencies(ours), _without_frequencies(theirs)
    own = terms(ours)
    if any(not _is_as_wide(ours, span, theirs) for span in stance.marks(ours, "universals")):
        return True
    if not stance.marks(ours, "restricting"):
        for start, end in stance.marks(theirs, "restricting"):
            if _FIGURE.match(theirs, end) or (stance.marks(ours, "must") and _ON_CONDITION.match(theirs, end)):
                continue
            beside = terms(theirs[end : end + 2 * _NEXT])[:2] or terms(theirs[max(0, start - 2 * _NEXT) : start])[-2:]
            if not all(is_held(term, keys(ours)) for term in beside):
                return True
    if stance.marks(ours, "partial"):
        return False
    following = (theirs[end : end + _NEXT] for _, end in stance.marks(theirs, "partial"))
    return any(any(is_held(term, keys(words)) for term in own) for words in following)


def _without_frequencies(plain: str) -> str:
    """Blanks frequencies, since "every month" does not mean all months."""
    for each in frequencies(plain):
        plain = plain[: each.start] + " " * (each.end - each.start) + plain[each.end :]
    return plain


def _has_exception(claim: str, theirs: str) -> bool:
    """Returns whether the window has an exception that the claim does not mention."""
    own = keys(claim)
    for _, end in stance.marks(theirs, "exceptions"):
        stop = _END.search(theirs, end)
        taken = terms(theirs[end : stop.start() if stop else len(theirs)])
        met = sum(is_held(term, own) for term in taken)
        if taken and met < _COVERED * len(taken):
            return True
    return False


def _other_period(claim: str, window: str) -> bool:
    """Returns whether the claim names a year, or an ordinal of a period, that the window does not."""
    if not _ordinals(claim) <= _ordinals(window) or not _ordinals_of_periods(claim) <= _ordinals_of_periods(window):
        return True
    years = facts(window).years
    return bool(years) and not facts(claim).years <= years


def _other_date(claim: str, window: str) -> bool:
    """Returns whether the claim names a day, an hour, a section or a code that the window does not."""
    ours, theirs = facts(claim), facts(window)
    if _is_dealt_out(claim, window):
        return True
    if not {each for each in ours.names if _DIGIT.search(each)} <= theirs.names:
        return True
    left = list(theirs.dates)
    for day in (each for each in ours.dates if each.month or each.weekday):
        met = next((other for other in left if day.fits(other, theirs.years)), None)
        if met is None:
            return True
        left.remove(met)
    return not (ours.clocks <= theirs.clocks and references(claim) <= references(window))


def _is_dealt_out(claim: str, window: str) -> bool:
    """Returns whether a figure or date of the claim is from a list that the window assigns with "respectively"."""
    plain = fold(window)
    if _RESPECTIVELY.search(fold(claim)):
        return False
    figures, days = quantities(claim), facts(claim).days
    for match in _RESPECTIVELY.finditer(plain):
        begin = max((each.end() for each in _DEALS_FROM.finditer(plain, 0, match.start())), default=0)
        row = window[begin : match.start()] if len(plain) == len(window) else window
        dealt = quantities(row)
        if any(says_same(one, other) for one in figures for other in dealt) or days & facts(row).days:
            return True
        if not dealt and not facts(row).days:
            return True
    return False


def _ordinals(text: str) -> frozenset[str]:
    """Returns English ordinal words; Hebrew ones are also numbers and weekdays, so they are left out."""
    words = {match.group() for match in _WORD.finditer(fold(text))}
    return frozenset(words & (ORDINALS - {"half", "quarter", "single", "zero"}) if not hebrew.is_hebrew(text) else ())


def _ordinals_of_periods(text: str) -> set[str]:
    found: set[str] = set()
    words = [match.group() for match in _WORD.finditer(fold(text))]
    for word, following in pairwise([*words, ""]):
        for bare in {word, word[1:]} if word[:1] in _JOINED_LETTERS else {word}:
            beside = {following, following.removesuffix("s")}
            if bare in (ORDINALS | _LAST) - {"half", "quarter"} and beside & _PERIOD_WORDS:
                found.add(bare)
    if any(word in _PARTS_IN for word in words):
        for word, following in pairwise([*words, ""]):
            if word.endswith(_PARTS) and following.removeprefix(THE) in ORDINALS | _LAST:
                found.add(following.removeprefix(THE))
    return found


def _roles_exchanged(claim: str, window: str) -> bool:
    """Returns whether two names appear in the opposite order, and both sentences are active or both passive."""
    ours, theirs = list(_parties(claim)), list(_parties(window))
    shared = [each for each in dict.fromkeys(ours) if each in theirs]
    if len(shared) < 2 or bool(_PASSIVE.search(fold(claim))) != bool(_PASSIVE.search(fold(window))):
        return False
    order = [each for each in dict.fromkeys(theirs) if each in shared]
    return order[:2] != shared[:2]


def swapped_roles(claim: str, window: str) -> bool:
    """Returns whether two words swapped places around a preposition: X asks Y, Y is asked by X."""
    ours, theirs = _prepositions(claim), _prepositions(window)
    lost: dict[str, set[str]] = {}
    gained: dict[str, set[str]] = {}
    for key in ours.keys() & theirs.keys():
        if len(ours[key]) == len(theirs[key]) == 1:
            before, behind = min(theirs[key]), min(ours[key])
            if before and not behind:
                lost.setdefault(before, set()).add(key)
            if behind and not before:
                gained.setdefault(behind, set()).add(key)
    return any(lost[mark] - gained[mark] for mark in lost.keys() & gained.keys())


def _prepositions(text: str) -> dict[str, set[str]]:
    """Maps each term to the words before it: a preposition, in Hebrew a prefix letter, or nothing."""
    plain = fold(text)
    found: dict[str, set[str]] = {}
    for term in terms(text):
        if hebrew.is_hebrew(term.word):
            letter = term.word[0] if term.word[0] in _OBJECT_LETTERS and len(term.word) > 3 else ""
            bare = term.word[len(letter) :].removeprefix(THE)
            found.setdefault(bare, set()).add(letter)
            continue
        behind = _BEFORE.search(plain[: term.start])
        found.setdefault(term.key, set()).add(behind["mark"] if behind else "")
    return found


_BEFORE = re.compile(r"\b(?P<mark>to|from|by|on|upon|against|over)\s+(?:(?:the|a|an|its|their|any|such)\s+)?$")


def _parties(text: str) -> Iterator[str]:
    """Yields names and words for parties, in order."""
    names = facts(text).names
    for term in terms(text):
        if term.key in SIDES or term.word in names:
            yield term.key
