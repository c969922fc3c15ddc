"""The gallery: an example of every kind and option, drawn to `docs/gallery` by `make gallery` and tested."""
