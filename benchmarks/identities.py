"""Compares the kind, title, organisation and period that are recognised for documents with labels.

`python -m benchmarks.identities --data FOLDER [--data FOLDER ...] [--half a|b] [--cache FOLDER] [--misses]`

Labels are in `identities.yaml`. The labelled files are found by name within the folders; missing files are left out and
counted. `--cache` keeps extracted text, `--pages N` reads only the first pages of a PDF (faster while rules are
written; use whole files for published figures).
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from core.language.normalisation import fold
from core.library.description.description import describe
from core.library.extract import extract
from core.library.extracted import Extracted
from core.library.identity.names import period_keys
from core.library.records import Document, Metadata
from core.settings import Settings

LABELS = Path(__file__).with_suffix(".yaml")
FIELDS = ("kind", "title", "organisation", "period")
FLOOR = 0.95
NOTHING = "-"


class Label(BaseModel):
    """The labels of one file; the head of ``identities.yaml`` explains the fields."""

    file: str | None = None
    filename: str | None = None
    text: str | None = None
    half: str
    kind: list[str]
    title: list[str]
    organisation: list[str]
    periods: list[str]
    date: str | None = None
    language: str | None = None

    @property
    def name(self) -> str:
        return self.file or self.filename or ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", default=[])
    parser.add_argument("--half", choices=["a", "b"])
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    labels = [Label.model_validate(row) for row in yaml.safe_load(LABELS.read_text(encoding="utf-8"))["documents"]]
    labels = [label for label in labels if options.half in (None, label.half)]
    results = []
    for label in labels:
        extracted = _extracted(label, options)
        if extracted is None:
            print(f"missing: {label.name}")
            continue
        metadata = describe(extracted, label.name)
        right = judge(label, metadata)
        results.append((label, right))
        if options.misses and not all(right.values()):
            _show(label, metadata, right)
    _report(results)


def judge(label: Label, metadata: Metadata) -> dict[str, bool]:
    """Returns which of the fields are right, by the rules at the head of ``identities.yaml``."""
    title = fold(metadata.title).strip(" .")
    names = {fold(name) for each in metadata.organisations[:2] for name in (each.name, *each.aliases)}
    organisation = bool(names & {fold(name) for name in label.organisation})
    right = {
        "kind": metadata.kind in label.kind,
        "title": title in {fold(accepted).strip(" .") for accepted in label.title},
        "organisation": organisation or (NOTHING in label.organisation and not metadata.organisations),
        "period": _period(label, metadata),
    }
    if label.date:
        right["date"] = metadata.date == label.date
    if label.language:
        right["language"] = metadata.language == label.language
    return right


def _period(label: Label, metadata: Metadata) -> bool:
    wanted = [key for key in label.periods if key != NOTHING]
    if not metadata.periods:
        return not wanted or NOTHING in label.periods
    if not wanted:
        return False
    first = metadata.model_copy(update={"periods": metadata.periods[:1]})
    return wanted[0] in _keys(first) and set(wanted) <= _keys(metadata)


def _keys(metadata: Metadata) -> set[str]:
    return period_keys(
        Document(
            _id="doc_1",
            user_id="u",
            filename="",
            mime="",
            size=0,
            sha256="",
            metadata=metadata,
            added_at=0,
            updated_at=0,
        )
    )


def _extracted(label: Label, options: Any) -> Extracted | None:
    settings = Settings()
    if label.text is not None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / (label.filename or "a.txt")
            path.write_text(label.text, encoding="utf-8")
            return extract(path, path.name, settings, lambda *_: None)
    path = next((found for folder in options.data for found in sorted(folder.rglob(label.name))), None)
    if path is None:
        return None
    kept = options.cache / f"{label.name}.json" if options.cache else None
    if kept and kept.exists():
        return Extracted.model_validate_json(kept.read_text(encoding="utf-8"))
    extracted = _first_pages(path, options.pages, settings)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(extracted.model_dump_json(), encoding="utf-8")
    return extracted


def _first_pages(path: Path, pages: int | None, settings: Settings) -> Extracted:
    if pages is None or path.suffix != ".pdf":
        return extract(path, path.name, settings, lambda *_: None)
    import pypdfium2

    with tempfile.TemporaryDirectory() as folder:
        document = pypdfium2.PdfDocument(path)
        short = pypdfium2.PdfDocument.new()
        short.import_pages(document, list(range(min(pages, len(document)))))
        copy = Path(folder) / path.name
        short.save(str(copy))
        found = extract(copy, path.name, settings, lambda *_: None)
        data = document.get_metadata_dict()
    return found.model_copy(update={"title": data.get("Title") or None, "author": data.get("Author") or None})


def _show(label: Label, metadata: Metadata, right: dict[str, bool]) -> None:
    wrong = [field for field, good in right.items() if not good]
    print(f"{label.half} {label.name}: {', '.join(wrong)}")
    found = {
        "kind": metadata.kind,
        "title": metadata.title,
        "organisation": [(each.name, each.aliases) for each in metadata.organisations],
        "period": [(each.key, each.names) for each in metadata.periods],
        "date": metadata.date,
        "language": metadata.language,
    }
    for field in wrong:
        print(f"    {field}: {found[field]}")


def _report(results: list[tuple[Label, dict[str, bool]]]) -> None:
    groups = {
        "filings": [right for label, right in results if label.file and label.text is None and _is_filing(label)],
        "further": [right for label, right in results if not _is_filing(label)],
    }
    below = False
    for name, rows in groups.items():
        if not rows:
            continue
        shares = {field: sum(row[field] for row in rows) / len(rows) for field in FIELDS}
        every = sum(all(row[field] for field in FIELDS) for row in rows) / len(rows)
        below |= any(share < FLOOR for share in shares.values())
        said = "  ".join(f"{field} {share:.3f}" for field, share in shares.items())
        print(f"{name:8} {len(rows):3} documents  {said}  all four {every:.3f}")
    if below:
        raise SystemExit(f"a figure is below {FLOOR}")


def _is_filing(label: Label) -> bool:
    """Returns whether a label belongs to a company filing: these come first in the label file, and their names contain
    the kind."""
    return label.name in FILINGS


FILINGS = frozenset(
    row["file"]
    for row in yaml.safe_load(LABELS.read_text(encoding="utf-8"))["documents"]
    if row.get("set") == "filings"
)


if __name__ == "__main__":
    main()
