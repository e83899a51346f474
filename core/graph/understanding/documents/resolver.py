"""From a message to the documents it is about, in three stages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel

from core.errors import PalimpsestError
from core.graph.understanding.documents import fuzzy_matching
from core.graph.understanding.documents.anaphora import refers_back, resolve_anaphora
from core.graph.understanding.documents.name_words import DocumentNames
from core.graph.understanding.documents.query_rewriting import leans_on_context
from core.graph.understanding.documents.records import WEAK, Reference, Resolution, VisibleDocument
from core.graph.understanding.documents.subject_matching import counts_in
from core.graph.understanding.mentions import Mention, mentions, without_mentions
from core.graph.understanding.wording import is_document_word
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts

PAST = 5
"""Messages before this one that a model reads when no name of the conversation's documents is in it."""
MOST_CHARACTERS = 400
MOST_KNOWN = 30
"""Documents of the conversation that a model is told of, the newest."""
SURE = 0.9
"""From here on a document that rules found needs no second opinion."""
_LONGEST_NAME = 12
MOST_MENTIONS = 40
"""Mentions of documents that one question is read with."""
_ATTACHED = re.compile(phrase_of("graph/understanding.resolver.attached"))
_SET_AGAINST = re.compile(phrase_of("graph/understanding.resolver.set_against"))


class _Answer(BaseModel):
    """What a model says: numbers of documents it was told of, and names it was not; the message in full, where that was
    asked for."""

    documents: list[int] = []
    names: list[str] = []
    confidence: Literal["high", "medium", "low"] = "high"
    question: str = ""


@dataclass(frozen=True)
class DocumentResolution:
    """``ruled``: a model was asked, and rules decided in its place.
    ``question``: what a model wrote for the message in full, unchecked."""

    resolution: Resolution
    ruled: bool = False
    question: str = ""


class DocumentResolver:
    """Rules alone without a ``model``, and wherever it fails or answers with something else twice."""

    def __init__(self, prompts: Prompts, model: TextModel | None = None) -> None:
        self._prompts = prompts
        self._model = model

    async def resolve(self, asked: Reference) -> DocumentResolution:
        """Mentions first; what is said beside them by a model or by rules; what is still only a name by likeness."""
        explicit = resolve_mentions(asked)
        text = without_mentions(asked.text)
        if not any(letter.isalnum() for letter in text) or not asked.documents:
            return DocumentResolution(explicit)
        by_rules = await asyncio.to_thread(resolve_by_rules, asked, explicit)
        if self._model is None or not (asked.registry or asked.past) or _is_settled(asked, by_rules):
            return DocumentResolution(by_rules)
        answer, known = await self._by_model(self._model, asked, explicit)
        if answer is None:
            return DocumentResolution(by_rules, ruled=True)
        chosen = [known[number - 1] for number in dict.fromkeys(answer.documents) if 0 < number <= len(known)]
        by_model = _model_resolution(chosen, answer, asked)
        return DocumentResolution(explicit + by_model, question=answer.question)

    async def _by_model(
        self, model: TextModel, asked: Reference, explicit: Resolution
    ) -> tuple[_Answer | None, list[VisibleDocument]]:
        """What it says, and the documents whose numbers it says."""
        by_id = {each.id: each for each in asked.documents}
        known = [by_id[each] for each in asked.spoken_of if each not in explicit.document_ids][:MOST_KNOWN]
        try:
            answer, _ = await ask_json(model, self._prompt(asked, explicit, known), _Answer)
        except PalimpsestError:
            return None, known
        return answer, known

    def _prompt(self, asked: Reference, explicit: Resolution, known: Sequence[VisibleDocument]) -> Prompt:
        """With earlier messages only where no title of the conversation is in this one, or it is to be said in full."""
        folded = fold(asked.text)
        hit = any(fold(each.title) in folded for each in known) and not asked.reformulate
        past = () if hit else asked.past[-PAST:]
        system = self._prompts.render(
            "documents",
            action=asked.action,
            known=[each.title for each in known],
            named=len(explicit.resolved),
            reformulate=asked.reformulate,
        )
        before = "\n".join(f"{each.role}: {each.text[:MOST_CHARACTERS]}" for each in past)
        history = f"BEGIN EARLIER\n{before}\nEND EARLIER\n\n" if before else ""
        return Prompt(system, f"{history}BEGIN MESSAGE\n{asked.text}\nEND MESSAGE")


def _is_settled(asked: Reference, by_rules: Resolution) -> bool:
    """Whether rules leave nothing to guess: nothing refers to what was said before, and the documents named are surely
    those, or a question names none."""
    leans = asked.reformulate or refers_back(asked.text) or leans_on_context(asked.text)
    if by_rules.ambiguous or by_rules.unmatched or leans:
        return False
    if by_rules.resolved:
        return all(each.score >= SURE for each in by_rules.resolved)
    return not asked.whole


def resolve_by_rules(asked: Reference, explicit: Resolution) -> Resolution:
    """What the message says beside its mentions: pronouns, titles, words of titles."""
    names = DocumentNames(asked.documents)
    text = without_mentions(asked.text)
    if asked.action == "audit":
        text = _instructions(text, names)
    by_text = _attached(text, asked) + fuzzy_matching.in_text(text, _sayable(asked))
    found = explicit + by_text + resolve_anaphora(replace(asked, text=text), names)
    enough = 2 if asked.action == "compare" else 1
    if len(found.resolved) >= enough or found.ambiguous:
        return found
    if not asked.whole:
        return found + _told_apart(text, names)
    spoken_of = [*asked.recent, *asked.spoken_of]
    found += _as_inferred(fuzzy_matching.by_words(text, names, preferred=spoken_of[:1]), spoken_of)
    return _compared(found, text) if asked.action == "compare" else found


def _compared(found: Resolution, text: str) -> Resolution:
    """To compare takes two: a name that a few documents share means all of them where nothing is set against it, and
    no number says that they are fewer ("the two travel policies" of three)."""
    if found.resolved or len(found.ambiguous) != 1 or _SET_AGAINST.search(fold(text)):
        return found
    alike = found.ambiguous[0]
    if alike.total > len(alike.candidates) or counts_in(text) - {alike.total}:
        return found
    by_title = sorted(alike.candidates, key=lambda each: each.title)
    return replace(found, resolved=Resolution.of(by_title, "fuzzy", WEAK).resolved, ambiguous=())


def resolve_mentions(asked: Reference) -> Resolution:
    """What stands behind every ``@``: documents and sets; a name that two documents share is ambiguous."""
    found = Resolution()
    for mention in mentions(asked.text)[:MOST_MENTIONS]:
        found += _mentioned(mention, asked)
    return found


def resolve_typed(name: str, asked: Reference) -> Resolution:
    """What a person typed who was asked for a document: mentions, or a title more or less."""
    with_mentions = resolve_mentions(Reference(name, asked.action, asked.documents, asked.sets))
    if with_mentions.resolved or with_mentions.ambiguous or with_mentions.unmatched:
        return with_mentions
    found = _by_exact_name(name, asked)
    if found:
        return found
    loosely = fuzzy_matching.settled(name, fuzzy_matching.loose_matches(name, asked.documents), asked.documents)
    if loosely.resolved or loosely.ambiguous:
        return loosely
    words = fuzzy_matching.by_words(name, DocumentNames(asked.documents))
    return words if words.resolved or words.ambiguous else loosely


def _mentioned(mention: Mention, asked: Reference) -> Resolution:
    if mention.document_id:
        known = next((each for each in asked.documents if each.id == mention.document_id), None)
        if known:
            return Resolution.of([known], "explicit")
    names = _longer(mention) if mention.bare else [mention.name]
    for name in names:
        found = _by_exact_name(name, asked, of_set=mention.of_set)
        if found:
            return found
    for name in names:
        scored = fuzzy_matching.close(name, asked.documents)
        if scored:
            return fuzzy_matching.settled(name, scored, asked.documents)
    return Resolution(unmatched=(mention.name,))


def _by_exact_name(name: str, asked: Reference, *, of_set: bool = False) -> Resolution | None:
    """The document or set of exactly this name; a set alone when one is meant."""
    documents = [] if of_set else fuzzy_matching.exact(name, asked.documents)
    if len(documents) == 1:
        return Resolution.of(documents, "explicit")
    if documents:
        return fuzzy_matching.one_of(name, [each.id for each in documents], DocumentNames(asked.documents))
    for title, members in asked.sets.items():
        if fold(title) == fold(name):
            inside = Resolution.of((each for each in asked.documents if each.id in members), "explicit")
            return replace(inside, sets=(title,))
    return None


def _longer(mention: Mention) -> list[str]:
    """The name with as many words after it as a title may have, the longest first."""
    words = mention.rest.split()[:_LONGEST_NAME]
    joined = mention.rest[:1].isspace()
    more = [" ".join([mention.name, *words[:count]]) for count in range(len(words), 0, -1)] if joined else []
    return [*more, mention.name]


def _model_resolution(chosen: Sequence[VisibleDocument], answer: _Answer, asked: Reference) -> Resolution:
    """A model's answer: of documents it is not sure of, one has to be chosen."""
    if len(chosen) > 1 and answer.confidence != "high" and asked.action != "compare":
        found = fuzzy_matching.one_of("", [each.id for each in chosen], DocumentNames(asked.documents))
    else:
        score = {"high": 0.9, "medium": 0.7, "low": 0.5}[answer.confidence]
        found = Resolution.of(chosen, "inferred", score)
    for name in answer.names:
        matched = resolve_typed(name, asked)
        if asked.whole or not matched.unmatched:
            found += matched
    return found


def _told_apart(text: str, names: DocumentNames) -> Resolution:
    """A document that a question names by its kind and a word of its own: "the Pelagit contract"."""
    found = fuzzy_matching.by_words(text, names)
    if len(found.resolved) != 1 or found.ambiguous:
        return Resolution()
    words = names.matches(names.named_words(text))[found.resolved[0].document_id]
    kinds = {word for word in words if is_document_word(word)}
    return found if kinds and words - kinds else Resolution()


def _as_inferred(found: Resolution, spoken_of: Sequence[str]) -> Resolution:
    """A document that was taken because the conversation is about it was inferred."""
    resolved = tuple(
        replace(each, how="inferred") if each.document_id in spoken_of else each for each in found.resolved
    )
    return replace(found, resolved=resolved)


def _instructions(text: str, names: DocumentNames) -> str:
    """What says how to audit, without the text that is to be audited, where a document is named there."""
    lead = text.split("\n", 1)[0].split(":", 1)[0]
    return lead if names.named_words(lead) else text


def _attached(text: str, asked: Reference) -> Resolution:
    """What is called the attached file."""
    attached = [each for each in asked.documents if each.attached] if _ATTACHED.search(fold(text)) else []
    return Resolution.of(attached, "inferred", 0.9)


def _sayable(asked: Reference) -> list[VisibleDocument]:
    """Documents whose title in a message means them: one word may be the subject of a question."""
    if asked.whole:
        return list(asked.documents)
    return [each for each in asked.documents if len(each.title.split()) > 1 or is_document_word(fold(each.title))]
