"""Creates documents of varied filler text with one fact inserted in each section, in English and Hebrew."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from core.language.sentences import split_sentences
from core.words import Language


@dataclass(frozen=True)
class Planted:
    """A created document. ``text`` is Markdown; ``facts`` contains the sentence inserted in each section, and its words
    that a summary must keep."""

    language: Language
    text: str
    facts: list[tuple[str, str]]


SECTIONS = {
    "en": [
        "Background",
        "Staffing",
        "Maintenance",
        "Water quality",
        "Customer service",
        "Procurement",
        "Safety",
        "Fleet",
        "Data and systems",
        "Outreach",
        "Storage",
        "Training",
        "Finance",
        "Next steps",
    ],
    "he": [
        "רקע",
        "כוח אדם",
        "תחזוקה",
        "איכות המים",
        "שירות לקוחות",
        "רכש",
        "בטיחות",
        "צי הרכב",
        "מערכות מידע",
        "קשרי קהילה",
        "אחסון",
        "הדרכה",
        "כספים",
        "צעדים הבאים",
    ],
}

FACTS = {
    "en": [
        ("The board approved a budget of ILS {n},000 for the work of {name}.", "{n},000"),
        ("{name} reported {n} faults between March and June.", "{n}"),
        ("The contract with {name} ends on {d} October 2026.", "{d} October 2026"),
        ("Requests must be answered within {d} working days.", "{d} working days"),
        ("Losses fell from {n} to {m} cubic metres a day.", "{m}"),
        ("{name} takes over as head of the unit on {d} May 2026.", "{name}"),
        ("A fine of ILS {n},500 was paid after the inspection.", "{n},500"),
        ("No entry is allowed to shaft {code} without a gas meter.", "{code}"),
        ("Of {n} valves that were opened, {m} could not be closed again.", "{m}"),
        ("The committee rejected the offer of {name} because it came late.", "{name}"),
        ("Batch {code} was recalled after tests in Haifa.", "{code}"),
        ("The reserve covers {d} days of full supply.", "{d} days"),
        ("Prices rise by {d} per cent at the beginning of the year.", "{d} per cent"),
        ("{name} objected to the plan in writing.", "{name}"),
    ],
    "he": [
        ('הדירקטוריון אישר תקציב של {n},000 ש"ח לעבודה של {name}.', "{n},000"),
        ("{name} דיווח על {n} תקלות בין מרץ ליוני.", "{n}"),
        ("החוזה עם {name} מסתיים ב-{d} באוקטובר 2026.", "{d} באוקטובר 2026"),
        ("יש להשיב לפניות בתוך {d} ימי עבודה.", "{d} ימי עבודה"),
        ("הפחת ירד מ-{n} ל-{m} מטרים מעוקבים ביום.", "{m}"),
        ("{name} תתחיל לנהל את היחידה ב-{d} במאי 2026.", "{name}"),
        ('לאחר הביקורת שולם קנס של {n},500 ש"ח.', "{n},500"),
        ("אסור להיכנס לפיר {code} ללא מד גזים.", "{code}"),
        ("מתוך {n} מגופים שנפתחו, {m} לא נסגרו שוב.", "{m}"),
        ("הוועדה דחתה את ההצעה של {name} כי הוגשה באיחור.", "{name}"),
        ("אצווה {code} הוחזרה לאחר בדיקות בחיפה.", "{code}"),
        ("העתודה מספיקה ל-{d} ימים של אספקה מלאה.", "{d} ימים"),
        ("המחירים יעלו ב-{d} אחוזים בתחילת השנה.", "{d} אחוזים"),
        ("{name} התנגדה לתוכנית בכתב.", "{name}"),
    ],
}

NAMES = {
    "en": [
        "Marwick Systems",
        "Dana Orlev",
        "Tal Berger",
        "Northgate Pumps",
        "Ruth Amir",
        "Kestrel Labs",
        "Omri Shalev",
        "Belmont Works",
    ],
    "he": ["דנה אורלב", "טל ברגר", "חברת כרמים", "רות אמיר", "מעבדות נשר", "עומרי שלו", "חברת גלבוע", "יעל סגל"],
}

OPENINGS = {
    "en": [
        "In the past period",
        "As in other towns",
        "According to those who work there",
        "By and large",
        "From time to time",
        "As people remember it",
        "In the view of the team",
        "On most days",
        "When the weather is fair",
        "During the talks",
    ],
    "he": [
        "בתקופה האחרונה",
        "כמו ביישובים אחרים",
        "לדברי מי שעובדים שם",
        "באופן כללי",
        "מעת לעת",
        "כפי שזוכרים זאת",
        "לדעת הצוות",
        "ברוב הימים",
        "כשמזג האוויר נוח",
        "במהלך השיחות",
    ],
}

SUBJECTS = {
    "en": [
        "the crews",
        "the neighbours",
        "those responsible",
        "the older staff",
        "visitors",
        "the people at the desk",
        "the drivers",
        "the young engineers",
        "the suppliers",
        "the committee members",
    ],
    "he": [
        "הצוותים",
        "השכנים",
        "האחראים",
        "העובדים הוותיקים",
        "המבקרים",
        "אנשי הדלפק",
        "הנהגים",
        "המהנדסים הצעירים",
        "הספקים",
        "חברי הוועדה",
    ],
}

VERBS = {
    "en": [
        "spoke at length about",
        "have grown used to",
        "pay more attention to",
        "would like to understand",
        "often return to",
        "see little change in",
        "found it easier to follow",
        "keep notes on",
        "took some pride in",
        "asked about",
    ],
    "he": [
        "דיברו בהרחבה על",
        "התרגלו אל",
        "נותנים יותר תשומת לב אל",
        "היו רוצים להבין את",
        "חוזרים לעיתים קרובות אל",
        "רואים מעט שינוי בעניין",
        "התקשו פחות לעקוב אחר",
        "רושמים הערות על",
        "מתגאים במידת מה בזכות",
        "שאלו על",
    ],
}

OBJECTS = {
    "en": [
        "the daily routine of {topic}",
        "the way in which {topic} is talked about",
        "what {topic} means for a small town",
        "the customs around {topic}",
        "the history of {topic} in the valley",
        "how {topic} fits with everything else",
        "the smaller questions of {topic}",
        "the mood in which {topic} is discussed",
    ],
    "he": [
        "השגרה היומית של {topic}",
        "הדרך שבה מדברים על {topic}",
        "המשמעות של {topic} ליישוב קטן",
        "ההרגלים סביב {topic}",
        "ההיסטוריה של {topic} בעמק",
        "האופן שבו {topic} משתלב בכל השאר",
        "השאלות הקטנות של {topic}",
        "האווירה שבה דנים בעניין {topic}",
    ],
}

ENDINGS = {
    "en": [
        "",
        ", which is not new",
        ", although opinions differ",
        ", and that is how it has been for years",
        ", as one would expect",
        ", much like last year",
        " without much noise",
        ", and nobody seems to mind",
    ],
    "he": [
        "",
        ", וזה אינו חדש",
        ", אף שהדעות חלוקות",
        ", וכך הדבר שנים",
        ", כפי שאפשר לצפות",
        ", בדומה לשנה שעברה",
        " בלי רעש רב",
        ", ונראה שלאיש לא אכפת",
    ],
}

DISTRACTORS = {
    "en": [
        "Two or three of them said so more than once.",
        "It was much the same in 2019.",
        "One visitor from Haifa took photographs.",
        "The second meeting was shorter than the first.",
        "Some had been there for ten years.",
    ],
    "he": [
        "שניים או שלושה מהם אמרו זאת יותר מפעם אחת.",
        "כך היה פחות או יותר גם ב-2019.",
        "מבקרת אחת מחיפה צילמה תמונות.",
        "הפגישה השנייה הייתה קצרה מהראשונה.",
        "חלקם נמצאים שם כבר עשר שנים.",
    ],
}
"""Filler sentences that contain numbers or names but are not the inserted facts."""
DISTRACTED = 0.12


def plant(language: Language, seed: int, sections: int = 10, sentences: int = 9) -> Planted:
    """Creates a document of ``sections`` sections with about ``sentences`` filler sentences and one fact each."""
    dice = random.Random(f"{language}-{seed}")
    parts = [f"# {'Annual report' if language == 'en' else 'דוח שנתי'} {seed}"]
    facts: list[tuple[str, str]] = []
    kinds = dice.sample(FACTS[language], len(FACTS[language]))
    for place, title in enumerate(dice.sample(SECTIONS[language], sections)):
        body = [_filler(dice, language, title) for _ in range(sentences + dice.randint(-2, 3))]
        fact = _fact(dice, language, kinds[place % len(kinds)])
        facts.append(fact)
        body.insert(dice.randint(0, len(body)), fact[0])
        middle = len(body) // 2
        parts += [f"## {title}", " ".join(body[:middle]), " ".join(body[middle:])]
    return Planted(language, "\n\n".join(parts), facts)


def plant_in(language: Language, seed: int, paragraphs: Sequence[str], sections: int = 8) -> Planted:
    """Creates sections of two real paragraphs, with one fact inserted between two of their sentences."""
    dice = random.Random(f"{language}-{seed}")
    parts, facts = ["# Text"], []
    kinds = dice.sample(FACTS[language], len(FACTS[language]))
    start = dice.randrange(max(1, len(paragraphs) - 2 * sections))
    for place in range(sections):
        chosen = paragraphs[start + 2 * place : start + 2 * place + 2]
        facts.append(_fact(dice, language, kinds[place % len(kinds)]))
        body = [[each.text for each in split_sentences(paragraph)] for paragraph in chosen]
        target = dice.choice(body)
        target.insert(dice.randint(0, len(target)), facts[-1][0])
        parts += [f"## {place + 1}. {SECTIONS[language][place]}", *(" ".join(each) for each in body)]
    return Planted(language, "\n\n".join(parts), facts)


def _fact(dice: random.Random, language: Language, kind: tuple[str, str]) -> tuple[str, str]:
    big = dice.randint(110, 980)
    values = {
        "n": str(big),
        "m": str(dice.randint(12, 99)),
        "d": str(dice.randint(3, 28)),
        "name": dice.choice(NAMES[language]),
        "code": f"{dice.choice('ABCK')}{dice.choice('LMPR')}-{dice.randint(11, 99)}",
    }
    return kind[0].format(**values), kind[1].format(**values)


def _filler(dice: random.Random, language: Language, title: str) -> str:
    if dice.random() < DISTRACTED:
        return dice.choice(DISTRACTORS[language])
    topic = title.lower()
    parts = (
        dice.choice(SUBJECTS[language]),
        dice.choice(VERBS[language]),
        dice.choice(OBJECTS[language]).format(topic=topic),
    )
    sentence = f"{parts[0]} {parts[1]} {parts[2]}{dice.choice(ENDINGS[language])}."
    if dice.random() < 0.6:
        return f"{dice.choice(OPENINGS[language])}, {sentence}"
    return sentence[0].upper() + sentence[1:]
