"""How outcomes bear on what is relevant: the ranking profiles and their boosts."""
