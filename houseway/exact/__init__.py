"""Exact: counts, strategies and par sheets as fractions, from the rules that pay people."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houseway.exact.pricing import par

__all__ = ["par"]


def __getattr__(name: str) -> Any:
    """`houseway.exact.par`, loaded when first used."""
    if name == "par":
        from houseway.exact.pricing import par

        return par
    raise AttributeError(f"module 'houseway.exact' has no attribute {name!r}")
