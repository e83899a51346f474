"""What changes tiers and status by itself: promotion, rewriting."""
