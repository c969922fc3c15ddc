"""Tables as worksheets: `sections/table.py` puts these parts together."""
