"""Classifies a message's intent: by its tags, then by a model in two passes, or by rules and probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from pydantic import BaseModel

from core.clock import Clock
from core.errors import PalimpsestError
from core.events import Action
from core.graph.records import Confidence, Intent, IntentRequest, Message, ModelPlace, WebReason
from core.graph.understanding.intent.combination import combined_decision, is_agreed, is_settled
from core.graph.understanding.intent.probabilities import Estimator
from core.graph.understanding.intent.router import RoutedMessage, route
from core.graph.understanding.intent.rule_decision import LIKELIEST, RuleDecision, by_rules
from core.graph.understanding.intent.rules import format_of
from core.graph.understanding.intent.web_need import about_image, web_wish
from core.graph.understanding.mentions import MARK, without_mentions
from core.graph.understanding.wording import lists
from core.language.normalisation import fold
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.question.filenames import without_filenames

PAST = 5
"""Number of earlier messages that the second pass reads."""
MOST_CHARACTERS = 400
"""Maximum characters of each of them."""


class _Classification(BaseModel):
    """A model's reply; ``actions`` are those requested or, if unclear, the most likely ones, best first."""

    actions: list[Action]
    confidence: Confidence
    several: bool = False
    web: bool = False
    place: ModelPlace | None = None


class _ClassificationWithSteps(_Classification):
    """A model's reply to a question that may need several look-ups."""

    steps: list[str] = []


@dataclass(frozen=True)
class Classification:
    """The intent of a message; ``ruled``: a model was available, but the rules decided."""

    intent: Intent
    ruled: bool = False


class IntentClassifier:
    """Classifies intents. Without a ``model``, or if it fails or twice returns an unusable reply, combines rules with
    the ``estimator``'s probabilities, or uses only rules if there are none."""

    def __init__(
        self, prompts: Prompts, clock: Clock, model: TextModel | None = None, estimator: Estimator | None = None
    ) -> None:
        self._prompts = prompts
        self._clock = clock
        self._model = model
        self._estimator = estimator

    async def classify(self, asked: IntentRequest) -> Classification:
        """Returns a message's intent. Tags, memory commands and cases that the rules decide need no model call."""
        routed = route(asked.text)
        if routed.command:
            intent = Intent(
                action="memory", confidence="high", how="rule", text=asked.text.strip(), command=routed.command
            )
            return Classification(intent)
        picked = tuple(dict.fromkeys([*routed.actions, *([asked.tagged] if asked.tagged else [])]))
        if picked:
            understood = RuleDecision(picked, "high", "tag", several=len(picked) > 1)
            return Classification(self._intent(asked, routed, understood, by_model=False))
        ruled = by_rules(routed.text, asked.past)
        settled = is_settled(routed.text, ruled)
        plain = without_filenames(routed.text)
        likely = await self._estimator.estimate(plain) if self._estimator and not settled else None
        doubt = self._estimator.doubt if self._estimator else 1.0
        understood = combined_decision(plain, ruled, likely, doubt) if likely else ruled
        sure = is_agreed(understood, likely) if likely else settled and ruled.how == "rule" and not ruled.several
        if self._model is None or sure:
            return Classification(self._intent(asked, routed, understood, by_model=False))
        classified = await self._by_model(self._model, routed.text, asked)
        if classified:
            understood = _corrected_by_rules(classified, ruled, routed.text)
        intent = self._intent(asked, routed, understood, by_model=bool(classified and classified.web))
        if classified:
            intent = intent.model_copy(update={"place": classified.place})
        if isinstance(classified, _ClassificationWithSteps):
            intent = intent.model_copy(update={"steps": tuple(classified.steps)})
        return Classification(intent, ruled=classified is None)

    def _intent(
        self, asked: IntentRequest, routed: RoutedMessage, understood: RuleDecision, *, by_model: bool
    ) -> Intent:
        action = understood.actions[0]
        open_ended = understood.several or understood.confidence == "low"
        return Intent(
            action=action,
            confidence=understood.confidence,
            how=understood.how,
            text=routed.text,
            parts=understood.parts,
            web=self._web(asked, routed, by_model=by_model),
            format=format_of(routed.text, action),
            alternatives=understood.actions if open_ended and len(understood.actions) > 1 else (),
            several=understood.several,
            command=understood.command,
            books=bool(lists().books.search(fold(routed.text))),
        )

    def _web(self, asked: IntentRequest, routed: RoutedMessage, *, by_model: bool) -> WebReason | None:
        if asked.image or about_image(routed.text):
            return None
        if asked.web or routed.web:
            return "flag"
        return web_wish(routed.text, self._today()) or ("model" if by_model else None)

    def _today(self) -> date:
        return datetime.fromtimestamp(self._clock(), UTC).date()

    async def _by_model(self, model: TextModel, text: str, asked: IntentRequest) -> _Classification | None:
        """Shows the model only the last message first; adds earlier messages if that was not enough to decide."""
        form = _ClassificationWithSteps if asked.manifold else _Classification
        try:
            classified, _ = await ask_json(model, self._prompt(text, (), asked.manifold), form)
        except PalimpsestError:
            return None
        past = asked.past
        if not classified or not past or (classified.confidence == "high" and not classified.several):
            return classified
        try:
            again, _ = await ask_json(model, self._prompt(text, past[-PAST:], asked.manifold), form)
        except PalimpsestError:
            return classified
        return again or classified

    def _prompt(self, text: str, past: Sequence[Message], manifold: bool) -> Prompt:
        today = self._today().isoformat()
        system = self._prompts.render("intent", today=today, follows=bool(past), manifold=manifold)
        before = "\n".join(f"{each.role}: {each.text[:MOST_CHARACTERS]}" for each in past)
        history = f"BEGIN EARLIER\n{before}\nEND EARLIER\n\n" if before else ""
        return Prompt(system, f"{history}BEGIN MESSAGE\n{text}\nEND MESSAGE")


def _corrected_by_rules(classified: _Classification, ruled: RuleDecision, text: str) -> RuleDecision:
    """Returns the model's decision, corrected where rules know better: a summary about a subject is a question."""
    actions = tuple(dict.fromkeys(each for each in classified.actions if each != "memory"))
    if not actions:
        return ruled
    if actions == ("summarize",) and ruled.actions == ("inquire",) and _is_order_to_summarize(text):
        actions = ("inquire",)
    if classified.several and len(actions) > 1:
        return RuleDecision(actions, classified.confidence, "model", several=True)
    if classified.confidence == "low":
        likeliest = tuple(dict.fromkeys([*actions, *ruled.actions, *LIKELIEST]))[:2]
        return RuleDecision(likeliest, "low", "model")
    parts = ruled.parts if actions[0] == ruled.actions[0] else ()
    return RuleDecision(actions[:1], classified.confidence, "model", parts=parts)


def _is_order_to_summarize(text: str) -> bool:
    return format_of(without_mentions(text, MARK), "inquire") == "summary"
