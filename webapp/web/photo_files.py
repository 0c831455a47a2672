"""The files that are kept of a photo."""

from __future__ import annotations

UPRIGHT = "upright.jpg"
"""Upright and in full size, for reading it again."""
SHOWN = "photo.jpg"
"""As the page shows it."""
SENT = "sent"
"""As it came, until it is read."""
