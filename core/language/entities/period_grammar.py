"""Defines the regular expressions for periods that ``core.language.entities.periods`` uses.

All ignore case and expect ASCII quotes and dashes. A letter or digit directly next to a period makes it part of another
word; an underscore does not, since filenames are read too.
"""

from __future__ import annotations

import re

from core.language.entities.calendar_words import COUNT, HEBREW_ORDINAL, ORDINAL
from core.language.entities.calendar_words import YEAR as MODERN_YEAR
from core.language.entities.dates import BEGIN, END, HEBREW_PREFIX

_JOIN = r"\s*(?:,\s*(?:and|&)?|and|&|/|\+|ו-?|-|to|or)\s*(?:the\s+|ה(?=[א-ת]))?"

YEAR = rf"(?:{MODERN_YEAR}|2100)"
ANY_YEAR = rf"(?:{YEAR}|'?\d\d)"
FISCAL = r"(?:f\.?y\.?|fiscal(?:[\s-]+years?)?|financial\s+years?|שנ(?:ת|ות)\s+ה?כספים)"
CALENDAR = r"(?:cy|calendar(?:\s+year)?|(?:the\s+)?years?|שנ(?:ת|ים|ות))"
FULL_YEAR = rf"(?:(?P<fiscal>{FISCAL})[\s:_-]*(?P<short>{ANY_YEAR})|(?:{CALENDAR}\s+)?(?P<long>{YEAR}))"
"""Matches a year after a quarter or a half: "fiscal 2023", "FY23", "2023"."""

_ORDINAL = rf"(?:{ORDINAL})"
QUARTER = (
    rf"(?:q[1-4]|[1-4]q|{_ORDINAL}[\s-]+(?:fiscal[\s-]+)?(?:quarters?|qtr)|"
    rf"{_ORDINAL}(?=(?:[\s,]+(?:(?:and|to)\s+)?(?:the\s+)?{_ORDINAL}){{1,3}}[\s-]+quarter)|quarter\s+[1-4]|[ובלמהש]{{0,3}}רבעון\s+{HEBREW_ORDINAL})"
)
ONE_QUARTER = re.compile(rf"{BEGIN}(?P<prefix>[ובלמהש]{{0,3}}-?)(?P<quarter>{QUARTER}){END}", re.IGNORECASE)
"""Matches a quarter, possibly without a year."""
HALF = (
    r"(?:h[12]|(?-i:[12]H)|(?:first|second|1st|2nd)[\s-]+half(?:[\s-]+year)?|first\s+six\s+months"
    rf"|[ובלמהש]{{0,3}}(?:מחצית|חציון)\s+{HEBREW_ORDINAL})"
)
_WHOLE = r"(?:full[\s-]+(?:fiscal[\s-]+)?year|(?:fiscal[\s-]+)?year(?=\s)|fy|annual)"
PART = rf"(?:{QUARTER}|{HALF})"
_BETWEEN = r"[\s,_/-]*(?:results?\s+)?(?:of|for|in|של|ב-?|ל-?)?\s*(?:the\s+|our\s+)?"
PART_OF_YEAR = re.compile(
    rf"{BEGIN}(?P<parts>{PART}(?=[\s\S]{{0,200}}?\d\d)(?:{_JOIN}(?:{PART}|(?P<whole>{_WHOLE}))){{0,4}})"
    rf"(?:{_BETWEEN}{FULL_YEAR}|(?:(?<=q)|(?<=h)|['-]|\s(?=')){{1}}'?(?P<bare>\d\d)){END}",
    re.IGNORECASE,
)
YEAR_THEN_PART = re.compile(rf"{BEGIN}{FULL_YEAR}[\s,_-]*(?P<parts>{PART}(?:{_JOIN}{PART}){{0,6}}){END}", re.IGNORECASE)
WHOLE_THEN_PART = re.compile(
    rf"{BEGIN}{_WHOLE}{_JOIN}(?P<parts>{PART}){_BETWEEN}{FULL_YEAR}{END}",
    re.IGNORECASE,
)

_RANGE = r"(?:(?<!\s)\s++)?+(?:-|/|to|through|thru|until|till|עד)\s*"
_LIST = r"(?:(?<!\s)\s++)?+(?:,\s*(?:and|&|or)?|and|&|or|vs\.?|versus)\s*"
_ANOTHER = rf"(?:{_RANGE}(?:{FISCAL}[\s-]*)?{ANY_YEAR}|{_LIST}(?:{FISCAL}[\s-]*{ANY_YEAR}|{YEAR}))"
FISCAL_YEARS = re.compile(
    rf"{BEGIN}{HEBREW_PREFIX}(?P<fiscal>{FISCAL})[\s:_-]*(?P<first>{ANY_YEAR})(?:[EAF](?![^\W_]))?"
    rf"(?P<more>(?:{_ANOTHER}(?![\d'])(?!\s+{PART}))*){END}",
    re.IGNORECASE,
)
ANOTHER_YEAR = re.compile(
    rf"(?P<join>{_RANGE}|{_LIST})?(?P<named>(?:{FISCAL}[\s-]*)?(?P<year>{ANY_YEAR}))", re.IGNORECASE
)
A_RANGE = re.compile(_RANGE, re.IGNORECASE)
YEAR_RANGE = re.compile(rf"{BEGIN}{HEBREW_PREFIX}(?P<first>{YEAR}){_RANGE}(?P<last>{YEAR}|\d\d){END}", re.IGNORECASE)
ONE_YEAR = re.compile(
    rf"{BEGIN}{HEBREW_PREFIX}(?:{CALENDAR}[\s:]+|cy)?(?P<first>{YEAR})(?:[EAF](?![^\W_]))?{END}", re.IGNORECASE
)
SHORT_CALENDAR = re.compile(rf"{BEGIN}cy\s?'?(?P<first>\d\d){END}", re.IGNORECASE)

MORE_YEARS = re.compile(
    rf"(?:(?:\s*+(?:,\s*+(?:and|&)?|and|&)|\s++ו-?)\s*+{YEAR}(?![-/]?\d))+(?![^\W_])(?![.,:/-]\d)", re.IGNORECASE
)
"""Matches further years after a date that apply to the same day: "December 31, 2022 and 2021"."""
_COUNTED = (
    rf"(?P<count>\d{{1,2}}|{COUNT})(?:[\s-]+(?:and|ו-?)\s*(?P<other>\d{{1,2}}|{COUNT}))?[\s-]+ה?"
    r"(?P<unit>months?|weeks?|חודשים)"
)
COUNTED = re.compile(rf"(?<![^\W_])(?<!\d[.,]){_COUNTED}(?![^\W_])", re.IGNORECASE)
"""Matches a number of months or weeks: "three and six months"."""
LENGTH = rf"(?:{_COUNTED}|(?P<word>half[\s-]years?|years?|quarter(?:ly)?s?|month|שנה|שנים|רבעון|מחצית))"
ENDED = re.compile(
    rf"(?<![^\W_])[ובלהש]{{0,3}}{LENGTH}(?:[\s-]+periods?)?\s+(?:that\s+)?"
    r"(?:ended|ending|(?:up )?to|through|ש?ה?סתיימ(?:ה|ו)|ש?ה?סתיים|שנסתיימ(?:ה|ו)|שנסתיים|עד)"
    r"(?:\s+(?:on|ביום|בימים|ב-?))?[\s:]*(?=\S)",
    re.IGNORECASE,
)
ALSO = re.compile(r"\s*(?:,\s*and|,|and|&|ו-?|compared\s+(?:to|with)|versus|vs\.?)\s*", re.IGNORECASE)

FIRST_MONTHS = re.compile(
    rf"{BEGIN}first\s+(?P<count>three|nine|3|9)\s+months\s+of\s+(?:the\s+)?{FULL_YEAR}{END}", re.IGNORECASE
)

_CLAUSE = (
    r"sections?|sec|§{1,4}|rules?|items?|pages?|pp?|articles?|chapters?|clauses?|paragraphs?|topics?|asu|asc|iso|updates?"
    r"|no|nos|number|room|suite|ste|box|unit|phone|tel|fax|ext|extension|code|zip|russell|windows|office|server"
    r"|סעיף|עמוד|עמ'|מס'|מספר|תקנה|טלפון|טל'|פקס|חדר|ת\.?ד\.?|קוד|מיקוד"
)
_UNIT = (
    r"(?:thousand|million|billion|trillion|percent|dollars?|shekels?|euros?|usd|nis|people|employees|units|pages|hours|"
    r"points|miles|meters|metres|km|kg|mb|gb|square|אלפי|אלף|מיליון|מיליארד|ש\"ח|שקל|דולר|יורו|עמודים|אחוז)"
)
_STREET = r"(?:[A-Z][\w.]*\s+){1,3}(?:street|st|avenue|ave|road|rd|drive|dr|boulevard|blvd|lane|way|parkway|court)"
NO_PERIOD = re.compile(
    rf"[$€£₪]\s?\d[\d,.]*|(?<![\w,.])\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|(?<!\d)\d++\.\d++\s?%"
    rf"|(?<![^\W_])(?:{_CLAUSE})\.?(?:\s?:)?\s*(?:no\.?\s*)?#?{YEAR}[\d.-]*(?![^\W_])"
    rf"|(?:(?<![^\W_])(?:act|code|law)\s+of\s+|(?:notes?|bonds?|debentures?)\s+due\s+|תש[א-ת\"]{{1,4}}-){YEAR}(?!\d)"
    rf"|\+?\d[\d-]{{0,40}}-\d{{3,4}}-\d{{4}}(?!\d)|\(\d{{2,4}}\)\s?\d{{3,4}}-\d{{3,4}}(?!\d)"
    rf"|(?<!\d)0\d{{1,2}}-\d{{6,7}}(?!\d)|(?<!\d)\d{{10}}-\d\d-\d{{6}}(?!\d)"
    rf"|(?<![^\W_]){YEAR}\s+{_UNIT}(?![^\W_])|(?<![^\W_]){YEAR}\s+{_STREET}(?![^\W_])",
    re.IGNORECASE,
)
"""Matches numbers that look like years but are not: amounts, clauses, names of laws and bonds, telephone and file
numbers, counts of things, house numbers."""
