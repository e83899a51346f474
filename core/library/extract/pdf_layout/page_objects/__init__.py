"""Reads the text objects of a PDF page where PDFium's text does not show all of them."""
