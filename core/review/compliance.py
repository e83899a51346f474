"""Checks whether a statement complies with a rule: statement, rule sentences → kept, broken or open.

Kept and broken both require the same subject: the sentence contains the statement's words close together, and a figure
is compared with the figure that describes the same thing. A limit is kept by values within it, a range by values
between its ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.language import stance
from core.language.detection import detect
from core.language.entities.facts import facts, prepared
from core.language.entities.frequencies import frequencies
from core.language.entities.quantities import Quantity, converted, quantities, says_same
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.vocabulary import phrase_of
from core.review.direction import direction
from core.review.lexicon import Term, terms
from core.review.objections import SIDES, Reserve, denial, frequency_conflict, objections_to
from core.review.polarity import known_name, polarity
from core.review.quantity_binding import BY, QuantityContext, competing_quantities, quantity_contexts
from core.review.relevance import UNTITLED, ContextLine, Document, RelevantWindow, capitalised, relevant_windows
from core.review.roles import are_names_exchanged

Keeping = Literal["kept", "broken", "open"]
Breach = Literal["figure", "denied", "date", "opposite", "name", "frequency"]

SAME_SUBJECT = 0.75
"""Minimum term coverage for a sentence to be about the statement's subject."""
ALMOST = 0.6
"""Minimum coverage if a figure is also compared with one that has the same words around it."""
NEARLY_WHOLE, CLOSE_TOGETHER = 0.8, 0.6
"""Minimum coverage and density for a sentence that lacks one word of a statement to be about the same subject."""
DENSE, DENSE_WITH_FIGURE = 0.4, 0.3
_MAY_MISS = 2
_TELLING = 2
"""Minimum number of a statement's terms for a different figure with the same terms to contradict it."""
_ELSEWHERE = 0.4
"""Share of the best similarity from which an equal figure elsewhere may be the intended one."""
_ALSO = 0.15
"""Maximum coverage difference to the best sentence for another sentence to be considered."""
_MODAL = frozenset({"=allow", "=forbid"})
"""Terms that negations also express, so they are counted there."""
_HARDLY = 0.3
"""Coverage below which a sentence in the same language is barely relevant to a statement."""
_OVERRULING: frozenset[Reserve] = frozenset({"negation", "hedge"})
_DEADLINE = re.compile(phrase_of("grounding/patterns.compliance.deadline"))
_FULL_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+ [A-Z][a-z]+\b")
_IS_NAME = re.compile(r"\b(?:is|are|will be|shall be)\s+(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)+)[.\s]*$")
_IS_NAMED = re.compile(phrase_of("grounding/patterns.compliance.is_named"))
_BEFORE_ACTOR = 2
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been)\s+(?:not\s+)?\w+(?:ed|en|id|ld|nt)\b")
_MAY_NOT = re.compile(phrase_of("grounding/patterns.compliance.may_not"))
_WORD = re.compile(r"[^\W_]+")
_COMPARING = re.compile(phrase_of("grounding/patterns.compliance.comparing"))
_SCALED = 500
_CLAUSE_START = re.compile(r"[,;:(]")


@dataclass(frozen=True)
class RuleCompliance:
    """The result; ``bearing``: the deciding or most relevant sentence; ``ours`` and ``theirs``: the deciding figures;
    ``breach``: the kind of violation."""

    keeping: Keeping
    bearing: RelevantWindow | None = None
    breach: Breach | None = None
    ours: Quantity | None = None
    theirs: QuantityContext | None = None


def rule_compliance(
    statement: str,
    lines: Sequence[ContextLine],
    document: Document = UNTITLED,
    in_force: Callable[[int, QuantityContext], bool] | None = None,
) -> RuleCompliance:
    """Compares ``statement`` with the rule in ``lines``; ``in_force`` says which figures of a line apply."""
    found = relevant_windows(statement, lines, document)
    if not found:
        return RuleCompliance("open")
    near = [each for each in found if each.coverage >= found[0].coverage - _ALSO]
    verdicts = [_window_verdict(statement, each, lines, in_force) for each in near]
    decided = [each for each in verdicts if each.keeping != "open"]
    kept = [each for each in decided if _is_the_very_figure(each)]
    if kept and all(each.breach == "figure" for each in decided if each.keeping == "broken"):
        return kept[0]
    if not decided or len({each.keeping for each in decided}) > 1:
        return RuleCompliance("open", found[0])
    return decided[0]


def _is_the_very_figure(kept: RuleCompliance) -> bool:
    """Returns whether the figures are identical; then a different figure elsewhere is not a violation."""
    return (
        kept.keeping == "kept"
        and kept.ours is not None
        and kept.theirs is not None
        and says_same(kept.ours, kept.theirs.quantity)
    )


def _window_verdict(
    statement: str,
    bearing: RelevantWindow,
    lines: Sequence[ContextLine],
    in_force: Callable[[int, QuantityContext], bool] | None,
) -> RuleCompliance:
    held = [
        place
        for line in bearing.lines
        for place in quantity_contexts([(lines[line].text, lines[line].around)])
        if in_force is None or in_force(line, place)
    ]
    asks = stance.has(statement, "must")
    figures = [(each, *_held_to(statement, each, held, asks)) for each in quantities(statement)]
    if direction(statement, bearing.text) == "none" or _compares_otherwise(statement, bearing.text):
        return RuleCompliance("open", bearing)
    against = objections_to(statement, bearing.text, bearing.around, permits=True)
    broken = next((each for each in figures if each[1] == "broken"), None)
    if broken:
        if _stands_elsewhere(statement, broken[0], lines):
            return RuleCompliance("open", bearing)
        return _broken_figure(statement, bearing, broken[0], broken[2], against)
    breach = (
        _late(statement, bearing) or _someone_else(statement, bearing) or _contradicted(statement, bearing, against)
    )
    if breach and all(fate == "kept" for _, fate, _ in figures):
        return RuleCompliance("broken", bearing, breach)
    if against or bearing.opposed or any(fate != "kept" for _, fate, _ in figures):
        return RuleCompliance("open", bearing)
    if not figures and are_names_exchanged(statement, [line.text for line in lines]):
        return RuleCompliance("open", bearing)
    if _is_same_subject(statement, bearing, bool(figures)) and not _other_modality(statement, bearing.text):
        place = figures[0][2] if figures else None
        return RuleCompliance("kept", bearing, None, figures[0][0] if figures else None, place)
    return RuleCompliance("open", bearing)


def _is_same_subject(statement: str, bearing: RelevantWindow, with_figures: bool) -> bool:
    room = 0 if len(terms(statement)) <= 8 and not with_figures else 1
    dense = DENSE_WITH_FIGURE if with_figures else DENSE
    together = len(bearing.lines) == 1 or with_figures
    near = bearing.coverage >= SAME_SUBJECT and len(bearing.missing) <= room and bearing.density >= dense and together
    return near or _is_almost_whole(statement, bearing)


def _is_almost_whole(statement: str, bearing: RelevantWindow) -> bool:
    """Returns whether one sentence contains all but one word of ``statement`` close together, and that word is not a
    name, party or year."""
    whole = bearing.coverage >= NEARLY_WHOLE and bearing.density >= CLOSE_TOGETHER and bearing.is_one
    names = capitalised(statement)
    plain = all(
        term.key not in SIDES and term.word not in names and not term.key.isdecimal() for term in bearing.missing
    )
    return whole and len(bearing.missing) <= 1 and plain


def _stands_elsewhere(statement: str, quantity: Quantity, lines: Sequence[ContextLine]) -> bool:
    """Returns whether another sentence has the identical figure with nearly the same words."""
    found = competing_quantities(statement, quantity, quantity_contexts([(line.text, line.around) for line in lines]))
    same = max((score for score, place in found if says_same(quantity, place.quantity)), default=0.0)
    return bool(found) and same > 0 and same >= _ELSEWHERE * found[0][0]


def _broken_figure(
    statement: str, bearing: RelevantWindow, ours: Quantity, theirs: QuantityContext | None, against: Sequence[Reserve]
) -> RuleCompliance:
    close = bearing.density >= DENSE_WITH_FIGURE and bearing.is_one and len(bearing.missing) <= _MAY_MISS
    if any(term.key not in SIDES for term in bearing.presumed) or (theirs and _is_of_another_scale(ours, theirs)):
        return RuleCompliance("open", bearing)
    if (
        (len(terms(statement)) >= _TELLING or _words_beside_figures(statement) == _words_beside_figures(bearing.text))
        and bearing.coverage >= ALMOST
        and close
        and "negation" not in against
        and "period" not in against
    ):
        return RuleCompliance("broken", bearing, "figure", ours, theirs)
    return RuleCompliance("open", bearing)


def _words_beside_figures(sentence: str) -> list[str]:
    """Returns the words without figures: "The task takes 30 minutes." → ``["the", "task", "takes"]``."""
    text = prepared(sentence)
    for each in sorted(quantities(sentence), key=lambda found: -found.start):
        text = f"{text[: each.start]} {text[each.end :]}"
    return _WORD.findall(fold(text))


def _compares_otherwise(statement: str, rule: str) -> bool:
    """Returns whether ``statement`` says that one thing exceeds another, or doubles, and ``rule`` does not."""
    compares = not quantities(statement) and _COMPARING.search(fold(statement))
    return bool(compares) and not _COMPARING.search(fold(rule))


def _is_of_another_scale(ours: Quantity, theirs: QuantityContext) -> bool:
    """Returns whether a table cell may be in thousands or millions, which the table states elsewhere."""
    return "|" in theirs.text and ours.high >= _SCALED * max(theirs.quantity.high, 1e-9)


def _late(statement: str, bearing: RelevantWindow) -> Breach | None:
    """Returns a breach if the statement's only date differs from the sentence's only date, or is after its deadline."""
    ours = [day for day in facts(statement).dates if day.month and day.day]
    theirs = [day for day in facts(bearing.text).dates if day.month and day.day]
    if len(ours) != 1 or len(theirs) != 1 or bearing.coverage < SAME_SUBJECT or len(bearing.lines) > 1:
        return None
    one, other = ours[0], theirs[0]
    if (one.year and other.year and one.year != other.year) or one.fits(other, facts(bearing.text).years):
        return None
    deadline = _DEADLINE.search(fold(bearing.text)) is not None
    early = (one.month or 0, one.day or 0) < (other.month or 0, other.day or 0)
    return None if deadline and early else "date"


def _someone_else(statement: str, bearing: RelevantWindow) -> Breach | None:
    """Returns a breach if the statement names a different person for an office than the sentence."""
    if _other_party(statement, bearing) or _other_name(statement, bearing):
        return "name"
    named = _IS_NAME.search(statement)
    if not named or not bearing.missing or len(bearing.lines) > 1:
        return None
    words = {word.lower() for word in named["name"].split()}
    others = {match.group() for match in _FULL_NAME.finditer(bearing.text)}
    office = [term for term in terms(statement) if term.word not in words]
    only_name = all(term.word in words for term in bearing.missing) and len(bearing.missing) == len(words)
    return "name" if office and only_name and others else None


def _other_party(statement: str, bearing: RelevantWindow) -> bool:
    """Returns whether the statement assigns an action to a different party than the sentence, and all else is equal."""
    ours, theirs = _actor(statement), _actor(bearing.text)
    if not ours or not theirs or ours.key == theirs.key or not bearing.is_one or bearing.opposed:
        return False
    return [term.key for term in bearing.missing] == [ours.key]


def _other_name(statement: str, bearing: RelevantWindow) -> bool:
    """Returns whether two sentences of a language without capitals say the same of different people: both end with a
    known name, and have the same terms before it."""
    ends = [_IS_NAMED.search(text.strip()) for text in (statement, bearing.text)]
    if len(bearing.lines) > 1 or not all(ends):
        return False
    ours, theirs = ({*end["name"].split()} for end in ends if end)
    offices = [{term.key for term in terms(end.string[: end.start()])} for end in ends if end]
    known = all(any(known_name(word) for word in name) for name in (ours, theirs))
    return known and not (ours <= theirs or theirs <= ours) and bool(offices[0]) and offices[0] == offices[1]


def _actor(sentence: str) -> Term | None:
    """Returns the party at the beginning of an active sentence."""
    first = terms(sentence)[:1]
    plain = fold(sentence)
    opens = first and first[0].key in SIDES and len(plain[: first[0].start].split()) <= _BEFORE_ACTOR
    return first[0] if opens and not _PASSIVE.search(plain) else None


def _contradicted(statement: str, bearing: RelevantWindow, against: Sequence[Reserve]) -> Breach | None:
    """Returns a breach if the sentence has the same subject and says the opposite."""
    ours, theirs = polarity(statement), polarity(bearing.text)
    figures = quantities(statement)
    if against == ["inclusion"]:
        return "opposite"
    dense = bearing.density >= (DENSE_WITH_FIGURE if figures else DENSE)
    lacking = [term for term in bearing.missing if term.key not in SIDES and term.key not in _MODAL]
    if bearing.coverage < SAME_SUBJECT or not bearing.is_one or not dense:
        return None
    if len(lacking) > bool(figures) and not _is_almost_whole(statement, bearing):
        return None
    if "exception" in against:
        return None
    if against == ["frequency"] and _told_once(statement, bearing.text):
        return "frequency"
    contrary = [term for term, _ in bearing.opposed if term.key not in _MODAL]
    if contrary and not ours.denied and not theirs.denied:
        return "opposite"
    if not contrary and denial(statement, bearing.text) == "one":
        return "denied"
    return None


def _told_once(statement: str, rule: str) -> bool:
    """Returns whether each states one frequency, and they differ."""
    one_each = len(frequencies(statement)) == len(frequencies(rule)) == 1
    return one_each and frequency_conflict(statement, rule) == "other"


def _held_to(
    statement: str, quantity: Quantity, held: Sequence[QuantityContext], asks: bool = False
) -> tuple[Keeping, QuantityContext | None]:
    """Compares ``quantity`` with the figure that has the same words around it; if two are equally close, both must
    agree. A statement that ``asks`` for something is compared with the condition under which a rule allows it."""
    found = competing_quantities(statement, quantity, held)
    if not found:
        return "open", None
    best = found[0][0]
    near = [(is_allowed(quantity, place, asks), place) for score, place in found if score * BY >= best]
    if len({fate for fate, _ in near}) > 1:
        return "open", near[0][1]
    return near[0]


def is_allowed(ours: Quantity, place: QuantityContext, asks: bool = False) -> Keeping:
    """Returns whether ``ours`` complies with the figure of a rule."""
    theirs = place.quantity
    value = converted(ours, theirs)
    if theirs.is_range:
        inside = theirs.low <= value.low and value.high <= theirs.high
        return "kept" if inside and not ours.limit else "open" if inside else "broken"
    if _is_condition(place) and not asks:
        return "kept" if _is_within(value, theirs) and theirs.limit else "open"
    if theirs.limit in ("most", "least"):
        contrary = "least" if theirs.limit == "most" else "most"
        return "broken" if not _is_within(value, theirs) else "open" if ours.limit == contrary else "kept"
    if says_same(ours, theirs):
        return "kept" if ours.limit in (None, "exactly") or theirs.unit else "open"
    if ours.limit == "most" and value.high <= theirs.high:
        return "kept" if theirs.unit in _TIMES else "broken"
    if ours.limit == "least" and value.low <= theirs.low:
        return "kept"
    return "open" if theirs.near and not ours.near else "broken"


_TIMES = frozenset({"hour", "day", "working day", "week", "month", "year", "minute"})


def _is_within(value: Quantity, theirs: Quantity) -> bool:
    slack = 1e-9 * max(1.0, abs(theirs.low))
    return value.high <= theirs.high + slack if theirs.limit == "most" else value.low >= theirs.low - slack


def _is_condition(place: QuantityContext) -> bool:
    """Returns whether the figure is a condition of the rule, and not its requirement."""
    text = fold(place.text)[: place.quantity.start]
    begins = [match.end() for match in _CLAUSE_START.finditer(text)]
    return bool(stance.marks(text[begins[-1] if begins else 0 :], "conditions"))


def _other_modality(statement: str, rule: str) -> bool:
    """Returns whether one says "must" and the other "may"."""
    ours, theirs = fold(statement), fold(rule)
    forbids = bool(_MAY_NOT.search(ours))
    may, must = bool(stance.marks(ours, "may")) and not forbids, bool(stance.marks(ours, "must")) or forbids
    allows = bool(stance.marks(theirs, "may"))
    asks = bool(stance.marks(theirs, "must")) or bool(stance.marks(theirs, "restricting"))
    return (may and not must and asks and not allows) or (must and not may and allows and not asks)


def are_figures_allowed(statement: str, passage: str) -> bool:
    """Returns whether every figure and date of ``statement`` is allowed by a matching one of ``passage``. If a model
    says that it complies, no figure may contradict that."""
    held = quantity_contexts([(sentence.text, "") for sentence in split_sentences(passage)])
    ours, theirs = facts(statement), facts(passage)
    dated = all(day.within(theirs.dates, theirs.years) for day in ours.dates)
    return dated and all(_held_to(statement, each, held)[0] == "kept" for each in quantities(statement))


def is_contradicted(statement: str, lines: Sequence[ContextLine]) -> bool:
    """Returns whether the passage's most relevant sentence negates ``statement``, says the opposite, only expects it,
    or is barely relevant: then a model's opinion is not enough for compliance."""
    spoken = [line for line in lines if detect(line.text) == detect(statement)]
    if not spoken:
        return False
    found = relevant_windows(statement, spoken, most=1)
    if not found or found[0].coverage < _HARDLY:
        return bool(terms(statement))
    against = objections_to(statement, found[0].text, found[0].around, permits=True)
    return bool(found[0].opposed) or not _OVERRULING.isdisjoint(against)
