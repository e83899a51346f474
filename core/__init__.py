"""Implements the workbench without its pages: documents, questions and feedback in; cited answers, events, memories
out."""
