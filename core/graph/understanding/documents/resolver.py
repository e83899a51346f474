"""Resolves the documents that a message refers to: first its @ mentions, then the rest with a model or rules, then
names that are similar to a title."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel

from core.errors import PalimpsestError
from core.graph.understanding.documents import fuzzy_matching
from core.graph.understanding.documents.anaphora import refers_back, resolve_anaphora, without_introduced
from core.graph.understanding.documents.listing import likeliest, line_of
from core.graph.understanding.documents.name_words import DocumentNames
from core.graph.understanding.documents.noun_resolution import resolve_nouns
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
"""Number of earlier messages that a model reads if the message contains no title of a document in the conversation."""
MOST_CHARACTERS = 400
MOST_IN_FULL = 1_500
"""Maximum characters of a message, and the same if the question may refer to a part of an answer."""
MOST_KNOWN = 30
"""Maximum number of documents listed for a model: those of the conversation, newest first, then those that share words
with the message."""
SURE = 0.9
"""Certainty from which a document found by rules needs no check by a model."""
_LONGEST_NAME = 12
MOST_MENTIONS = 40
"""Maximum number of document mentions read from one question."""
_ATTACHED = re.compile(phrase_of("graph/understanding.resolver.attached"))
_SET_AGAINST = re.compile(phrase_of("graph/understanding.resolver.set_against"))


class _Answer(BaseModel):
    """A model's reply: numbers of listed documents, and names of unlisted ones."""

    documents: list[int] = []
    names: list[str] = []
    confidence: Literal["high", "medium", "low"] = "high"


class _FullAnswer(_Answer):
    """A model's reply that also has the complete question."""

    question: str = ""


@dataclass(frozen=True)
class DocumentResolution:
    """The resolved documents; ``ruled``: a model was available, but the rules decided. ``question``: the complete
    question that a model wrote, unchecked."""

    resolution: Resolution
    ruled: bool = False
    question: str = ""


class DocumentResolver:
    """Resolves documents; uses only rules without a ``model``, or if it fails or twice returns an unusable reply."""

    def __init__(self, prompts: Prompts, model: TextModel | None = None) -> None:
        self._prompts = prompts
        self._model = model

    async def resolve(self, asked: Reference) -> DocumentResolution:
        """Resolves mentions first, then the rest of the message with a model or rules, then remaining names by
        similarity."""
        explicit = resolve_mentions(asked)
        text = without_mentions(asked.text)
        if not any(letter.isalnum() for letter in text) or not asked.documents:
            return DocumentResolution(explicit)
        by_rules = await asyncio.to_thread(resolve_by_rules, asked, explicit)
        bears = asked.registry or asked.past or by_rules.absent
        if self._model is None or not bears or _is_settled(asked, by_rules):
            return DocumentResolution(by_rules)
        answer, known = await self._by_model(self._model, asked, explicit)
        if answer is None:
            return DocumentResolution(by_rules, ruled=True)
        question = answer.question if isinstance(answer, _FullAnswer) else ""
        chosen = [known[number - 1] for number in dict.fromkeys(answer.documents) if 0 < number <= len(known)]
        by_model = _model_resolution(chosen, answer, asked)
        if by_rules.ambiguous and not (by_model.resolved or by_model.ambiguous):
            return DocumentResolution(by_rules, question=question)
        if not (by_model.resolved or by_model.ambiguous):
            by_model = replace(by_model, absent=by_rules.absent)
        return DocumentResolution(explicit + by_model, question=question)

    async def _by_model(
        self, model: TextModel, asked: Reference, explicit: Resolution
    ) -> tuple[_Answer | None, list[VisibleDocument]]:
        """Returns the model's reply and the documents whose numbers it contains."""
        known = likeliest(asked, asked.spoken_of, explicit.document_ids)[:MOST_KNOWN]
        form = _FullAnswer if asked.reformulate else _Answer
        try:
            answer, _ = await ask_json(model, self._prompt(asked, explicit, known), form)
        except PalimpsestError:
            return None, known
        return answer, known

    def _prompt(self, asked: Reference, explicit: Resolution, known: Sequence[VisibleDocument]) -> Prompt:
        """Builds the prompt; includes earlier messages only if the message contains no title of the conversation, or
        must be completed."""
        folded = fold(asked.text)
        of_talk = {*asked.spoken_of}
        hit = any(fold(each.title) in folded for each in known if each.id in of_talk) and not asked.reformulate
        past = () if hit else asked.past[-PAST:]
        system = self._prompts.render(
            "documents",
            action=asked.action,
            known=[line_of(each) for each in known],
            spoken_of=sum(each.id in of_talk for each in known),
            named=len(explicit.resolved),
            reformulate=asked.reformulate,
        )
        most = MOST_IN_FULL if asked.reformulate else MOST_CHARACTERS
        before = "\n".join(f"{each.role}: {each.text[:most]}" for each in past)
        history = f"BEGIN EARLIER\n{before}\nEND EARLIER\n\n" if before else ""
        return Prompt(system, f"{history}BEGIN MESSAGE\n{asked.text}\nEND MESSAGE")


def _is_settled(asked: Reference, by_rules: Resolution) -> bool:
    """Returns whether the rules are enough: nothing refers to earlier messages, and the documents are certain, or it is
    a question that names none."""
    leans = asked.reformulate or refers_back(asked.text) or leans_on_context(asked.text)
    if by_rules.ambiguous or by_rules.unmatched or by_rules.absent or leans:
        return False
    if by_rules.resolved:
        return all(each.score >= SURE for each in by_rules.resolved)
    return not asked.whole


def resolve_by_rules(asked: Reference, explicit: Resolution) -> Resolution:
    """Resolves the message without its mentions: pronouns, titles and words of titles."""
    names = DocumentNames(asked.documents)
    text = without_mentions(asked.text)
    if asked.action == "audit":
        text = _instructions(without_introduced(text), names)
    spoken_of = [*asked.recent, *asked.spoken_of]
    by_noun = _as_inferred(resolve_nouns(text, asked), spoken_of)
    settled = bool(by_noun.resolved or by_noun.ambiguous or any(each.dated for each in by_noun.absent))
    by_text = fuzzy_matching.in_text(text, _sayable(asked))
    if by_text.ambiguous and settled:
        # Titles that are equally similar to the message may differ in their dates, which nouns consider.
        by_text = replace(by_text, ambiguous=())
    by_text = fuzzy_matching.by_code(text, asked.documents) + by_text
    found = explicit + _attached(text, asked) + by_text + resolve_anaphora(replace(asked, text=text), names)
    enough = 2 if asked.action == "compare" else 1
    if len(found.resolved) >= enough or found.ambiguous:
        return found
    if not asked.whole:
        return found + (by_noun if settled else by_noun + _told_apart(text, names))
    if settled and asked.action != "compare":
        return found + by_noun
    by_words = _as_inferred(fuzzy_matching.by_words(text, names, preferred=spoken_of[:1]), spoken_of)
    if asked.action == "compare":
        by_words = _compared(by_words, text)
        # What is compared may have other names than those of documents, so nouns count only if words do not suffice.
        enough = len({*found.document_ids, *by_words.document_ids}) > 1 and not by_words.ambiguous
        return found + (
            by_noun + replace(by_words, ambiguous=()) if len(by_noun.resolved) > 1 and not enough else by_words
        )
    return found + by_noun + by_words


def _compared(found: Resolution, text: str) -> Resolution:
    """Resolves a comparison of documents with a shared name to all of them, unless the message compares them with
    something else or gives a smaller number ("the two travel policies" of three)."""
    if found.resolved or len(found.ambiguous) != 1 or _SET_AGAINST.search(fold(text)):
        return found
    alike = found.ambiguous[0]
    if alike.total > len(alike.candidates) or counts_in(text) - {alike.total}:
        return found
    by_title = sorted(alike.candidates, key=lambda each: each.title)
    return replace(found, resolved=Resolution.of(by_title, "fuzzy", WEAK).resolved, ambiguous=())


def resolve_mentions(asked: Reference) -> Resolution:
    """Resolves every ``@`` mention to documents and document sets; a name shared by two documents is ambiguous."""
    found = Resolution()
    for mention in mentions(asked.text)[:MOST_MENTIONS]:
        found += _mentioned(mention, asked)
    return found


def resolve_typed(name: str, asked: Reference) -> Resolution:
    """Resolves the text that a user typed when asked for a document: mentions, or an approximate title."""
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
    """Returns the document or document set with exactly this name; only the set if a set is meant."""
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
    """Returns the name extended by the words after it, up to the length of a title, longest first."""
    words = mention.rest.split()[:_LONGEST_NAME]
    joined = mention.rest[:1].isspace()
    more = [" ".join([mention.name, *words[:count]]) for count in range(len(words), 0, -1)] if joined else []
    return [*more, mention.name]


def _model_resolution(chosen: Sequence[VisibleDocument], answer: _Answer, asked: Reference) -> Resolution:
    """Converts a model's reply; if it is uncertain about documents, the user must choose one."""
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
    """Returns the document that a question names by its kind and one distinctive word: "the Pelagit contract"."""
    found = fuzzy_matching.by_words(text, names)
    if len(found.resolved) != 1 or found.ambiguous:
        return Resolution()
    words = names.matches(names.named_words(text))[found.resolved[0].document_id]
    kinds = {word for word in words if is_document_word(word)}
    return found if kinds and words - kinds else Resolution()


def _as_inferred(found: Resolution, spoken_of: Sequence[str]) -> Resolution:
    """Marks documents as inferred if they were chosen because the conversation is about them."""
    resolved = tuple(
        replace(each, how="inferred") if each.document_id in spoken_of else each for each in found.resolved
    )
    return replace(found, resolved=resolved)


def _instructions(text: str, names: DocumentNames) -> str:
    """Returns the audit instructions without the text to audit, if they name a document."""
    lead = text.split("\n", 1)[0].split(":", 1)[0]
    return lead if names.named_words(lead) else text


def _attached(text: str, asked: Reference) -> Resolution:
    """Returns the attachments that the text calls "the attached file"."""
    attached = [each for each in asked.documents if each.attached] if _ATTACHED.search(fold(text)) else []
    return Resolution.of(attached, "inferred", 0.9)


def _sayable(asked: Reference) -> list[VisibleDocument]:
    """Returns the documents whose title, if it is in a message, clearly means the document; a one-word title does not,
    since it may be the question's subject, unless the message has the complete filename."""
    if asked.whole:
        return list(asked.documents)
    text = fold(asked.text)
    return [
        each
        for each in asked.documents
        if len(each.title.split()) > 1
        or is_document_word(fold(each.title))
        or ("." in each.filename and fold(each.filename) in text)
    ]
