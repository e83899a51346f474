"""What is said where nothing answers: what was searched, and that the nearest passages follow.

It says what was looked through and what was not found there, and never what documents hold: a search can miss.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.documents.coverage import Reach
from core.words import Words

_NOT_FOUND = Words(
    en="I searched {} and found no passage that answers this.",
    he="חיפשתי {} ולא מצאתי קטע שעונה על השאלה.",
)
_NO_OTHER = Words(
    en="I searched {} and found no passage that answers this, beside what you said did not help.",
    he="חיפשתי {} ולא מצאתי קטע שעונה על השאלה, מלבד מה שסימנתם שלא עזר.",
)
NEAREST = Words(en="This comes nearest:", he="זה הקרוב ביותר:")
"""Before the nearest passages, where they are written out."""
_TRY = Words(
    en="Try other words, or name the document with @.",
    he="נסו ניסוח אחר, או ציינו את המסמך עם @.",
)
_WIDER = Words(
    en="Try other words, or ask without the name to search everything.",
    he="נסו ניסוח אחר, או שאלו בלי השם כדי לחפש בכול.",
)
_YET = Words(
    en="The answer follows here when the rest has been read.",
    he="התשובה תופיע כאן כשתסתיים קריאת השאר.",
)
_NOTHING_THERE = Words(
    en="There is no document to search yet. Add some in the Library, and ask again.",
    he="עדיין אין מסמך לחפש בו. הוסיפו מסמכים בספרייה, ושאלו שוב.",
)
_SO_FAR = Words(en="what has been read so far", he="במה שנקרא עד כה")
_WEB = Words(en=" and the pages that the web search told of", he=" ובדפים שחיפוש האינטרנט מצא")


def refusal(reach: Reach, *, shown: bool, awaited: bool = False, web: bool = False, tried: bool = False) -> Words:
    """``shown``: nearest passages follow; ``awaited``: documents were still being read; ``web``: pages were searched
    beside the documents; ``tried``: what would answer was said not to help."""
    if not (reach.of or awaited or web or shown):
        return _NOTHING_THERE
    where = _SO_FAR if awaited else searched(reach)
    if web:
        where = Words(en=where.en + _WEB.en, he=where.he + _WEB.he)
    found = _NO_OTHER if tried else _NOT_FOUND
    said = [Words(en=found.en.format(where.en), he=found.he.format(where.he))]
    bound = reach.documents < reach.of and bool(reach.organisations or reach.titles)
    said.append(_YET if awaited else _WIDER if bound else _TRY)
    return Words(en=" ".join(each.en for each in said), he=" ".join(each.he for each in said))


def searched(reach: Reach) -> Words:
    """What was looked through, as the object of "searched": "the 3 documents of Nordvik for FY2022"."""
    if len(reach.titles) == 1:
        (title,) = reach.titles.values()
        return Words(en=f"“{title}”", he=f"ב„{title}”")
    bound = reach.documents < reach.of
    english, hebrew = _counted(reach.documents, bound)
    names = reach.organisations
    if names:
        english, hebrew = f"{english} of {_listed(names, 'and')}", f"{hebrew} של {_listed(names, 'ו')}"
    periods = reach.periods
    if periods and bound:
        english, hebrew = f"{english} for {_listed(periods, 'and')}", f"{hebrew} לתקופה {_listed(periods, 'ו')}"
    return Words(en=english, he=hebrew)


def _counted(count: int, bound: bool) -> tuple[str, str]:
    if count == 0:
        return "your documents", "במסמכים שלכם"
    if bound:
        return ("one document", "במסמך אחד") if count == 1 else (f"{count} documents", f"ב־{count} מסמכים")
    return (
        ("your one document", "במסמך היחיד שלכם") if count == 1 else (f"all {count} documents", f"בכל {count} המסמכים")
    )


def _listed(names: Sequence[str], joint: str) -> str:
    """Names with "and" before the last; the Hebrew one is a letter and stands before its word."""
    *first, last = names
    if not first:
        return last
    return f"{', '.join(first)} {joint} {last}" if joint == "and" else f"{', '.join(first)} {joint}־{last}"
