"""Describes a document: metadata by rules, and by a model for the fields that the rules leave open."""
