"""ODP: its reader is that of ODT, a page a slide."""

from core.library.extract.office.odt import extract_odp as extract_odp
