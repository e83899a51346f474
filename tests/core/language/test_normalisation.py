from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.normalisation import fold, normalise, strip_nikud


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a \t b\n\nc ", "a b c"),
        ("“quoted” ‘single’", "\"quoted\" 'single'"),
        ("בע״מ צה''ל עמ׳", 'בע"מ צה"ל עמ\''),
        ("תל־אביב – ‑ −5", "תל-אביב - - -5"),
        ("\u200fשלום\u200e \u202babc\u202c\ufeff", "שלום abc"),
        ("ﬁle ＡＢＣ", "file ABC"),
        ("10² ½ ①", "10² ½ ①"),
        ("e\u0301", "é"),
        ("\ufb2a", "ש\u05c1"),
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_nikud_goes_and_maqaf_stays() -> None:
    assert strip_nikud("שָׁלוֹם־עוֹלָם") == "שלום־עולם"
    assert fold("שָׁלוֹם World") == "שלום world"
    assert fold("\ufb2aלום") == fold("שׁלום")


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert fold(fold(text)) == fold(text)


def test_lowered_digits_of_a_formula_are_compared_on_the_line() -> None:
    assert fold("CO₂ and Ca(OH)₂") == "co2 and ca(oh)2"
    assert fold("38₂") == "38₂"
