from __future__ import annotations

import pytest

from core.language.languages import text_language, whole_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wann endet der Vertrag mit Keller?", "de"),
        ("Qui est la directrice de la société ?", "fr"),
        ("¿Cuándo vence el contrato con la empresa?", "es"),
        ("Quando scade il contratto con la società?", "it"),
        ("Quando termina o contrato com a empresa que não paga?", "pt"),
        ("Wanneer eindigt het contract met de firma?", "nl"),
        ("Когда заканчивается договор?", "ru"),
        ("متى ينتهي العقد؟", "ar"),
        ("公司有多少员工？", "zh"),
        ("従業員は何人いますか？", "ja"),
        ("Коли закінчується договір із цією компанією?", "other"),
        ("حداقل درصد عرضه از تولید کل فروش چیست؟ گزارش", "other"),
        ("מה התקציב?", "he"),
        ("When does the contract end?", "en"),
        ("Juan de la Cruz and Ludwig van der Berg signed it in Los Angeles.", "en"),
        ("d08c07ecf2fa3858f8e744e51c3c6db5 6b2a73be-61e2-4b68-de-da", "en"),
        ("for (int i = 0; i < n; i++) { total += rows[i].size(); }", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert text_language(text) == language


def test_a_document_of_a_language_without_function_words_here_is_of_another() -> None:
    text = "Smlouva nabývá účinnosti dnem podpisu. Kupující zaplatí zálohu do deseti dnů. Řízení se řídí českým právem."
    assert whole_language(text) == "other"
    assert whole_language("The agreement takes effect when it is signed. The buyer pays a deposit in ten days.") == "en"
