"""How records and passages lie on clusters of MongoDB and Qdrant, and what these answer."""
