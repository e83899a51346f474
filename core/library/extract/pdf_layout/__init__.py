"""From the glyphs of PDF pages to paragraphs, headings and tables in reading order."""
