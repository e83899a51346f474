"""Detects which kind of answer a question expects (a number, a date, a name), and whether a sentence contains one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.entities.calendar_words import ANY_YEAR, FULL_MONTH
from core.language.vocabulary import phrases

_phrase = phrases("models/patterns.expectations")

_ENGLISH_NUMBERS = (
    "half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|"
    "ninety|hundreds?|thousands?|millions?|billions?|dozens?|once|twice|unlimited|no limit"
)
_HEBREW_NUMBERS = _phrase("numbers")
_UNITS = rf"minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|{_phrase('units')}"


@dataclass(frozen=True)
class _Kind:
    """A kind of answer, with the pattern of its questions and the pattern of sentences that contain it.
    ``names``: the pattern looks for capital letters, so the sentence is not converted to lower case."""

    asked: re.Pattern[str]
    held: re.Pattern[str]
    names: bool = False


_KINDS = (
    _Kind(
        re.compile(rf"\bhow (?:long|soon|late|early|often)\b|(?:^|\s){_phrase('how_long')}(?=\s|\?|$)"),
        re.compile(rf"\b(?:{_UNITS}|daily|weekly|monthly|quarterly|annually|yearly|permanently)\b"),
    ),
    _Kind(
        re.compile(
            r"\b(?:when|(?:what|which) (?:date|year|month|day|time)|since when|deadline|due date)\b|"
            rf"(?:^|\s){_phrase('when')}(?=\s|\?|$)|(?:^|\s){_phrase('which_time')}"
        ),
        re.compile(
            rf"\b{ANY_YEAR}\b|\d[./]\d+[./]\d|\d:\d\d|\b{_phrase('before_month')}?(?:{FULL_MONTH})\b|\b{_phrase('in_year')}\b"
        ),
    ),
    _Kind(
        re.compile(
            r"\bhow (?:many|much|far|large|big|high|old|fast)\b|"
            r"\b(?:limit|maximum|minimum|price|cost|fee|rate|amount|budget|percentage|temperature|number of|"
            r"salary|ceiling|total)\b|"
            rf"(?:^|\s){_phrase('how_many')}"
        ),
        re.compile(rf"\d|\b(?:{_ENGLISH_NUMBERS})\b|\b{_phrase('before_number')}?(?:{_HEBREW_NUMBERS})\b"),
    ),
    _Kind(
        re.compile(r"\b(?:who|whom|whose)\b"),
        re.compile(
            r"(?<=[\w,:(|] )[A-Z][a-z]+ [A-Z][a-z]+|(?i:\b(?:manager|officer|director|head of|board|committee|"
            r"chair\w*|secretary|president|minister|contractor|supplier|customer|employee|tenant|landlord|council)\b)"
        ),
        names=True,
    ),
)


class Expectation:
    """The kinds of answer that ``question`` expects; there may be several, or none."""

    def __init__(self, question: str) -> None:
        folded = question.lower()
        self._kinds = [kind for kind in _KINDS if kind.asked.search(folded)]
        self._said = set(re.findall(r"\d+", question))

    @property
    def expects_any(self) -> bool:
        """Whether a particular kind of answer is expected."""
        return bool(self._kinds)

    def met(self, sentence: str) -> float:
        """The share of the expected kinds of answer that ``sentence`` contains, 0..1; 0 when no particular kind is
        expected.

        Numbers from the question do not count as an answer.
        """
        return 1.0 - self._lacking(sentence) if self._kinds else 0.0

    def missed(self, sentence: str) -> float:
        """The share of the expected kinds that ``sentence`` lacks, 0..1; 0 when no particular kind is expected."""
        return self._lacking(sentence) if self._kinds else 0.0

    def _lacking(self, sentence: str) -> float:
        rest = re.sub(r"\d+", lambda number: "" if number.group() in self._said else number.group(), sentence)
        folded = rest.lower()
        lacking = [kind for kind in self._kinds if not kind.held.search(rest if kind.names else folded)]
        return len(lacking) / len(self._kinds)
