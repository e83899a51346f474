"""Number words of English and Hebrew, and the units that numbers count."""

from __future__ import annotations

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " \
    "eighteen nineteen".split()  # fmt: skip
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()

VALUES: dict[str, float] = {
    **{word: value for value, word in enumerate(_ONES, 1)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
    **{word: value for value, word in enumerate(_ORDINALS, 1)},
    **dict.fromkeys(("half", "חצי", "מחצית", "וחצי"), 0.5),
    **dict.fromkeys(("quarter", "רבע", "רבעון"), 0.25),
    **dict.fromkeys(("twice", "double", "פעמיים", "כפול", "כפליים"), 2),
    **dict.fromkeys(("thrice", "triple"), 3),
    **dict.fromkeys(("zero", "אפס"), 0),
    **dict.fromkeys(("single", "אחד", "אחת", "יחיד", "יחידה", "ראשון", "ראשונה"), 1),
    **dict.fromkeys(("שניים", "שתיים", "שני", "שתי", "שנייה", "שניה", "תרי"), 2),
    **dict.fromkeys(("שלושה", "שלוש", "שלושת", "שלשה", "שלישי", "שלישית"), 3),
    **dict.fromkeys(("ארבעה", "ארבע", "ארבעת", "רביעי", "רביעית"), 4),
    **dict.fromkeys(("חמישה", "חמש", "חמשת", "חמישי", "חמישית"), 5),
    **dict.fromkeys(("שישה", "שש", "ששת", "ששה", "שישי", "שישית"), 6),
    **dict.fromkeys(("שבעה", "שבע", "שבעת", "שביעי", "שביעית"), 7),
    **dict.fromkeys(("שמונה", "שמונת", "שמיני", "שמינית"), 8),
    **dict.fromkeys(("תשעה", "תשע", "תשעת", "תשיעי", "תשיעית"), 9),
    **dict.fromkeys(("עשרה", "עשר", "עשרת", "עשירי", "עשירית"), 10),
    "עשרים": 20, "שלושים": 30, "ארבעים": 40, "חמישים": 50, "שישים": 60, "שבעים": 70, "שמונים": 80, "תשעים": 90,
    "מאתיים": 200, "אלפיים": 2000, "dozen": 12, "תריסר": 12,
}  # fmt: skip

MULTIPLIERS: dict[str, float] = {
    **dict.fromkeys(("hundred", "hundreds", "מאה", "מאות"), 100),
    **dict.fromkeys(("thousand", "thousands", "אלף", "אלפים", "אלפי"), 1_000),
    **dict.fromkeys(("million", "millions", "מיליון", "מליון", "מיליוני"), 1_000_000),
    **dict.fromkeys(("billion", "billions", "מיליארד", "מיליארדי"), 1_000_000_000),
}

PAIRS: dict[str, tuple[float, str]] = {
    "שנתיים": (2, "year"),
    "חודשיים": (2, "month"),
    "שבועיים": (2, "week"),
    "יומיים": (2, "day"),
    "שעתיים": (2, "hour"),
    "fortnight": (2, "week"),
}
"""Words that are a number and its unit at once."""

_UNIT_WORDS: dict[str, str] = {
    "second": "seconds sec שניות",
    "minute": "minute minutes min דקה דקות",
    "hour": "hour hours hrs hr שעה שעות",
    "day": "day days daily יום ימים יומי ימי",
    "night": "night nights לילה לילות",
    "week": "week weeks weekly שבוע שבועות",
    "month": "month months monthly חודש חודשים חודשי",
    "year": "year years annually שנה שנים שנות שנת",
    "percent": "% percent percentage אחוז אחוזים",
    "ILS": "₪ ils nis shekel shekels ש\"ח שח שקל שקלים ש''ח",
    "USD": "$ usd dollar dollars דולר דולרים",
    "EUR": "€ eur euro euros אירו",
    "GBP": "£ gbp pounds",
    "kilometre": 'km kilometre kilometres kilometer kilometers ק"מ קמ קילומטר קילומטרים',
    "metre": "m metre metres meter meters מטר מטרים",
    "kilogram": 'kg kilogram kilograms ק"ג קג קילוגרם קילוגרמים',
    "degree": "° degree degrees מעלה מעלות",
    "character": "character characters תו תווים",
}
UNITS: dict[str, str] = {word: unit for unit, words in _UNIT_WORDS.items() for word in words.split()}
"""Every spelling to the name of its unit."""

CURRENCIES = frozenset({"ILS", "USD", "EUR", "GBP"})
IN_DAYS: dict[str, float] = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
"""About how many days a unit of time has; working days are compared with working days alone."""
