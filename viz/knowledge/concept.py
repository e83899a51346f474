"""A concept's panel, a way between two, and how each tier did, as drawn HTML."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup
from pydantic import BaseModel

from core.knowledge.views import ConceptDetail, Path, Related
from core.messages import message
from core.words import Language, Words
from viz.feedback import LETTERS, TIERS
from viz.knowledge.concept_names import concept_name
from viz.knowledge.export import COLOUR_WORDS
from viz.knowledge.graph import EDGES, KINDS
from viz.templating import render

WORDS: Mapping[str, Words] = {
    "also": message("view.concept.also"),
    "importance": message("view.concept.importance"),
    "quality": message("view.concept.quality"),
    "seen": message("view.concept.seen"),
    "named_in": message("view.concept.named_in"),
    "in_answers": message("view.concept.in_answers"),
    "definition": message("view.concept.definition"),
    "best": message("view.concept.best"),
    "tiers": message("view.concept.tiers"),
    "no_outcome": message("view.concept.no_outcome"),
    "outcomes": message("view.concept.outcomes"),
    "worked": message("view.concept.worked"),
    "partial": message("view.concept.partial"),
    "failed": message("view.concept.failed"),
    "unknown": message("view.concept.unknown"),
    "of": message("view.concept.of"),
    "related": message("view.concept.related"),
    "memories": message("view.concept.memories"),
    "passages": message("view.concept.passages"),
    "documents": message("view.concept.documents"),
    "answers": message("view.concept.answers"),
    "page": message("view.concept.page"),
    "nothing_behind": message("view.concept.nothing_behind"),
    "from_here": message("view.concept.from_here"),
    "way": message("view.concept.way"),
    "steps": message("view.concept.steps"),
    "one_step": message("view.concept.one_step"),
    "no_way": message("view.concept.no_way"),
    "no_way_hint": message("view.concept.no_way_hint"),
    "rests_on": message("view.concept.rests_on"),
    "no_evidence": message("view.concept.no_evidence"),
    "bar_hint": message("view.concept.bar_hint"),
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
        called=concept_name,
        **values,
    )
