"""Recognises scanned pages in the background: stores the recognised text and runs the OCR job."""
