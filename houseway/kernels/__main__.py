"""Compile every kernel now: `python -m houseway.kernels`, so that nobody waits for it later."""

from importlib import import_module
from pkgutil import iter_modules

from houseway import kernels

for found in iter_modules(kernels.__path__, "houseway.kernels."):
    if not found.name.endswith("__main__"):
        import_module(found.name)
