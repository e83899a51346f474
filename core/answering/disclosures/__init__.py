"""Answers from a company's own filings: facts, officers, industry, customers, acquisitions, current reports."""
