"""Summarizes a document without a model, with a layout that depends on the document's kind."""
