"""What runs cost in time, tokens and failures: counted in memory, kept by the day."""
