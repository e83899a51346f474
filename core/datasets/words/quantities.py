"""Chooses what a question measures: a column it names, arithmetic over columns, or the usual column of amounts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.datasets.query.model import Derived
from core.datasets.words.draft import Draft, Quantity, is_averaged, quantity_of
from core.datasets.words.frames import Field
from core.datasets.words.links import ColumnLink, ValueLink, heading_words
from core.datasets.words.tokens import words_of
from core.datasets.words.vocabulary import groups_of, headings, is_filler, operations

_NAMED = 0.9


def arithmetic_of(draft: Draft) -> Quantity | None:
    """Returns the product, quotient or sum of two columns that are joined by a word such as "times"."""
    tokens = draft.tags.words.tokens
    links = [link for link in draft.tags.columns if link.field.column.is_numeric]
    for left, right in pairwise(links):
        between = [
            token.text
            for token in tokens[left.last : right.first]
            if not is_filler(token.text) or token.text in operations().arithmetic
        ]
        signs = [operations().arithmetic[word] for word in between if word in operations().arithmetic]
        if len(signs) == 1 and right.first - left.last <= 2 and signs[0] in "*/+":
            draft.explain(left), draft.explain(right)
            for other in links:
                if other not in (left, right) and other.last <= left.first and _only_introduces(draft, other, left):
                    draft.explain(other)
            draft.tags.left = [place for place in draft.tags.left if not _is_product_word(tokens[place].text)]
            return _calculated(left.field, signs[0], right.field)
    return None


def _is_product_word(word: str) -> bool:
    """Returns whether a word such as "revenue" names what a product of columns gives."""
    return any(groups_of(name) & groups_of(word) for name in headings().products)


def _only_introduces(draft: Draft, link: ColumnLink, left: ColumnLink) -> bool:
    """Returns whether a column is named only for what is calculated then: "value of stock (on hand times cost)"."""
    return link.first < left.first


def _calculated(left: Field, sign: str, right: Field, name: str = "") -> Quantity:
    shown = {"*": "×", "/": "÷"}.get(sign, sign)
    name = name or f"{left.column.name} {shown} {right.column.name}"
    derived = Derived(name=name, expression=f"[{left.name}] {sign} [{right.name}]")
    return Quantity(name, derived=derived, needs=(left.name, right.name))


def quantities(draft: Draft) -> list[Quantity]:
    """Returns the columns that a question names as measures, the best first; several if it is unclear which."""
    links = [link for link in draft.free if link.field.column.is_numeric]
    return [quantity_of(link.field) for link in sorted(links, key=lambda link: -link.score)]


def product_of(draft: Draft) -> Quantity | None:
    """Returns quantity × price if the question asks for revenue and no column holds it."""
    for place, token in enumerate(draft.tags.words.tokens):
        if is_filler(token.text) or _is_linked(draft, place):
            continue
        names = headings().products.get(token.text) or next(
            (
                parts
                for name, parts in headings().products.items()
                if groups_of(name) & groups_of(token.text) and not token.aside
            ),
            None,
        )
        if not names:
            continue
        count, price = (_field_for(draft, name) for name in names)
        if count and price and count.name != price.name:
            draft.tags.left = [each for each in draft.tags.left if each != place]
            draft.explained += [link for link in draft.free if link.field.name in (count.name, price.name)]
            return _calculated(count, "*", price, token.text)
    return None


def _is_linked(draft: Draft, place: int) -> bool:
    """Returns whether a word is a part of a value, or names a numeric column."""
    numeric = [link for link in draft.tags.columns if link.field.column.is_numeric or link.score >= _NAMED]
    links: list[ValueLink | ColumnLink] = [*draft.tags.values, *numeric]
    return any(link.first <= place < link.last for link in links)


def _field_for(draft: Draft, name: str) -> Field | None:
    """Returns the numeric column for a name such as *price*; a price for one of the counted things goes first."""
    groups = groups_of(name)
    found: list[tuple[int, Field]] = []
    for field in draft.frame.fields:
        words = words_of(field.column.name)
        if field.column.is_numeric and any(groups_of(word) & groups for word in words):
            is_first = bool(words) and name in words
            found.append((int(is_first), field))
    if name == "quantity" and not found:
        counts = [field for field in draft.frame.fields if field.column.type == "number" and not is_averaged(field)]
        found = [(0, field) for field in counts if _is_counted_in_price(draft, field)]
    found.sort(key=lambda pair: -pair[0])
    return found[0][1] if found else None


def _is_price(field: Field) -> bool:
    groups = groups_of("price")
    return field.column.is_numeric and any(groups_of(word) & groups for word in words_of(field.column.name))


def _is_counted_in_price(draft: Draft, field: Field) -> bool:
    """Returns whether another column gives a price for one of what ``field`` counts: *Stems*, *Price per stem*."""
    own = set(groups_of(field.column.name)) or set()
    words = heading_words(field.column.name)
    from core.datasets.words.tokens import agreement

    return any(
        _is_price(other)
        and any(agreement(word, each) >= 0.95 for word in words for each in words_of(other.column.name))
        for other in draft.frame.fields
        if other.name != field.name
    ) or bool(own & groups_of("quantity"))


def default_money(draft: Draft) -> Quantity | None:
    """Returns the only column of amounts of money, without prices and limits."""
    fields = [field for field in draft.frame.fields if field.column.type == "money" and not is_averaged(field)]
    fields = [field for field in fields if not _is_limit(field)]
    if len(fields) == 2 and groups_of(heading_words(fields[0].column.name)[0]) & groups_of("debit"):
        fields = fields[:1]
    return quantity_of(fields[0], is_assumed=True) if len(fields) == 1 else None


def _is_limit(field: Field) -> bool:
    return any(word in headings().limits for word in words_of(field.column.name))


def default_number(draft: Draft) -> Quantity | None:
    """Returns the only numeric column, or the only column of quantities."""
    fields = [field for field in draft.frame.fields if field.column.is_numeric]
    if len(fields) == 1:
        return quantity_of(fields[0], is_assumed=True)
    return sold_quantity(draft)


def sold_quantity(draft: Draft) -> Quantity | None:
    """Returns the column that holds how many pieces a row is about."""
    groups = groups_of("quantity")
    fields: Sequence[Field] = [
        field
        for field in draft.frame.fields
        if field.column.type == "number" and any(groups_of(word) & groups for word in words_of(field.column.name))
    ]
    return quantity_of(fields[0], is_assumed=True) if len(fields) == 1 else None
