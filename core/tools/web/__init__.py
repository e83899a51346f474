"""Searches the web and reads pages: *a query or an address* → pages as bounded plain text."""
