"""What a model may take out of a book: its kinds, and the categories by which it is kept and filtered."""

from __future__ import annotations

from typing import Literal, get_args

FindingKind = Literal["quote", "mental_model", "summary"]
FINDINGS: tuple[FindingKind, ...] = get_args(FindingKind)
BookKind = Literal["passage", "quote", "mental_model", "summary"]
"""What can be asked for of books: their own text, and what was taken out of it."""

Category = Literal[
    "philosophy", "psychology", "business", "finance", "law", "science", "technology", "health", "relationships",
    "creativity", "leadership", "spirituality", "education", "economics", "politics", "history", "literature", "art",
    "music", "sports", "nature", "personal_development", "productivity", "communication", "decision_making",
    "strategy", "innovation", "ethics", "culture", "society", "environment",
]  # fmt: skip
"""Keys, alike in every language; pages say them in words."""
CATEGORIES: tuple[Category, ...] = get_args(Category)
