"""Mail in other wrappings than one message by itself: mailboxes and messages of Outlook."""
