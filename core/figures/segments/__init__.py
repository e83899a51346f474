"""Answers questions about a company's parts: which segment or category leads, grew most, or exceeds a share."""
