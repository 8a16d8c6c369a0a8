"""A small floor for tests: people, a link, tables, and commands in a word or two."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from houseway.floor.model import FloorModel
from houseway.journal.event import Command
from houseway.journal.journal import Journal
from houseway.journal.state import State
from houseway.meters import MICROCENTS

PEOPLE = {
    "a1": ("Ada", "administrator"),
    "d1": ("Dan", "dealer"),
    "d2": ("Dee", "dealer"),
    "s1": ("Sue", "supervisor"),
    "s2": ("Sam", "supervisor"),
    "e1": ("Eve", "executive"),
    "c1": ("Cal", "cage"),
    "u1": ("Uma", "auditor"),
    "v1": ("Viv", "surveillance"),
}
CHECKED = dict.fromkeys(("hand_seen", "wager_lit", "amount", "deck_counted", "surveillance"), True)
ON_CAMERA = dict.fromkeys(("hand", "wager", "amount", "player"), True)
SETTINGS = {"contribution_ppm": 200_000, "reserve_ppm": 50_000, "meter_seed_cents": 1_000_000}


MONDAY = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass
class Clock:
    """The clock of a floor, which stands still until somebody moves it."""

    at: datetime = MONDAY

    def __call__(self) -> str:
        return self.at.isoformat(timespec="microseconds")

    def move(self, **later: int) -> None:
        self.at += timedelta(**later)


_ROOMS = count(1)
"""Names rooms: where one is gone, the next may have its place in memory."""


class Room:
    """A journal with a floor on it."""

    def __init__(self, url: str, **options: Any) -> None:
        self.journal = Journal(url, FloorModel(), **{"clock": Clock(), **options})
        self._name = f"{os.getpid()}-{next(_ROOMS)}"
        self._numbers = count(1)

    def do(self, actor: str, command: str, /, **arguments: Any) -> Mapping[str, Any]:
        """Do a command as somebody; the key is made up."""
        return self.journal.do(self.command(actor, command, **arguments))

    def command(self, actor: str, asked: str, /, **arguments: Any) -> Command:
        """A command as somebody asks for it; an administrator gives the PIN unless told not to."""
        key = arguments.pop("key", None) or f"test-{self._name}-{next(self._numbers)}"
        if actor.startswith("a"):
            arguments.setdefault("pin_held", True)
        return Command(name=asked, arguments=arguments, actor=actor, key=key)

    @property
    def state(self) -> State:
        """What the journal has in memory."""
        found = self.journal._state
        assert found is not None
        return found

    def meter(self, link: str, level: str = "single") -> int:
        """Cents on a meter."""
        return self.state.owed(f"meter:{link}:{level}") // MICROCENTS

    def set_up(
        self,
        *,
        paytable: str = "1",
        progressive: str = "three-card-progressive",
        games: tuple[str, ...] = ("three-card-poker",),
        options: Mapping[str, str] | None = None,
        meters: Mapping[str, Any] | None = None,
        threshold: int = 1_000_000,
        **more: Any,
    ) -> None:
        """People, a link L and tables T1, T2 …, ready to play."""
        self.do("a1", "first_administrator", card="a1", name="Ada", pin_hash="x")
        for card, (name, role) in PEOPLE.items():
            if card != "a1":
                self.do("a1", "issue_card", card=card, name=name, role=role, pin_hash="x")
        meters = meters or {"single": SETTINGS}
        self.do(
            "a1",
            "make_link",
            link="L",
            progressive=progressive,
            paytable=paytable,
            meters=meters,
            **more,
        )
        self.do("a1", "set_thresholds", link="L", thresholds=dict.fromkeys(meters, threshold))
        for number, game in enumerate(games, start=1):
            table = f"T{number}"
            self.do("a1", "make_table", table=table, game=game, options=dict(options or {}))
            self.do("a1", "join_link", table=table, link="L", date="2026-01-01")

    def light(self, table: str, *positions: int, cents: int = 100) -> None:
        for position in positions:
            self.do(
                "d1",
                "light",
                table=table,
                position=position,
                cents=cents,
                player=f"player {position}",
                base_wager=True,
            )

    def on_camera(self, table: str, position: int, **more: Any) -> Mapping[str, Any]:
        """Surveillance looks at what a spot is to be paid; `of` is the spot of the hand."""
        if "of" in more:
            more["from"] = more.pop("of")
        asked = {"table": table, "position": position, "pin_held": True, "seen": ON_CAMERA}
        return self.do("v1", "check_on_camera", **{**asked, **more})
