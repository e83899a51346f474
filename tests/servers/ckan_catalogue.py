"""The test catalogue in ``benchmarks/open_data`` in the form that a CKAN portal has: packages, resources, rows.

Generated data depends only on the names, so a data set has the same ids and rows in every run.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from core.parsed_yaml import parse_yaml
from core.tools.datagov.ckan import Package
from core.tools.datagov.records import Column, ResourceMap

DATA = Path(__file__).parents[2] / "benchmarks" / "open_data"
STORED = ("CSV", "XLSX", "XLS")
NOT_STORED = 7
"""Every data set with a spreadsheet whose number is divisible by this exists only as a file, with unknown columns."""
CITIES = [
    ("ירושלים", 3000), ("תל אביב - יפו", 5000), ("חיפה", 4000), ("באר שבע", 9000), ("ראשון לציון", 8300),
    ("פתח תקווה", 7900), ("אשדוד", 70), ("נתניה", 7400), ("חולון", 6600), ("בני ברק", 6100), ("רמת גן", 8600),
    ("אשקלון", 7100), ("הרצליה", 6400), ("כפר סבא", 6900), ("חדרה", 6500), ("נצרת", 7300), ("רחובות", 8400),
    ("רעננה", 8700), ("אילת", 2600), ("טבריה", 6700), ("עכו", 7600), ("נהריה", 9100),
]  # fmt: skip
MUNICIPAL = {
    "beer-sheva": CITIES[3], "haifa": CITIES[2], "jerusalem-municipality": CITIES[0],
    "tel-aviv-municipality": CITIES[1], "petah-tikva-municipality": CITIES[5],
    "maaleedumim": ("מעלה אדומים", 3616),
}  # fmt: skip
STREETS = ["הרצל", "ז'בוטינסקי", "בן גוריון", "ויצמן", "הנביאים", "רוטשילד", "העצמאות", "סוקולוב"]
MAKERS = ["טויוטה", "יונדאי", "קיה", "מאזדה", "סקודה", "טסלה"]
STATES = ["פעיל", "לא פעיל", "בבדיקה"]


@dataclass(frozen=True)
class MadeDataset:
    """One line of the catalogue; ``columns`` is ``None`` if the data cannot be queried."""

    name: str
    title: str
    tags: tuple[str, ...]
    columns: tuple[str, ...]
    count: int
    format: str
    notes: str
    organisation: str
    publisher: str
    group: str
    group_title: str
    number: int
    known_rows: tuple[tuple[Any, ...], ...] = field(default=())

    @property
    def id(self) -> str:
        return str(uuid5(NAMESPACE_URL, f"set/{self.name}"))

    @property
    def resource_id(self) -> str:
        return str(uuid5(NAMESPACE_URL, f"resource/{self.name}"))

    @property
    def slug(self) -> str:
        """The data set's name in addresses: a number, as in half of the published addresses. ``name`` is not used
        there, because it is English and would match English questions."""
        return str(100 + self.number)

    @property
    def stored(self) -> bool:
        if not self.columns or self.format not in STORED:
            return False
        return self.format == "CSV" or self.number % NOT_STORED != 0

    @property
    def changed(self) -> str:
        chance = random.Random(self.name)
        return f"2026-{chance.randint(1, 10):02}-{chance.randint(1, 28):02}T08:{chance.randint(10, 59)}:00.000000"

    @cached_property
    def types(self) -> dict[str, str]:
        """Returns the column types as the data store reports them; generates only one row for this."""
        first = dict(zip(self.columns, self.known_rows[0], strict=True)) if self.known_rows else None
        row = first or _row(self, random.Random(f"rows of {self.name}"), 0)
        return {name: "numeric" if isinstance(value, int | float) else "text" for name, value in row.items()}

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Returns the rows as the data store does; each starts with the data store's own row number."""
        chance = random.Random(f"rows of {self.name}")
        made = [dict(zip(self.columns, each, strict=True)) for each in self.known_rows]
        made += [_row(self, chance, place) for place in range(len(made), self.count)]
        return [{"_id": place + 1, **row} for place, row in enumerate(made)]

    def package(self, address: str) -> dict[str, Any]:
        """The reply of ``package_show``."""
        return {
            "id": self.id,
            "name": self.slug,
            "title": self.title,
            "notes": self.notes or None,
            "organization": {"name": self.organisation, "title": self.publisher},
            "tags": [{"name": tag, "display_name": tag} for tag in self.tags],
            "groups": [{"name": self.group, "title": self.group_title}],
            "metadata_modified": self.changed,
            "num_resources": 1,
            "resources": [
                {
                    "id": self.resource_id,
                    "name": self.title,
                    "format": self.format,
                    "url": f"{address}/dataset/{self.id}/resource/{self.resource_id}/download/{self.slug}.csv",
                    "last_modified": self.changed,
                    "datastore_active": self.stored,
                }
            ],
        }


@cache
def made_datasets() -> tuple[MadeDataset, ...]:
    """All data sets, in the order of the files."""
    organisations, groups = _read("organisations"), _read("groups")
    kits, known = _read("columns")["kits"], _read("rows")
    found: list[MadeDataset] = []
    for file in sorted((DATA / "catalogue").glob("*.yaml")):
        for part in _parsed(file):
            for line in part["sets"].strip().splitlines():
                name, title, tags, columns, rows, form, *notes = (cell.strip() for cell in line.split("|"))
                named = [each.strip() for each in columns.split("+")]
                found.append(
                    MadeDataset(
                        name=name,
                        title=title,
                        tags=tuple(each.strip() for each in tags.split(",") if each.strip()),
                        columns=tuple(column for each in named for column in kits.get(each, [each])),
                        count=int(rows),
                        format=form,
                        notes=notes[0] if notes else "",
                        organisation=part["organisation"],
                        publisher=organisations[part["organisation"]],
                        group=part["group"],
                        group_title=groups[part["group"]],
                        number=len(found),
                        known_rows=tuple(map(tuple, known.get(name, []))),
                    )
                )
    return tuple(found)


def _read(name: str) -> Any:
    return _parsed(DATA / f"{name}.yaml")


def _parsed(path: Path) -> Any:
    return parse_yaml(path.read_text("utf-8"))


@dataclass(frozen=True)
class _At:
    """Values from which a cell may be generated."""

    column: str
    place: int
    city: str
    code: int
    chance: random.Random


VALUES: list[tuple[str, Callable[[_At], Any]]] = [
    ("סמל (?:יישוב|ישוב)", lambda at: at.code),
    ("יישוב|ישוב|^עיר$|city|yishuv", lambda at: f"{at.city}  " if at.place % 10 == 0 else at.city),
    ("טלפון|phone|telefon", lambda at: f"0{at.chance.choice([2, 3, 4, 8, 9])}-{at.chance.randint(5000000, 9999999)}"),
    ("כתובת|address|ktovet", lambda at: f"{at.chance.choice(STREETS)} {at.chance.randint(1, 120)}, {at.city}"),
    ('דוא"ל|דואר אלקטרוני', lambda at: f"office{at.place}@example.gov.il"),
    ("אינטרנט|קישור", lambda at: f"https://www.example.gov.il/{at.place}"),
    ("שעות", lambda _: "א-ה 08:00-16:00"),
    ("^שנה$|shnat yitzur", lambda at: 2015 + at.place % 10),
    ("^חודש$", lambda at: 1 + at.place % 12),
    ("תאריך|תוקף| dt$", lambda at: f"202{at.place % 6}-{1 + at.place % 12:02}-{1 + at.place % 28:02}T00:00:00"),
    ("^x$|^lon$", lambda at: round(34.6 + at.chance.random(), 5)),
    ("^y$|^lat$", lambda at: round(31.2 + at.chance.random(), 5)),
    ("tozeret", lambda at: at.chance.choice(MAKERS)),
    ("^סטטוס$", lambda at: at.chance.choice(STATES)),
    ("^שם|^name$|^shem$|נושא", lambda at: f"{at.column} {at.place + 1}"),
    ("אחוז|שיעור|ממוצע|מדד|תשואה|ערך", lambda at: round(at.chance.uniform(0, 100), 2)),
    ("", lambda at: at.chance.randint(1, 900)),
]
"""How cells are generated, by column name; the first match is used. Every tenth city is padded with spaces, as in
published data."""


def _row(made: MadeDataset, chance: random.Random, place: int) -> dict[str, Any]:
    city, code = MUNICIPAL.get(made.organisation) or CITIES[chance.randrange(len(CITIES))]
    return {column: _value(_At(column, place, city, code, chance)) for column in made.columns}


def _value(at: _At) -> Any:
    plain = at.column.lower().replace("_", " ")
    return next(make(at) for pattern, make in VALUES if re.search(pattern, plain))


def made_map(address: str = "http://portal.test", built_at: float = 0.0) -> ResourceMap:
    """Returns the map of data sets as the map builder makes it from this portal, but without any request."""
    datasets = []
    for made in made_datasets():
        dataset = Package.model_validate(made.package(address)).record()
        columns = [Column(name=name, type=kind) for name, kind in made.types.items()]
        looked = {"columns": columns, "rows": made.count} if made.stored else {}
        resources = [each.model_copy(update=looked) for each in dataset.resources]
        datasets.append(dataset.model_copy(update={"resources": resources}))
    return ResourceMap(address=address, built_at=built_at, announced=len(datasets), datasets=datasets)
