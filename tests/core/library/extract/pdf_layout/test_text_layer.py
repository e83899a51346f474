"""Tests that unreadable text layers are detected, and that texts of many kinds are accepted."""

from __future__ import annotations

import pytest

from core.library.extract.pdf_layout.text_layer import is_no_language

ENGLISH = (
    "The committee approved the budget of the library for the coming year and asked the treasurer to report on the "
    "cost of the new building before the summer, since two of the members had doubts about the size of the loan."
)
TEXTS = {
    "english": ENGLISH,
    "capitals": ENGLISH.upper(),
    "german": "Der Ausschuss genehmigte den Haushalt der Bibliothek für das kommende Jahr und bat den Schatzmeister, "
    "vor dem Sommer über die Kosten des neuen Gebäudes zu berichten, weil zwei Mitglieder Zweifel hatten.",
    "polish": "Komisja zatwierdziła budżet biblioteki na przyszły rok i poprosiła skarbnika o przedstawienie kosztów "
    "nowego budynku przed latem, ponieważ dwóch członków miało wątpliwości co do wysokości kredytu.",
    "czech": "Výbor schválil rozpočet knihovny na příští rok a požádal pokladníka, aby před létem podal zprávu o "
    "nákladech na novou budovu, protože dva členové měli pochybnosti o výši půjčky.",
    "vietnamese": "Ủy ban đã phê duyệt ngân sách của thư viện cho năm tới và yêu cầu thủ quỹ báo cáo về chi phí của "
    "tòa nhà mới trước mùa hè, vì hai thành viên nghi ngờ về quy mô của khoản vay này.",
    "turkish": "Komite, kütüphanenin gelecek yılki bütçesini onayladı ve iki üyenin kredinin büyüklüğü konusunda "
    "şüpheleri olduğu için saymandan yazdan önce yeni binanın maliyetini bildirmesini istedi.",
    "hebrew": "הוועדה אישרה את תקציב הספרייה לשנה הבאה וביקשה מהגזבר לדווח על עלות הבניין החדש לפני הקיץ, מפני "
    "ששניים מהחברים הטילו ספק בגודל ההלוואה ובתנאים שהציע הבנק לוועדה בישיבתה האחרונה.",
    "hindi": "समिति ने आने वाले वर्ष के लिए पुस्तकालय के बजट को मंजूरी दी और "
    "कोषाध्यक्ष से गर्मियों से पहले नए भवन की लागत पर रिपोर्ट देने को कहा।",
    "figures": " ".join(f"{1000 + 37 * n:,} ({n}) {n}.5% $ {n * 11}" for n in range(40)),
    "contents": "\n".join(f"Chapter {n} {'.' * 60} {n}" for n in range(20)),
    "code": "def read_page(document: Any, index: int) -> Page:\n    result = Page(index + 1)\n    with _loaded("
    "document, index) as (page, textpage):\n        if page is None:\n            return result\n        "
    "result.is_scan = is_scan(page, textpage)\n        for glyph in read_glyphs(textpage): "
    "total += glyph.x1 - glyph.x0\n",
}


def shifted(text: str, by: int) -> str:
    return "".join(chr((ord(letter) - 97 + by) % 26 + 97) if letter.isalpha() else letter for letter in text.lower())


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_many_kinds_are_read(name: str) -> None:
    assert not is_no_language(TEXTS[name])


@pytest.mark.parametrize(
    "text",
    [
        shifted(ENGLISH, 3),
        shifted(ENGLISH, 10),
        "".join(chr(ord(letter) - 29) for letter in ENGLISH if letter > "="),
        " ".join(f"(cid:{ord(letter)})" for letter in ENGLISH),
        2 * TEXTS["hebrew"].encode("cp1255", "ignore").decode("cp1252", "ignore"),
    ],
)
def test_letters_without_a_meaning_are_no_language(text: str) -> None:
    assert is_no_language(text)
