"""What a question says of where to look: its terms, subject, periods and entities."""
