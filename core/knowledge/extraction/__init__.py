"""Extracts entities, terms and relations from texts."""
