"""Tags of the dashboard's pages."""
