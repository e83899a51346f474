"""Reads other mail formats than single messages: mailboxes and Outlook messages."""
