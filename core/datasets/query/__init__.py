"""One query model over datasets: checked, compiled to parameterised SQL and run by DuckDB."""
