"""Compile every kernel now, so that nobody waits for it: `python -m houseway.exact.kernels`."""

from importlib import import_module
from pkgutil import iter_modules

from houseway.exact import kernels

for found in iter_modules(kernels.__path__, "houseway.exact.kernels."):
    if not found.name.endswith("__main__"):
        import_module(found.name)
