"""Analyses what a question says about where to search: its terms, subject, periods and entities."""
