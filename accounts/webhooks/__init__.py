"""Webhooks: organizations hear of what happens, signed and repeated until it is received."""
