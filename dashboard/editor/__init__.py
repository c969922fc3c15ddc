"""What the editor knows about templates: forms of kinds, plausible sample data, places of errors. Pure."""
