"""Tests the main text of a page, with its tables unchanged."""

from __future__ import annotations

from pathlib import Path

from core.library.extract import extract
from core.settings import Settings
from core.tools.web.main_text import main_text

WORDS = "The bank set the rate at 4.25 percent after a long debate among its members about prices and wages. " * 3
PAGE = f"""<!doctype html><html><head><title>Rates &amp; prices</title><meta name="author" content="Dana Levi">
<meta property="article:published_time" content="2024-03-05"></head><body>
<nav><ul><li><a href="/">Home</a><li><a href="/c">Contact us</a></ul></nav>
<article><h1>The rate</h1><p>{WORDS}</p><h2>History</h2><p>{WORDS}</p>
<table><tr><th></th><th colspan=2>2025</th></tr><tr><th>Item</th><th>Q1</th><th>Q2</th></tr>
<tr><td rowspan=2>Sales<sup>2</sup></td><td>4.50</td><td>5</td></tr><tr><td>6</td><td>7</td></tr></table>
<p>{WORDS}</p></article><aside>Subscribe to our newsletter now!</aside><footer>Copyright of the bank</footer>
</body></html>"""


def test_furniture_goes_and_tables_stay_as_they_are(tmp_path: Path) -> None:
    found = main_text(PAGE.encode(), "https://www.example.com/rate")
    assert found.title == "Rates & prices"
    for gone in ("Contact us", "Copyright", "newsletter"):
        assert gone not in found.html
    path = tmp_path / "page.html"
    path.write_text(found.html, encoding="utf-8")
    extracted = extract(path, "page.html", Settings(_env_file=None))
    assert (extracted.title, extracted.author, extracted.created) == ("Rates & prices", "Dana Levi", "2024-03-05")
    assert [block.text for block in extracted.blocks if block.kind == "heading"] == ["The rate", "History"]
    (table,) = extracted.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["4.50", "5"], ["6", "7"]]
    assert [column.header for column in table.columns] == [["2025", "Q1"], ["2025", "Q2"]]


def test_a_page_that_says_nothing_has_no_main_text_and_no_date_is_guessed() -> None:
    assert (
        main_text(b"<html><title>App</title><body><div id=root></div></body></html>", "https://a.example/").html == ""
    )
    assert "<meta name" not in main_text(f"<body><article><p>In 2019: {WORDS}</p></article>".encode(), "x").html
    hebrew = "<meta charset=windows-1255><title>דוח</title><article><p>" + "המאגר מכיל מים רבים בכל עונות השנה. " * 12
    assert "המאגר" in main_text(hebrew.encode("cp1255"), "https://a.example/").html
