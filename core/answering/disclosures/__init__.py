"""Answers from what filings state about their company: facts, officers, industry, customers, acquisitions, current
reports."""
