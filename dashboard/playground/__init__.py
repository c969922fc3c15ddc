"""The playground's own parts: requests as code."""
