from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from core.library.extracted import Block, Extracted

Read = Callable[[str, bytes | str], Extracted]


def _bytes(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@pytest.fixture
def blocks(read: Read) -> Callable[[Any], list[Block]]:
    return lambda document: read("made.docx", _bytes(document)).blocks


def _xml(inner: str) -> Any:
    return parse_xml(f"<w:p {nsdecls('w')}>{inner}</w:p>")


def test_document_order_and_kinds_are_kept(blocks: Callable[[Any], list[Block]]) -> None:
    document = docx.Document()
    document.add_heading("דוח שנתי", 1)
    document.add_paragraph("פסקה ראשונה.")
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ["City", "Sales", "Haifa", "12"], strict=True):
        cell.text = text
    document.add_heading("Details", 2)
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Bullet")
    document.add_paragraph("first", style="List Number")
    assert [(block.kind, block.level, block.text, block.header) for block in blocks(document)] == [
        ("heading", 1, "דוח שנתי", None),
        (None, 0, "פסקה ראשונה.", None),
        ("table", 0, "Haifa | 12", "City | Sales"),
        ("heading", 2, "Details", None),
        ("list", 0, "- one\n- two\n1. first", None),
    ]


def test_merged_cells_are_repeated(blocks: Callable[[Any], list[Block]]) -> None:
    document = docx.Document()
    table = document.add_table(3, 3)
    for index, cell in enumerate(table._cells):
        cell.text = f"c{index}"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "tall"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "wide"
    (block,) = blocks(document)
    assert f"{block.header or ''}\n{block.text}".strip() == "c0 | wide | wide\ntall | c4 | c5\ntall | c7 | c8"


def test_a_table_inside_a_cell_is_not_lost(blocks: Callable[[Any], list[Block]]) -> None:
    document = docx.Document()
    table = document.add_table(1, 2)
    table.cell(0, 0).text = "outer"
    inner = table.cell(0, 1).add_table(1, 2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "in", "ner"
    assert blocks(document)[0].text == "outer | in ner"


def test_insertions_are_in_and_deletions_out(blocks: Callable[[Any], list[Block]]) -> None:
    document = docx.Document()
    document.element.body.insert(
        0,
        _xml(
            "<w:r><w:t>kept </w:t></w:r><w:ins w:id='1' w:author='a'><w:r><w:t>added</w:t></w:r></w:ins>"
            "<w:del w:id='2' w:author='a'><w:r><w:delText>gone</w:delText></w:r></w:del>"
            "<w:hyperlink><w:r><w:t> link</w:t></w:r></w:hyperlink><w:r><w:br/><w:t>next</w:t></w:r>"
        ),
    )
    assert blocks(document)[0].text == "kept added link\nnext"


def test_a_text_box_is_read_once(blocks: Callable[[Any], list[Block]]) -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"
    document = docx.Document()
    document.element.body.insert(
        0,
        _xml(
            "<w:r><w:t>around</w:t></w:r><w:r><mc:AlternateContent "
            "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'>"
            f"<mc:Choice Requires='wps'>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
        ),
    )
    assert [block.text for block in blocks(document)] == ["around", "boxed"]


def test_content_controls_are_looked_into(blocks: Callable[[Any], list[Block]]) -> None:
    document = docx.Document()
    control = parse_xml(
        f"<w:sdt {nsdecls('w')}><w:sdtPr/><w:sdtContent><w:p><w:r><w:t>inside</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    document.element.body.insert(0, control)
    assert blocks(document)[0].text == "inside"


def test_page_headers_are_kept_once_at_the_end(blocks: Callable[[Any], list[Block]]) -> None:
    document = docx.Document()
    document.add_paragraph("text")
    document.sections[0].header.paragraphs[0].text = "Ministry of Finance, file 77"
    assert [block.text for block in blocks(document)] == ["text", "Ministry of Finance, file 77"]


def test_footnotes_follow_the_text(read: Read, repacked: Callable[[bytes, dict[str, bytes]], bytes]) -> None:
    document = docx.Document()
    document.add_paragraph("text")
    data = _bytes(document)
    notes = (
        f"<w:footnotes {nsdecls('w')}>"
        "<w:footnote w:type='separator' w:id='0'><w:p><w:r><w:t>-</w:t></w:r></w:p></w:footnote>"
        "<w:footnote w:id='2'><w:p><w:r><w:t>as agreed</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    base = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        types = archive.read("[Content_Types].xml").decode()
        relations = archive.read("word/_rels/document.xml.rels").decode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    changed = {
        "word/footnotes.xml": notes.encode(),
        "[Content_Types].xml": types.replace(
            "</Types>", f'<Override PartName="/word/footnotes.xml" ContentType="{base}.footnotes+xml"/></Types>'
        ).encode(),
        "word/_rels/document.xml.rels": relations.replace(
            "</Relationships>", f'<Relationship Id="rId99" Type="{kind}" Target="footnotes.xml"/></Relationships>'
        ).encode(),
    }
    texts = [block.text for block in read("made.docx", repacked(data, changed)).blocks]
    assert texts == ["text", "[2] as agreed"]


def test_tables_nested_beyond_sense_do_not_break_the_reader(read: Read) -> None:
    document = docx.Document()
    inner = "<w:p><w:r><w:t>deep</w:t></w:r></w:p>"
    for _ in range(80):
        inner = f"<w:tbl><w:tr><w:tc>{inner}<w:p/></w:tc></w:tr></w:tbl>"
    document.element.body.insert(0, parse_xml(inner.replace("<w:tbl>", f"<w:tbl {nsdecls('w')}>", 1)))
    assert "deep" in read("deep.docx", _bytes(document)).text


def test_metadata(read: Read) -> None:
    document = docx.Document()
    document.add_paragraph("text")
    document.core_properties.title = "Budget"
    document.core_properties.author = "Dana Levi"
    extracted = read("made.docx", _bytes(document))
    assert (extracted.title, extracted.author) == ("Budget", "Dana Levi")


def _numbered(document: Any, text: str, level: int, bold: bool = False) -> None:
    paragraph = document.add_paragraph()
    paragraph.add_run(text).bold = bold or None
    paragraph._p.get_or_add_pPr().append(
        parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="90"/></w:numPr>')
    )


def test_bold_lines_are_headings_and_numbered_clauses_no_list(blocks: Callable[[Any], list[Block]]) -> None:
    document = docx.Document()
    numbering = document.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{sign}"/></w:lvl>'
        for depth, sign in enumerate(("%1.", "%1.%2"))
    )
    numbering.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>'))
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    document.add_paragraph().add_run("SUPPLY AGREEMENT").bold = True
    _numbered(document, "Delivery", 0, bold=True)
    _numbered(document, "Goods arrive before six.", 1)
    _numbered(document, "Risk passes on delivery.", 1)
    document.add_paragraph().add_run("All of this is said in bold.").bold = True
    document.add_paragraph().add_run("Not").bold = True
    document.paragraphs[-1].add_run(" all of it")
    assert [(block.kind, block.level, block.text) for block in blocks(document)] == [
        ("heading", 0, "SUPPLY AGREEMENT"),
        ("heading", 0, "1. Delivery"),
        (None, 0, "1.1 Goods arrive before six."),
        (None, 0, "1.2 Risk passes on delivery."),
        (None, 0, "All of this is said in bold."),
        (None, 0, "Not all of it"),
    ]
