"""Writes the messages about files that cannot be read, or only in part."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import PalimpsestError, Problem, fail
from core.messages import message
from core.words import Words

SUPPORTED = (
    "PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, DOC, XLS, XLSB, PPT, CSV, HTML, RTF, TXT, MD, RST, JSON, XML, YAML, EPUB, "
    "IPYNB, EML, MBOX, MSG, PNG, JPEG, TIFF, WEBP, BMP, GIF, ZIP"
)
Note = tuple[str, str]
"""The texts in English and in Hebrew, as stored with documents."""


def too_large(filename: str, size: int, limit: int) -> PalimpsestError:
    return fail(
        "validation", "library.problems.too_large", filename=filename, size=megabytes(size), limit=megabytes(limit)
    )


def megabytes(size: int) -> str:
    """A size in MB with one decimal, or none if it is whole."""
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")


def empty(filename: str) -> PalimpsestError:
    return fail("validation", "library.problems.empty", filename=filename)


def protected(filename: str) -> PalimpsestError:
    return fail("validation", "library.problems.protected", filename=filename)


def corrupt(filename: str, kind: str) -> PalimpsestError:
    return fail("validation", "library.problems.corrupt", filename=filename, kind=kind)


def scanned(filename: str, tried: bool) -> PalimpsestError:
    """``tried``: the OCR engine ran and found nothing."""
    if tried:
        return fail("validation", "library.problems.text_recognised", filename=filename)
    return fail("validation", "library.problems.scan_without_text", filename=filename)


def too_many_pixels(filename: str, limit: int) -> PalimpsestError:
    most = f"{limit / 1e6:,.0f}"
    return fail("validation", "library.problems.too_many_pixels", filename=filename, most=most)


def encrypted_mail(filename: str) -> PalimpsestError:
    return fail("validation", "library.problems.encrypted_mail", filename=filename)


def encrypted_book(filename: str) -> PalimpsestError:
    return fail("validation", "library.problems.encrypted_book", filename=filename)


def no_heic_reader(filename: str) -> PalimpsestError:
    return fail("validation", "library.problems.no_heic_reader", filename=filename)


def unpacks_too_large(filename: str, limit: int) -> PalimpsestError:
    return fail("validation", "library.problems.unpacks_too_large", filename=filename, limit=megabytes(limit))


def nested_archive(filename: str) -> PalimpsestError:
    return fail("validation", "library.problems.nested_archive", filename=filename)


def too_many_files(filename: str, count: int, most: int) -> PalimpsestError:
    return fail("validation", "library.problems.too_many_files", filename=filename, count=count, most=most)


def nothing_inside(filename: str) -> PalimpsestError:
    return fail("validation", "library.problems.nothing_inside", filename=filename)


def no_room_for_more(filename: str) -> PalimpsestError:
    """The conversation already has the maximum number of attachments."""
    return fail("validation", "library.problems.no_room_for_more", filename=filename)


def too_demanding(filename: str, limit: int) -> PalimpsestError:
    gigabytes = f"{limit / 1024**3:g}"
    return fail("validation", "library.problems.too_demanding", filename=filename, gigabytes=gigabytes)


def hostile_xml(filename: str) -> PalimpsestError:
    return fail("validation", "library.problems.hostile_xml", filename=filename)


def unsupported(filename: str, found: str | None = None) -> PalimpsestError:
    """``found``: the actual type of the contents, if known."""
    key = "library.problems.unsupported_contents" if found else "library.problems.unsupported"
    return fail("validation", key, filename=filename, found=found, supported=SUPPORTED)


def needs_libreoffice(filename: str, found: str) -> PalimpsestError:
    return fail("validation", "library.problems.needs_libreoffice", filename=filename, found=found)


def _note(key: str, **values: object) -> Note:
    words = message(key, **values)
    return words.en, words.to("he")


def disguised(name: str, kind: str) -> Note:
    return _note("library.notes.disguised", name=name, kind=kind)


def guessed_encoding(encoding: str) -> Note:
    """``encoding``: its common name."""
    return _note("library.notes.guessed_encoding", encoding=encoding)


def only_pages(read: int, of: int) -> Note:
    return _note("library.notes.only_pages", read=read, of=of)


def only_characters(limit: int) -> Note:
    return _note("library.notes.only_characters", limit=limit)


def only_rows(sheet: str, rows: int) -> Note:
    return _note("library.notes.only_rows", sheet=sheet, rows=rows)


def hidden_sheets(sheets: Sequence[str]) -> Note:
    return _note("library.notes.hidden_sheets", sheets=", ".join(sheets))


def hidden_cells(sheet: str, rows: int, columns: int) -> Note:
    return _note("library.notes.hidden_cells", sheet=sheet, rows=rows, columns=columns)


def error_cells(count: int, errors: Sequence[str]) -> Note:
    """``errors``: the error values that the cells show."""
    return _note("library.notes.error_cells", count=count, errors=", ".join(errors))


def damaged_sheet(sheet: str, rows: int) -> Note:
    """``rows``: the number of rows read before the damage."""
    return _note(f"library.notes.{'cut_sheet' if rows else 'damaged_sheet'}", sheet=sheet, rows=rows)


def lost_texts(count: int) -> Note:
    return _note("library.notes.lost_texts", count=count)


def lost_formats() -> Note:
    return _note("library.notes.lost_formats")


def no_formats() -> Note:
    return _note("library.notes.no_formats")


def only_table_rows(rows: int) -> Note:
    return _note("library.notes.only_table_rows", rows=rows)


def long_cells(count: int, limit: int) -> Note:
    return _note("library.notes.long_cells", count=count, limit=limit)


def read_as_text(kind: str) -> Note:
    """The file's name says that it is of a kind that it is not."""
    return _note("library.notes.read_as_text", kind=kind)


def read_in_part(kind: str) -> Note:
    return _note("library.notes.read_in_part", kind=kind)


def broken_lines(count: int) -> Note:
    return _note("library.notes.broken_lines", count=count)


def wide_rows(count: int, limit: int) -> Note:
    return _note("library.notes.wide_rows", count=count, limit=limit)


def rows_in_dataset(rows: int) -> Note:
    return _note("library.notes.rows_in_dataset", rows=rows)


def found_by_words(rows: int) -> Note:
    return _note("library.notes.found_by_words", rows=rows)


def texts_by_words(passages: int) -> Note:
    return _note("library.notes.texts_by_words", passages=passages)


def missing_parts(parts: str) -> Note:
    return _note("library.notes.missing_parts", parts=parts)


def broken_parts(parts: str) -> Note:
    return _note("library.notes.broken_parts", parts=parts)


def hidden_text(paragraphs: int) -> Note:
    return _note("library.notes.hidden_text", paragraphs=paragraphs)


def hidden_slides(slides: Sequence[int]) -> Note:
    return _note("library.notes.hidden_slides", slides=spans(slides))


def hidden_shapes(slides: Sequence[int]) -> Note:
    return _note("library.notes.hidden_shapes", slides=spans(slides))


def charts_unread(charts: int) -> Note:
    return _note("library.notes.charts_unread", charts=charts)


def unread_charts(slides: Sequence[int]) -> Note:
    return _note("library.notes.unread_charts", slides=spans(slides))


def unread_on_slides(slides: Sequence[int]) -> Note:
    return _note("library.notes.unread_on_slides", slides=spans(slides))


def pictured_slides(slides: Sequence[int]) -> Note:
    return _note("library.notes.pictured_slides", slides=spans(slides))


def unread_attachment(name: str, problem: Problem) -> Note:
    return _note("library.notes.unread_attachment", name=name, what=problem.what, why=problem.why)


def left_out_attachment(name: str) -> Note:
    return _note("library.notes.left_out_attachment", name=name)


def only_attachments(most: int) -> Note:
    return _note("library.notes.only_attachments", most=most)


def only_messages(most: int) -> Note:
    return _note("library.notes.only_messages", most=most)


def recognised_pages(pages: Sequence[int], languages: Words) -> Note:
    return _note("library.notes.recognised_pages", languages=languages, pages=spans(pages))


def unread_pages(pages: Sequence[int], tried: bool) -> Note:
    """``tried``: the OCR engine ran and found nothing."""
    return _note(f"library.notes.{'nothing_recognised' if tried else 'no_engine'}", pages=spans(pages))


def no_language(pages: Sequence[int]) -> Note:
    return _note("library.notes.no_language", pages=spans(pages))


def lost_letters(pages: Sequence[int]) -> Note:
    return _note("library.notes.lost_letters", pages=spans(pages))


def waiting_pages(pages: Sequence[int]) -> Note:
    return _note("library.notes.waiting_pages", pages=spans(pages))


def spans(pages: Sequence[int]) -> str:
    """``[1, 2, 3, 7]`` as ``1-3, 7``."""
    parts: list[list[int]] = []
    for page in pages:
        if parts and page == parts[-1][1] + 1:
            parts[-1][1] = page
        else:
            parts.append([page, page])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
