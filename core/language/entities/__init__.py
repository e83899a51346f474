"""The facts of a text, in English and Hebrew: *text* → numbers with units and limits, dates, names."""
