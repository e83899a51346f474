"""Tables whose rows are things: typed columns, bounded queries, results as DataFrames."""
