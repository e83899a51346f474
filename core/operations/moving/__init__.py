"""Everything that is kept, carried from one kind of stores to another (``move``), and compared number by number."""
