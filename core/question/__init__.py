"""Analyses a question: language, subject, documents, periods, entities, measures and the operation asked for."""
