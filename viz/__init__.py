"""Renders records and events as sanitised HTML, and exports them as files."""
