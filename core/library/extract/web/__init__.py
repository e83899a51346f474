"""Reads how web pages display their elements."""
