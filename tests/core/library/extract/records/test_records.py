"""Tests JSON, XML and YAML: tables when objects have the same fields, otherwise lines and sections."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from core.errors import PalimpsestError
from core.library.extract.records import alike
from core.library.extracted import Extracted

Read = Callable[[str, bytes | str], Extracted]
CITIES = [
    {"city": "Haifa", "sales": {"net": 1250.50, "gross": 1300}, "tags": ["port", "north"]},
    {"city": "Eilat", "sales": {"net": 7, "gross": 9}, "open": True},
]


def test_a_list_of_objects_is_a_table_whose_numbers_keep_their_form(read: Read) -> None:
    (table,) = read(
        "a.json", '[{"city":"Haifa","n":1.50,"e":1e5},{"city":"Eilat","n":007,"e":-2}]'.replace("007", "7")
    ).blocks
    assert (table.header, table.text) == ("city | n | e", "Haifa | 1.50 | 1e5\nEilat | 7 | -2")


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.ndjson", "a.yaml", "a.yml"])
def test_what_is_inside_an_object_has_columns_of_its_own(read: Read, name: str) -> None:
    lines = "\n".join(map(json.dumps, CITIES))
    text = lines if "json" in name and name != "a.json" else json.dumps({"cities": CITIES})
    (table,) = [block for block in read(name, text).blocks if block.kind == "table"]
    assert (table.header or "").splitlines()[-1] == "city | sales.net | sales.gross | tags | open"
    assert table.text.splitlines()[0] == "Haifa | 1250.5 | 1300 | port; north"
    assert table.text.splitlines()[1].startswith("Eilat | 7 | 9 |")


def test_a_list_inside_an_object_is_a_table_that_says_whose_it_is(read: Read) -> None:
    orders = [
        {"order": f"A{n}", "lines": [{"sku": f"s{n}{m}", "pieces": m} for m in (1, 2)], "total": n} for n in (1, 2)
    ]
    first, second = read("a.json", json.dumps({"orders": orders})).blocks
    assert (first.header or "").endswith("order | total")
    assert "orders.lines" in (second.header or "")
    assert second.text == "A1 | s11 | 1\nA1 | s12 | 2\nA2 | s21 | 1\nA2 | s22 | 2"


def test_objects_under_names_and_lists_under_names_are_tables(read: Read) -> None:
    by_year = {"2023": {"revenue": 5, "cost": 3}, "2024": {"revenue": 6, "cost": 4}}
    (table,) = read("a.json", json.dumps(by_year)).blocks
    assert (table.header, table.text) == ("key | revenue | cost", "2023 | 5 | 3\n2024 | 6 | 4")
    (table,) = read("a.json", json.dumps({"city": ["Haifa", "Eilat"], "sales": [3, 4]})).blocks
    assert (table.header, table.text) == ("city | sales", "Haifa | 3\nEilat | 4")


@pytest.mark.parametrize(
    "text",
    [
        '[["city", "sales", "year"], ["Haifa", 3, 2024], ["Eilat", 4, 2023]]',
        '{"index": [0, 1], "columns": ["city", "sales", "year"], "data": [["Haifa", 3, 2024], ["Eilat", 4, 2023]]}',
    ],
)
def test_rows_of_plain_values_are_a_table(read: Read, text: str) -> None:
    (table,) = read("a.json", text).blocks
    assert (table.header, table.text) == ("city | sales | year", "Haifa | 3 | 2024\nEilat | 4 | 2023")


def test_other_trees_are_sections_of_paths_and_values(read: Read) -> None:
    tree = {
        "title": "Plant settings",
        "pump": {"limit": {"night": 3, "day": 5}, "name": None, "modes": ["slow", "fast"]},
        "owner": {"contact": {"mail": "dana@example.org"}, "note": "x" * 400},
    }
    extracted = read("a.json", json.dumps(tree))
    assert extracted.title == "Plant settings"
    texts = [block.text for block in extracted.blocks]
    assert texts[:2] == ["title: Plant settings", "pump"]
    assert texts[2:3] == ["pump.limit.night: 3\npump.limit.day: 5\npump.modes: slow; fast"]
    assert any(text == "x" * 400 for text in texts)
    assert {block.text for block in extracted.blocks if block.level == 1} == {"pump", "owner"}


def test_objects_with_long_texts_are_sections(read: Read) -> None:
    notes = [{"name": f"Note {n}", "body": f"The pump number {n} failed. " * 30, "year": 2020 + n} for n in range(3)]
    blocks = read("a.json", json.dumps(notes)).blocks
    assert [block.text for block in blocks if block.kind == "heading"] == ["Note 0", "Note 1", "Note 2"]
    assert not [block for block in blocks if block.kind == "table"]
    assert "year: 2021" in [block.text for block in blocks]


def test_what_is_not_valid_is_read_as_far_as_it_goes_and_told(read: Read) -> None:
    extracted = read("a.json", '{"a": 1, "b": [the pump is broken')
    assert "the pump is broken" in extracted.text
    assert "JSON" in extracted.notes[0][0]
    extracted = read("a.jsonl", '{"a": 1, "b": 2}\nnot this\n{"a": 3, "b": 4}\n')
    assert extracted.blocks[0].text == "1 | 2\n3 | 4"
    assert "skipped: 1" in extracted.notes[0][0]
    assert read("a.json", '{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n').blocks[0].text == "1 | 2\n3 | 4"
    extracted = read("a.yaml", "a: [1, 2\nb: }{")
    assert "b: }{" in extracted.text
    extracted = read("a.xml", "<rows><row><a>1</a><b>2</b></row><row><a>3</a><b>4</b></row><row><a>5</a>")
    assert "3 | 4" in extracted.text
    assert "damaged" in extracted.notes[0][0]
    deep = "[" * 100_000 + "]" * 100_000
    for name in ("a.json", "a.yaml"):
        assert read(name, f'{{"word": "pump", "deep": {deep}}}').notes


def test_more_rows_than_are_kept_are_told(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "KEPT_ROWS", 10)
    extracted = read("a.json", json.dumps([{"a": n, "b": n} for n in range(12)]))
    assert len(extracted.blocks[0].text.splitlines()) == 10
    assert "first 10 rows" in extracted.notes[0][0]


def test_repeated_elements_are_a_table(read: Read) -> None:
    rows = "".join(
        f'<row id="{n}"><city>Town {n}</city><price currency="ILS">{n}.50</price></row>' for n in range(1, 4)
    )
    head = '<?xml version="1.0" encoding="windows-1255"?><!DOCTYPE sales SYSTEM "a.dtd">'
    text = f'{head}<sales xmlns="urn:x">{rows}</sales>'
    (table,) = read("a.xml", text.encode("cp1255")).blocks
    assert (table.header or "").splitlines()[-1] == "id | city | price.currency | price"
    assert table.text.splitlines()[1] == "2 | Town 2 | ILS | 2.50"


def test_xml_with_words_around_elements_is_prose(read: Read) -> None:
    text = (
        "<article><title>On pumps</title><sec><title>Results</title>"
        "<p>The pump <b>failed</b> in March.</p><p>It was mended.</p></sec></article>"
    )
    extracted = read("a.xml", text)
    assert [(block.text, block.kind) for block in extracted.blocks] == [
        ("On pumps", "heading"), ("Results", "heading"), ("The pump failed in March.", None), ("It was mended.", None),
    ]  # fmt: skip


def test_nothing_outside_is_resolved_and_nothing_grows(read: Read) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    for declared in (f'<!ENTITY l0 "lol">{laughs}', '<!ENTITY l8 SYSTEM "file:///etc/passwd">'):
        with pytest.raises(PalimpsestError, match="rejected"):
            read("a.xml", f"<!DOCTYPE a [{declared}]><a>&l8;</a>")
        with pytest.raises(PalimpsestError, match="rejected"):
            read("a.xml", f"<!DOCTYPE a [{declared}]><a>&l8;</a>".encode("utf-16"))
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    with pytest.raises(PalimpsestError, match="unpacked"):
        read("a.yaml", bomb)
    assert read("a.yaml", "a: &a\n  b: *a\n  c: pump\n").notes


def test_yaml_keeps_values_as_written_and_writes_out_aliases(read: Read) -> None:
    text = "base: &base {rate: 0x1F, on: yes, day: 2024-01-05}\none: {<<: *base, rate: 1_000}\nnote: ~\n"
    extracted = read("a.yaml", text + "---\nmore: &x !!python/object:os.system done\n")
    assert "rate: 0x1F" in extracted.text
    assert "one" in extracted.text
    assert "1_000" in extracted.text
    assert "2024-01-05" in extracted.text
