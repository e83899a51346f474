"""Measures what messages get as answers: their route, memories, text in another language, first lines, columns."""
