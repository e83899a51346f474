"""Formats numbers as displayed in a cell: *a value and its number format* → ``100%``, ``€9,800``, ``30:00``.

Formats follow ECMA-376 part 1, 18.8.30. Numbers use English separators in every language, as all other numbers do here;
fill characters up to the column width are left out.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache

from core.library.extract.workbooks.date_formats import shown_date
from core.library.extract.workbooks.format_tokens import FormatSection, Token, sections_of

Number = int | float
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)
_DIGITS = 15
"""Number of significant digits in spreadsheets."""
_MOST = 1e300
_MOST_DECIMALS = 30
_MOST_STEPS = 10
"""Maximum number of percent signs and commas that shift the decimal point; more make no sense."""
_PLAIN_CODES = frozenset(("", "general", "@", "standard"))
_FORMATS = 4096
_FRACTION = re.compile(r"(?:(?P<whole>[#0?]++)\s++)?+(?P<over>[#0?]++)\s*+/\s*+(?P<under>[#0?]++|\d{1,5})")


def shown_number(value: Number, code: str = "General", epoch_1904: bool = False) -> str:
    """``value`` in the format ``code``; an empty text if the format shows nothing.

    >>> shown_number(1, "0%"), shown_number(-1234, "_(* #,##0_);_(* (#,##0);_(* -_)"), shown_number(1.25, "[h]:mm")
    ('100%', '(1,234)', '30:00')
    """
    if code.lower() in _PLAIN_CODES or not -_MOST < value < _MOST:
        return general(value)
    return _format(code).number(value, epoch_1904)


def shown_text(text: str, code: str = "General") -> str:
    """A text in the format ``code``, which may add to it or show nothing."""
    if code.lower() in _PLAIN_CODES or ("@" not in code and code.count(";") < 3):
        return text
    return _format(code).text(text)


def is_date_format(code: str) -> bool:
    """Whether the format shows numbers as dates or times."""
    return code.lower() not in _PLAIN_CODES and _format(code).sections[0].is_date


def general(value: Number) -> str:
    """A number in the General format: at most ten significant digits, or all those before the point."""
    if isinstance(value, int):
        return str(value)
    return f"{value:.{10 if abs(value) < 1e10 else _DIGITS}g}" if abs(value) < 1e15 else str(value)


@lru_cache(maxsize=_FORMATS)
def _format(code: str) -> _Format:
    return _Format(code)


class _Format:
    """A parsed format; the value decides which section applies."""

    def __init__(self, code: str) -> None:
        self.sections = sections_of(code)
        self.words = self.sections[3] if len(self.sections) > 3 else None
        if self.words is None and self.sections[-1].is_text:
            self.words = self.sections[-1]
            if len(self.sections) > 1:
                self.sections = self.sections[:-1]
        self._layouts: dict[int, _Layout] = {}

    def number(self, value: Number, epoch_1904: bool) -> str:
        chosen, unsigned = self._chosen(value)
        if chosen is None:
            return general(value)
        section = self.sections[chosen]
        if section.is_date:
            date = shown_date(float(value), section, epoch_1904)
            return general(value) if date is None else " ".join(date.split())
        shown = abs(value) if unsigned else value
        if chosen not in self._layouts:
            self._layouts[chosen] = _Layout(section)
        return self._layouts[chosen].number(shown).strip()

    def text(self, text: str) -> str:
        if self.words is None:
            return text
        return "".join(text if token.kind == "at" else token.text for token in self.words.tokens if _is_shown(token))

    def _chosen(self, value: Number) -> tuple[int | None, bool]:
        """Returns (the section, whether the section contains the sign itself)."""
        numbers = self.sections[:3]
        if any(section.condition for section in numbers[:2]):
            for place, section in enumerate(numbers):
                if section.condition is None:
                    if place == 1 and len(numbers) > 2 and value >= 0:
                        continue
                    return place, place == 1 and len(numbers) > 2
                sign, bound = section.condition
                if _COMPARE[sign](value, bound):
                    below = sign in ("<", "<=", "=") and bound <= 0 and value < 0
                    return place, below
            return None, False
        if value < 0 and len(numbers) > 1:
            return 1, True
        if value == 0 and len(numbers) > 2:
            return 2, False
        return 0, False


def _is_shown(token: Token) -> bool:
    return token.kind in ("text", "at")


@dataclass(frozen=True)
class _Slots:
    """Digit placeholders on one side of the point: the minimum number, and the maximum for decimals."""

    least: int
    most: int


class _Layout:
    """How a section displays a number."""

    def __init__(self, section: FormatSection) -> None:
        self.tokens = section.tokens
        self.places = [place for place, token in enumerate(self.tokens) if token.kind == "digit"]
        self.is_general = section.has("general")
        self.is_text = section.is_text
        self.is_fraction = section.has("slash") and len(self.places) > 0
        self.exponent = next((place for place, token in enumerate(self.tokens) if token.kind == "exponent"), None)
        end = self.exponent if self.exponent is not None else len(self.tokens)
        self.point = next((p for p, token in enumerate(self.tokens[:end]) if token.kind == "point"), end)
        before = [place for place in self.places if place < self.point]
        after = [place for place in self.places if self.point < place < end]
        self.before, self.after = before, after
        last = before[-1] if before else self.point - 1
        self.groups = any(token.kind == "comma" for token in self.tokens[before[0] : last]) if before else False
        self.thousands = _run_of_commas(self.tokens, last + 1)
        if after:
            self.thousands += _run_of_commas(self.tokens, after[-1] + 1)
        self.thousands = min(self.thousands, _MOST_STEPS)
        self.hundreds = min(sum(token.kind == "percent" for token in self.tokens), _MOST_STEPS)
        self.whole = _Slots(sum(self.tokens[place].text == "0" for place in before), len(before))
        zeros = [index + 1 for index, place in enumerate(after) if self.tokens[place].text == "0"]
        self.decimals = _Slots(zeros[-1] if zeros else 0, min(len(after), _MOST_DECIMALS))

    def number(self, value: Number) -> str:
        if self.is_general or (self.is_text and not self.places):
            text = general(value)
            return "".join(text if token.kind in ("general", "at") else _literal(token) for token in self.tokens)
        if self.is_fraction and (fraction := self._fraction(value)) is not None:
            return fraction
        if not self.places:
            sign = "-" if value < 0 and any(_literal(token).strip() for token in self.tokens) else ""
            return sign + "".join(map(_literal, self.tokens))
        number = Decimal(f"{value:.{_DIGITS}g}") if isinstance(value, float) else Decimal(value)
        number = number.scaleb(2 * self.hundreds - 3 * self.thousands, _EXACT)
        if self.exponent is not None:
            return self._scientific(number)
        whole, decimals, negative = self._rounded(number)
        return ("-" if negative else "") + self._laid_out(whole, decimals, len(self.tokens))

    def _rounded(self, number: Decimal) -> tuple[str, str, bool]:
        """Returns (digits before the point, without leading zeros; decimals, without optional zeros; minus)."""
        most, least = self.decimals.most, self.decimals.least
        rounded = abs(number).quantize(Decimal(1).scaleb(-most), context=_EXACT)
        whole, _, decimals = f"{rounded:f}".partition(".")
        decimals = decimals[:least] + decimals[least:].rstrip("0")
        return whole.lstrip("0"), decimals, number < 0 and rounded != 0

    def _laid_out(self, whole: str, decimals: str, end: int) -> str:
        """Literals at their positions and digits in the placeholders; the first placeholder takes all extra digits."""
        parts: list[str] = []
        digits = whole.rjust(self.whole.least, "0") if not self.groups else _padded(whole, self.whole.least)
        marks = [self.tokens[place].text for place in self.before]
        slots = _in_slots(digits, marks, self.groups) if self.before else []
        seen_whole = seen_decimals = 0
        for place, token in enumerate(self.tokens[:end]):
            if token.kind == "digit" and place < self.point:
                parts.append(slots[seen_whole])
                seen_whole += 1
            elif token.kind == "digit" and place in self.after:
                parts.append(decimals[seen_decimals : seen_decimals + 1])
                seen_decimals += 1
            elif place == self.point and token.kind == "point":
                parts.append((whole if not self.before else "") + ("." if decimals else ""))
            else:
                parts.append(_literal(token))
        return "".join(parts)

    def _scientific(self, number: Decimal) -> str:
        """A mantissa with as many digits before the point as the format has; the exponent is a multiple of that
        number."""
        assert self.exponent is not None
        step = max(len(self.before), 1)
        power = number.adjusted() if number else 0
        power = power // step * step if step > 1 else power
        whole, decimals, negative = self._rounded(number.scaleb(-power, _EXACT))
        if step == 1 and len(whole) > 1:
            power += 1
            whole, decimals, negative = self._rounded(number.scaleb(-power, _EXACT))
        mantissa = self._laid_out(whole or "0", decimals, self.exponent)
        places = [place for place in self.places if place > self.exponent]
        sign = "-" if power < 0 else "+" if self.tokens[self.exponent].text.endswith("+") else ""
        rest = "".join(_literal(token) for token in self.tokens[self.exponent + 1 :] if token.kind != "digit")
        return f"{'-' if negative else ''}{mantissa}E{sign}{str(abs(power)).zfill(len(places))}{rest}"

    def _fraction(self, value: Number) -> str | None:
        """``1 1/2``; ``None`` if the format is not a fraction."""
        first, last = self.places[0], len(self.tokens) - 1
        while last > first and self.tokens[last].kind == "text" and not self.tokens[last].text.isdigit():
            last -= 1
        written = "".join(token.text for token in self.tokens[first : last + 1])
        found = _FRACTION.fullmatch(written)
        if not found:
            return None
        size = Fraction(str(abs(value)))
        under = found["under"]
        if under.isdigit() and under.strip("0"):
            over, bottom = round(size * int(under)), int(under)
        else:
            near = size.limit_denominator(10 ** min(len(under), 4) - 1)
            over, bottom = near.numerator, near.denominator
        whole, over = divmod(over, bottom) if found["whole"] else (0, over)
        parts = [str(whole)] if whole or (found["whole"] and not over) else []
        parts += [f"{over}/{bottom}"] if over or not found["whole"] else []
        before = "".join(map(_literal, self.tokens[:first]))
        after = "".join(map(_literal, self.tokens[last + 1 :]))
        return f"{'-' if value < 0 and (whole or over) else ''}{before}{' '.join(parts)}{after}"


def _literal(token: Token) -> str:
    return token.text if token.kind in ("text", "percent", "slash") else ""


def _run_of_commas(tokens: list[Token], place: int) -> int:
    """The number of commas after the last digit; each divides by a thousand."""
    count = 0
    while place + count < len(tokens) and tokens[place + count].kind == "comma":
        count += 1
    return count


def _padded(whole: str, least: int) -> str:
    return f"{int(whole.rjust(least, '0')):0{least}d}" if least or whole else ""


def _in_slots(digits: str, marks: list[str], groups: bool) -> list[str]:
    """The digits for each placeholder, with thousands separators if ``groups``."""
    slots: list[str] = []
    count = len(marks)
    for index in range(count):
        start = 0 if index == 0 else max(len(digits) - (count - index), 0)
        end = max(len(digits) - (count - index - 1), 0)
        shown = digits[start:end]
        if groups:
            right = len(digits) - end
            shown = "".join(
                digit + ("," if (rest := right + len(shown) - 1 - at) and rest % 3 == 0 else "")
                for at, digit in enumerate(shown)
            )
        slots.append(shown)
    return slots
