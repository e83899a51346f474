"""Reads footnotes and endnotes of a Word file: the number printed at each reference, and the text of the notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from core.library.extract.numbering import printed_number, value_at
from core.library.extract.office.word_text import SKIPPED, TEXT, P, WordText
from core.library.extract.text import normalise_line

_KINDS = (
    ("/footnotes", qn("w:footnoteReference"), "w:footnotePr/w:numFmt", "decimal"),
    ("/endnotes", qn("w:endnoteReference"), "w:endnotePr/w:numFmt", "lowerRoman"),
)
"""For each kind of note: the end of the relationship type, the reference's tag, where its number format is set, and the
default format."""
_ID, _TYPE, _CUSTOM = qn("w:id"), qn("w:type"), qn("w:customMarkFollows")
_LONGEST_LABEL = 8


def note_labels(document: Document) -> dict[tuple[str, str], str]:
    """The printed number of each note, by its reference's tag and its id."""
    labels: dict[tuple[str, str], str] = {}
    body = document.element.body
    for _, tag, path, default in _KINDS:
        number = 0
        style = None
        for reference in body.iter(tag):
            if any(parent.tag in SKIPPED for parent in reference.iterancestors()):
                continue
            if reference.get(_CUSTOM) not in (None, "0", "false"):
                labels[tag, reference.get(_ID) or ""] = _own_mark(reference)
                continue
            style = style or _number_style(document, path, default)
            number += 1
            labels.setdefault((tag, reference.get(_ID) or ""), printed_number(number, style))
    return labels


def note_texts(document: Document, text: WordText) -> Iterator[str]:
    """Each note with its number in brackets, footnotes first."""
    for ending, tag, _, _ in _KINDS:
        for relation in document.part.rels.values():
            if relation.is_external or not relation.reltype.endswith(ending):
                continue
            for note in parse_xml(relation.target_part.blob):
                if isinstance(note.tag, str) and note.get(_TYPE) in (None, "normal"):
                    words = " ".join(normalise_line(text.of(p)) for p in note.iter(P)).strip()
                    number = note.get(_ID) or ""
                    label = text.labels.get((tag, number), number)
                    if words:
                        yield words if label and words.startswith(label) else f"[{label}] {words}"


def _own_mark(reference: Any) -> str:
    """The author's custom mark, which follows the reference in its run."""
    run = reference.getparent()
    return "".join(each.text or "" for each in run.iter(TEXT)).strip()[:_LONGEST_LABEL]


def _number_style(document: Document, path: str, default: str) -> str:
    """The number format set by the first section or the document settings."""
    for section in document.element.body.iter(qn("w:sectPr")):
        if found := value_at(section, path):
            return found
    try:
        return value_at(document.settings.element, path) or default
    except (KeyError, ValueError, AttributeError, TypeError):
        return default
