"""What filings say of their company: plain facts, officers, its industry, customers, acquisitions; current reports."""

from core.answering.disclosures.answers import answer_from_disclosures, is_sought

__all__ = ["answer_from_disclosures", "is_sought"]
