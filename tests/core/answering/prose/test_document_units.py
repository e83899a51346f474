from core.answering.prose.document_units import Unit, document_units
from core.figures.records import Origin, TextEvidence

ORIGIN = Origin(1, "d1", "Survey of the Larkspur bridge", "larkspur.pdf")


def units(text: str, *path: str) -> list[Unit]:
    return document_units([TextEvidence(ORIGIN, "p0", text, path, 1)])


def test_labels_with_values_are_fields_and_labels_without_are_empty() -> None:
    found = units("Location: Harrow, Devon\n\nYear of Repair:\n\nSpan: 41 metres")
    assert [(unit.kind, unit.label, unit.text, unit.empty) for unit in found] == [
        ("field", "Location", "Harrow, Devon", False),
        ("field", "Year of Repair", "", True),
        ("field", "Span", "41 metres", False),
    ]


def test_cells_of_a_row_are_label_and_value_and_a_long_value_is_also_sentences() -> None:
    long = " ".join(["The deck was inspected by rope and by boat on three days in a dry week of late May."] * 3)
    found = units(f"Study sponsor | Devon County Council\nMethod | {long} It rained once.")
    assert (found[0].label, found[0].text) == ("Study sponsor", "Devon County Council")
    assert found[-1].text == "It rained once."
    assert found[-1].headings == ("Method",)


def test_headings_inside_running_text_belong_to_what_follows() -> None:
    found = units("1. PARTIES. This is between Ash and Birch. 12. GOVERNING LAW. Scots law governs it.")
    assert [(unit.text, unit.headings) for unit in found] == [
        ("This is between Ash and Birch.", ("PARTIES",)),
        ("Scots law governs it.", ("GOVERNING LAW",)),
    ]


def test_short_lines_are_headings_and_items_stay_below_them() -> None:
    found = units("Reasons for closing\n\n1. The bearings are worn out.\n\n2. The railing is loose.")
    assert [(unit.kind, unit.headings) for unit in found[1:]] == [("item", ("Reasons for closing",))] * 2
    assert found[0].kind == "heading"


def test_a_table_of_contents_states_nothing() -> None:
    rows = "\n".join(f"{name} | {page}" for name, page in (("Aim", 3), ("Method", 4), ("Results", 9), ("Notes", 12)))
    assert units(rows) == []


def test_repeated_text_of_overlapping_passages_is_returned_once() -> None:
    passages = [TextEvidence(ORIGIN, f"p{number}", "The deck is of oak and iron.", (), 1) for number in range(2)]
    assert len(document_units(passages)) == 1
