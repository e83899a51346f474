"""Renders as HTML: a concept's panel, a path between two concepts, and the success rate of each memory tier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup
from pydantic import BaseModel

from core.figures.stored.records import StoredFigure
from core.knowledge.sentences import names_of, sentence_naming
from core.knowledge.views import ConceptDetail, Edge, Path, Related
from core.messages import message_group
from core.words import Language
from viz.feedback import LETTERS, TIERS
from viz.knowledge.export import COLOUR_WORDS
from viz.knowledge.graph import KINDS, concept_name, is_directed, reason
from viz.knowledge.over_time import over_time
from viz.templating import render

WORDS = message_group("view.concept")


class Evidence(BaseModel):
    """Evidence of an edge that can be opened: an answer, a document passage, or a memory. ``whole`` is its complete
    text, of which the sentence that names both ends is shown."""

    text: str
    whole: str = ""
    title: str | None = None
    page: int | None = None
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


def concept_panel(detail: ConceptDetail, language: Language, figures: Iterable[StoredFigure] = ()) -> Markup:
    """A concept's details, with its evidence as links; ``figures``: its stored figures, drawn over time."""
    drawn = over_time(figures, language)
    return _drawn("concept", language, detail=detail, concept=detail.concept, summary=related_words, figures=drawn)


def path_panel(path: Path, evidence: Mapping[str, Evidence], language: Language) -> Markup:
    """The path, edge by edge, with each edge's evidence; ``evidence`` maps ids to evidence."""
    steps = [
        Step(
            words=reason(edge, language),
            count=edge.count,
            evidence=_sentences([evidence[each] for each in edge.evidence if each in evidence], path, place),
            directed=is_directed(edge),
            towards=_starts_at(edge) == path.nodes[place].id,
        )
        for place, edge in enumerate(path.edges)
    ]
    return _drawn("concept_path", language, path=path, steps=steps)


def _starts_at(edge: Edge) -> str:
    return edge.b if edge.direction == "b_to_a" else edge.a


def _sentences(evidence: list[Evidence], path: Path, place: int) -> list[Evidence]:
    """The evidence of one step, each with the sentence that names both ends; texts with such a sentence come first."""
    one, other = names_of(path.nodes[place]), names_of(path.nodes[place + 1])
    found = [(each, sentence_naming(each.whole, one, other)) for each in evidence]
    quoted = [each.model_copy(update={"text": sentence}) for each, sentence in found if sentence]
    return [*quoted, *(each for each, sentence in found if not sentence)]


def related_words(related: Related, language: Language) -> str:
    """Why the two are related, with an arrow for the direction."""
    words = reason(related.edge, language)
    if not is_directed(related.edge):
        return words
    return f"← {words}" if _starts_at(related.edge) == related.concept.id else f"→ {words}"


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
