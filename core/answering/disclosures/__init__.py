"""What filings say of their company: plain facts, officers, its industry, customers, acquisitions; current reports."""
