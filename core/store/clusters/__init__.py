"""Sets up MongoDB and Qdrant clusters: how records and passages are distributed, and how server errors are handled."""
