"""Calls tools for a caller and returns each call's result, in order; all calls go through here.

Calls run in parallel, each limited by its tool's timeout and protected by its tool's circuit breaker. If a call fails
in a way that another tool may avoid, the tool's fallbacks are tried with the original arguments (docs/specification.md,
"Tools").
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pydantic import JsonValue

from core.errors import Category, PalimpsestError, Problem, problem_of
from core.language.detection import detect
from core.memory.items.records import ToolRun
from core.resilience.dependencies import CircuitBreaker, Dependency, Observation, too_slow
from core.setting_groups import Breakers
from core.tools.arguments import NormalisedArguments, normalise
from core.tools.consent import NOBODY_ASKED, Consents, ConsentStore, may_need_consent
from core.tools.definition import LatencyTier, ToolDefinition
from core.tools.failures import COUNTED, falls_back, problem_with
from core.tools.loop_guard import LoopGuard
from core.tools.records import ToolOutcome, WantedConsent
from core.tools.registry import RegisteredTool, ToolRegistry
from core.tools.statistics import ToolStatistics
from core.tools.tool import Caller, Report, ToolResult, unheard
from core.words import Words

log = logging.getLogger(__name__)

TIER_SECONDS: Mapping[LatencyTier, float] = {"fast": 10.0, "medium": 60.0, "slow": 120.0, "very_slow": 300.0}
SLACK = 0.5
"""Extra seconds that all parallel calls of one tool get beyond each call's timeout, so that each can report its own
result."""


@dataclass(frozen=True)
class SentCall:
    """A call from a model, a rule or a user. ``agreed``: the user has consented to this call. ``report`` receives the
    call's progress."""

    id: str
    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)
    agreed: bool = False
    report: Report = field(default=unheard, compare=False)


def timeout_of(definition: ToolDefinition) -> float:
    """Maximum seconds of one call: the tool's own timeout, else the timeout of its tier."""
    return definition.latency.timeout or TIER_SECONDS[definition.latency.tier]


@dataclass
class _Attempt:
    """One call in progress, with the fallbacks that it has not tried yet."""

    call: SentCall
    entry: RegisteredTool
    asked: RegisteredTool
    untried: list[RegisteredTool]
    arguments: NormalisedArguments = field(default_factory=NormalisedArguments)
    result: ToolResult | None = None
    problem: Problem | None = None
    first_problem: Problem | None = None
    wants: WantedConsent | None = None
    runs: list[ToolRun] = field(default_factory=list)
    warnings: list[Words] = field(default_factory=list)
    looped: bool = False

    @property
    def ended(self) -> bool:
        return self.result is not None or self.problem is not None or self.wants is not None

    def outcome(self) -> ToolOutcome:
        # The user sees the first failure, because it is about the requested tool; failures of fallbacks are only
        # logged.
        return ToolOutcome(
            call_id=self.call.id,
            asked=self.call.name,
            tool=self.entry.name,
            title=self.entry.definition.title,
            arguments=self.arguments.values,
            result=self.result,
            problem=None if self.result or self.wants else self.first_problem or self.problem,
            wants=self.wants,
            warnings=self.warnings,
            kept_aside=self.arguments.kept_aside,
            runs=self.runs,
            looped=self.looped,
        )


@dataclass
class ToolExecution:
    """Runs calls. ``statistics`` records how each attempt ended."""

    _registry: ToolRegistry
    _consent: ConsentStore
    _statistics: ToolStatistics
    _breakers: Breakers
    _observe: Callable[[str, Observation], None] = lambda *_: None

    def __post_init__(self) -> None:
        self._dependencies: dict[str, Dependency] = {}

    async def run(self, calls: Sequence[SentCall], caller: Caller, guard: LoopGuard | None = None) -> list[ToolOutcome]:
        """Each call's result, in order. A tool's failure is never raised."""
        guard = guard or LoopGuard()
        attempts: list[_Attempt | ToolOutcome] = [self._begin(call) for call in calls]
        begun = [each for each in attempts if isinstance(each, _Attempt)]
        consents = await self._consents(begun, caller)
        for each in begun:
            self._prepare(each, consents, guard)
        waiting = [each for each in begun if not each.ended]
        while waiting:
            await asyncio.gather(*(self._run_together(same, caller) for same in _by_tool(waiting)))
            waiting = [each for each in waiting if self._goes_on(each, consents, guard)]
        for each in begun:
            self._count_language(each)
        return [each.outcome() if isinstance(each, _Attempt) else each for each in attempts]

    def breaker(self, entry: RegisteredTool) -> CircuitBreaker:
        """One tool's circuit breaker."""
        return self._dependency(entry).breaker

    # -- before the call -------------------------------------------------------------------

    def _begin(self, call: SentCall) -> _Attempt | ToolOutcome:
        entry = self._registry.find(call.name)
        if entry is None:
            there = ", ".join(each.name for each in self._registry.available())
            problem = problem_of("not_found", "tools.unknown", name=call.name, there=there)
            title = Words.alike(call.name)
            return ToolOutcome(call_id=call.id, asked=call.name, tool=call.name, title=title, problem=problem)
        known = (self._registry.find(name) for name in entry.definition.fallbacks)
        return _Attempt(call, entry, entry, [each for each in known if each is not None])

    async def _consents(self, attempts: Sequence[_Attempt], caller: Caller) -> Consents:
        """The caller's consent decisions, if they matter for this call."""
        tools = (entry for each in attempts for entry in (each.entry, *each.untried))
        return await self._consent.of(caller) if any(map(may_need_consent, tools)) else NOBODY_ASKED

    def _prepare(self, attempt: _Attempt, consents: Consents, guard: LoopGuard) -> None:
        """Normalise the arguments for the tool, and check whether it may be called with them."""
        entry, definition = attempt.entry, attempt.entry.definition
        attempt.arguments = normalise(definition, attempt.call.arguments)
        attempt.warnings += attempt.arguments.warnings
        if attempt.arguments.repaired:
            self._statistics.repaired(entry.name)
        attempt.problem = self._refusal(attempt, guard)
        if attempt.problem is not None:
            return
        agreed = attempt.call.agreed and entry is attempt.asked
        verdict = consents.verdict(entry, self._registry.digest(entry.server) if may_need_consent(entry) else "")
        if verdict == "ask" and not agreed:
            attempt.wants = _wanted(attempt)
        elif verdict in ("never", "no_acting"):
            attempt.problem = problem_of("auth", f"tools.consent.{verdict}", tool=definition.title)

    def _refusal(self, attempt: _Attempt, guard: LoopGuard) -> Problem | None:
        entry, definition = attempt.entry, attempt.entry.definition
        if not self._registry.is_on(entry.name):
            return problem_of("validation", "tools.switched_off", tool=definition.title)
        lacking = attempt.arguments.problem(definition)
        if lacking is not None:
            self._statistics.refused(entry.name, "validation")
            return lacking
        if not guard.admit(entry.name, attempt.arguments.values):
            self._statistics.looped(entry.name)
            attempt.looped = True
            return problem_of("validation", "tools.loop", tool=definition.title)
        return None

    # -- calling ---------------------------------------------------------------------------

    async def _run_together(self, attempts: Sequence[_Attempt], caller: Caller) -> None:
        """Run one tool's calls. For its circuit breaker they count as one call, which failed if all of them failed."""
        entry = attempts[0].entry

        async def run_all() -> None:
            errors = await asyncio.gather(*(self._run_one(each, caller) for each in attempts))
            failures = [each for each in errors if each is not None]
            if len(failures) == len(attempts):
                raise _telling(failures)

        seconds = timeout_of(entry.definition) + SLACK
        try:
            await self._dependency(entry).attempt(run_all, seconds=seconds)
        except Exception:
            for each in (each for each in attempts if not each.ended):
                each.problem = problem_of("connection", "tools.left_alone", tool=entry.definition.title)
                each.runs.append(ToolRun(name=entry.name, run_id=each.call.id, result="error"))
                self._statistics.refused(entry.name, each.problem.category)

    async def _run_one(self, attempt: _Attempt, caller: Caller) -> Exception | None:
        """Run one call; returns its error, if it failed."""
        entry, began = attempt.entry, time.monotonic()
        seconds = timeout_of(entry.definition)
        error: Exception | None = None
        try:
            async with asyncio.timeout(seconds):
                watched = replace(caller, report=attempt.call.report)
                attempt.result = await entry.tool.call(attempt.arguments.values, watched)
        except TimeoutError:
            error = too_slow(entry.definition.title.to(caller.language), seconds)
        except Exception as raised:
            error = raised
        milliseconds = (time.monotonic() - began) * 1000
        category: Category | None = None
        if error is not None:
            log.warning("the tool %s failed: %s", entry.name, error, exc_info=not isinstance(error, PalimpsestError))
            attempt.problem = problem_with(entry.definition, error)
            category = attempt.problem.category
        ended = "ok" if category is None else "timeout" if category == "timeout" else "error"
        attempt.runs.append(ToolRun(name=entry.name, run_id=attempt.call.id, result=ended, milliseconds=milliseconds))
        self._statistics.called(entry.name, milliseconds, category, found=bool(attempt.result and attempt.result.found))
        return error

    def _dependency(self, entry: RegisteredTool) -> Dependency:
        if entry.name not in self._dependencies:
            breaker = CircuitBreaker.of(self._breakers)
            self._dependencies[entry.name] = Dependency(
                entry.definition.title.en,
                timeout_of(entry.definition),
                breaker,
                partial(self._observe, entry.server),
            )
        return self._dependencies[entry.name]

    # -- after the call --------------------------------------------------------------------

    def _goes_on(self, attempt: _Attempt, consents: Consents, guard: LoopGuard) -> bool:
        """Whether a failed call continues with a fallback; if so, the fallback is prepared."""
        if attempt.problem is None:
            return False
        attempt.first_problem = attempt.first_problem or attempt.problem
        while falls_back(attempt.first_problem) and attempt.untried:
            self._statistics.fell_back(attempt.entry.name)
            attempt.entry = attempt.untried.pop(0)
            self._prepare(attempt, consents, guard)
            if attempt.problem is None and attempt.wants is None:
                return True
            # A fallback that needs consent is skipped, because the user did not ask for it.
            attempt.wants, attempt.problem = None, attempt.first_problem
        return False

    def _count_language(self, attempt: _Attempt) -> None:
        said = " ".join(value for value in attempt.arguments.values.values() if isinstance(value, str))
        if attempt.runs and said and detect(said) == "he":
            self._statistics.hebrew(attempt.entry.name, found=bool(attempt.result and attempt.result.found))


def _by_tool(attempts: Sequence[_Attempt]) -> Collection[Sequence[_Attempt]]:
    groups: dict[str, list[_Attempt]] = {}
    for each in attempts:
        groups.setdefault(each.entry.name, []).append(each)
    return groups.values()


def _telling(failures: Sequence[Exception]) -> Exception:
    """Of several failures, the one that says most about the tool itself."""
    counted = (each for each in failures if not isinstance(each, PalimpsestError) or each.problem.category in COUNTED)
    return next(counted, failures[0])


def _wanted(attempt: _Attempt) -> WantedConsent:
    definition = attempt.entry.definition
    return WantedConsent(
        call_id=attempt.call.id,
        scope="server" if definition.effects.harmless else "tool",
        server=definition.server,
        tool=definition.name,
        title=definition.title,
        arguments=attempt.arguments.values,
    )
