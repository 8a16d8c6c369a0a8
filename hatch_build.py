"""Build hook: a package carries the built screens, and a wheel the trace of its checkout."""

import json
import sys
from dataclasses import asdict
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class HousewayHook(BuildHookInterface[Any]):
    """Builds the screens where they are missing, and adds houseway/catalog/trace.json."""

    def dependencies(self) -> list[str]:
        """A Node, where the screens are missing and the machine has none."""
        web = self._web()
        if web is None or web.BUILT.is_file() or web.find_npm() is not None:
            return []
        return [web.NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make what is not in the checkout; whoever installs it editable builds for himself."""
        if version == "editable":
            return
        web = self._web()
        if web is not None and not web.BUILT.is_file():
            web.build()
        if self.target_name == "wheel":
            self._add_trace(build_data)

    def _add_trace(self, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if not (root / "tests").is_dir():
            return
        sys.path.insert(0, self.root)
        from houseway.rules.trace import TRACE_FILE, trace_checkout

        made = root / "build" / TRACE_FILE
        made.parent.mkdir(exist_ok=True)
        made.write_text(json.dumps([asdict(entry) for entry in trace_checkout(root)]))
        build_data["force_include"][str(made)] = f"houseway/catalog/{TRACE_FILE}"

    def _web(self) -> Any:
        """The script that builds the screens; None where they have no sources."""
        script = Path(self.root) / "web" / "build.py"
        if not script.is_file():
            return None
        spec = spec_from_file_location("houseway_web_build", script)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
