"""Workloads that compare the renderers with hand-written programs: `python -m bench`, or `make bench`."""
