"""Changes tiers and status automatically: promotion and rewriting."""
