"""Whether each sentence of an answer is supported by the passages it cites [issue: support check].

By rule: the sentence of the cited passages that holds most of the claim's words is found, and the claim is supported
when that is nearly all of them. By a model, when there is one: it judges meaning. In both cases the same facts have the
last word: a claim with a number, date or name that its evidence does not hold, or that denies what it affirms, is never
supported. In Hebrew a name looks like any other word, so there an unknown word keeps a claim from being more than weak;
so it is with a claim in another language than its passage, whose names and denials cannot be compared by rule.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from pydantic import BaseModel

from core.errors import PalimpsestError
from core.events import Passage, Source
from core.grounding.claims import Claim, claims
from core.grounding.overlap import Evidence, bases, best_evidence, same_language
from core.grounding.polarity import base, conflict, meets, polarity
from core.language import hebrew
from core.language.entities.facts import Facts, Number, facts, opening_word
from core.language.entities.numerals import UNITS
from core.models.by_rule import MALFORMED, failed
from core.models.embeddings import Embeddings
from core.models.meter import Usage
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.search.context import without_markers
from core.words import Words

log = logging.getLogger(__name__)

T = TypeVar("T")
Verdict = Literal["supported", "weak", "unsupported"]
Reason = Literal[
    "held", "partly", "hardly", "no_citation", "no_source", "number", "date", "name", "negation", "limit",
    "word", "language", "model",
]  # fmt: skip

SUPPORTED_FROM = 0.8
WEAK_FROM = 0.4
BY_MEANING = 0.5
"""Coverage from which a close meaning may make up for other words."""
CLOSE = 0.8
"""Calibrated strength of a meaning that says the same."""

REASONS: dict[Reason, Words] = {
    "held": Words(en="The cited passage says so.", he="הקטע המצוטט אומר זאת."),
    "partly": Words(en="The cited passage says only part of this.", he="הקטע המצוטט אומר רק חלק מזה."),
    "hardly": Words(en="The cited passage says hardly any of this.", he="הקטע המצוטט כמעט אינו אומר זאת."),
    "no_citation": Words(en="No source is cited.", he="לא צוין מקור."),
    "no_source": Words(en="The cited source is not there.", he="המקור שצוין אינו קיים."),
    "number": Words(en="A number is not in the cited passage.", he="יש כאן מספר שאינו בקטע המצוטט."),
    "date": Words(en="A date is not in the cited passage.", he="יש כאן תאריך שאינו בקטע המצוטט."),
    "name": Words(en="A name is not in the cited passage.", he="יש כאן שם שאינו בקטע המצוטט."),
    "negation": Words(en="The cited passage says the opposite.", he="הקטע המצוטט אומר את ההפך."),
    "limit": Words(en="The cited passage sets another kind of limit.", he="הקטע המצוטט קובע גבול מסוג אחר."),
    "word": Words(en="A word that may be a name is not in the cited passage.", he="יש כאן מילה, אולי שם, שאינה בקטע."),
    "language": Words(
        en="The passage is in another language and could not be compared word for word.",
        he="הקטע בשפה אחרת ולא ניתן להשוות מילה במילה.",
    ),
    "model": Words(en="The model judged so.", he="כך העריך המודל."),
}

_DECIDING: frozenset[Reason] = frozenset({"number", "date", "name", "negation", "limit"})


@dataclass(frozen=True)
class Judged:
    """A sentence ``answer[start:end]`` and what was found; ``item_id`` and ``evidence`` where something was."""

    start: int
    end: int
    text: str
    numbers: tuple[int, ...]
    verdict: Verdict
    reason: Reason
    item_id: str | None = None
    evidence: str = ""

    @property
    def words(self) -> Words:
        return REASONS[self.reason]


@dataclass
class Support:
    """``share``: supported sentences among those that claim something; ``None`` when none does."""

    sentences: list[Judged]
    notices: list[Words] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    generated: bool = False

    @property
    def share(self) -> float | None:
        if not self.sentences:
            return None
        return sum(each.verdict == "supported" for each in self.sentences) / len(self.sentences)


class _Opinion(BaseModel):
    sentence: int
    verdict: Verdict


class _Opinions(BaseModel):
    sentences: list[_Opinion]


class SupportCheck:
    """``model`` and ``embeddings`` may be missing."""

    def __init__(self, prompts: Prompts, model: TextModel | None = None, embeddings: Embeddings | None = None) -> None:
        self._prompts = prompts
        self._model = model
        self._embeddings = embeddings

    async def check(self, answer: str, sources: Sequence[Source]) -> Support:
        """Every sentence of ``answer`` (Markdown with [N]) that claims something, in order."""
        by_number = {source.number: source for source in sources}
        found = claims(answer)
        pairs = await asyncio.to_thread(lambda: [(claim, _evidence(claim, by_number)) for claim in found])
        support = Support([_judge(claim, evidence, by_number) for claim, evidence in pairs])
        if self._model is not None and pairs:
            return await self._with_model(self._model, pairs, by_number, support)
        await self._with_meaning(pairs, support)
        return support

    async def _with_meaning(self, pairs: Sequence[tuple[Claim, Evidence | None]], support: Support) -> None:
        """Sentences of other words but the same facts, by how close their meaning is."""
        doubtful = [
            (place, claim, evidence)
            for place, (claim, evidence) in enumerate(pairs)
            if evidence and support.sentences[place].reason == "partly" and evidence.coverage >= BY_MEANING
        ]
        if self._embeddings is None or not doubtful:
            return
        texts = [text for _, claim, evidence in doubtful for text in (claim.text, evidence.text)]
        try:
            vectors = await self._embeddings.embed_passages(texts)
        except Exception as error:
            log.warning("support was judged by words only: %s", error)
            return
        strength = self._embeddings.identity.calibration.strength
        for index, (place, claim, evidence) in enumerate(doubtful):
            if strength(float(vectors[2 * index] @ vectors[2 * index + 1])) >= CLOSE:
                support.sentences[place] = _judged(claim, evidence, "supported", "held")

    async def _with_model(
        self,
        model: TextModel,
        pairs: Sequence[tuple[Claim, Evidence | None]],
        by_number: dict[int, Source],
        support: Support,
    ) -> Support:
        prompt = Prompt(self._prompts.render("support"), _listed(pairs, by_number))
        try:
            opinions, support.usage = await ask_json(model, prompt, _Opinions)
        except PalimpsestError as error:
            support.notices.append(failed(error))
            return support
        if opinions is None:
            support.notices.append(MALFORMED)
            return support
        said = {each.sentence: each.verdict for each in opinions.sentences}
        for place, (claim, evidence) in enumerate(pairs):
            support.sentences[place] = _overruled(claim, evidence, support.sentences[place], said.get(place + 1))
        support.generated = True
        return support


def _overruled(claim: Claim, evidence: Evidence | None, ruled: Judged, said: Verdict | None) -> Judged:
    """The model's word, except where facts forbid it, and nowhere better than weak where names cannot be compared."""
    if said is None or evidence is None or ruled.reason in _DECIDING:
        return ruled
    if said == "supported" and ruled.reason in ("word", "language"):
        return ruled if ruled.verdict == "weak" else _judged(claim, evidence, "weak", ruled.reason)
    return _judged(claim, evidence, said, "held" if said == "supported" else "model")


def _evidence(claim: Claim, by_number: dict[int, Source]) -> Evidence | None:
    cited = [by_number[number] for number in claim.numbers if number in by_number]
    passages = [passage for source in cited for passage in source.passages]
    return best_evidence(claim.text, passages, [source.title for source in cited])


def _judged(claim: Claim, evidence: Evidence | None, verdict: Verdict, reason: Reason) -> Judged:
    return Judged(
        claim.start,
        claim.end,
        claim.text,
        claim.numbers,
        verdict,
        reason,
        evidence.passage.item_id if evidence else None,
        evidence.text if evidence else "",
    )


def ruled(claim: str, source: Source) -> Judged:
    """Whether ``source`` bears out ``claim`` (one sentence, without markers), by rule."""
    cited = Claim(claim, 0, len(claim), (source.number,))
    by_number = {source.number: source}
    return _judge(cited, _evidence(cited, by_number), by_number)


def _judge(claim: Claim, evidence: Evidence | None, by_number: dict[int, Source]) -> Judged:
    """By rule."""
    if not claim.numbers:
        return _judged(claim, None, "unsupported", "no_citation")
    if evidence is None:
        return _judged(claim, None, "unsupported", "no_source")
    context = " ".join(by_number[number].title for number in claim.numbers if number in by_number)
    if not same_language(claim.text, evidence.passage):
        return _across(claim, evidence, context)
    wrong = _wrong_fact(claim.text, evidence, context)
    if wrong:
        return _judged(claim, evidence, "unsupported", wrong)
    if evidence.coverage < WEAK_FROM:
        return _judged(claim, evidence, "unsupported", "hardly")
    if _perhaps_name(claim.text, evidence):
        return _judged(claim, evidence, "weak", "word")
    if evidence.coverage < SUPPORTED_FROM or _broader(claim.text, evidence.text):
        return _judged(claim, evidence, "weak", "partly")
    return _judged(claim, evidence, "supported", "held")


def _across(claim: Claim, evidence: Evidence, context: str) -> Judged:
    held = facts(f"{evidence.passage.text} {context}")
    ours = facts(claim.text)
    wrong = _missing(ours, held)
    if wrong in ("number", "date"):
        return _judged(claim, evidence, "unsupported", wrong)
    return _judged(claim, evidence, "weak", "language")


def _wrong_fact(claim: str, evidence: Evidence, context: str) -> Reason | None:
    around = f"{evidence.text} · {evidence.passage.section or ''} · {context}"
    ours, theirs = facts(claim), facts(around)
    wrong = _missing(ours, theirs, bases(around))
    if wrong:
        return wrong
    if any(_other_limit(number, theirs.numbers) for number in ours.numbers):
        return "limit"
    return "negation" if conflict(claim, evidence.text) else None


def _broader(claim: str, evidence: str) -> bool:
    """Whether the claim speaks of all, or of always, and the evidence does not."""
    return polarity(claim).universal and not polarity(evidence).universal


def _other_limit(ours: Number, theirs: Sequence[Number]) -> bool:
    """Whether the evidence makes another kind of limit of the same number."""
    same = [other.limit for other in theirs if ours.same(other) and other.limit]
    return ours.limit is not None and bool(same) and ours.limit not in same


def _missing(ours: Facts, theirs: Facts, held: frozenset[str] = frozenset()) -> Reason | None:
    if not _each_has_its_own(ours.numbers, theirs.numbers, Number.same):
        return "number"
    years = theirs.years
    told = _each_has_its_own(ours.dates, theirs.dates, lambda day, other: day.fits(other, years))
    if not told or not ours.clocks <= theirs.clocks:
        return "date"
    if not all(name in theirs.names or _in_words(name, held) for name in ours.names):
        return "name"
    return None


def _each_has_its_own(ours: Sequence[T], theirs: Sequence[T], same: Callable[[T, T], bool]) -> bool:
    """Whether every fact has a counterpart that no other one took: what is said twice must be there twice."""
    left = list(theirs)
    for one in ours:
        found = next((other for other in left if same(one, other)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _in_words(name: str, held: frozenset[str]) -> bool:
    return all(meets(base(part), held) for part in name.replace("'", " ").split("-"))


def _perhaps_name(claim: str, evidence: Evidence) -> bool:
    """Whether a word that the evidence lacks could be a name."""
    opening = opening_word(claim)
    return any(
        (hebrew.is_hebrew(word) and word not in UNITS) or word == opening or (opening or "").startswith(f"{word}-")
        for word in evidence.missing
    )


def _listed(pairs: Sequence[tuple[Claim, Evidence | None]], by_number: dict[int, Source]) -> str:
    lines: list[str] = []
    for place, (claim, evidence) in enumerate(pairs, 1):
        passages = _nearest(claim, evidence, by_number)
        fenced = "\n".join(f"PASSAGE: {without_markers(passage.text)}" for passage in passages) or "PASSAGE: (none)"
        lines.append(f"SENTENCE {place}: {claim.text}\nBEGIN PASSAGES\n{fenced}\nEND PASSAGES")
    return "\n\n".join(lines)


def _nearest(claim: Claim, evidence: Evidence | None, by_number: dict[int, Source]) -> list[Passage]:
    """The passage of the evidence, and the best of each other cited source."""
    chosen = [evidence.passage] if evidence else []
    for number in claim.numbers:
        passages = by_number[number].passages if number in by_number else []
        if passages and not any(passage in chosen for passage in passages):
            chosen.append(max(passages, key=lambda passage: passage.score))
    return chosen
