"""Which models answer: the providers, what each offers, what is chosen, and whether it does what it should."""
