"""Build hook: a wheel carries the trace of the checkout it was built from."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TraceHook(BuildHookInterface[Any]):
    """Adds houseway/catalog/trace.json to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the trace and name it among the files of the wheel."""
        root = Path(self.root)
        if version == "editable" or not (root / "tests").is_dir():
            return
        sys.path.insert(0, self.root)
        from houseway.trace import TRACE_FILE, trace_checkout

        made = root / "build" / TRACE_FILE
        made.parent.mkdir(exist_ok=True)
        made.write_text(json.dumps([asdict(entry) for entry in trace_checkout(root)]))
        build_data["force_include"][str(made)] = f"houseway/catalog/{TRACE_FILE}"
