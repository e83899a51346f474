"""Documents beside each other: themes × documents with cited cells, then what agrees and what differs [spec A6]."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from core.errors import PalimpsestError, fail
from core.events import Quote, Source
from core.graph.actions.centrality import tf_idf
from core.graph.actions.extracts import extract
from core.graph.actions.records import ActionResult, Progress, Statement, plain, silent
from core.graph.actions.themes import MOST_FINDINGS, MOST_THEMES, Kind, Pair, Theme, pairs, themes
from core.grounding.overlap import words
from core.grounding.polarity import base
from core.language.detection import detect
from core.language.entities.facts import facts
from core.language.tokens import count_tokens
from core.models.by_rule import MALFORMED, failed
from core.models.structured import Prompt, TextModel, ask_json
from core.personality.rules import Length
from core.prompts.templates import Prompts
from core.search.citations import check_citations
from core.search.context import without_markers
from core.words import Language, Words

CONTEXT_TOKENS = 8_000
MOST: dict[Length, tuple[int, int]] = {
    "concise": (5, 4),
    "balanced": (MOST_THEMES, MOST_FINDINGS),
    "detailed": (MOST_THEMES, 2 * MOST_FINDINGS),
}
"""Themes, and agreements and differences each, of what no model writes."""
_LONGEST_CELL = 320
_TELLING = 0.4
"""A cell had better hold numbers and dates: there documents differ."""
_DIGITS = re.compile(r"\d+")
"""They do not count when sentences that speak of one thing are looked for."""


@dataclass(frozen=True)
class Cell:
    """What the document ``number`` says; ``text`` is empty where it says nothing."""

    number: int
    text: str = ""
    item_id: str | None = None


@dataclass(frozen=True)
class Row:
    theme: str
    cells: list[Cell]


@dataclass(frozen=True)
class Finding:
    """An agreement, or a difference of a ``kind``: what each document says, as (number, text)."""

    says: list[tuple[int, str]]
    kind: Kind | None = None


@dataclass
class Comparison(ActionResult):
    rows: list[Row] = field(default_factory=list)
    agreements: list[Finding] = field(default_factory=list)
    differences: list[Finding] = field(default_factory=list)


class _Cell(BaseModel):
    document: int
    text: str = ""


class _Theme(BaseModel):
    theme: str = Field(min_length=1)
    cells: list[_Cell]


class _Says(BaseModel):
    document: int
    text: str = Field(min_length=1)


class _Compared(BaseModel):
    themes: list[_Theme] = Field(min_length=1)
    agreements: list[list[_Says]] = []
    differences: list[list[_Says]] = []


class Comparer:
    """``model`` may be missing."""

    def __init__(
        self,
        prompts: Prompts,
        model: TextModel | None = None,
        context_tokens: int = CONTEXT_TOKENS,
        length: Length = "balanced",
    ) -> None:
        self._most = MOST[length]
        self._prompts = prompts
        self._model = model
        self._context_tokens = context_tokens

    async def compare(
        self, sources: Sequence[Source], language: Language, focus: str = "", progress: Progress = silent
    ) -> Comparison:
        """``sources`` are whole documents; ``focus`` is what the reader asked about, if anything.

        Raises:
            PalimpsestError: there are fewer than two documents.
        """
        if len(sources) < 2:
            raise _too_few()
        progress(0, 3, _FINDING)
        found = await asyncio.to_thread(_found, sources, focus)
        progress(1, 3, _COMPARING)
        alike = await asyncio.to_thread(pairs, sources)
        progress(2, 3, _WRITING)
        ruled = _by_rule(sources, found, alike, language, MOST["balanced"] if self._model else self._most)
        result = await self._written(self._model, sources, language, focus, ruled) if self._model else ruled
        progress(3, 3, _WRITING)
        return result

    async def _written(
        self, model: TextModel, sources: Sequence[Source], language: Language, focus: str, ruled: Comparison
    ) -> Comparison:
        system = self._prompts.render("compare", language=language, focus=focus, most=MOST_THEMES)
        try:
            answer, usage = await ask_json(model, Prompt(system, self._context(sources, ruled)), _Compared)
        except PalimpsestError as error:
            ruled.notices.append(failed(error))
            return ruled
        if answer is None:
            ruled.notices.append(MALFORMED)
            ruled.usage = usage
            return ruled
        known = [source.number for source in sources]
        rows = [
            Row(each.theme, [Cell(n, next((c.text for c in each.cells if c.document == n), "")) for n in known])
            for each in answer.themes[:MOST_THEMES]
        ]
        result = Comparison("", language, list(sources), generated=True, usage=usage)
        result.rows = [row for row in rows if any(cell.text.strip() for cell in row.cells)]
        result.agreements = _findings(answer.agreements, known)
        result.differences = _findings(answer.differences, known)
        result.text = render(result)
        return result

    def _context(self, sources: Sequence[Source], ruled: Comparison) -> str:
        """The documents whole, or where they do not fit their weightiest sentences."""
        whole = [(source, "\n\n".join(without_markers(p.text) for p in source.passages)) for source in sources]
        if sum(count_tokens(text) for _, text in whole) > self._context_tokens:
            share = self._context_tokens / len(sources)
            whole = [(source, _shortened(source, share, ruled)) for source in sources]
        return "\n\n".join(
            f"BEGIN DOCUMENT {source.number} ({source.title})\n{text}\nEND DOCUMENT {source.number}"
            for source, text in whole
        )


def _shortened(source: Source, most_tokens: float, ruled: Comparison) -> str:
    tokens = sum(count_tokens(passage.text) for passage in source.passages)
    kept = [each.text for _, group in extract(source, min(1.0, 0.8 * most_tokens / max(1, tokens))) for each in group]
    said = [text for f in (*ruled.differences, *ruled.agreements) for number, text in f.says if number == source.number]
    lines: list[str] = []
    used = 0
    for line in dict.fromkeys([*said, *kept]):
        used += count_tokens(line)
        if used > most_tokens:
            break
        lines.append(without_markers(line))
    return "\n".join(lines)


def _found(sources: Sequence[Source], focus: str) -> list[Theme]:
    """Themes; those that the reader asked about first."""
    asked = frozenset(map(base, words(focus)))
    return sorted(themes(sources), key=lambda theme: -len(asked & frozenset(map(base, words(theme.name)))))


def _by_rule(
    sources: Sequence[Source],
    found: Sequence[Theme],
    alike: Sequence[Pair],
    language: Language,
    most: tuple[int, int],
) -> Comparison:
    result = Comparison("", language, list(sources))
    for theme in found[: most[0]]:
        chosen = _chosen(theme)
        cells = [_cell(source.number, chosen.get(source.number)) for source in sources]
        result.rows.append(Row(theme.name, cells))
        result.quotes += [statement.as_quote() for statement in chosen.values()]
    for chosen_pairs, kept in (
        ([pair for pair in alike if pair.kind], result.differences),
        ([pair for pair in alike if pair.agrees], result.agreements),
    ):
        for pair in sorted(chosen_pairs[: most[1]], key=lambda each: (each.one.number, each.one.order)):
            kept.append(Finding([(each.number, each.text) for each in (pair.one, pair.other)], pair.kind))
            result.quotes += [pair.one.as_quote(), pair.other.as_quote()]
    if len({detect(" ".join(passage.text for passage in source.passages)) for source in sources}) > 1:
        result.notices.append(_LANGUAGES)
    result.quotes = _distinct(result.quotes)
    result.text = render(result)
    return result


def _chosen(theme: Theme) -> dict[int, Statement]:
    """Of each document the sentence of the theme that is most like one of the others: cells of a row speak of one
    thing."""
    parts = theme.sections
    if len(parts) == 1:
        return {number: part.statements[0] for number, part in parts.items()}
    first, *rest = parts
    told = [each for part in parts.values() for each in part.statements]
    close = tf_idf([_DIGITS.sub(" ", each.text) for each in told])
    close = close @ close.T
    places = {number: [n for n, each in enumerate(told) if each.number == number] for number in parts}

    def held(place: int) -> int:
        found = facts(told[place].text)
        return len(found.numbers) + len(found.dates)

    def worth(place: int) -> float:
        met = sum(float(close[place, places[number]].max()) for number in rest)
        return met / len(rest) + _TELLING * bool(held(place))

    anchor = max(places[first], key=worth)
    nearest = {number: places[number][int(close[anchor, places[number]].argmax())] for number in rest}
    return {number: told[place] for number, place in {first: anchor, **nearest}.items()}


def _cell(number: int, statement: Statement | None) -> Cell:
    return Cell(number, statement.text, statement.passage.item_id) if statement else Cell(number)


def _distinct(quotes: Sequence[Quote]) -> list[Quote]:
    return list({(quote.item_id, quote.text): quote for quote in quotes}.values())


def _findings(said: Sequence[Sequence[_Says]], known: Sequence[int]) -> list[Finding]:
    found = [[(each.document, each.text) for each in says if each.document in known] for says in said]
    return [Finding(says) for says in found if says]


def render(comparison: Comparison) -> str:
    """The comparison as Markdown: a table, then lists."""
    language = comparison.language
    titles = [f"{plain(source.title)} [{source.number}]" for source in comparison.sources]
    lines = [_row([_THEME.to(language), *titles]), _row(["---"] * (len(titles) + 1))]
    lines += [_row([plain(row.theme), *(_said(cell, language) for cell in row.cells)]) for row in comparison.rows]
    blocks = ["\n".join(lines)]
    for heading, findings, none in (
        (_DIFFERENCES, comparison.differences, _NO_DIFFERENCES),
        (_AGREEMENTS, comparison.agreements, _NO_AGREEMENTS),
    ):
        blocks.append(f"**{heading.to(language)}**")
        blocks.append("\n".join(_line(each, language) for each in findings) or none.to(language))
    known = {source.number for source in comparison.sources}
    return check_citations("\n\n".join(blocks), known).text


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _said(cell: Cell, language: Language) -> str:
    if not cell.text.strip():
        return f"*{_NOTHING.to(language)}*"
    return f"{_cut(plain(cell.text))} [{cell.number}]"


def _cut(text: str) -> str:
    """A cell is no place for a page; a cut is shown."""
    return text if len(text) <= _LONGEST_CELL else text[:_LONGEST_CELL].rsplit(" ", 1)[0] + " …"


def _line(finding: Finding, language: Language) -> str:
    kind = f"{_KINDS[finding.kind].to(language)}: " if finding.kind else ""
    if finding.kind is None and len({plain(text) for _, text in finding.says}) == 1:
        return f"- {plain(finding.says[0][1])} {''.join(f'[{number}]' for number, _ in finding.says)}"
    return f"- {kind}" + " ↔ ".join(f"{plain(text)} [{number}]" for number, text in finding.says)


def _too_few() -> PalimpsestError:
    return fail(
        "validation",
        ("Two documents are needed to compare.", "להשוואה נדרשים שני מסמכים."),
        ("Fewer than two were named.", "צוינו פחות משניים."),
        ("Name them with @, or choose them in the Library.", "ציינו אותם עם @, או בחרו אותם בספרייה."),
    )


_THEME = Words(en="Theme", he="נושא")
_NOTHING = Words(en="nothing found", he="לא נמצא דבר")
_DIFFERENCES = Words(en="Differences", he="הבדלים")
_AGREEMENTS = Words(en="Agreements", he="נקודות הסכמה")
_NO_DIFFERENCES = Words(en="No sentences were found that differ.", he="לא נמצאו משפטים השונים זה מזה.")
_NO_AGREEMENTS = Words(en="No sentences were found that say the same.", he="לא נמצאו משפטים שאומרים אותו דבר.")
_KINDS: dict[Kind, Words] = {
    "number": Words(en="Numbers", he="מספרים"),
    "date": Words(en="Dates", he="תאריכים"),
    "negation": Words(en="One denies what the other says", he="האחד שולל את מה שאומר האחר"),
}
_LANGUAGES = Words(
    en="The documents are in different languages: without a model, only names, numbers and known terms bring them "
    "together.",
    he="המסמכים בשפות שונות: ללא מודל, רק שמות, מספרים ומונחים מוכרים מקשרים ביניהם.",
)
_FINDING = Words(en="finding common themes", he="מאתר נושאים משותפים")
_COMPARING = Words(en="comparing sentences", he="משווה משפטים")
_WRITING = Words(en="writing the table", he="כותב את הטבלה")
