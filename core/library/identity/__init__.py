"""What a document is, told by rule from its cover: kind, title, organisations, periods and date."""
