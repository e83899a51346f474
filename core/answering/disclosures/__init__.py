"""Answers from a company's own filings: simple facts, officers, industry, customers, acquisitions, and events from
current reports."""
