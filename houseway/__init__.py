"""Houseway: house-banked table games, one rules definition for play, proof and simulation."""

from houseway.options import Options
from houseway.refusal import Reason, Refused
from houseway.settlement import Line, Settlement, settle

__version__ = "0.1.0"
__all__ = ["Line", "Options", "Reason", "Refused", "Settlement", "__version__", "settle"]
