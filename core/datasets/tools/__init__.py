"""Offers datasets to language models and other programs."""
