from __future__ import annotations

import pytest

from core.library.extract.text import decode, normalise, normalise_line

HEBREW = "שלום עולם, זה מסמך בעברית עם 12 מילים."


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\u00a0\u2003 b\t c", "a b c"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("  a  \n  b  ", "a\nb"),
        ("zero\u200bwidth\ufeff\x00\x07", "zerowidth"),
        ("\u202bעברית\u202c", "עברית"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("\ufb01nal \ufb2a", "final \u05e9\u05c1"),
        ("e\u0301", "é"),
        ("\uf0b7 item", "• item"),
        ("page\fpage", "page\n\npage"),
    ],
)
def test_text_is_normalised(raw: str, clean: str) -> None:
    assert normalise(raw) == clean


def test_a_cell_stays_on_one_line() -> None:
    assert normalise_line(" a\n\n b\tc ") == "a b c"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (HEBREW, "cp1255"),
        (HEBREW, "iso-8859-8"),
        (HEBREW, "utf-8"),
        (HEBREW, "utf-8-sig"),
        (HEBREW, "utf-16"),
        ("plain text in wide letters, and more of it", "utf-16-le"),
        ("Été à la plage, où l'été s'achève déjà. Noël, garçon, château.", "cp1252"),
        ("Zażółć gęślą jaźń. Wszyscy ludzie rodzą się wolni i równi pod względem swej godności.", "cp1250"),
        ("Все люди рождаются свободными и равными в своем достоинстве и правах.", "cp1251"),
        ("يولد جميع الناس أحرارا متساوين في الكرامة والحقوق", "cp1256"),
    ],
)
def test_the_encoding_is_found(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_a_declared_encoding_is_believed_only_when_it_fits() -> None:
    assert decode(HEBREW.encode(), "windows-1252") == HEBREW
    assert decode("naïve".encode("latin-1"), "iso-8859-1") == "naïve"
    assert decode(HEBREW.encode("cp1255"), "no-such-encoding") == HEBREW


def test_hebrew_stored_as_it_looks_is_set_right() -> None:
    looks = "\n".join(line[::-1] for line in ["אנחנו הולכים הביתה אחרי יום ארוך", "עם חברים טובים מאוד"])
    assert decode(looks.encode("iso-8859-8")) == "אנחנו הולכים הביתה אחרי יום ארוך\nעם חברים טובים מאוד"
