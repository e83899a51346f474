"""Receives uploaded files: checks their size, stores them, and submits them for reading."""
