"""The things that documents speak of: companies, people, places, products, metrics, periods, laws, defined terms."""
