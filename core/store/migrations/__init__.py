"""Data of an earlier version -> data of this one (``upgrade``): a backup, the missing steps, the format noted."""
