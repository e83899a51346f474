"""Drawing: *records and events* → sanitised HTML, and files to keep."""
