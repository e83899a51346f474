"""Reads mail formats other than single messages: mailboxes and Outlook messages."""
