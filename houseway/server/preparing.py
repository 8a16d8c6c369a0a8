"""Preparing: what questions need that is counted once, counted beside those who wait for it.

Questions for players have exact figures in them. The first one of a kind under new rules takes
seconds, every later one a millisecond; so the first ones are made in a thread of their own, and
pages ask again meanwhile.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Literal

from houseway.refusal import Refused
from houseway.rules.ruleset import Ruleset
from houseway.training.lesson import Lesson
from houseway.training.lessons import lessons_of
from houseway.training.meters import meter_points
from houseway.training.modules import Module
from houseway.training.skills import make_drill

Figures = Literal["ready", "counting", "missing", "failed"]
MOST = 96
"""Modules under some rules whose figures are at hand."""
MOST_WAITING = 8
"""What waits to be counted; whoever asks for more is told to wait, and asks again."""
LESSONS = "lessons"
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
            dealers = module.track == "dealer"
            found.add("ready" if dealers else self._state(ruleset, module.code, module.skills))
        worst: tuple[Figures, ...] = ("missing", "failed", "counting")
        return next((state for state in worst if state in found), "ready")

    def lessons(self, ruleset: Ruleset) -> Figures:
        """Whether the lessons of a game can be shown at once, with their questions."""
        return self._state(ruleset, LESSONS, ())

    def _state(self, ruleset: Ruleset, what: str, skills: tuple[str, ...]) -> Figures:
        key = (ruleset.digest, what)
        with self._lock:
            if key in self._known:
                # What was asked for last is let go of last.
                self._known[key] = self._known.pop(key)
                return self._known[key]
            if sum(state == "counting" for state in self._known.values()) >= MOST_WAITING:
                return "counting"
            self._known[key] = "counting"
            self._let_go()
        # Nobody waits for it when the server stops.
        threading.Thread(target=self._count, args=(key, ruleset, skills), daemon=True).start()
        return "counting"

    def _let_go(self) -> None:
        while len(self._known) > MOST:
            digest = next(iter(self._known))[0]
            for key in [key for key in self._known if key[0] == digest]:
                del self._known[key]
            self._forget(digest)

    def _count(self, key: tuple[str, str], ruleset: Ruleset, skills: tuple[str, ...]) -> None:
        came: Figures = "failed"
        try:
            with self._one_at_a_time:
                if key not in self._known:
                    return  # It was let go of while it waited for its turn.
                if key[1] == LESSONS:
                    make_lessons(ruleset)
                    meter_points(ruleset)
                for skill in skills:
                    # A house may play so that there is nothing to ask; whoever asks is told.
                    with suppress(Refused):
                        make_drill(skill, 0, ruleset)
            came = "ready"
        except ModuleNotFoundError as error:
            came = "missing"
            LOG.warning("questions cannot be counted: %s", error)
        except Exception:
            LOG.exception("%s of %s could not be counted", key[1], ruleset.game.code)
        with self._lock:
            if key in self._known:
                self._known[key] = came


def make_lessons(ruleset: Ruleset) -> list[dict[str, Any]]:
    """The lessons of a game, each with the questions at its end; no answer is in them."""
    found = []
    for lesson in lessons_of(ruleset):
        told = lesson.to_json()
        if told["example"] is not None:
            # What the seat was settled with is for whoever settles it again.
            told["example"].pop("seat")
        told["checks"] = [*_questions(lesson, ruleset)]
        found.append(told)
    return found


def _questions(lesson: Lesson, ruleset: Ruleset) -> Iterator[dict[str, Any]]:
    """The questions of a lesson, but for those that these rules leave nothing to ask of."""
    for check in lesson.checks:
        with suppress(Refused):
            yield make_drill(check.skill, check.seed, ruleset).to_json()
