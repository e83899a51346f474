"""A concept's panel, a way between two, and how each tier did, as drawn HTML."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup
from pydantic import BaseModel

from core.knowledge.views import ConceptDetail, Path, Related
from core.words import Language, Words
from viz.feedback import LETTERS, TIERS
from viz.knowledge.concept_names import called
from viz.knowledge.export import COLOUR_WORDS
from viz.knowledge.graph import EDGES, KINDS
from viz.templating import render

WORDS: Mapping[str, Words] = {
    "also": Words(en="also", he="גם"),
    "importance": Words(en="importance", he="חשיבות"),
    "quality": Words(en="quality", he="איכות"),
    "seen": Words(en="last seen", he="נראה לאחרונה"),
    "named_in": Words(en="memories and passages", he="זיכרונות וקטעים"),
    "in_answers": Words(en="answers", he="תשובות"),
    "definition": Words(en="What your texts say it is", he="מה הטקסטים שלכם אומרים על כך"),
    "best": Words(en="Best tiers", he="השכבות המוצלחות"),
    "tiers": Words(en="Success by tier", he="הצלחה לפי שכבה"),
    "no_outcome": Words(
        en="Nobody has said yet how an answer about this did.", he="עוד לא נאמר איך הייתה תשובה שעסקה בכך."
    ),
    "outcomes": Words(en="What answers came to", he="מה יצא מן התשובות"),
    "worked": Words(en="worked", he="עבד"),
    "partial": Words(en="partly", he="חלקית"),
    "failed": Words(en="failed", he="לא עבד"),
    "unknown": Words(en="unknown", he="לא ידוע"),
    "of": Words(en="of", he="מתוך"),
    "related": Words(en="Related", he="קשורים"),
    "memories": Words(en="Memories", he="זיכרונות"),
    "passages": Words(en="Passages", he="קטעים"),
    "documents": Words(en="Documents", he="מסמכים"),
    "answers": Words(en="Answers", he="תשובות"),
    "page": Words(en="p.", he="עמ׳"),
    "nothing_behind": Words(en="Nothing stands behind it that you can open.", he="אין מאחוריו דבר שאפשר לפתוח."),
    "from_here": Words(en="Find a way from here", he="מציאת דרך מכאן"),
    "way": Words(en="The way between them", he="הדרך ביניהם"),
    "steps": Words(en="steps", he="צעדים"),
    "one_step": Words(en="one step", he="צעד אחד"),
    "no_way": Words(en="There is no way between these two.", he="אין דרך בין השניים."),
    "no_way_hint": Words(
        en="No text and no answer joins them, not even over others. Pick another concept.",
        he="שום טקסט ושום תשובה אינם מחברים ביניהם, גם לא דרך אחרים. בחרו מושג אחר.",
    ),
    "rests_on": Words(en="rests on", he="נשען על"),
    "no_evidence": Words(en="A dictionary joins them.", he="מילון מחבר ביניהם."),
    "bar_hint": Words(
        en="The line is what can be counted on: the lower end of what chance allows.",
        he="הקו מציין על מה אפשר לסמוך: הקצה התחתון של מה שהמקריות מתירה.",
    ),
}


class Evidence(BaseModel):
    """Something behind an edge that can be opened: an answer, a passage of a document, or a memory."""

    text: str
    answer_id: str | None = None
    conversation_id: str | None = None
    document_id: str | None = None
    memory_text: str | None = None


class Step(BaseModel):
    """One edge of a way; ``towards`` is true where a directed edge points along it."""

    words: str
    count: int
    evidence: list[Evidence]
    directed: bool = False
    towards: bool = True


def concept_panel(detail: ConceptDetail, language: Language) -> Markup:
    """Everything of one concept; each thing behind it is a link."""
    return _drawn("concept", language, detail=detail, concept=detail.concept, summary=related_words)


def path_panel(path: Path, evidence: Mapping[str, Evidence], language: Language) -> Markup:
    """The way, edge by edge, with what each rests on; ``evidence`` by id."""
    steps = [
        Step(
            words=EDGES[edge.kind].to(language),
            count=edge.count,
            evidence=[evidence[each] for each in edge.evidence if each in evidence],
            directed=edge.directed,
            towards=edge.a == path.nodes[place].id,
        )
        for place, edge in enumerate(path.edges)
    ]
    return _drawn("concept_path", language, path=path, steps=steps)


def related_words(related: Related, language: Language) -> str:
    return EDGES[related.edge.kind].to(language)


def _drawn(template: str, language: Language, **values: object) -> Markup:
    return render(
        template,
        words={key: words.to(language) for key, words in WORDS.items()},
        kinds={key: words.to(language) for key, words in KINDS.items()},
        colours={key: words.to(language) for key, words in COLOUR_WORDS.items()},
        letters=LETTERS,
        tiers={key: words.to(language) for key, words in TIERS.items()},
        language=language,
        called=called,
        **values,
    )
