from __future__ import annotations

import pytest

from core.language.expansions import domains, expand, synonyms
from core.language.normalisation import fold


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("How much VAT is paid?", 'מע"מ'),
        ('מה שיעור המע"מ?', "VAT"),
        ("מה שיעור המע״מ?", "VAT"),
        ("number of hospitals", "בתי חולים"),
        ("כמה מיטות יש בבתי החולים", "hospital"),
        ('שכר המנכ"ל', "CEO"),
        ("the IT budget", "information technology"),
        ("שכר המינימום", "minimum wage"),
    ],
)
def test_both_ways(text: str, added: str) -> None:
    expansion = expand(text)
    assert added in expansion.added
    assert expansion.text.startswith(text)
    assert expansion.text.endswith(expansion.added[-1])


@pytest.mark.parametrize("text", ["is it done", "tell us who", "", "the universe", "שלום לכולם"])
def test_common_words_are_left_alone(text: str) -> None:
    assert expand(text) == (text, [])


def test_the_longest_name_wins() -> None:
    assert "rent" not in expand("minimum wage").added
    assert not {"law", "חוק"} & set(expand("High Court of Justice").added)


def test_what_is_said_is_not_added() -> None:
    assert "GDP" not in expand("GDP (gross domestic product)").added


def test_the_data_has_22_domains_and_no_name_in_two_groups() -> None:
    assert len(domains()) == 22
    names = [fold(name) for _, group in synonyms() for name in group]
    assert len(names) == len(set(names))
    assert all(any(fold(name).isascii() for name in group) for _, group in synonyms())
