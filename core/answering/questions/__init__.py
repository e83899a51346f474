"""What a question wants done with figures: its operation, periods, and what narrows it."""
