"""Renders as HTML: a concept's panel, a path between two concepts, and the success rate of each memory tier."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup
from pydantic import BaseModel

from core.knowledge.views import ConceptDetail, Path, Related
from core.messages import message_group
from core.words import Language
from viz.feedback import LETTERS, TIERS
from viz.knowledge.export import COLOUR_WORDS
from viz.knowledge.graph import EDGES, KINDS, concept_name
from viz.templating import render

WORDS = message_group("view.concept")


class Evidence(BaseModel):
    """Evidence of an edge that can be opened: an answer, a document passage, or a memory."""

    text: str
    answer_id: str | None = None
    conversation_id: str | None = None
    document_id: str | None = None
    memory_text: str | None = None


class Step(BaseModel):
    """One edge of a path; ``towards`` is true if a directed edge points along the path."""

    words: str
    count: int
    evidence: list[Evidence]
    directed: bool = False
    towards: bool = True


def concept_panel(detail: ConceptDetail, language: Language) -> Markup:
    """A concept's details, with its evidence as links."""
    return _drawn("concept", language, detail=detail, concept=detail.concept, summary=related_words)


def path_panel(path: Path, evidence: Mapping[str, Evidence], language: Language) -> Markup:
    """The path, edge by edge, with each edge's evidence; ``evidence`` maps ids to evidence."""
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
