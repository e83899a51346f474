"""Finds the quantity and the function that a question asks for, by its words or by rule."""

from __future__ import annotations

from core.datasets.query.model import Function
from core.datasets.words import roles
from core.datasets.words.draft import Draft, Quantity, is_rank, quantity_of
from core.datasets.words.quantities import (
    arithmetic_of,
    default_money,
    default_number,
    product_of,
    quantities,
    sold_quantity,
)
from core.datasets.words.tokens import STEM, words_of
from core.datasets.words.vocabulary import bucket_of, groups_of, headings, is_filler, operations, whole_words
from core.language.terms import stem


def function_for(draft: Draft, quantity: Quantity | None) -> Function:
    """Returns the function that the question names, or the usual one of the quantity."""
    tags = draft.tags
    for name in ("median", "stddev", "percentile", "mean", "sum"):
        if tags.has(name):
            return name
    if quantity and quantity.field and is_rank(quantity.field):
        return "min"
    return "mean" if quantity and quantity.is_averaged else "sum"


def quantity_asked(draft: Draft) -> Quantity | None:
    """Returns what is measured: arithmetic, a named column, quantity × price, or the usual column of amounts."""
    named = next((each for each in quantities(draft) if _is_written(draft, each)), None)
    found = arithmetic_of(draft) or named or product_of(draft) or next(iter(quantities(draft)), None)
    if found and found.field:
        draft.explained += [link for link in draft.free if link.field.name == found.name]
        found = _as_percent(draft, found)
    return found


def _is_written(draft: Draft, quantity: Quantity) -> bool:
    """Returns whether the heading of a column is written out."""
    return any(link.field.name == quantity.name and link.score >= STEM for link in draft.free)


def _as_percent(draft: Draft, quantity: Quantity) -> Quantity:
    """Returns the column of percentages for the same thing if the question asks "in percent"."""
    field = quantity.field
    if (
        field is None
        or field.column.type == "percent"
        or not whole_words(operations().percent).search(draft.tags.words.text)
    ):
        return quantity
    own = field.column.name.casefold()
    twin = next(
        (each for each in draft.frame.fields if each.column.type == "percent" and own in each.column.name.casefold()),
        None,
    )
    return quantity_of(twin) if twin else quantity


def quantity_or_default(draft: Draft) -> Quantity | None:
    found = quantity_asked(draft)
    if found is None and not draft.tags.has("count"):
        found = default_money(draft) or default_number(draft)
        if found:
            draft.assumed.append(found.name)
    return found


def possible_quantities(draft: Draft) -> list[Quantity]:
    """Returns the columns that the same words may mean: "price" for base, peak and gas prices."""
    links = [link for link in draft.free if link.field.column.is_numeric]
    best = max(links, key=lambda link: link.score, default=None)
    if not links and (titled := _named_by_title(draft)):
        return titled
    if not links and draft.tags.has("how_much_or_many") and (sold := sold_in_question(draft)):
        # The same word asks for the amount and for the number of pieces.
        return [money, sold] if (money := default_money(draft)) else []
    if best is None or not best.others or len(links) > 1:
        return []
    return [quantity_of(field) for field in (best.field, *best.others) if field.column.is_numeric]


def words_of_quantity(draft: Draft) -> str:
    """Returns the words that may mean several columns."""
    links = [link for link in draft.tags.columns if link.field.column.is_numeric and link.others]
    spans = [(link.first, link.last) for link in links] + draft.tags.operations.get("how_much_or_many", [])
    averaged = {stem(word) for word in headings().averaged}
    names = {stem(word) for name in draft.frame.names for word in words_of(name)}
    tokens = draft.tags.words.tokens
    spans += [(n, n + 1) for n, token in enumerate(tokens) if stem(token.text) in names & averaged]
    return draft.tags.text(*spans[0]) if spans else ""


def _named_by_title(draft: Draft) -> list[Quantity]:
    """Returns the numeric columns of one unit if only the name of their sheet says what they are: prices."""
    names = {stem(word) for name in draft.frame.names for word in words_of(name)}
    averaged = {stem(word) for word in headings().averaged}
    tokens = draft.tags.words.tokens
    words = [token for token in tokens if stem(token.text) in names & averaged]
    fields = [field for field in draft.frame.fields if field.column.is_numeric and field.column.unit]
    same = len({field.column.unit for field in fields}) == 1
    return [quantity_of(field) for field in fields] if words and same and len(fields) > 1 else []


def titled_quantity(draft: Draft) -> Quantity | None:
    """Returns the only numeric column for "how many FTE" if only the title or the sheet's name says what it holds. A
    heading such as "Number of beds" says it, so that "how many hospitals" counts rows."""
    link, word = roles.counted(draft)
    names = {name for text in (*draft.frame.names, *draft.frame.dataset.titles) for name in words_of(text)}
    fields = [field for field in draft.frame.fields if field.column.is_numeric and not _is_year(field.column.name)]
    if link is not None or word not in names or len(fields) != 1 or _says_what(fields[0].column.name, names):
        return None
    return quantity_of(fields[0])


def _is_year(heading: str) -> bool:
    return any(bucket_of(word) == "year" for word in words_of(heading))


def _says_what(heading: str, names: set[str]) -> bool:
    """Returns whether a heading counts things that the title does not name."""
    words = words_of(heading)
    counts = any(groups_of(word) & groups_of("number") for word in words)
    return counts and any(not is_filler(word) and word not in names and not word.isdigit() for word in words)


def sold_in_question(draft: Draft) -> Quantity | None:
    """Returns the column of quantities for "how many espressos did we sell"."""

    link, word = roles.counted(draft)
    if link is not None or word or not any(token.text in operations().sold for token in draft.tags.words.tokens):
        return None
    return sold_quantity(draft)
