"""Finds what a passage names outside its sentences: values of labelled lines ("Operator: ..."), cells of tables under a
column that says what they are, what a table measures, addresses and signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.knowledge.extraction.document_words import DocumentWords
from core.knowledge.extraction.gazetteer import place_key
from core.knowledge.extraction.heads import head_kind, heads, kind_of_name, label_kind
from core.knowledge.extraction.metrics import metric_key
from core.knowledge.extraction.name_context import has_shape, has_shape_of_person
from core.knowledge.extraction.patterns import Span
from core.knowledge.extraction.people import person_key
from core.knowledge.extraction.proper_names import SHORT, is_name, name_span
from core.knowledge.records import EntityKind
from core.language.normalisation import fold
from core.language.terms import is_stop_word

_LABELLED = re.compile(
    r"^\W{0,4}(?P<label>[A-Z][A-Za-z/ -]{1,40}(?: \([A-Z]{2,5}\))?): (?P<value>[A-Z0-9][^:|]{1,90})$"
)
_TITLE_BEHIND = re.compile(r"(?:,? (?:Ph\.? ?D|M\.?D|Jr|Sr|Esq)\.?)?(?: Title| \(|,? and (?=[A-Z])|;).{0,120}$")
_NUMBER = re.compile(r"[$€£(]?-?\d[\d,.]*%?\)?|[-–—]|\(?[A-Z]{1,2}\)|")
_JOINTS = ("of", "for", "and", "the")
_FULL = re.compile(r"[A-Z][\w'.-]{0,30}(?: [A-Za-z][\w'.-]{0,30}){1,3}")
_FAMILY_FIRST = re.compile(r"[A-Z][a-z'-]{1,20}, [A-Z][a-z]{1,15}(?: [A-Z]\.?)?")
_ADDRESS = re.compile(
    r"(?<![\w.])(?P<city>[A-Z][a-z]{2,20}(?: [A-Z][a-z]{1,20}){0,2}), (?P<state>[A-Z]{2})(?=[ ,.;)]|$)"
)
_SIGNED = re.compile(r"/s/ (?P<name>[A-Z][\w.'-]{0,20}(?: [A-Z][\w.'-]{0,20}){1,3})")
_ZIP = re.compile(r",? \d{5}\b")
_DEGREED = re.compile(
    r"^\W{0,3}(?P<name>[A-Z][\w.'-]{0,20}(?: [A-Z][\w.'-]{0,20}){1,3})"
    r"(?:, ?(?:[A-Z][A-Za-z]{0,2}\.?[A-Z]\.?|[A-Z]{2,5})){1,5}"
    r"(?: \(|$| (?P<role>[A-Z][a-z]{2,20}(?: [A-Z][a-z]{2,20}){0,4}), (?P<of>[A-Z][\w ,&-]{3,70})$)"
)
_STREET = re.compile(r"(?:Street|Avenue|Ave|Road|Rd|Blvd|Boulevard|Drive|Way|Lane|St|Suite|Floor|Box)\.?,? ")
MOST_MEASURES, LEAST_ROWS, LEAST_MEASURED = 12, 3, 5
LEAST_LISTED, LONGEST_BODY = 3, 8
LEAST_VALUES = 3
"""Minimum number of labelled values in a passage that is a record of one thing."""
LEAST_NUMBERS = 0.6
"""Minimum share of a column's cells that are numbers, if the column measures something."""
LONGEST_CELL = 40


def record_of(lines: Sequence[str], words: DocumentWords) -> Iterator[tuple[Span, Span, str]]:
    """The first product or event among labelled values, with each other value and its label: "Operator: ..." says who
    operates it."""
    values: list[tuple[Span, str]] = []
    for line in lines:
        if (labelled := _LABELLED.match(line.strip())) and (span := _labelled(labelled, line, words)):
            values.append((span, fold(labelled["label"].split("(")[0].strip())))
    main = next((span for span, _ in values if span.kind in ("product", "event")), None)
    if main is not None and len(values) >= LEAST_VALUES:
        yield from ((main, span, label) for span, label in values if span.key != main.key and span.kind != main.kind)


def values_in(line: str, words: DocumentWords) -> Iterator[Span]:
    """Names in a line that is no sentence."""
    for match in _SIGNED.finditer(line):
        name = _once(match["name"].rstrip(".,"))
        yield Span(match.start("name"), match.end("name"), "person", name, person_key(name))
    for match in _ADDRESS.finditer(line):
        zip_code = bool(_ZIP.match(line[match.end() :]))
        if match["state"] in heads().states and (zip_code or match["state"] not in heads().degrees):
            city = _STREET.split(match["city"] + " ")[-1].strip()
            if city and is_name(city.split(), words):
                yield name_span(city, "place", match.end("city") - len(city))
    if (degreed := _DEGREED.match(line)) and _is_full_name(degreed["name"], words) and not degreed["name"].isupper():
        yield name_span(degreed["name"], "person", degreed.start("name"))
        if degreed["of"] and kind_of_name(degreed["of"].split()) == "organisation":
            yield name_span(degreed["of"], "organisation", degreed.start("of"))
    labelled = _LABELLED.match(line.strip())
    if labelled and (span := _labelled(labelled, line, words)):
        yield span
    yield from _listed_persons(line, words)
    yield from _bodies(line, words)


def _listed_persons(line: str, words: DocumentWords) -> Iterator[Span]:
    """The names in a line that only lists persons, as authors below a title."""
    parts = [part.strip() for part in re.split(r",| and ", re.sub(r"[\d*†‡§¹²³⁴-⁹]", "", line)) if part.strip()]
    shaped = [part for part in parts if has_shape(part.split())]
    sure = [part for part in shaped if has_shape_of_person(part.split(), words)]
    if len(shaped) >= max(LEAST_LISTED, LEAST_NUMBERS * len(parts)) and len(sure) * 2 >= len(shaped):
        for part in shaped:
            yield name_span(part, "person", max(0, line.find(part)))


def _bodies(line: str, words: DocumentWords) -> Iterator[Span]:
    """Public bodies in a line of names, such as a table's source."""
    for part in re.split(r"[,;:]", line):
        name = part.strip(" .")
        parts = name.split()
        if 2 < len(parts) <= LONGEST_BODY and _is_body(parts):
            yield name_span(name, "organisation", line.find(name))


def _is_body(parts: Sequence[str]) -> bool:
    cut = next((at for at, part in enumerate(parts) if part in ("of", "for") and at), len(parts))
    if head_kind(parts[cut - 1]) != "organisation" or (parts[cut - 1].endswith("s") and parts[0] != "U.S."):
        return False
    if "and the" in " ".join(parts):
        return False
    capital = all(part[0].isupper() or part in _JOINTS for part in parts) and parts[0][0].isupper()
    plain = not any(fold(part) in heads().introduce and part not in _JOINTS for part in parts)
    return capital and plain and not any(part.isupper() and len(part) > SHORT for part in parts)


def _labelled(labelled: re.Match[str], line: str, words: DocumentWords) -> Span | None:
    kind = label_kind(labelled["label"])
    if kind is None:
        return None
    value = _TITLE_BEHIND.sub("", re.split(r" \(|, (?=[A-Z]{2}\b)|;", labelled["value"])[0]).strip(" ,")
    span = _value(value, kind, words)
    start = line.find(value)
    return replace(span, start=start, end=start + len(value)) if span else None


def _once(name: str) -> str:
    """A signer's name that is printed again below the signature."""
    parts = name.split()
    half = len(parts) // 2
    return " ".join(parts[:half]) if half and parts[:half] == parts[half:] else name


def role_in(line: str) -> str:
    """The office of a person in a line such as "Noa Bar, MD Chair, Board of Medicine"; empty if there is none."""
    degreed = _DEGREED.match(line)
    return f"{degreed['role']} of" if degreed and degreed["role"] else ""


def _value(value: str, kind: EntityKind, words: DocumentWords) -> Span | None:
    """The value as a name of this kind, if it can be one."""
    parts = value.split()
    if not 1 <= len(parts) <= 6 or any(is_stop_word(fold(part)) for part in parts[:1]) or not is_name(parts, words):
        return None
    own = kind_of_name(parts)
    if _FAMILY_FIRST.fullmatch(value) and kind in ("person", "company"):
        return name_span(value, "person", 0)
    if "," in value:
        return None
    if kind == "person" and not _is_full_name(value, words):
        return name_span(value, own, 0) if own and own != "person" else None
    if kind == "company" and own in (None, "person") and _is_full_name(value, words) and _has_plain_words(parts):
        kind = "person"
    elif own is not None and own != "person":
        kind = own
    return name_span(value, kind, 0)


def _is_full_name(value: str, words: DocumentWords) -> bool:
    parts = value.split()
    return (
        bool(_FULL.fullmatch(value))
        and 2 <= len(parts) <= 4
        and not words.is_common(parts[-1])
        and not all(map(words.is_common, parts[:-1]))
        and kind_of_name(parts) is None
    )


def _has_plain_words(parts: Sequence[str]) -> bool:
    return len(parts) in (2, 3) and all(
        part.strip(".").isalpha() and (part.istitle() or len(part) < 3) for part in parts
    )


@dataclass(frozen=True)
class Row:
    """The names in a table's row, and the measures that it has figures of."""

    things: tuple[Span, ...]
    measures: tuple[Span, ...] = ()


def things_of_table(text: str, words: DocumentWords) -> Iterator[Row]:
    """The rows of a table about things: a column's label says what its cells are. A table whose first column has each
    thing once, and figures in others, measures these things."""
    rows = [[cell.strip() for cell in line.split(" | ")] for line in text.splitlines() if " | " in line]
    width = len(rows[0]) if rows else 0
    body = [row for row in rows[1:] if len(row) == width]
    if width < 2 or len(body) < LEAST_ROWS:
        return
    kinds = [label_kind(label) if len(label) < LONGEST_CELL else None for label in rows[0]]
    if not any(kinds):
        yield from _measured_rows(body)
        return
    measures: list[Span] = []
    if kinds[0] and len({row[0] for row in body}) == len(body):
        columns = range(1, width)
        measures = [span for at in columns if (span := _measure(rows[0][at], [row[at] for row in body]))][
            :MOST_MEASURES
        ]
    for row in body:
        cells = [(kind, cell) for kind, cell in zip(kinds, row, strict=True) if kind]
        things = tuple(span for kind, cell in cells if (span := _cell(cell, kind, words)))
        if things:
            yield Row(things, tuple(measures) if kinds[0] and things[0].label == row[0] else ())


def _measured_rows(body: Sequence[Sequence[str]]) -> Iterator[Row]:
    """The labels of rows of figures, in a table that is about no things: each row is a measure."""
    found = [span for row in body if len(row) > 2 and (span := _measure(row[0], row[1:]))]
    if len(found) < LEAST_MEASURED:
        return
    if sum(place_key(span.label) is not None for span in found) * 2 >= len(found):
        yield from (Row((name_span(span.label, "place"),)) for span in found)
    else:
        yield Row((), tuple(found[:MOST_MEASURES]))


def _cell(cell: str, kind: EntityKind, words: DocumentWords) -> Span | None:
    if not 2 < len(cell) < LONGEST_CELL or cell.isupper() or not _is_cell(cell):
        return None
    if kind in ("person", "company"):
        return _value(cell, kind, words)
    own = kind_of_name(cell.split())
    if kind == "event" and own is None and " " not in cell:
        return None
    return name_span(cell, kind if own in (None, "person") else own)


def _is_cell(cell: str) -> bool:
    parts = cell.split()
    return len(parts) <= 5 and all(part[0].isupper() for part in parts)


def _measure(label: str, cells: Sequence[str]) -> Span | None:
    """What a column of numbers measures, by its label."""
    name = label.partition(" (")[0].strip(" :.")
    parts = name.split()
    numbers = [cell for cell in cells if any(sign.isdigit() for sign in cell) and _NUMBER.fullmatch(cell)]
    if len(numbers) < LEAST_NUMBERS * len(cells) or not 1 <= len(parts) <= 4 or not 4 <= len(name) <= LONGEST_CELL:
        return None
    if "·" in name or ".." in name or not name.replace(" ", "").replace("-", "").isalpha():
        return None
    if any(any(sign.isdigit() for sign in part) for part in parts) or not name[0].isalpha():
        return None
    folded = fold(name)
    if (
        is_stop_word(folded)
        or folded.split()[0] in ("total", "page", "number", "year", "date", "other", "all")
        or head_kind(name) == "person"
    ):
        return None
    return Span(0, 0, "metric", name, metric_key(folded))
