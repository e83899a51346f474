"""Searches the web and reads pages; returns pages as plain text of limited length."""
