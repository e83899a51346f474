"""Analyses what a question says about where to search: terms, subject, periods and entities."""
