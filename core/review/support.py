"""Checks whether each sentence of an answer is supported by its cited passages; returns a mark for each sentence.

Supported and unsupported require evidence (:mod:`core.review.entailment`); what no rule can decide is *not checked*.
An inference model (NLI), if available, decides what the rules leave open, except figures, dates, names, negations,
hedges, causes, the scope of a statement, and other languages. A chat model decides every sentence that is still *not
checked*. Neither may overrule a contradiction that the rules show, or a number that they found or computed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from pydantic import BaseModel, field_validator

from core.errors import PalimpsestError
from core.events import Passage, Source
from core.language import hebrew
from core.language.detection import detect
from core.language.sentences import split_sentences
from core.messages import message
from core.models.by_rule import MALFORMED, failed
from core.models.meter import Usage
from core.models.nli.inference import InferenceJudge
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.review.claims import Claim, claims
from core.review.entailment import Ground, Judgement, judge
from core.review.figure_support import FigureCheck, check_figures
from core.review.nearest_passages import NearPassage, nearest_passages
from core.review.overlap import Evidence, best_evidence, likely
from core.review.printed_figures import printed_figures
from core.review.relevance import ContextLine, capitalised
from core.review.summary_sentences import BELOW, are_supported, lines_below, summed_up
from core.review.support_prompt import USUAL_ROOM, CheckedClaim, claims_prompt
from core.search.documents.context import without_markers
from core.search.documents.passage_numbers import grouped_by_document, merged
from core.words import Words

log = logging.getLogger(__name__)

Verdict = Literal["supported", "contradicted", "not_checked"]
Opinion = Literal["supported", "contradicted", "not_stated"]
Reason = Literal[
    "held", "partly", "no_citation", "no_source", "number", "exchanged", "date", "frequency", "name", "negation",
    "limit", "hedge", "cause", "scope", "roles", "language", "inference", "model", "unstated", "disputed", "found",
    "computed", "otherwise",
]  # fmt: skip

_GROUNDS: dict[Ground, Reason] = {
    "verbatim": "held", "words": "held", "missing": "partly", "nothing": "partly", "apart": "partly", "both": "partly",
    "inexact": "scope",
    "figure": "number", "unbound": "number", "exchanged": "exchanged", "limit": "limit", "opposite": "negation",
    "negation": "negation", "hedge": "hedge", "cause": "cause", "scope": "scope", "exception": "hedge",
    "period": "date", "frequency": "frequency", "inclusion": "negation", "roles": "roles",
}  # fmt: skip
_WORDED = frozenset[Reason]({"negation", "hedge", "limit", "roles"})
"""What words say against a sentence whose numbers are right."""
_DECIDING = frozenset(get_args(Reason)) - {"held", "partly", "inference", "model", "disputed"}
"""Reasons that no inference model may overrule."""


@dataclass(frozen=True)
class SupportedSentence:
    """A sentence ``answer[start:end]`` with its verdict; ``item_id`` and ``evidence`` if evidence was found."""

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
        """Why it has this verdict: what is missing for *not checked*, and what says otherwise for *contradicted*."""
        group = "contradicted" if self.verdict == "contradicted" else "reasons"
        return message(f"grounding.support.{group}.{self.reason}", shown=self.evidence)


@dataclass
class AnswerSupport:
    """The result for an answer; ``share``: the share of supported sentences among its claims; ``None`` without
    claims."""

    sentences: list[SupportedSentence]
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
    verdict: Opinion

    @field_validator("verdict", mode="before")
    @classmethod
    def _as_stated(cls, verdict: object) -> object:
        """The user's own prompt may still have the word of the records."""
        return "not_stated" if verdict == "not_checked" else verdict


class _Opinions(BaseModel):
    sentences: list[_Opinion]


@dataclass
class SupportCheck:
    """Checks answers; ``model`` and ``inference`` may be missing. ``room``: tokens of sentences and passages that the
    model is sent."""

    _prompts: Prompts
    _model: TextModel | None = None
    _inference: InferenceJudge | None = None
    _room: int = USUAL_ROOM

    async def check(self, answer: str, sources: Sequence[Source], question: str = "") -> AnswerSupport:
        """Checks every sentence of ``answer`` (Markdown with [N]) that claims something, in order.

        Args:
            answer: Markdown whose citations are the numbers of ``sources``.
            sources: What the answer may cite.
            question: What was asked; it says what a short sentence or a cell of a table is about.
        """
        written = claims(answer)
        by_number, found = _by_document(sources, written)
        pairs = await asyncio.to_thread(lambda: [(claim, _evidence(claim, by_number)) for claim in found])
        support = AnswerSupport(await asyncio.to_thread(_by_rules, pairs, by_number, question))
        if self._inference is not None:
            await self._infer(self._inference, pairs, support)
        if self._model is not None and pairs:
            return await self._with_model(self._model, pairs, _Cited(by_number, _own(sources, written)), support)
        return support

    async def _infer(
        self, inference: InferenceJudge, pairs: Sequence[tuple[Claim, Evidence | None]], support: AnswerSupport
    ) -> None:
        """Judges the claims that the rules left open, with the most relevant sentence and its passage."""
        left = [
            (place, claim, evidence)
            for place, (claim, evidence) in enumerate(pairs)
            if evidence is not None and _is_open(support.sentences[place])
        ]
        premises = [[evidence.text, without_markers(evidence.passage.text)] for _, _, evidence in left]
        try:
            decided = await inference.judge(premises, [claim.text for _, claim, _ in left])
        except PalimpsestError as error:
            log.warning("support was judged without the inference model", exc_info=True)
            support.notices.append(failed(error))
            return
        for (place, _, _), said in zip(left, decided, strict=True):
            if said:
                verdict: Verdict = "supported" if said > 0 else "contradicted"
                support.sentences[place] = replace(support.sentences[place], verdict=verdict, reason="inference")

    async def _with_model(
        self,
        model: TextModel,
        pairs: Sequence[tuple[Claim, Evidence | None]],
        cited: _Cited,
        support: AnswerSupport,
    ) -> AnswerSupport:
        left = await asyncio.to_thread(_for_model, pairs, cited, support.sentences)
        text, asked = await asyncio.to_thread(claims_prompt, left, self._room)
        if not asked:
            return support
        prompt = Prompt(self._prompts.render("support"), text)
        try:
            opinions, support.usage = await ask_json(model, prompt, _Opinions)
        except PalimpsestError as error:
            support.notices.append(failed(error))
            return support
        if opinions is None:
            support.notices.append(MALFORMED)
            return support
        verdicts = {each.sentence: each.verdict for each in opinions.sentences if each.sentence in asked}
        judged = [_overruled(ruled, verdicts.get(place)) for place, ruled in enumerate(support.sentences, 1)]
        support.sentences = _borne_out([claim for claim, _ in pairs], support.sentences, judged)
        support.generated = True
        return support


@dataclass(frozen=True)
class _Cited:
    """The cited documents with all their passages, and for each claim the ids of the passages that it cites itself."""

    by_number: dict[int, Source]
    own: list[frozenset[str]]


def _own(sources: Sequence[Source], written: Sequence[Claim]) -> list[frozenset[str]]:
    ids = {source.number: [passage.item_id for passage in source.passages] for source in sources}
    return [frozenset(id for number in claim.numbers for id in ids.get(number, ())) for claim in written]


def _by_document(sources: Sequence[Source], found: Sequence[Claim]) -> tuple[dict[int, Source], list[Claim]]:
    """Returns the cited documents with all their passages, and the claims with the numbers of these documents: a number
    of a sentence may be printed in another passage than the one that it cites."""
    cited = {number for claim in found for number in claim.numbers}
    by_number: dict[int, Source] = {}
    names: dict[int, int] = {}
    for group in grouped_by_document(sources):
        numbers = [source.number for source in group if source.number in cited]
        if numbers:
            by_number[numbers[0]] = merged(group).model_copy(update={"number": numbers[0]})
            names |= dict.fromkeys(numbers, numbers[0])
    return by_number, [
        replace(claim, numbers=tuple(dict.fromkeys(names.get(number, number) for number in claim.numbers)))
        for claim in found
    ]


def _is_open(ruled: SupportedSentence) -> bool:
    return ruled.verdict != "supported" and ruled.reason not in _DECIDING


def _for_model(
    pairs: Sequence[tuple[Claim, Evidence | None]],
    cited_by: _Cited,
    ruled: Sequence[SupportedSentence],
) -> list[CheckedClaim]:
    """Returns the sentences that a model reads, those that the rules left open first, with their passages: those that
    they cite, and the nearest ones of the same documents. A sentence without a citation is judged by what the whole
    answer cites."""
    by_number = cited_by.by_number
    figures = {number: printed_figures([source]) for number, source in by_number.items()}
    every = tuple(dict.fromkeys(number for claim, _ in pairs for number in claim.numbers))
    written = [claim for claim, _ in pairs]
    sums = summed_up(written)
    found = []
    for place, (claim, evidence) in enumerate(pairs, 1):
        if not _may_decide(ruled[place - 1]):
            continue
        numbers = [number for number in claim.numbers or every if number in by_number]
        cited = [by_number[number] for number in numbers]
        rows = [each for number in numbers for each in figures[number]]
        passages = nearest_passages(claim, evidence, cited, rows, cited_by.own[place - 1])
        if place - 1 in sums:
            below = "\n".join(lines_below(place - 1, written))
            passages = (NearPassage(f"below {place}", BELOW, below), *passages)
        if passages:
            found.append(CheckedClaim(place, claim, passages))
    return sorted(found, key=lambda each: ruled[each.number - 1].verdict == "supported")


def _borne_out(
    found: Sequence[Claim], ruled: Sequence[SupportedSentence], judged: Sequence[SupportedSentence]
) -> list[SupportedSentence]:
    """Returns the verdicts; a model may only support a sentence that sums up others if these are supported."""
    supported = [each.verdict == "supported" for each in judged]
    verdicts = list(judged)
    for place, below in summed_up(found).items():
        if judged[place].reason == "model" and not are_supported(place, below, found, supported):
            verdicts[place] = ruled[place]
    return verdicts


def _may_decide(ruled: SupportedSentence) -> bool:
    """Whether a model may decide: not if the rules show a contradiction, or the cells that a number comes from."""
    return ruled.verdict == "not_checked" or (ruled.verdict == "supported" and ruled.reason not in _DECIDING)


def _overruled(ruled: SupportedSentence, verdict: Opinion | None) -> SupportedSentence:
    """Returns the model's verdict if the rules left it open; if both decide and differ, returns neither. A sentence
    without a citation has no passage that could contradict it."""
    if verdict is None or not _may_decide(ruled) or (verdict == "contradicted" and not ruled.evidence):
        return ruled
    if ruled.verdict == "supported":
        return ruled if verdict == "supported" else replace(ruled, verdict="not_checked", reason="disputed")
    if verdict == "not_stated":
        return replace(ruled, reason="unstated") if ruled.numbers else ruled
    return replace(ruled, verdict=verdict, reason="model")


def _evidence(claim: Claim, by_number: dict[int, Source]) -> Evidence | None:
    cited = [by_number[number] for number in claim.numbers if number in by_number]
    passages = [passage for source in cited for passage in source.passages]
    return best_evidence(claim.text, passages, [source.title for source in cited])


def _supported_sentence(claim: Claim, evidence: Evidence | None, verdict: Verdict, reason: Reason) -> SupportedSentence:
    return SupportedSentence(
        claim.start,
        claim.end,
        claim.text,
        claim.numbers,
        verdict,
        reason,
        evidence.passage.item_id if evidence else None,
        evidence.text if evidence else "",
    )


def rule_based_support(claim: str, source: Source) -> SupportedSentence:
    """Returns whether ``source`` supports ``claim`` (one sentence, without markers), without a model."""
    cited = Claim(claim, 0, len(claim), (source.number,))
    by_number = {source.number: source}
    return _rule_verdict(cited, _evidence(cited, by_number), by_number)


def _by_rules(
    pairs: Sequence[tuple[Claim, Evidence | None]], by_number: dict[int, Source], question: str
) -> list[SupportedSentence]:
    """Checks numbers against the figures of the sources, and words against their sentences; a sentence without a
    citation is checked against all cited sources, and against the supported sentences of the answer."""
    figures = {number: printed_figures([source]) for number, source in by_number.items()}
    cited = tuple(dict.fromkeys(number for claim, _ in pairs for number in claim.numbers))
    marks = []
    for claim, evidence in pairs:
        numbers = [number for number in claim.numbers or cited if number in by_number]
        checked = check_figures(
            claim, question, [each for number in numbers for each in figures[number]],
            [by_number[number].title for number in numbers],
        )  # fmt: skip
        marks.append(_with_figures(claim, _rule_verdict(claim, evidence, by_number), checked))
    supported = [ContextLine(mark.text) for mark in marks if mark.verdict == "supported"]
    return [
        replace(mark, verdict="supported", reason="held")
        if mark.reason == "no_citation" and supported and judge(mark.text, supported).finding == "held"
        else mark
        for mark in marks
    ]


def _with_figures(claim: Claim, ruled: SupportedSentence, checked: FigureCheck) -> SupportedSentence:
    """The mark with what the figures say: they decide about numbers, and a number that they print is not wrong."""
    if checked.outcome == "open":
        wrong = ruled.verdict == "contradicted" and ruled.reason in ("number", "exchanged")
        return replace(ruled, verdict="not_checked") if wrong and checked.printed else ruled
    if checked.outcome != "contradicted" and ruled.reason in _WORDED:
        return ruled
    if checked.outcome == "contradicted" and ruled.verdict == "supported":
        return ruled
    verdict: Verdict = "contradicted" if checked.outcome == "contradicted" else "supported"
    item_id = checked.figure.item_id if checked.figure else ruled.item_id
    reason: Reason = "otherwise" if checked.outcome == "contradicted" else checked.outcome
    return replace(ruled, verdict=verdict, reason=reason, item_id=item_id, evidence=checked.shown)


def _rule_verdict(claim: Claim, evidence: Evidence | None, by_number: dict[int, Source]) -> SupportedSentence:
    """Decides a claim without a model."""
    if not claim.numbers:
        return _supported_sentence(claim, None, "not_checked", "no_citation")
    if evidence is None:
        return _supported_sentence(claim, None, "not_checked", "no_source")
    cited = [by_number[number] for number in claim.numbers if number in by_number]
    if detect(claim.text) != detect(evidence.passage.text):
        return _supported_sentence(claim, evidence, "not_checked", "language")
    lines, owners = _context_lines(claim, cited)
    found = judge(claim.text, lines, " ".join(source.title for source in cited))
    reason = _reason(claim, found)
    verdict: Verdict = {"held": "supported", "denied": "contradicted", "open": "not_checked"}[found.finding]  # type: ignore[assignment]
    if found.bearing is None:
        return _supported_sentence(claim, evidence, verdict, reason)
    owner = owners[found.bearing.lines[0]]
    return replace(
        _supported_sentence(claim, evidence, verdict, reason), item_id=owner.item_id, evidence=found.bearing.text
    )


def _reason(claim: Claim, found: Judgement) -> Reason:
    reason = _GROUNDS[found.ground]
    if reason == "partly" and found.bearing is not None:
        lacking = {term.word for term in found.bearing.missing}
        if lacking & capitalised(claim.text) or any(hebrew.is_hebrew(word) for word in lacking):
            return "name"
    return reason


def _context_lines(claim: Claim, cited: Sequence[Source]) -> tuple[list[ContextLine], list[Passage]]:
    """Returns the sentences of the likely passages, and each one's passage."""
    lines: list[ContextLine] = []
    owners: list[Passage] = []
    passages = [(source, passage) for source in cited for passage in source.passages]
    chosen = likely(claim.text, [passage for _, passage in passages])
    for block, (source, passage) in enumerate(passages):
        if passage in chosen:
            for sentence in split_sentences(passage.text):
                lines.append(ContextLine(sentence.text, f"{passage.section or ''} · {source.title}", block))
                owners.append(passage)
    return lines, owners
