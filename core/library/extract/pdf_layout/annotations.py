"""Reads a PDF's form field values, typed text and comments, each with its position.

None of these is in a page's text layer. PDFium returns a field's value even if the field has no appearance stream, and
for XFA forms the copy in standard fields.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from core.library.extract.pdf_layout.glyphs import Box
from core.library.extract.text import normalise_line

_MOST = 2_000
"""Maximum number of annotations of one page that are read."""
_LONGEST = 20_000
_HIDDEN = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD = 1 << 13
_BOXES = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
_CHOICES = (pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)
_MARKS = (
    pdfium.FPDF_ANNOT_TEXT, pdfium.FPDF_ANNOT_HIGHLIGHT, pdfium.FPDF_ANNOT_UNDERLINE, pdfium.FPDF_ANNOT_SQUIGGLY,
    pdfium.FPDF_ANNOT_STRIKEOUT, pdfium.FPDF_ANNOT_STAMP, pdfium.FPDF_ANNOT_CARET, pdfium.FPDF_ANNOT_INK,
    pdfium.FPDF_ANNOT_LINE, pdfium.FPDF_ANNOT_SQUARE, pdfium.FPDF_ANNOT_CIRCLE, pdfium.FPDF_ANNOT_POLYGON,
)  # fmt: skip


@dataclass
class Typed:
    """A typed value with its position. ``is_box``: a checkbox, and ``value`` says whether it is checked; ``name`` is
    the field's name in the file; ``is_free``: text on the page outside of fields, by ``author``."""

    value: str
    box: Box
    name: str = ""
    is_box: bool = False
    is_free: bool = False
    author: str = ""

    @property
    def is_checked(self) -> bool:
        return self.is_box and bool(self.value)


@dataclass
class Note:
    """A comment on the page by ``author``, if known."""

    text: str
    author: str = ""


@dataclass
class Annotations:
    typed: list[Typed] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def prepare_forms(document: Any) -> None:
    """Make the fields of a pypdfium2 document readable; call it before pages are opened."""
    with contextlib.suppress(pypdfium2.PdfiumError):
        if document.get_formtype() != pdfium.FORMTYPE_NONE:
            document.init_forms()


def annotations_of(page: Any, hidden: bool) -> Annotations:
    """The annotations of a pypdfium2 page; ``hidden``: include invisible ones."""
    found = Annotations()
    form = page.formenv.raw if page.formenv else None
    for annotation in _annotations(page):
        if not hidden and pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
            continue
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind == pdfium.FPDF_ANNOT_WIDGET:
            typed = _field(form, annotation) if form else None
            if typed:
                found.typed.append(typed)
        elif kind == pdfium.FPDF_ANNOT_FREETEXT:
            if text := normalise_line(_string(annotation, b"Contents")):
                found.typed.append(Typed(text, _box(annotation), is_free=True, author=_author(annotation)))
        elif (
            kind in _MARKS
            and not pdfium.FPDFAnnot_HasKey(annotation, b"StateModel")
            and (text := normalise_line(_string(annotation, b"Contents")))
        ):
            found.notes.append(Note(text, _author(annotation)))
    return found


def _annotations(page: Any) -> Iterator[Any]:
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page.raw), _MOST)):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            yield annotation
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _field(form: Any, annotation: Any) -> Typed | None:
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    name = normalise_line(
        _asked(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
        or _asked(pdfium.FPDFAnnot_GetFormFieldName, form, annotation)
    )
    if kind in _BOXES:
        checked = bool(pdfium.FPDFAnnot_IsChecked(form, annotation))
        return Typed("x" if checked else "", _box(annotation), name, is_box=True)
    if kind == pdfium.FPDF_FORMFIELD_TEXTFIELD:
        if pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD:
            return None
        value = _asked(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    elif kind in _CHOICES:
        value = ", ".join(_chosen(form, annotation)) or _asked(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    else:
        return None
    value = normalise_line(value)
    return Typed(value, _box(annotation), name) if value else None


def _chosen(form: Any, annotation: Any) -> Iterator[str]:
    """The labels of the chosen options, because their stored values may be mere codes."""
    for index in range(min(pdfium.FPDFAnnot_GetOptionCount(form, annotation), _MOST)):
        if pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index):
            yield _text(partial(pdfium.FPDFAnnot_GetOptionLabel, form, annotation, index))


def _author(annotation: Any) -> str:
    return normalise_line(_string(annotation, b"T"))


def _string(annotation: Any, key: bytes) -> str:
    return _text(partial(pdfium.FPDFAnnot_GetStringValue, annotation, key))


def _asked(ask: Callable[..., int], form: Any, annotation: Any) -> str:
    return _text(partial(ask, form, annotation))


def _text(ask: Callable[[Any, int], int]) -> str:
    """A UTF-16 text from PDFium, which needs two calls: one for its length in bytes, one for the text."""
    size = min(ask(None, 0), 2 * _LONGEST)
    if size <= 2:
        return ""
    room = ctypes.create_string_buffer(size)
    if ask(ctypes.cast(room, ctypes.POINTER(pdfium.FPDF_WCHAR)), size) > size:
        return ""
    return room.raw.decode("utf-16-le", errors="replace").split("\0", 1)[0]


def _box(annotation: Any) -> Box:
    rect = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, rect)
    return (
        min(rect.left, rect.right),
        max(rect.left, rect.right),
        min(rect.bottom, rect.top),
        max(rect.bottom, rect.top),
    )
