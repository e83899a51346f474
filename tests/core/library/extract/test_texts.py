"""Tests text formats: CSV, HTML, RTF, TXT, MD."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.errors import PalimpsestError
from core.library.extract.csv import sniff_delimiter
from core.library.extracted import Extracted

Read = Callable[[str, bytes | str], Extracted]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n3,1;4\n", ";"),
        ("a\tb\n1\t2, and more\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ('name,text\nx,"a;b;c"\ny,"d;e;f"\n', ","),
    ],
)
def test_the_delimiter_is_found(text: str, delimiter: str) -> None:
    assert sniff_delimiter(text) == delimiter


def test_csv_with_quotes_and_commas(read: Read) -> None:
    (table,) = read("a.csv", 'name,remark\nDana,"one, two"\nYossi,"says ""hi"""\n').blocks
    assert (table.kind, table.header) == ("table", "name | remark")
    assert table.text == 'Dana | one, two\nYossi | says "hi"'


def test_csv_in_hebrew_windows_encoding(read: Read) -> None:
    (table,) = read("a.csv", "שם;עיר;גיל\nדנה;חיפה;12\n".encode("cp1255")).blocks
    assert (table.header, table.text) == ("שם | עיר | גיל", "דנה | חיפה | 12")


def test_csv_title_lines_and_declared_delimiter(read: Read) -> None:
    title, table = read("a.csv", "sep=;\nReport of 2024\ncity;sales\nHaifa;3\n").blocks
    assert title.text == "Report of 2024"
    assert table.header == "city | sales"


def test_csv_with_a_quote_that_never_closes_keeps_its_rows(read: Read) -> None:
    (table,) = read("a.csv", 'a,b\n1,"open\n' + "x,y\n" * 500).blocks
    assert table.text.count("x | y") == 500


def test_html_structure_without_furniture(read: Read) -> None:
    extracted = read(
        "a.html",
        """<!doctype html><html><head><title>The title</title><meta name="author" content="Dana">
        <style>p {color: red}</style></head><body><nav><a>Home</a></nav><h1>Big <em>one</em></h1>
        <p>Water is H<sub>2</sub>O &amp; more.<br>Next line</p><script>alert(1)</script>
        <ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul><ol><li>first</li></ol>
        <table><tr><th>City</th><th>Sales</th></tr><tr><td rowspan=2>Haifa</td><td>1</td></tr>
        <tr><td>2</td></tr></table>
        <pre>x = 1\n  y = 2</pre><div style="display: none">hidden</div>after<footer>contact</footer></body></html>""",
    )
    assert (extracted.title, extracted.author) == ("The title", "Dana")
    assert [(block.kind, block.text, block.header) for block in extracted.blocks] == [
        ("heading", "Big one", None),
        (None, "Water is H₂O & more.\nNext line", None),
        ("list", "- one\n  - deep\n- two", None),
        ("list", "1. first", None),
        ("table", "Haifa | 1\nHaifa | 2", "City | Sales"),
        ("code", "x = 1\n  y = 2", None),
        (None, "after", None),
    ]


def test_html_layout_tables_are_flow(read: Read) -> None:
    texts = [b.text for b in read("a.html", "<table><tr><td><h2>Head</h2><p>Body</p></td></tr></table>").blocks]
    assert texts == ["Head", "Body"]


def test_html_lines_that_are_all_bold_are_headings(read: Read) -> None:
    page = """<p><b>Risks</b></p><div style="font-weight: 700">Interest</div><p><b>Rates</b> rise.</p><p><b>No.</b></p>
    <p>Plain</p><ul><li><b>Item</b></li></ul>"""
    assert [(block.kind, block.level, block.text) for block in read("a.html", page).blocks] == [
        ("heading", 0, "Risks"),
        ("heading", 0, "Interest"),
        (None, 0, "Rates rise."),
        (None, 0, "No."),
        (None, 0, "Plain"),
        ("list", 0, "- Item"),
    ]


def test_html_in_a_declared_hebrew_encoding(read: Read) -> None:
    page = '<html><head><meta charset="windows-1255"></head><body><p>שלום לכולם</p></body></html>'
    assert read("a.html", page.encode("cp1255")).text == "שלום לכולם"


def test_html_spans_are_bounded(read: Read) -> None:
    page = "<table><tr><td colspan=99999999 rowspan=1000>a</td><td colspan=900>b</td></tr><tr><td>c</td></tr></table>"
    assert len(read("a.html", page).text) < 10_000


@pytest.mark.parametrize("page", ["<div>" * 60_000 + "deep", "<b><i>" * 30_000 + "deep"])
def test_html_nested_beyond_sense_is_refused_at_once(read: Read, page: str) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read("a.html", page)
    assert "damaged" in caught.value.problem.what.en


def _escaped(text: str) -> str:
    return "".join(f"\\'{byte:02x}" for byte in text.encode("cp1255"))


@pytest.mark.parametrize(
    "head",
    [
        r"\ansicpg1255\deff0{\fonttbl{\f0\fnil\fcharset177 David;}}\f0 ",
        r"\ansicpg1255\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}}\f0 ",
        r"\ansicpg1252\deff0{\fonttbl{\f0\fnil Arial;}{\f1\fnil\fcharset177 David;}}\f0 caf\'e9 \f1 ",
    ],
)
def test_rtf_letters_follow_the_font(read: Read, head: str) -> None:
    text = read("a.rtf", r"{\rtf1\ansi" + head + _escaped("שלום עולם") + r"\par}").text
    assert text.endswith("שלום עולם")
    assert "caf" not in text or "café" in text


def test_rtf_tables_unicode_and_information(read: Read) -> None:
    extracted = read(
        "a.rtf",
        r"{\rtf1\ansi\ansicpg1252{\info{\title Plan}{\author Dana}}\u1513?\u1500?\par"
        r"\trowd\cellx1\cellx2\intbl City\cell Sales\cell\row"
        r"\trowd\cellx1\cellx2\intbl Haifa\cell 12\cell\row\pard end\par}",
    )
    assert (extracted.title, extracted.author) == ("Plan", "Dana")
    assert [(block.kind, block.text, block.header) for block in extracted.blocks] == [
        (None, "של", None),
        ("table", "Haifa | 12", "City | Sales"),
        (None, "end", None),
    ]


def test_txt_paragraphs(read: Read) -> None:
    texts = [block.text for block in read("a.txt", "one\nmore\n\n\n  two  \r\n\r\nthree").blocks]
    assert texts == ["one\nmore", "two", "three"]


def test_txt_with_a_paragraph_on_each_long_line(read: Read) -> None:
    assert len(read("a.txt", "\n".join(["word " * 80] * 5)).blocks) == 5


def test_markdown_without_its_marks(read: Read) -> None:
    extracted = read(
        "a.md",
        "---\ntitle: The plan\nauthor: [Dana, Yossi]\ndate: 2024-05-01\n---\n"
        "# Head *one*\n\nA [link](http://x) and **bold**\n"
        "text.\n\n- one\n  1. deep\n- two\n\n| City | Sales |\n|---|---|\n| Haifa | 1 |\n\n```python\nx = 1\n```\n",
    )
    assert (extracted.title, extracted.author, extracted.created) == ("The plan", "Dana, Yossi", "2024-05-01")
    assert [(block.kind, block.level, block.text, block.header) for block in extracted.blocks] == [
        ("heading", 1, "Head one", None),
        (None, 0, "A link and bold text.", None),
        ("list", 0, "- one\n  1. deep\n- two", None),
        ("table", 0, "Haifa | 1", "City | Sales"),
        ("code", 0, "x = 1", None),
    ]


def test_markdown_nested_beyond_sense_is_read_as_text(read: Read) -> None:
    assert "deep" in read("a.md", "> " * 3_000 + "deep").text


def test_code_in_a_list_stays_with_its_item(read: Read) -> None:
    (block,) = read("a.md", "- run:\n\n  ```\n  make all\n  ```\n").blocks
    assert block.text == "- run:\nmake all"


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (r"Profit 38{\super 2} and 4,512\super 1\nosupersub , ok", "Profit 38² and 4,512¹, ok"),
        (r"10\up6 -3\up0  m CO{\sub 2}", "10⁻³ m CO₂"),
        (r"38{\super 2\plain 5}", "38²5"),
        (r"seen {\v secret }{\deleted gone }open", "seen open"),
        (r"a \{brace\} and \viewkind1 {\b bold}", "a {brace} and bold"),
        (
            r"Profit 38{\super\chftn{\footnote\pard\plain{\super\chftn} As {\b restated}.}} is up.",
            "Profit 38¹ is up.\n\n[1] As restated.",
        ),
    ],
)
def test_rtf_is_read_as_it_is_printed(read: Read, inner: str, text: str) -> None:
    extracted = read("made.rtf", r"{\rtf1\ansi " + inner + r"\par}")
    assert extracted.text == text
    assert bool(extracted.notes) == ("secret" in inner)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Profit 38<sup>2</sup>, CO<sub>2</sub>", "Profit 38², CO₂"),
        ("Profit 38^2^ and 2^10 or a ^b^ c", "Profit 38² and 2^10 or a ^b^ c"),
        (
            "Profit 38[^1] of `[^1]`\n\n[^1]: Restated\n[^x]: Twice so.",
            "Profit 38¹ of ¹\n\n[1] Restated\n\n[x] Twice so.",
        ),
        ("<div>\nProfit 38<sup>2</sup>\n</div>", "Profit 38²"),
        ("A set [^a] of 38", "A set [^a] of 38"),
    ],
)
def test_markdown_is_read_as_it_is_printed(read: Read, source: str, text: str) -> None:
    assert read("made.md", source).text == text
