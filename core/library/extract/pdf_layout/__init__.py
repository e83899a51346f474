"""Lays out PDF pages: from glyphs to paragraphs, headings and tables in reading order."""
