"""A text clause by clause against policies: complies, conflicts, or not covered [spec A6]."""

from __future__ import annotations

import asyncio
import csv
import io
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from core.errors import PalimpsestError, fail
from core.events import Quote, Source
from core.graph.actions.clauses import Clause, split_clauses
from core.graph.actions.records import ActionResult, Progress, Statement, plain, silent, statements
from core.graph.actions.rulings import Severity, Verdict, breach
from core.grounding.overlap import words
from core.grounding.polarity import base, meets
from core.language.detection import detect
from core.language.entities.facts import facts
from core.models.by_rule import MALFORMED, failed
from core.models.embeddings import Embeddings
from core.models.structured import Prompt, TextModel, ask_json
from core.personality.rules import Length
from core.prompts.templates import Prompts
from core.search.context import without_markers
from core.words import Language, Words

ClauseSearch = Callable[[str], Awaitable[Sequence[Source]]]
"""A clause to the passages of the targets that may decide it, for targets too large to be read whole."""

COVERED = 0.45
NEAR = 0.8
"""Share of the best closeness from which another statement is heard too."""
HEADING = 0.6
"""What a word is worth that only the heading of a statement holds."""
SHORT = 0.9
"""How far a clause is covered by a statement of which it holds everything."""
SAME_UNIT = 0.1
CANDIDATES = 4
BATCH = 6
"""Clauses that a model judges at once."""


@dataclass(frozen=True)
class ClauseFinding:
    """``severity`` of a conflict; ``number``, ``item_id`` and ``quote`` name the passage that decides."""

    clause: Clause
    verdict: Verdict
    reason: Words
    severity: Severity | None = None
    number: int | None = None
    item_id: str | None = None
    quote: str = ""


@dataclass
class Audit(ActionResult):
    findings: list[ClauseFinding] = field(default_factory=list)

    def count(self, verdict: Verdict) -> int:
        return sum(finding.verdict == verdict for finding in self.findings)

    def to_csv(self) -> str:
        """For a spreadsheet: a cell never begins with what one would take for a formula."""
        titles = {source.number: source.title for source in self.sources}
        sheet = io.StringIO()
        writer = csv.writer(sheet)
        writer.writerow([words.to(self.language) for words in _SHEET])
        for each in self.findings:
            reason = each.reason.to(self.language)
            title = titles.get(each.number or 0, "")
            verdict = _VERDICTS[each.verdict].to(self.language)
            severity = _SEVERITIES[each.severity].to(self.language) if each.severity else ""
            row = [each.clause.text, verdict, severity, title, each.quote, reason]
            writer.writerow([f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t") else cell for cell in row])
        return sheet.getvalue()


class _Ruling(BaseModel):
    clause: int
    verdict: Verdict
    passage: int | None = None
    severity: Severity | None = None
    reason: str = ""


class _Rulings(BaseModel):
    clauses: list[_Ruling]


@dataclass(frozen=True)
class _Near:
    """``closeness`` in 0..1: the share of the clause that the statement and its heading hold."""

    statement: Statement
    closeness: float


class Auditor:
    """``model`` may be missing; ``search`` is used instead of reading the targets whole."""

    def __init__(
        self,
        prompts: Prompts,
        model: TextModel | None = None,
        search: ClauseSearch | None = None,
        length: Length = "balanced",
        embeddings: Embeddings | None = None,
    ) -> None:
        self._embeddings = embeddings
        self._brief = length == "concise"
        self._prompts = prompts
        self._model = model
        self._search = search

    async def audit(
        self, text: str, targets: Sequence[Source], language: Language, progress: Progress = silent
    ) -> Audit:
        """Every clause of ``text`` against ``targets`` (whole documents).

        Raises:
            PalimpsestError: ``text`` holds no clause, or there is nothing to hold it against.
        """
        clauses = split_clauses(text)
        if not clauses:
            raise _no_clauses()
        if not targets:
            raise _no_targets()
        read = None if self._search else await asyncio.to_thread(_Shelf, targets)
        result = Audit("", language, list(targets))
        heard: list[list[_Near]] = []
        for done, clause in enumerate(clauses):
            progress(done, len(clauses), _reading(done + 1, len(clauses)))
            shelf = read or await self._found(clause, targets)
            near = await asyncio.to_thread(shelf.nearest, clause.text)
            heard.append(near)
            result.findings.append(await asyncio.to_thread(_ruled, clause, near, shelf.foreign(clause.text)))
        if self._model is not None:
            await self._judge(self._model, heard, result)
        if any(each.reason == _FOREIGN for each in result.findings):
            result.notices.append(_FOREIGN_NOTICE)
        progress(len(clauses), len(clauses), _reading(len(clauses), len(clauses)))
        result.quotes = [
            Quote(number=each.number, item_id=each.item_id, text=each.quote)
            for each in result.findings
            if each.number is not None and each.item_id and each.quote
        ]
        result.text = to_markdown(result, self._brief)
        return result

    async def _found(self, clause: Clause, targets: Sequence[Source]) -> _Shelf:
        assert self._search is not None
        numbers = {target.document_id: target.number for target in targets}
        found = await self._search(clause.text)
        return _Shelf(
            [
                each.model_copy(update={"number": numbers[each.document_id]})
                for each in found
                if each.document_id in numbers
            ]
        )

    async def _judge(self, model: TextModel, heard: Sequence[Sequence[_Near]], result: Audit) -> None:
        """Replace rulings by the model's, batch by batch; where it cannot be read, the rules' stay."""
        for start in range(0, len(result.findings), BATCH):
            places = range(start, min(start + BATCH, len(result.findings)))
            system = self._prompts.render("audit", language=result.language)
            asked = "\n\n".join(
                _asked(n, result.findings[place].clause, heard[place]) for n, place in enumerate(places, 1)
            )
            try:
                answer, usage = await ask_json(model, Prompt(system, asked), _Rulings)
            except PalimpsestError as error:
                result.notices.append(failed(error))
                return
            result.usage += usage
            if answer is None:
                result.notices.append(MALFORMED)
                return
            for ruling in answer.clauses:
                if 1 <= ruling.clause <= len(places):
                    place = places[ruling.clause - 1]
                    result.findings[place] = _taken(ruling, result.findings[place], heard[place])
            result.generated = True


class _Shelf:
    """The statements of the targets with what is needed to compare a clause with all of them."""

    def __init__(self, targets: Sequence[Source]) -> None:
        self._statements = [each for target in targets for each in statements(target)]
        self._held = [frozenset(map(base, words(each.text))) for each in self._statements]
        self._heads = [frozenset(map(base, words(each.section))) for each in self._statements]
        self._frequency = Counter(word for held in self._held for word in held)
        self._languages = {detect(each.text) for each in self._statements}
        heads = {word for head in self._heads for word in head}
        self._vocabulary = [*self._frequency, *sorted(heads - self._frequency.keys())]

    def nearest(self, clause: str) -> list[_Near]:
        """The statements closest to ``clause``, best first."""
        told = facts(clause)
        known = [(word, self._forms(base(word))) for word in words(clause)]
        # Somebody's name is no subject: the rule may be about another person.
        wanted = [forms for word, forms in known if forms or word not in told.names]
        if not wanted:
            return []
        weights = [self._rarity(forms) for forms in wanted]
        units = {number.unit for number in told.numbers if number.unit}
        near = [
            _Near(statement, self._closeness(place, wanted, weights, units))
            for place, statement in enumerate(self._statements)
        ]
        near.sort(key=lambda each: (-each.closeness, each.statement.order))
        return near[:CANDIDATES]

    def foreign(self, clause: str) -> bool:
        """Whether no target is in the language of ``clause``."""
        return bool(self._languages) and detect(clause) not in self._languages

    def _closeness(
        self, place: int, wanted: Sequence[frozenset[str]], weights: Sequence[float], units: set[str]
    ) -> float:
        """The share of the clause that the statement holds, or nearly that of the statement that the clause holds: a
        short rule is about a long clause too."""
        held, head = self._held[place], self._heads[place]
        met = sum(
            weight * (1.0 if forms & held else HEADING if forms & head else 0.0)
            for forms, weight in zip(wanted, weights, strict=True)
        )
        closeness = met / sum(weights)
        shared = {word for forms in wanted for word in forms & held}
        if len(shared) > 1:
            whole = sum(map(self._weight, held))
            closeness = max(closeness, SHORT * sum(map(self._weight, shared)) / whole)
        if closeness > COVERED / 2 and units & {n.unit for n in facts(self._statements[place].text).numbers}:
            closeness += SAME_UNIT
        return min(1.0, closeness)

    def _weight(self, word: str) -> float:
        return self._rarity(frozenset({word}))

    def _forms(self, word: str) -> frozenset[str]:
        """The words of the targets that are forms of ``word``."""
        if word in self._frequency:
            return frozenset({word})
        return frozenset(other for other in self._vocabulary if meets(word, frozenset({other})))

    def _rarity(self, forms: frozenset[str]) -> float:
        frequency = max((self._frequency[form] for form in forms), default=0)
        return math.log(1 + (len(self._statements) + 0.5) / (frequency + 0.5))


def _ruled(clause: Clause, near: Sequence[_Near], foreign: bool) -> ClauseFinding:
    """By rule: the closest statements are asked in turn, a breach of one of them decides."""
    if not near or near[0].closeness < COVERED:
        return ClauseFinding(clause, "not_covered", _FOREIGN if foreign else _NOT_COVERED)
    heard = [each.statement for each in near if each.closeness >= max(COVERED, NEAR * near[0].closeness)]
    for statement in heard:
        found = breach(clause.text, statement)
        if found:
            return _finding(clause, "conflicts", found.reason, statement, found.severity)
    return _finding(clause, "complies", _COMPLIES, heard[0])


def _finding(
    clause: Clause, verdict: Verdict, reason: Words, statement: Statement, severity: Severity | None = None
) -> ClauseFinding:
    return ClauseFinding(clause, verdict, reason, severity, statement.number, statement.passage.item_id, statement.text)


def _asked(number: int, clause: Clause, near: Sequence[_Near]) -> str:
    passages = "\n".join(
        f"[{place}] {without_markers(each.statement.passage.text)}" for place, each in enumerate(_passages(near), 1)
    )
    return f"CLAUSE {number}: BEGIN CLAUSE\n{clause.text}\nEND CLAUSE\nBEGIN PASSAGES\n{passages}\nEND PASSAGES"


def _passages(near: Sequence[_Near]) -> list[_Near]:
    """The nearest statement of each passage."""
    return list({each.statement.passage.item_id: each for each in reversed(near)}.values())[::-1]


def _taken(ruling: _Ruling, ruled: ClauseFinding, near: Sequence[_Near]) -> ClauseFinding:
    """A model's ruling; one that names no passage decides nothing but that there is none."""
    if ruling.verdict == "not_covered":
        return ClauseFinding(ruled.clause, "not_covered", _said_by_model(ruling, _NOT_COVERED))
    passages = _passages(near)
    if ruling.passage is None or not 1 <= ruling.passage <= len(passages):
        return ruled
    severity = (ruling.severity or "medium") if ruling.verdict == "conflicts" else None
    fallback = _COMPLIES if ruling.verdict == "complies" else _CONFLICTS
    return _finding(
        ruled.clause, ruling.verdict, _said_by_model(ruling, fallback), passages[ruling.passage - 1].statement, severity
    )


def _said_by_model(ruling: _Ruling, fallback: Words) -> Words:
    reason = " ".join(ruling.reason.split())
    return Words(en=reason, he=reason) if reason else fallback


def to_markdown(audit: Audit, brief: bool = False) -> str:
    """Counts, then a table with the deciding passages, conflicts marked by severity; in a ``brief`` one the clauses
    that comply are counted alone."""
    language = audit.language
    shown = [each for each in audit.findings if not (brief and each.verdict == "complies")]
    counts = {verdict: audit.count(verdict) for verdict in _VERDICTS}
    head = " · ".join(f"{_VERDICTS[verdict].to(language)}: {count}" for verdict, count in counts.items())
    lines = [
        "| " + " | ".join(words.to(language) for words in _COLUMNS) + " |",
        "|" + " --- |" * len(_COLUMNS),
        *(_line(each, language) for each in shown),
    ]
    table = "\n".join(lines) if shown else ""
    left_out = _LEFT_OUT.to(language) if len(shown) < len(audit.findings) else ""
    return "\n\n".join(part for part in (f"**{head}**", table, left_out) if part)


def _line(each: ClauseFinding, language: Language) -> str:
    severity = f" ({_SEVERITIES[each.severity].to(language)})" if each.severity else ""
    passage = f"{plain(each.quote)} [{each.number}]" if each.number is not None else ""
    cells = [plain(each.clause.text), f"{_VERDICTS[each.verdict].to(language)}{severity}", passage]
    return f"| {' | '.join([*cells, plain(each.reason.to(language))])} |"


def _no_clauses() -> PalimpsestError:
    return fail(
        "validation",
        ("There is nothing to audit.", "אין מה לבקר."),
        ("The text holds no sentence that says or promises something.", "אין בטקסט משפט שקובע או מבטיח דבר."),
        ("Paste the e-mail, contract or clause itself.", "הדביקו את ההודעה, החוזה או הסעיף עצמם."),
    )


def _no_targets() -> PalimpsestError:
    return fail(
        "validation",
        ("There is nothing to audit against.", "אין מול מה לבקר."),
        ("No policy or regulation was named.", "לא צוינו מדיניות או תקנות."),
        ("Name the document with @.", "ציינו את המסמך עם @."),
    )


def _reading(clause: int, total: int) -> Words:
    return Words(en=f"clause {clause} of {total}", he=f"סעיף {clause} מתוך {total}")


_NOT_COVERED = Words(en="No passage was found that decides this.", he="לא נמצא קטע שמכריע בכך.")
_FOREIGN = Words(
    en="The documents are in another language; no rule could compare them with this.",
    he="המסמכים בשפה אחרת, ולא ניתן היה להשוות אליהם לפי כללים.",
)
_FOREIGN_NOTICE = Words(
    en="The text and the documents are in different languages: without a model, clauses marked as not covered may be.",
    he="הטקסט והמסמכים בשפות שונות: ללא מודל, ייתכן שסעיפים שסומנו כלא מכוסים דווקא מכוסים.",
)
_LEFT_OUT = Words(
    en="Clauses that comply are left out here; the table to download has them.",
    he="סעיפים תואמים אינם מוצגים כאן; הם נמצאים בטבלה להורדה.",
)
_COMPLIES = Words(en="It keeps to the passage.", he="תואם את הקטע.")
_CONFLICTS = Words(en="It contradicts the passage.", he="סותר את הקטע.")
_VERDICTS: dict[Verdict, Words] = {
    "conflicts": Words(en="conflicts", he="סותר"),
    "not_covered": Words(en="not covered", he="לא מכוסה"),
    "complies": Words(en="complies", he="תואם"),
}
_SEVERITIES: dict[Severity, Words] = {
    "high": Words(en="high", he="גבוהה"),
    "medium": Words(en="medium", he="בינונית"),
    "low": Words(en="low", he="נמוכה"),
}
_CLAUSE = Words(en="Clause", he="סעיף")
_VERDICT = Words(en="Verdict", he="קביעה")
_PASSAGE = Words(en="Deciding passage", he="הקטע המכריע")
_REASON = Words(en="Reason", he="נימוק")
_COLUMNS = (_CLAUSE, _VERDICT, _PASSAGE, _REASON)
_SHEET = (_CLAUSE, _VERDICT, Words(en="Severity", he="חומרה"), Words(en="Document", he="מסמך"), _PASSAGE, _REASON)
