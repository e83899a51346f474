"""Numbers the sources and figures that tools find for one answer, so that each keeps its number in all calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from core.events import Passage, Source
from core.search.documents.passage_numbers import next_number

_DIGITS = re.compile(r"\d[\d,.]*")


class Operand(BaseModel, frozen=True):
    """A number that a calculation may use. ``value`` is as printed, before ``scale`` (1e6 means millions); ``unit`` is
    "%" for percent; ``currency`` is an ISO code. ``key`` identifies the figure in every call, ``name`` (f1) only in one
    answer. ``source`` is the citation number."""

    key: str
    name: str = ""
    label: str = ""
    period: str = ""
    value: float
    scale: float = 1.0
    unit: str = ""
    currency: str = ""
    title: str = ""
    page: int | None = None
    source: int = 0


@dataclass
class Evidence:
    """The numbered sources of an answer, and the named figures.

    ``sources`` begins with those that were found before any tool call. ``operands`` are the figures that a calculation
    may use, by name (f1, f2 …). ``answers`` is false for a call outside an answer, where the next call knows no names.

    >>> evidence = Evidence()
    >>> passage = Passage(item_id="p5", text="The rent is 7,250 shekels.", page=5)
    >>> source = Source(
    ...     number=1, document_id="d1", title="Lease", filename="lease.md", score=1.0, passages=[passage]
    ... )
    >>> [(number, passage.page) for number, passage in evidence.cite(source)]
    [(1, 5)]
    """

    sources: list[Source] = field(default_factory=list)
    operands: dict[str, Operand] = field(default_factory=dict)
    answers: bool = True

    @property
    def next_number(self) -> int:
        """The number of the next new source."""
        return next_number(self.sources)

    def source(self, number: int) -> Source | None:
        return next((each for each in self.sources if each.number == number), None)

    def cite(self, source: Source, *, as_one: bool = False) -> list[tuple[int, Passage]]:
        """Numbers the passages of ``source``: a passage that is a source already keeps its number, each other passage
        becomes a new source. ``as_one``: the new passages become one source, since they show one table."""
        rows_first = sorted(self.sources, key=lambda each: each.cell is None)
        known = {passage.item_id: each.number for each in rows_first for passage in each.passages}
        new = [each for each in source.passages if each.item_id not in known]
        whole = as_one or source.kind != "document"
        for group in [new] if whole and new else [[each] for each in new]:
            number = self.next_number
            self.sources.append(source.model_copy(update={"number": number, "passages": group}))
            known |= {each.item_id: number for each in group}
        return [(known[each.item_id], each) for each in source.passages]

    def name(self, operand: Operand) -> Operand:
        """Gives a figure its name; the same figure keeps its name."""
        for known in self.operands.values():
            if known.key == operand.key:
                return known
        named = operand.model_copy(update={"name": f"f{len(self.operands) + 1}"})
        self.operands[named.name] = named
        return named

    def restore(self, operands: Sequence[Operand]) -> None:
        """Takes over the figures from before the user was asked for consent."""
        self.operands = {each.name: each for each in operands}

    def has_number(self, number: int, value: float) -> bool:
        """Returns whether the source with this ``number`` contains ``value`` as printed."""
        source = self.source(number)
        texts = [each.text for each in source.passages] if source else []
        return any(_same(printed, value) for text in texts for printed in _DIGITS.findall(text))


def _same(printed: str, value: float) -> bool:
    bare = printed.strip(".,").replace(",", "")
    return bare.count(".") <= 1 and abs(float(bare) - abs(value)) <= 1e-9 * max(1.0, abs(value))
