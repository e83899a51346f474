"""Decides whether passages support a claim: claim, sentences → held, denied or open, with the reason.

Held: one text window contains the claim's terms, every figure refers to the same things there, and there is no
objection. Denied: the window contains nearly all the terms, and a figure, a direction or a negation that contradicts
the claim. Everything else is open: the absence of an objection is not support.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.language import hebrew
from core.language.entities.quantities import Quantity, quantities, says_same
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of
from core.review.lexicon import terms
from core.review.objections import Reserve, denial, objections_to
from core.review.quantity_binding import QuantityBinding, QuantityContext, bind_quantities, quantity_contexts
from core.review.relevance import ContextLine, Document, RelevantWindow, capitalised, relevant_windows
from core.review.roles import are_names_exchanged

Finding = Literal["held", "denied", "open"]
Ground = Literal[
    "verbatim", "words", "missing", "figure", "exchanged", "unbound", "limit", "opposite", "nothing", "negation",
    "hedge", "cause", "scope", "exception", "period", "frequency", "inclusion", "roles", "both", "apart", "inexact",
]  # fmt: skip

NEARLY = 0.75
"""Minimum coverage for a window to be about the claim's subject."""
DENSE, DENSE_WITH_FIGURE = 0.5, 0.4
"""Minimum density: the claim's share of the terms in a text span, since words far apart say something else."""
_AS_ONE = 0.65
_NUMBERING = re.compile(phrase_of("grounding/patterns.entailment.numbering"))
_QUOTED_WORDS = 4


@dataclass(frozen=True)
class Judgement:
    """The decision; ``bearing`` is the deciding window; ``figure`` is its quantity that a figure of the claim was
    compared with."""

    finding: Finding
    ground: Ground
    bearing: RelevantWindow | None = None
    figure: QuantityContext | None = None


def judge(claim: str, lines: Sequence[ContextLine], context: str = "") -> Judgement:
    """Returns what ``lines`` say about ``claim``."""
    quoted = _verbatim(claim, lines)
    if quoted:
        return quoted
    everywhere = quantity_contexts([(line.text, line.around) for line in lines])
    if not terms(claim):
        return _figures_alone(claim, everywhere)
    found = relevant_windows(claim, lines, Document(context))
    if not found:
        return Judgement("open", "nothing")
    absent = _absent_figure(claim, everywhere)
    judged = [_claim_judgement(claim, each, lines, everywhere) for each in found]
    held = next((each for each in judged if each.finding == "held"), None)
    if held:
        return held
    if absent:
        said_otherwise = _is_said_otherwise(absent, found[0])
        return Judgement("denied" if said_otherwise else "open", "figure", found[0], absent.beside)
    return judged[0]


def _figures_alone(claim: str, everywhere: Sequence[QuantityContext]) -> Judgement:
    """Judges a table cell with only figures; its row and column labels name its subject."""
    for quantity in quantities(claim):
        same = [place for place in everywhere if says_same(quantity, place.quantity)]
        if not any(_same_limit(QuantityBinding(quantity, "bound", place)) for place in same):
            return Judgement("open", "limit" if same else "figure")
    return Judgement("held" if quantities(claim) else "open", "words" if quantities(claim) else "nothing")


def _verbatim(claim: str, lines: Sequence[ContextLine]) -> Judgement | None:
    """Returns "held" if a sentence contains the claim word for word, at its start or after a comma, colon or
    semicolon."""
    folded = fold(claim).strip(" .;:\"'")
    if len(folded.split()) < _QUOTED_WORDS:
        return None
    for place, line in enumerate(lines):
        text = fold(line.text)
        start = text.find(folded)
        if start >= 0:
            whole = _NUMBERING.fullmatch(text[:start]) is not None
            if whole or text[:start].rstrip()[-1:] in (",", ";", ":"):
                return Judgement("held", "verbatim", RelevantWindow((place,), line.text, line.around, 1.0, (), ()))
    return None


def _absent_figure(claim: str, everywhere: Sequence[QuantityContext]) -> QuantityBinding | None:
    """Returns the claim's first figure that appears nowhere, not even rounded or in other units."""
    for quantity in quantities(claim):
        found = bind_quantities(claim, quantity, everywhere)
        if found.fate in ("absent", "differs") and quantity.unit:
            return found
    return None


def _is_said_otherwise(absent: QuantityBinding, bearing: RelevantWindow) -> bool:
    """Whether the window that is about the claim has another figure where the claim has its own."""
    nearly = bearing.coverage >= NEARLY and len(bearing.lines) == 1 and bearing.density >= DENSE_WITH_FIGURE
    return nearly and absent.beside is not None and absent.beside.text == bearing.text


def _claim_judgement(
    claim: str, bearing: RelevantWindow, lines: Sequence[ContextLine], everywhere: Sequence[QuantityContext]
) -> Judgement:
    figures = [_quantity_binding(claim, each, bearing, lines, everywhere) for each in quantities(claim)]
    wrong = next((each for each in figures if each.fate in ("differs", "exchanged")), None)
    against = objections_to(claim, bearing.text, bearing.around)
    if not figures and are_names_exchanged(claim, [line.text for line in lines]):
        against.append("roles")
    nearly = bearing.coverage >= NEARLY and len(bearing.lines) == 1 and bearing.density >= DENSE
    nearly = nearly and "frequency" not in against
    if wrong and nearly:
        return Judgement("denied", "exchanged" if wrong.fate == "exchanged" else "figure", bearing, wrong.beside)
    if bearing.opposed and nearly and not set(against) - {"both"}:
        return Judgement("denied", "opposite", bearing)
    doubt = _first_objection(claim, bearing, figures, against)
    if doubt is None:
        return Judgement("held", "words", bearing, figures[0].beside if figures else None)
    return Judgement("denied" if _is_denied(claim, bearing, against) else "open", doubt, bearing)


def _quantity_binding(
    claim: str,
    quantity: Quantity,
    bearing: RelevantWindow,
    lines: Sequence[ContextLine],
    everywhere: Sequence[QuantityContext],
) -> QuantityBinding:
    """Compares a figure with the window's figures; if they agree, also with all others."""
    window = quantity_contexts([(lines[place].text, lines[place].around) for place in bearing.lines])
    near = bind_quantities(claim, quantity, window)
    if near.fate not in ("bound", "unclear"):
        return near
    among = bind_quantities(claim, quantity, everywhere)
    return among if among.fate == "exchanged" else near


def _first_objection(
    claim: str, bearing: RelevantWindow, figures: Sequence[QuantityBinding], against: Sequence[Reserve]
) -> Ground | None:
    """Returns the first objection to calling the claim held."""
    if against:
        return against[0]
    if bearing.opposed:
        return "opposite"
    if any(each.fate != "bound" for each in figures):
        return "unbound"
    if any(not _same_limit(each) for each in figures):
        return "limit" if any(each.quantity.limit for each in figures) else "inexact"
    if len(bearing.lines) > 1 and not figures:
        return "apart"
    if bearing.density < (DENSE_WITH_FIGURE if figures else DENSE):
        return "apart"
    lacking = [term for term in bearing.missing if hebrew.is_hebrew(term.word) or term.word in capitalised(claim)]
    few = len(bearing.missing) <= _may_miss(len(terms(claim))) and bearing.coverage >= NEARLY
    return None if few and not lacking else "missing"


def _may_miss(count: int) -> int:
    """Returns how many of a claim's ``count`` terms its passage may lack."""
    return 0 if count <= 8 else 1


def _same_limit(figure: QuantityBinding) -> bool:
    """Returns whether both state the same kind of limit, and the claim is not more exact."""
    if figure.beside is None:
        return False
    ours, theirs = figure.quantity, figure.beside.quantity
    if ours.limit == "exactly" or theirs.limit == "exactly":
        return theirs.limit not in ("most", "least") and not (theirs.near and not ours.near)
    if ours.near:
        return theirs.limit is None or bool(theirs.near)
    return ours.limit == theirs.limit and not (theirs.near and not ours.near)


def _is_denied(claim: str, bearing: RelevantWindow, against: Sequence[Reserve]) -> bool:
    """Returns whether the window contains all the words and says the opposite."""
    whole = bearing.coverage >= 1 and len(bearing.lines) == 1 and bearing.density >= _AS_ONE
    return whole and list(against) == ["negation"] and denial(claim, bearing.text) == "one"
