"""Checks a language model's comparison findings against the documents and the rule-based comparison.

The rules set the minimum, as in audits and support checks. A text that its document contradicts is dropped. A "same"
finding is rejected if figures, dates, duties or negations differ. A "different" finding is rejected if the rules find
both texts the same. If the model and the rules disagree, the finding is marked undecided. Rule findings that the model
missed are appended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from core.events import Quote, Source
from core.language.detection import detect
from core.language.entities.facts import facts
from core.language.entities.quantities import Quantity, quantities, says_same
from core.review.actions.comparison import Comparison, Finding
from core.review.actions.records import Statement, statements
from core.review.entailment import judge
from core.review.equivalence import contradictory_aspect
from core.review.lexicon import is_held, keys, terms
from core.review.polarity import polarity
from core.review.relevance import ContextLine

_MOST_LINES = 60
"""Number of document sentences to check a text against: those that share most of its words and figures."""
_ABOUT = 0.6
"""Minimum share of a text's terms that the sentence of a rule finding must contain to be about the same subject as the
text."""


@dataclass(frozen=True)
class UndeniedText:
    """A text that its document does not contradict; ``statement`` is the most relevant sentence in the document, if
    any."""

    number: int
    text: str
    statement: Statement | None = None


@dataclass
class Adjudication:
    """The checked findings; ``left_out`` counts findings that were dropped because their documents contradict them."""

    differences: list[Finding] = field(default_factory=list)
    agreements: list[Finding] = field(default_factory=list)
    undecided: list[Finding] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)
    left_out: int = 0


class WholeDocuments:
    """Whole documents, by citation number, against which a model's texts are checked."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._by_number = {source.number: _Document(source) for source in sources}

    def bear(self, number: int, text: str) -> UndeniedText | None:
        """Checks ``text`` against document ``number``; returns ``None`` if the document contradicts it or lacks its
        figures."""
        return self._by_number[number].bear(text)


def adjudicate(
    same: Sequence[Finding], differing: Sequence[Finding], documents: WholeDocuments, ruled: Comparison
) -> Adjudication:
    """Sorts findings into differences, agreements and undecided ones.

    Args:
        same: findings that the model calls the same.
        differing: findings that the model calls different.
        ruled: findings of the rule-based comparison.
    """
    result = Adjudication()
    texts: list[Sequence[UndeniedText]] = []
    for finding, is_same in [*((each, False) for each in differing), *((each, True) for each in same)]:
        borne = [documents.bear(number, text) for number, text in finding.says]
        held = [each for each in borne if each is not None]
        if len(held) < len(borne) or (is_same and len(held) < 2):
            result.left_out += 1
            continue
        if is_same and any(_tells(each, held) for each in ruled.differences):
            continue
        _place_finding(result, finding, held, is_same, ruled)
        texts.append(held)
        result.quotes += [each.statement.as_quote() for each in held if each.statement]
    _add_ruled(result, ruled, texts)
    return result


def _place_finding(
    result: Adjudication, finding: Finding, held: Sequence[UndeniedText], is_same: bool, ruled: Comparison
) -> None:
    """Adds a finding to the differences, the agreements or the undecided findings; the model's and the rules' verdicts
    decide which."""
    if is_same:
        disputed = any(_speaks_against(one, other) for one, other in combinations(held, 2))
        (result.undecided if disputed else result.agreements).append(finding)
        return
    alike = len(held) < 2 or any(_tells(each, held) for each in ruled.agreements) or _says_the_same(held)
    (result.undecided if alike else result.differences).append(finding)


def _speaks_against(one: UndeniedText, other: UndeniedText) -> bool:
    """Returns whether two texts cannot mean the same. Compares the texts, or their source sentences if neither text has
    figures. A negated text never means the same as one without a negation."""
    if contradictory_aspect(one.text, other.text) or bool(polarity(one.text).denied) != bool(
        polarity(other.text).denied
    ):
        return True
    if one.statement is None or other.statement is None or _tells_figures(one.text) or _tells_figures(other.text):
        return False
    aspect = contradictory_aspect(one.statement.text, other.statement.text)
    return aspect is not None and aspect != "scope"


def _tells_figures(text: str) -> bool:
    return bool(quantities(text) or facts(text).days)


def _says_the_same(held: Sequence[UndeniedText]) -> bool:
    """Returns whether all texts use the same words and figures, and so do their source sentences."""
    return all(
        _equal(one.text, other.text) and _equal(_statement_text(one), _statement_text(other))
        for one, other in combinations(held, 2)
    )


def _statement_text(borne: UndeniedText) -> str:
    return borne.statement.text if borne.statement else borne.text


def _equal(one: str, other: str) -> bool:
    return (
        contradictory_aspect(one, other) is None
        and _term_overlap(one, other) == 1.0
        and _term_overlap(other, one) == 1.0
    )


def _term_overlap(text: str, other: str) -> float:
    """Returns the share of ``text``'s terms that ``other`` contains; if ``text`` has no terms, 1 or 0 for whether
    ``other`` contains its figures."""
    own, held = terms(text), keys(other)
    if own:
        return sum(is_held(term, held) for term in own) / len(own)
    return float(_holds(quantities(other), quantities(text)))


def _holds(theirs: Sequence[Quantity], ours: Sequence[Quantity]) -> bool:
    return all(any(says_same(each, other) for other in theirs) for each in ours)


def _tells(ruled: Finding, held: Sequence[UndeniedText]) -> bool:
    """Returns whether a rule finding and the model's texts are about the same subject in at least two documents."""
    statements = dict(ruled.says)
    met = [
        each
        for each in held
        if each.number in statements
        and _term_overlap(each.text, statements[each.number]) >= _ABOUT
        and _is_part_of(each, statements[each.number])
    ]
    return len({each.number for each in met}) > 1


def _is_part_of(borne: UndeniedText, point: str) -> bool:
    """Returns whether ``point`` is the text's most relevant sentence, or a clause of it."""
    return borne.statement is None or point in borne.statement.text or borne.statement.text in point


def _add_ruled(result: Adjudication, ruled: Comparison, texts: Sequence[Sequence[UndeniedText]]) -> None:
    """Appends the rule findings that no finding of the model covers."""
    for into, found in ((result.differences, ruled.differences), (result.agreements, ruled.agreements)):
        new = [each for each in found if not any(_tells(each, held) for held in texts)]
        into += new
        result.quotes += [quote for each in new for quote in _finding_quotes(each, ruled.quotes)]


def _finding_quotes(finding: Finding, quotes: Sequence[Quote]) -> Iterator[Quote]:
    for number, text in finding.says:
        yield from (quote for quote in quotes if quote.number == number and quote.text == text)


class _Document:
    """A document whose sentences are parsed only when the first text is checked against it."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @cached_property
    def _statements(self) -> list[Statement]:
        return statements(self._source)

    @cached_property
    def _statement_keys(self) -> Mapping[int, frozenset[str]]:
        return {place: keys(each.text) for place, each in enumerate(self._statements)}

    @cached_property
    def _language(self) -> str:
        return detect(" ".join(each.text for each in self._statements[:_MOST_LINES]))

    def bear(self, text: str) -> UndeniedText | None:
        """Checks ``text`` against the document; returns ``None`` if the document contradicts it or lacks its figures.
        If ``text`` is in another language, compares only figures."""
        if detect(text) != self._language:
            among = [quantity for each in self._statements for quantity in quantities(each.text)]
            return UndeniedText(self._source.number, text) if _holds(among, quantities(text)) else None
        near = self._nearest_statements(text)
        found = judge(text, [ContextLine(each.text, each.section) for each in near], self._source.title)
        if found.finding == "denied":
            return None
        statement = near[found.bearing.lines[0]] if found.bearing else self._with_figures(near, text)
        return UndeniedText(self._source.number, text, statement)

    def _nearest_statements(self, text: str) -> list[Statement]:
        own, figures = terms(text), quantities(text)
        worth = {place: float(sum(is_held(term, held) for term in own)) for place, held in self._statement_keys.items()}
        for place, each in enumerate(self._statements):
            worth[place] += sum(says_same(one, other) for one in figures for other in quantities(each.text))
        chosen = sorted(worth, key=lambda place: -worth[place])[:_MOST_LINES]
        return [self._statements[place] for place in sorted(chosen)]

    @staticmethod
    def _with_figures(near: Sequence[Statement], text: str) -> Statement | None:
        return next((each for each in near if _holds(quantities(each.text), quantities(text))), None)
