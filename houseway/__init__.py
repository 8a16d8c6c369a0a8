"""Houseway: house-banked table games, one rules definition for play, proof and simulation."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houseway.house.options import Options
    from houseway.refusal import Reason, Refused
    from houseway.rules.lines import Line
    from houseway.rules.settlement import Settlement, settle

__version__ = "0.1.0"
__all__ = ["Line", "Options", "Reason", "Refused", "Settlement", "__version__", "settle"]

_HOMES = {
    "Line": "rules.lines",
    "Options": "house.options",
    "Reason": "refusal",
    "Refused": "refusal",
    "Settlement": "rules.settlement",
    "settle": "rules.settlement",
}


def __getattr__(name: str) -> Any:
    """A public name, loaded when first used, so that a command loads only what it needs."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'houseway' has no attribute {name!r}")
    return getattr(import_module(f"houseway.{_HOMES[name]}"), name)
