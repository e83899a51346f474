"""PPTX: slide by slide titles, text, tables, charts and speaker's notes; the page is the slide's number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pptx
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn

from core.library.extract import problems
from core.library.extract.table import table_block
from core.library.extract.text import normalise, normalise_line
from core.library.extracted import Block, Extracted, Progress
from core.settings import Settings

MIME = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_DEEPEST = 20
_BAND = 457_200
"""Half an inch in EMU: shapes whose tops differ by less stand beside each other."""
_DIAGRAM = "/diagramData"


def extract_pptx(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Raises ``PalimpsestError`` when the package or one of its main parts is broken."""
    notes: list[tuple[str, str]] = []
    blocks: list[Block] = []
    pictured: list[int] = []
    left = settings.limits.extracted_characters
    try:
        presentation = pptx.Presentation(str(path))
        slides = list(presentation.slides)
        total = min(len(slides), settings.limits.document_pages)
        for number, slide in enumerate(slides[:total], 1):
            found = list(_slide_blocks(slide, number))
            if not found and len(slide.shapes):
                pictured.append(number)
            blocks += found
            left -= sum(len(block.text) for block in found)
            progress(number, total)
            if left <= 0:
                notes.append(problems.only_characters(settings.limits.extracted_characters))
                break
        properties = presentation.core_properties
    except MemoryError:
        raise
    except Exception as error:  # python-pptx looks for parts and attributes as it goes
        raise problems.corrupt(filename, "PPTX") from error
    if total < len(slides):
        notes.append(problems.only_pages(total, len(slides)))
    if pictured:
        notes.append(problems.pictured_slides(pictured))
    return Extracted(
        blocks=blocks,
        mime=MIME,
        pages=len(slides),
        title=_given_title(properties.title),
        author=normalise_line(properties.author or "") or None,
        created=properties.created.date().isoformat() if properties.created else None,
        notes=notes,
    )


def _given_title(text: str | None) -> str | None:
    """The program's own name for a new presentation is none."""
    title = normalise_line(text or "")
    return title if title.lower() not in ("", "powerpoint presentation", "presentation") else None


def _slide_blocks(slide: Any, number: int) -> Iterator[Block]:
    title = slide.shapes.title
    name = " ".join(normalise(title.text_frame.text).split()) if title is not None else ""
    if name:
        yield Block(text=name, kind="heading", level=1, page=number)
    for shape in _shapes_in_order(slide.shapes):
        if title is None or shape.shape_id != title.shape_id:
            yield from _shape_blocks(shape, number, 0)
    yield from _diagram_blocks(slide, number)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        for paragraph in _paragraphs(slide.notes_slide.notes_text_frame):
            yield Block(text=paragraph, kind="paragraph", page=number)


def _shapes_in_order(shapes: Iterable[Any]) -> list[Any]:
    """From top to bottom, and from left to right what stands beside each other."""
    return sorted(shapes, key=lambda shape: ((shape.top or 0) // _BAND, shape.left or 0))


def _shape_blocks(shape: Any, number: int, depth: int) -> Iterator[Block]:
    if hasattr(shape, "shapes"):
        if depth < _DEEPEST:
            for inner in _shapes_in_order(shape.shapes):
                yield from _shape_blocks(inner, number, depth + 1)
    elif getattr(shape, "has_table", False):
        block = table_block(_table_rows(shape.table), 1 if shape.table.first_row else 0, page=number)
        if block:
            yield block
    elif getattr(shape, "has_chart", False):
        yield from _chart_blocks(shape.chart, number)
    elif getattr(shape, "has_text_frame", False):
        yield from _text_blocks(shape, number)


def _text_blocks(shape: Any, number: int) -> Iterator[Block]:
    """A body of several paragraphs is a list, as slides show it; text boxes are paragraphs."""
    if shape.is_placeholder and len(list(_paragraphs(shape.text_frame))) > 1:
        lines = (
            "  " * min(paragraph.level, 8) + f"- {text}"
            for paragraph in shape.text_frame.paragraphs
            if (text := " ".join(normalise(_paragraph_text(paragraph)).split()))
        )
        yield Block(text="\n".join(lines), kind="list", page=number)
        return
    for text in _paragraphs(shape.text_frame):
        yield Block(text=text, kind="paragraph", page=number)


def _paragraphs(frame: Any) -> Iterator[str]:
    for paragraph in frame.paragraphs:
        if text := normalise(_paragraph_text(paragraph)):
            yield text


def _paragraph_text(paragraph: Any) -> str:
    """With its line breaks as they are, which the library gives as vertical tabs."""
    return str(paragraph.text).replace("\v", "\n")


def _table_rows(table: Any) -> list[list[str]]:
    """Cells with merged ones filled."""
    rows = [[normalise_line(cell.text) for cell in row.cells] for row in table.rows]
    for r, row in enumerate(table.rows):
        for c, cell in enumerate(row.cells):
            if cell.is_merge_origin:
                for down in range(r, min(r + cell.span_height, len(rows))):
                    for across in range(c, min(c + cell.span_width, len(rows[down]))):
                        rows[down][across] = rows[r][c]
    return rows


def _chart_blocks(chart: Any, number: int) -> Iterator[Block]:
    """The figures behind a chart, a row a category."""
    if chart.has_title and chart.chart_title.has_text_frame:
        for text in _paragraphs(chart.chart_title.text_frame):
            yield Block(text=text, kind="paragraph", page=number)
    for plot in chart.plots:
        series = list(plot.series)
        names = [normalise_line(str(each.name)) for each in series]
        values = [list(each.values) for each in series]
        rows = [["", *names]]
        for index, category in enumerate(plot.categories):
            cells = [_number_text(column[index] if index < len(column) else None) for column in values]
            rows.append([normalise_line(str(category)), *cells])
        block = table_block(rows, 1, page=number) if len(rows) > 1 else None
        if block:
            yield block


def _number_text(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"


def _diagram_blocks(slide: Any, number: int) -> Iterator[Block]:
    """What stands in the boxes of a diagram (SmartArt), which the library passes over."""
    for relation in slide.part.rels.values():
        if relation.is_external or not relation.reltype.endswith(_DIAGRAM):
            continue
        tree: Any = parse_xml(relation.target_part.blob)
        lines = [
            text
            for paragraph in tree.iter(qn("a:p"))
            if (text := normalise_line("".join(run.text or "" for run in paragraph.iter(qn("a:t")))))
        ]
        if lines:
            yield Block(text="\n".join(f"- {line}" for line in lines), kind="list", page=number)
