"""Charts of computed results: typed columns in, a Plotly figure out."""
