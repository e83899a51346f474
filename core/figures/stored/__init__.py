"""Stores the figures of documents when they are read, and looks them up by measure, entity and period."""
