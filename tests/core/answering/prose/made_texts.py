"""Invented texts as evidence: sentences of a report that was never filed, in English and Hebrew."""

from __future__ import annotations

from core.figures.records import Evidence, Origin, TextEvidence
from core.question.analysed import AnalysedQuestion
from core.words import Language

ENGLISH = (
    "Depreciation expense was $4.2 million, $3.9 million and $3.1 million for the years ended June 30, 2021, 2020 and "
    "2019, respectively. Rent expense was $1.7 million in 2021.",
    "Gross margin fell in 2021 primarily due to higher freight rates and a shortage of resin. The workforce grew to "
    "1,240 employees, of whom 310 work in Porto.",
    "Net working capital represents inventories plus trade receivables less trade payables. The recoverable amount is "
    "determined by discounting the expected cash flows of each unit.",
    "The lease of the Porto plant has a remaining term of eleven years. On March 14, 2020, the supervisory board "
    "approved the sale of Larkin Mills, Inc. to Ostrava Holding.",
    "The company operates in four regions: Iberia, Scandinavia, the Baltics and the Balkans.",
)
HEBREW = (
    'הוצאות הפחת הסתכמו ב-4.2 מיליון ש"ח בשנת 2021. המפעל בנהריה הוקם בשנת 1974 ומועסקים בו 310 עובדים.',
    "הרווח הגולמי ירד בשנת 2021 בגלל עלייה במחירי ההובלה. תקופת השכירות של המפעל היא 11 שנים.",
)


def evidence(*texts: str, scores: tuple[float, ...] = ()) -> Evidence:
    """Makes each text a passage of one document, best first."""
    origin = Origin(number=1, document_id="report", title="Annual report")
    return Evidence(
        texts=tuple(
            TextEvidence(origin, f"p{place}", text, score=scores[place] if scores else 1.0 / (1 + place))
            for place, text in enumerate(texts)
        )
    )


def question(text: str, language: Language = "en") -> AnalysedQuestion:
    return AnalysedQuestion(text=text, language=language, focus=text)
