"""Says where the rows of a dataset were fetched, and how many of all rows they are."""

from __future__ import annotations

from collections.abc import Iterable

from core.datasets.records import Dataset
from core.messages import message
from core.words import Language


def origins_of(datasets: Iterable[Dataset], language: Language) -> list[str]:
    """Returns a sentence for each dataset whose rows were fetched: publisher, portal, day, and number of rows."""
    made = []
    for dataset in datasets:
        origin = dataset.origin
        if origin is None or (rows := origin.rows) is None:
            continue
        key = "limited" if rows.limited_to else "whole" if rows.is_whole else "part"
        words = message(
            f"datasets.fetched.{key}",
            publisher=rows.publisher or dataset.name,
            portal=rows.portal,
            day=origin.day,
            fetched=rows.fetched,
            total=f"{rows.total:,}" if rows.total is not None else "?",
            limits=rows.limited_to,
        )
        made.append(words.to(language))
    return made


def is_doubtful_origin(dataset: Dataset) -> bool:
    """Returns whether a result over the dataset must be checked: rows may be left out, or another data set of the
    portal may be meant."""
    rows = dataset.origin.rows if dataset.origin else None
    return is_partial(dataset) or (rows is not None and not rows.fits)


def is_partial(dataset: Dataset) -> bool:
    """Returns whether the portal has rows that the dataset lacks, or may have."""
    rows = dataset.origin.rows if dataset.origin else None
    return rows is not None and (bool(rows.limited_to) or not rows.is_whole)
