"""Preparing: what questions need that is counted once, counted beside those who wait for it.

Questions for players have exact figures in them. The first one of a kind under new rules takes
seconds, every later one a millisecond; so the first ones are made in a thread of their own, and
pages ask again meanwhile.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from typing import Literal

from houseway.ruleset import Ruleset
from houseway.training.modules import Module
from houseway.training.skills import make_drill

Figures = Literal["ready", "counting", "missing"]
MOST = 96
"""Modules under some rules whose figures are at hand."""
LOG = logging.getLogger("uvicorn.error")


class Preparing:
    """Which modules under which rules are ready to be asked about."""

    def __init__(self, forget: Callable[[str], None]) -> None:
        self._forget = forget
        """Lets go of what was counted for rules, by their digest."""
        self._known: dict[tuple[str, str], Figures] = {}
        self._lock = threading.Lock()
        self._one_at_a_time = threading.Lock()

    def state(self, ruleset: Ruleset, modules: Iterable[Module]) -> Figures:
        """Whether all of these can be asked about at once; what cannot is begun to be counted."""
        found: set[Figures] = set()
        for module in modules:
            found.add("ready" if module.track == "dealer" else self._state(ruleset, module))
        return "missing" if "missing" in found else "counting" if "counting" in found else "ready"

    def _state(self, ruleset: Ruleset, module: Module) -> Figures:
        key = (ruleset.digest, module.code)
        with self._lock:
            if key in self._known:
                # What was asked for last is let go of last.
                self._known[key] = self._known.pop(key)
                return self._known[key]
            self._known[key] = "counting"
            self._let_go()
        # Nobody waits for it when the server stops.
        threading.Thread(target=self._count, args=(key, ruleset, module), daemon=True).start()
        return "counting"

    def _let_go(self) -> None:
        while len(self._known) > MOST:
            digest = next(iter(self._known))[0]
            for key in [key for key in self._known if key[0] == digest]:
                del self._known[key]
            self._forget(digest)

    def _count(self, key: tuple[str, str], ruleset: Ruleset, module: Module) -> None:
        came: Figures = "missing"
        try:
            with self._one_at_a_time:
                for skill in module.skills:
                    make_drill(skill, 0, ruleset)
            came = "ready"
        except ModuleNotFoundError as error:
            LOG.warning("questions cannot be counted: %s", error)
        except Exception:
            LOG.exception("questions of module %s could not be counted", module.code)
        with self._lock:
            if key in self._known:
                self._known[key] = came
