"""Tests, one folder for each room of the package; helpers stand beside those who use them."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The checkout."""
