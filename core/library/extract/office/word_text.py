"""Reads the text of Word paragraphs as displayed: with insertions, without deletions and hidden text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from docx.oxml.ns import qn

from core.library.extract.numbering import value_at
from core.library.extract.office.formulas import FORMULA, formula_text
from core.library.extract.office.word_styles import RunLook, Styles
from core.library.extract.printed import Place, Printed, note_mark, spaced

P, RUN, TEXT, BOX = qn("w:p"), qn("w:r"), qn("w:t"), qn("w:txbxContent")
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
SKIPPED = frozenset((qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr"), qn("w:instrText"), qn("w:sdtPr")))
"""Elements without displayed text."""
_MATH_TEXT, _RUN_PROPERTIES = qn("m:t"), qn("w:rPr")
_SPACES = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-", qn("w:ptab"): "\t"}
_REFERENCES = frozenset((qn("w:footnoteReference"), qn("w:endnoteReference")))
_ID, _CUSTOM = qn("w:id"), qn("w:customMarkFollows")
_COMMENT_STARTS, _COMMENT_ENDS = qn("w:commentRangeStart"), qn("w:commentRangeEnd")
_COMMENT_REFERENCE = qn("w:commentReference")
_NO_LOOK = RunLook()
_LONGEST_QUOTE = 2_000


@dataclass
class Anchors:
    """The text that each comment refers to, and the comments to be written after the current paragraph."""

    open: dict[str, list[str]] = field(default_factory=dict)
    quoted: dict[str, str] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        for parts in self.open.values():
            if len(parts) < _LONGEST_QUOTE:
                parts.append(text)

    def close(self, number: str) -> None:
        if number in self.open:
            self.quoted[number] = "".join(self.open.pop(number))

    def refer(self, number: str) -> None:
        if number not in self.waiting:
            self.waiting.append(number)


@dataclass
class WordText:
    """Reads paragraphs of one document.

    ``labels`` are the printed numbers of notes, by their reference's tag and their id; ``hidden`` counts the paragraphs
    with hidden text.
    """

    styles: Styles
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    shows_hidden: bool = False
    anchors: Anchors = field(default_factory=Anchors)
    hidden: int = 0

    def of(self, root: Any) -> str:
        """Text of a paragraph, without its text boxes."""
        line, hidden = Printed(), False
        of_paragraph = self.styles.look(value_at(root, "w:pPr/w:pStyle"))
        stack: list[tuple[Any, RunLook]] = [(root, of_paragraph)]
        while stack:
            element, look = stack.pop()
            tag = element.tag
            if tag == RUN:
                first = next(iter(element), None)
                if first is not None and first.tag == _RUN_PROPERTIES:
                    look = self.styles.run_look(first, of_paragraph)
                if look.hidden and not self.shows_hidden:
                    hidden = hidden or any((text.text or "").strip() for text in element.iter(TEXT))
                    continue
                stack.extend([(child, look) for child in reversed(element)])
            elif tag in (TEXT, _MATH_TEXT):
                self._add(line, element.text or "", look.place or Place.PLAIN)
            elif tag in _SPACES:
                line.add(_SPACES[tag])
            elif tag == FORMULA:
                self._add(line, _apart(line, formula_text(element)), Place.PLAIN)
            elif element is root or not (tag in SKIPPED or tag in (BOX, FALLBACK) or not isinstance(tag, str)):
                if tag == P and element is not root:
                    line.add("\n")
                self._mark(element, line)
                stack.extend([(child, look) for child in reversed(element)])
        self.hidden += hidden
        return line.text()

    def _add(self, line: Printed, text: str, place: Place) -> None:
        line.add(text, place)
        if self.anchors.open:
            self.anchors.add(text)

    def _mark(self, element: Any, line: Printed) -> None:
        """Handle notes, and comments that begin, end or are referred to here."""
        tag = element.tag
        if tag in _REFERENCES:
            label = self.labels.get((tag, element.get(_ID) or ""))
            if label and element.get(_CUSTOM) in (None, "0", "false"):
                line.add(note_mark(label))
        elif tag == _COMMENT_STARTS:
            self.anchors.open[element.get(_ID) or ""] = []
        elif tag == _COMMENT_ENDS:
            self.anchors.close(element.get(_ID) or "")
        elif tag == _COMMENT_REFERENCE:
            self.anchors.refer(element.get(_ID) or "")


def _apart(line: Printed, text: str) -> str:
    """A space before a formula whose first digit would join the preceding number."""
    return spaced(line.last(), text)
