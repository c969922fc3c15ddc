"""Tables: widths, cells, rows in bulk, heads and groups, and the way down the pages."""
