"""Tests OpenDocument texts and presentations, written by the tests as XML."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable

import pytest

from core.errors import PalimpsestError
from core.library.extracted import Extracted
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]
NAMES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        **{
            name: f"urn:oasis:names:tc:opendocument:xmlns:{path}:1.0"
            for name, path in {
                "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
                "presentation": "presentation", "svg": "svg-compatible", "fo": "xsl-fo-compatible", "meta": "meta",
                "chart": "chart", "manifest": "manifest",
            }.items()
        },
        "dc": "http://purl.org/dc/elements/1.1/",
        "xlink": "http://www.w3.org/1999/xlink",
        "math": "http://www.w3.org/1998/Math/MathML",
    }.items()
)  # fmt: skip
STYLES = (
    '<style:style style:name="up" style:family="text"><style:text-properties style:text-position="super 58%"/>'
    '</style:style><style:style style:name="down" style:family="text"><style:text-properties '
    'style:text-position="-33% 58%"/></style:style><style:style style:name="hid" style:family="text">'
    '<style:text-properties text:display="none"/></style:style><style:style style:name="dark" '
    'style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    '<text:list-style style:name="num"><text:list-level-style-number text:level="1" style:num-format="1"/>'
    "</text:list-style>"
)


def _file(kind: str, body: str, **parts: str) -> bytes:
    content = (
        f"<office:document-content {NAMES}><office:automatic-styles>{STYLES}</office:automatic-styles><office:body>"
        f"<office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    entries = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": content,
        "styles.xml": f"<office:document-styles {NAMES}><office:styles/></office:document-styles>",
        "meta.xml": f"<office:document-meta {NAMES}><office:meta><dc:title>Budget</dc:title></office:meta>"
        "</office:document-meta>",
        "META-INF/manifest.xml": f"<manifest:manifest {NAMES}/>",
        **parts,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    return out.getvalue()


def _texts(extracted: Extracted) -> list[tuple[str | None, str]]:
    return [(block.kind, block.text) for block in extracted.blocks]


def test_headings_paragraphs_and_lists_in_order(read: Read) -> None:
    body = (
        '<text:h text:outline-level="2">Results</text:h>'
        '<text:p>Two<text:s text:c="2"/>words<text:line-break/>here</text:p>'
        '<text:list text:style-name="num"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>deep'
        "</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item>"
        "</text:list>"
    )
    extracted = read("made.odt", _file("text", body))
    assert _texts(extracted) == [
        ("heading", "Results"),
        (None, "Two words\nhere"),
        ("list", "1. one\n  - deep\n2. two"),
    ]
    assert (extracted.blocks[0].level, extracted.title) == (2, "Budget")


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ('38<text:span text:style-name="up">2</text:span>', "38²"),
        ('CO<text:span text:style-name="down">2</text:span>', "CO₂"),
        ('seen <text:span text:style-name="hid">secret</text:span>open', "seen open"),
        ('a<text:hidden-text text:is-hidden="true" text:string-value="secret"/>b', "ab"),
    ],
)
def test_text_is_read_as_it_is_printed(read: Read, inner: str, text: str) -> None:
    extracted = read("made.odt", _file("text", f"<text:p>{inner}</text:p>"))
    assert [block.text for block in extracted.blocks] == [text]
    assert bool(extracted.notes) == ("secret" in inner)


def test_hidden_sections_are_left_out_and_counted(read: Read, settings: Settings) -> None:
    data = _file("text", '<text:p>a</text:p><text:section text:display="none"><text:p>b</text:p></text:section>')
    extracted = read("made.odt", data)
    assert extracted.text == "a"
    assert "Hidden text was not read" in extracted.notes[0][0]
    settings.reading = settings.reading.model_copy(update={"hidden": True})
    assert read("made.odt", data).text == "a\n\nb"


def test_tables_fill_merged_cells_and_bound_repeated_ones(read: Read) -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"

    covered = "<table:covered-table-cell/>"
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        + cell("Region")
        + cell("Sales", 'table:number-columns-spanned="2"')
        + covered
        + "</table:table-row></table:table-header-rows><table:table-row>"
        + cell("North", 'table:number-rows-spanned="2"')
        + cell("10")
        + cell("11")
        + f"</table:table-row><table:table-row>{covered}"
        + cell("7", 'table:number-columns-repeated="2"')
        + '</table:table-row><table:table-row table:number-rows-repeated="1000000"><table:table-cell '
        'table:number-columns-repeated="16000"/></table:table-row></table:table>'
    )
    began = time.process_time()
    (block,) = read("made.odt", _file("text", body)).blocks
    assert time.process_time() - began < 1
    assert (block.header, block.text) == ("Region | Sales | Sales", "North | 10 | 11\nNorth | 7 | 7")


NOTE = (
    "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>As restated.</text:p>"
    "</text:note-body></text:note>"
)
COMMENT = (
    '<office:annotation office:name="c1"><dc:creator>Dana</dc:creator><dc:date>2026-05-04T10:00:00</dc:date>'
    "<text:p>Use 11,400.</text:p></office:annotation>"
)


def test_notes_and_comments(read: Read) -> None:
    body = f'<text:p>Rent: {COMMENT}12,000<office:annotation-end office:name="c1"/>{NOTE} a month.</text:p>'
    assert _texts(read("made.odt", _file("text", body + "<text:p>More.</text:p>"))) == [
        (None, "Rent: 12,000¹ a month."),
        ("paragraph", "Comment by Dana (2026-05-04) on “12,000”: Use 11,400."),
        (None, "More."),
        (None, "[1] As restated."),
    ]


def test_a_comment_on_a_cell_follows_the_table(read: Read) -> None:
    row = "<table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell>{}</table:table-row>"
    second = f"<table:table-cell><text:p>12{COMMENT}</text:p></table:table-cell>"
    body = f"<table:table>{row.format('City', second)}</table:table>"
    assert _texts(read("made.odt", _file("text", body))) == [
        ("table", "City | 12"),
        ("paragraph", "Comment by Dana (2026-05-04): Use 11,400."),
    ]


def test_deleted_changes_are_out(read: Read) -> None:
    changes = "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion>"
    body = f"{changes}</text:changed-region></text:tracked-changes><text:p>kept</text:p>"
    assert read("made.odt", _file("text", body)).text == "kept"


def test_charts_and_formulas_of_objects(read: Read) -> None:
    def frame(name: str) -> str:
        return f'<text:p>See <draw:frame><draw:object xlink:href="./{name}"/></draw:frame></text:p>'

    def row(*texts: str) -> str:
        cells = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in texts)
        return f"<table:table-row>{cells}</table:table-row>"

    chart = (
        f"<office:document-content {NAMES}><office:body><office:chart><chart:chart><chart:title><text:p>Sales by city"
        f"</text:p></chart:title><table:table>{row('', 'Sales')}{row('Haifa', '12')}{row('Acre', '9')}</table:table>"
        "</chart:chart></office:chart></office:body></office:document-content>"
    )
    formula = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mn>3</mn><mn>4</mn></mfrac></math>'
    data = _file(
        "text",
        frame("Object 1") + frame("Object 2") + frame("Object 3"),
        **{"Object 1/content.xml": chart, "Object 2/content.xml": formula},
    )
    extracted = read("made.odt", data)
    assert [block.text for block in extracted.blocks] == [
        "See",
        "Sales by city",
        "Haifa | 12\nAcre | 9",
        "See ¾",
        "See",
    ]
    assert extracted.notes[0][0] == "Charts that could not be read completely: 1."


def _shape(text: str, kind: str = "", y: float = 1) -> str:
    of_kind = f'presentation:class="{kind}"' if kind else ""
    return (
        f'<draw:frame svg:y="{y}cm" svg:x="1cm" {of_kind}><draw:text-box><text:p>{text}</text:p></draw:text-box>'
        "</draw:frame>"
    )


def test_a_slide_is_a_page_with_its_title_first_and_notes_last(read: Read) -> None:
    body = (
        f"<draw:page>{_shape('below', y=9)}{_shape('above', y=3)}{_shape('Water', 'title', 5)}<presentation:notes>"
        f"{_shape('Say it.', 'notes')}</presentation:notes>{COMMENT}</draw:page>"
        f'<draw:page draw:style-name="dark">{_shape("dark")}</draw:page><draw:page>{_shape("last")}</draw:page>'
    )
    extracted = read("made.odp", _file("presentation", body))
    assert [(block.page, block.text) for block in extracted.blocks] == [
        (1, "Water"),
        (1, "Comment by Dana (2026-05-04): Use 11,400."),
        (1, "above"),
        (1, "below"),
        (1, "Notes: Say it."),
        (3, "last"),
    ]
    assert (extracted.blocks[0].kind, extracted.pages) == ("heading", 3)
    assert extracted.notes[0][0] == "Hidden slides were not read: 2."


@pytest.mark.parametrize(("manifest", "what"), [("<m>encryption-data</m>", "protected"), ("<m/>", "damaged")])
def test_what_cannot_be_opened_is_refused_with_its_reason(read: Read, manifest: str, what: str) -> None:
    data = _file("text", "", **{"content.xml": "\x00", "META-INF/manifest.xml": manifest})
    with pytest.raises(PalimpsestError) as caught:
        read("made.odt", data)
    assert what in caught.value.problem.what.en
