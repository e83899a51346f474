"""What people state of themselves, and what is suggested to be remembered of it."""
