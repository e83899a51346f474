"""Tests superscripts, subscripts, hidden text and formulas on web pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.library.extracted import Extracted
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]


def _page(body: str, head: str = "") -> str:
    return f"<html><head>{head}</head><body>{body}</body></html>"


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("38<sup>2</sup>", "38²"),
        ("4,512<sup><a href='#n'>1</a></sup> and 10<sup>-3</sup>", "4,512¹ and 10⁻³"),
        ("CO<sub>2</sub>", "CO₂"),
        ("38<span style='font-size:70%;vertical-align: super'>2</span>", "38²"),
        ("38<span class='small fn'>2</span>", "38²"),
        ("38<span style='vertical-align: text-bottom'>2</span>", "382"),
        ("38<span style='font-size:5.85pt;position:relative;top:-3.15pt;vertical-align:baseline'>2</span>", "38²"),
        ("38<span style='position:absolute;top:-3pt'>2</span>", "382"),
        ("38<span style='position: relative; top: -1px'>2</span>", "382"),
        ("CO<span style='vertical-align:-20%'>2</span>", "CO₂"),
        ("a duck<sup>[2]</sup>", "a duck[2]"),
        ("the 1<sup>st</sup>", "the 1st"),
        ("3<sup>1</sup>/<sub>2</sub>", "3½"),
    ],
)
@pytest.mark.parametrize(
    "block", ["<p>{}</p>", "<ul><li>{}</li></ul>", "<table><tr><td>a</td><td>{}</td></tr></table>"]
)
def test_what_is_raised_joins_no_number(read: Read, block: str, inner: str, text: str) -> None:
    head = "<style>p.x, .fn { font-size: 8px; vertical-align: super } .other { vertical-align: top }</style>"
    shown = read("made.html", _page(block.format(inner), head)).text.removeprefix("- ").removeprefix("a | ")
    assert shown == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<mn>2</mn><mfrac><mn>3</mn><mn>4</mn></mfrac>", "2¾"),
        ("<mn>2</mn><mfrac><mn>7</mn><mn>10</mn></mfrac>", "2 7/10"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>max</mi></msub>", "x²+y_max"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "√(a+b)"),
        ("<semantics><mi>x</mi><annotation>\\frac{1}{2}</annotation></semantics>", "x"),
        ("<msup><mi>" * 200 + "deep" + "</mi></msup>" * 200, "deep"),
    ],
)
def test_formulas_are_read_in_order(read: Read, formula: str, text: str) -> None:
    assert read("made.html", _page(f"<p>r = <math>{formula}</math></p>")).text == f"r = {text}"


def test_a_formula_that_is_hidden_behind_its_picture_is_read(read: Read) -> None:
    page = _page("<p>r = <span style='display:none'><math><mi>x</mi></math></span><img alt='x'></p>")
    assert read("made.html", page).text == "r = x"


def test_what_is_hidden_is_left_out_and_counted(read: Read, settings: Settings) -> None:
    page = _page(
        "<p>shown</p><p hidden>secret</p><ul><li>one</li><li style='display: none'>two</li></ul><table>"
        "<tr><th>City</th><th>Sales</th></tr><tr hidden><td>Acre</td><td>9</td></tr><tr><td>Haifa</td><td>12</td></tr>"
        "</table><div style='display:none'></div>"
    )
    extracted = read("made.html", page)
    assert not {"secret", "two", "Acre"} & set(extracted.text.replace("|", " ").split())
    assert extracted.notes[0][0] == "Hidden text was not read. Paragraphs with hidden text: 3."
    settings.reading = settings.reading.model_copy(update={"hidden": True})
    extracted = read("made.html", page)
    assert {"secret", "two", "Acre"} <= set(extracted.text.replace("|", " ").split())
    assert not extracted.notes
