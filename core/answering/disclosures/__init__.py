"""Answers from a company's own filings: facts, officers, industry, customers, acquisitions, reported events."""
