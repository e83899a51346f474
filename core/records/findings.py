"""Defines the findings that a model may extract from a document: their kinds, and the categories for filtering."""

from __future__ import annotations

from typing import Literal, get_args

FindingKind = Literal["quote", "mental_model", "summary"]
FINDINGS: tuple[FindingKind, ...] = get_args(FindingKind)
BookKind = Literal["passage", "quote", "mental_model", "summary"]
"""Kinds of results that a search in documents may return: passages of the document itself, and extracted findings."""

Category = Literal[
    "philosophy", "psychology", "business", "finance", "law", "science", "technology", "health", "relationships",
    "creativity", "leadership", "spirituality", "education", "economics", "politics", "history", "literature", "art",
    "music", "sports", "nature", "personal_development", "productivity", "communication", "decision_making",
    "strategy", "innovation", "ethics", "culture", "society", "environment",
]  # fmt: skip
"""Keys of the categories, the same in every language; pages display the categories' names."""
CATEGORIES: tuple[Category, ...] = get_args(Category)
