"""The command ``palimpsest``: one module per subcommand; all except ``serve`` call the server that holds the data."""
