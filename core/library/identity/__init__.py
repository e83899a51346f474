"""Identifies a document from its cover by rules: kind, title, organisations, periods and date."""
