"""Files of office programs, beyond what their readers share with other formats."""
