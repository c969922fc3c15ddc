"""What each page shows and does: a module per area, each with its `urls`."""
