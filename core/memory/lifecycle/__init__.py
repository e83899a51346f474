"""Changes the tiers and status of memories automatically: promotion and rewriting."""
