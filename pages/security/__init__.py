"""Security between network and pages: *requests* → accepted or refused; *replies* → restrictions for browsers."""
