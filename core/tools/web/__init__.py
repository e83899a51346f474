"""The web: *a query or an address* → pages, as engines and servers tell of them, let in as bounded plain text."""
