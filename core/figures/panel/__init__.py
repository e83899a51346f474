"""Puts one measure of several organisations and periods side by side: a panel of figures with their cells."""
