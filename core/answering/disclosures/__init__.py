"""What filings say of their company: its industry, customers, regions, acquisitions; what a current report is about."""

from core.answering.disclosures.answers import answer_from_disclosures
from core.answering.disclosures.vocabulary import is_sought

__all__ = ["answer_from_disclosures", "is_sought"]
