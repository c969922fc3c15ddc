"""Drawings on a page: charts, bar codes and SVG images become plain items here."""
