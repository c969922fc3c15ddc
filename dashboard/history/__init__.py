"""What changed between two versions: in words, in the definition, on the rendered pages."""
