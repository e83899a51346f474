"""Wrong calls as models make them, servers that answer them, and faults."""
