"""Answers questions about a company's parts: which segment, category or nominee leads, grew most, or exceeds a
share."""
