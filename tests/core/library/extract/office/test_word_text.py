"""Tests superscripts, formulas, hidden text, notes and review comments in Word files made in code."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from core.library.extracted import Extracted
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]
Repack = Callable[[bytes, dict[str, bytes]], bytes]
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _bytes(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _with(*paragraphs: str) -> Any:
    document = docx.Document()
    for at, inner in enumerate(paragraphs):
        document.element.body.insert(at, parse_xml(f"<w:p {nsdecls('w', 'm')}>{inner}</w:p>"))
    return document


def _run(text: str, properties: str = "") -> str:
    return f"<w:r>{f'<w:rPr>{properties}</w:rPr>' if properties else ''}<w:t xml:space='preserve'>{text}</w:t></w:r>"


def _with_part(repacked: Repack, data: bytes, name: str, xml: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        types = archive.read("[Content_Types].xml").decode()
        relations = archive.read("word/_rels/document.xml.rels").decode()
    override = f'<Override PartName="/word/{name}.xml" ContentType="{WORD}.{name}+xml"/></Types>'
    relation = f'<Relationship Id="rIdX{name}" Type="{RELATION}/{name}" Target="{name}.xml"/></Relationships>'
    return repacked(
        data,
        {
            f"word/{name}.xml": xml.encode(),
            "[Content_Types].xml": types.replace("</Types>", override).encode(),
            "word/_rels/document.xml.rels": relations.replace("</Relationships>", relation).encode(),
        },
    )


RAISED = "<w:vertAlign w:val='superscript'/>"
LOWERED = "<w:vertAlign w:val='subscript'/>"


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (_run("38") + _run("2", RAISED), "38²"),
        (_run("4,512") + _run("1", RAISED) + _run(",", RAISED) + _run("2", RAISED), "4,512¹,²"),
        (_run("10") + _run("-3", RAISED) + _run(" m") + _run("3", RAISED), "10⁻³ m³"),
        (_run("CO") + _run("2", LOWERED), "CO₂"),
        (_run("the 1") + _run("st", RAISED) + _run(" of May"), "the 1st of May"),
        (_run("2 ") + _run("3", RAISED) + _run("/") + _run("4", LOWERED), "2 ¾"),
        (_run("38") + _run("see note 4 on the next page", RAISED), "38 see note 4 on the next page"),
        (_run("38") + _run("2", "<w:position w:val='8'/>"), "38²"),
        (_run("38") + _run("2", "<w:rStyle w:val='Raised'/>"), "38²"),
        (_run("38") + _run("2", "<w:rStyle w:val='Raised'/><w:vertAlign w:val='baseline'/>"), "382"),
    ],
)
def test_what_is_raised_joins_no_number(read: Read, inner: str, text: str) -> None:
    document = _with(inner)
    document.styles.element.append(
        parse_xml(
            f"<w:style {nsdecls('w')} w:type='character' w:styleId='Raised'><w:name w:val='Raised'/>"
            f"<w:rPr>{RAISED}</w:rPr></w:style>"
        )
    )
    assert read("made.docx", _bytes(document)).blocks[0].text == text


def _part(name: str, **parts: str) -> str:
    inner = "".join(f"<m:{part}><m:r><m:t>{text}</m:t></m:r></m:{part}>" for part, text in parts.items())
    return f"<m:{name}>{inner}</m:{name}>"


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (_part("f", num="3", den="4"), "¾"),
        (_part("f", num="net profit", den="revenue"), "(net profit)/revenue"),
        (_part("sSup", e="x", sup="2"), "x²"),
        (_part("sSubSup", e="x", sub="1", sup="ab"), "x₁^(ab)"),
        (_part("rad", e="a + b"), "√(a + b)"),
        (f"<m:d><m:e>{_part('f', num='a', den='b')}</m:e></m:d>", "(a/b)"),
        ("<m:sSup><m:e>" * 60 + "<m:r><m:t>deep</m:t></m:r>" + "</m:e></m:sSup>" * 60, "deep"),
    ],
)
def test_formulas_are_read_in_order(read: Read, inner: str, text: str) -> None:
    document = _with(_run("r = ") + f"<m:oMath>{inner}</m:oMath>")
    assert read("made.docx", _bytes(document)).blocks[0].text == f"r = {text}"


def test_a_number_before_a_fraction_stays_apart(read: Read) -> None:
    document = _with(_run("2") + f"<m:oMath>{_part('f', num='7', den='10')}</m:oMath>")
    assert read("made.docx", _bytes(document)).blocks[0].text == "2 7/10"


def test_hidden_text_is_left_out_and_counted(read: Read, settings: Settings) -> None:
    hidden = _run("shown ") + _run("secret", "<w:vanish/>") + _run("open", "<w:vanish w:val='0'/>")
    data = _bytes(_with(hidden, _run("plain")))
    extracted = read("made.docx", data)
    assert [block.text for block in extracted.blocks] == ["shown open", "plain"]
    assert extracted.notes[0][0] == "Hidden text was not read. Paragraphs with hidden text: 1."
    settings.reading = settings.reading.model_copy(update={"hidden": True})
    assert read("made.docx", data).blocks[0].text == "shown secretopen"


def test_a_row_that_was_deleted_is_out(read: Read) -> None:
    document = docx.Document()
    table = document.add_table(3, 2)
    for cell, text in zip(table._cells, ["City", "Sales", "Haifa", "12", "Acre", "9"], strict=True):
        cell.text = text
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {nsdecls('w')} w:id='1' w:author='a'/>"))
    assert "Haifa" not in read("made.docx", _bytes(document)).text


def test_a_note_has_the_number_that_is_printed(read: Read, repacked: Repack) -> None:
    reference = "<w:r><w:footnoteReference w:id='7'/></w:r>"
    notes = (
        f"<w:footnotes {nsdecls('w')}><w:footnote w:id='7'><w:p><w:r><w:t>as restated</w:t></w:r></w:p></w:footnote>"
        "</w:footnotes>"
    )
    data = _with_part(
        repacked, _bytes(_with(_run("Profit was 38") + reference + _run(" thousand."))), "footnotes", notes
    )
    assert [block.text for block in read("made.docx", data).blocks] == [
        "Profit was 38¹ thousand.",
        "[1] as restated",
    ]


def _commented(repacked: Repack) -> bytes:
    rent = (
        _run("The rent is ")
        + "<w:commentRangeStart w:id='0'/>"
        + _run("12,000 shekels a month")
        + "<w:commentRangeEnd w:id='0'/><w:r><w:commentReference w:id='0'/></w:r>"
        + _run(".")
    )
    comments = (
        f"<w:comments {nsdecls('w')}><w:comment w:id='0' w:author='Dana' w:date='2026-05-05T10:00:00Z'>"
        "<w:p><w:r><w:t>11,400 was agreed on 4 May.</w:t></w:r></w:p></w:comment></w:comments>"
    )
    return _with_part(repacked, _bytes(_with(rent, _run("It ends in June."))), "comments", comments)


def test_a_comment_follows_the_paragraph_it_is_on(read: Read, repacked: Repack) -> None:
    assert [block.text for block in read("made.docx", _commented(repacked)).blocks] == [
        "The rent is 12,000 shekels a month.",
        "Comment by Dana (2026-05-05) on “12,000 shekels a month”: 11,400 was agreed on 4 May.",
        "It ends in June.",
    ]


def test_a_comment_on_deleted_text_is_kept(read: Read, repacked: Repack) -> None:
    gone = "<w:del w:id='9' w:author='a'><w:r><w:commentReference w:id='0'/></w:r></w:del>"
    comments = (
        f"<w:comments {nsdecls('w')}><w:comment w:id='0' w:author='Dana'><w:p><w:r><w:t>Why?</w:t></w:r></w:p>"
        "</w:comment></w:comments>"
    )
    data = _with_part(repacked, _bytes(_with(_run("kept") + gone)), "comments", comments)
    assert [block.text for block in read("made.docx", data).blocks] == ["kept", "Comment by Dana: Why?"]


def test_a_comment_on_a_cell_follows_the_table(read: Read, repacked: Repack) -> None:
    document = docx.Document()
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ["City", "Sales", "Haifa", "12"], strict=True):
        cell.text = text
    table.cell(1, 1).paragraphs[0]._p.append(parse_xml(f"<w:r {nsdecls('w')}><w:commentReference w:id='3'/></w:r>"))
    comments = (
        f"<w:comments {nsdecls('w')}><w:comment w:id='3' w:author='Dana'><w:p><w:r><w:t>Make it 14.</w:t></w:r></w:p>"
        "</w:comment></w:comments>"
    )
    blocks = read("made.docx", _with_part(repacked, _bytes(document), "comments", comments)).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        ("table", "Haifa | 12"),
        ("paragraph", "Comment by Dana: Make it 14."),
    ]


def test_a_chart_is_read_where_it_stands(read: Read) -> None:
    document = _with(_run("before"))
    frame = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    xml = (
        f'<c:chartSpace xmlns:c="{frame}"><c:chart><c:plotArea><c:pieChart><c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat>'
        '<c:strLit><c:pt idx="0"><c:v>North</c:v></c:pt><c:pt idx="1"><c:v>South</c:v></c:pt></c:strLit></c:cat><c:val>'
        '<c:numLit><c:pt idx="0"><c:v>30</c:v></c:pt><c:pt idx="1"><c:v>10</c:v></c:pt></c:numLit></c:val></c:ser>'
        "</c:pieChart></c:plotArea></c:chart></c:chartSpace>"
    )
    part = Part(PackURI("/word/charts/chart1.xml"), "application/xml", xml.encode(), document.part.package)
    for target in (part, Part(PackURI("/word/charts/chart2.xml"), "application/xml", b"<c", document.part.package)):
        number = document.part.relate_to(target, f"{RELATION}/chart")
        inner = f"<w:r><w:drawing><c:chart xmlns:c='{frame}' r:id='{number}'/></w:drawing></w:r>"
        document.element.body.insert(1, parse_xml(f"<w:p {nsdecls('w', 'r')}>{inner}</w:p>"))
    document.element.body.insert(3, parse_xml(f"<w:p {nsdecls('w')}>{_run('after')}</w:p>"))
    extracted = read("made.docx", _bytes(document))
    assert [block.text for block in extracted.blocks] == ["before", "North | 30\nSouth | 10", "after"]
    assert extracted.notes[0][0] == "Charts that could not be read completely: 1."
