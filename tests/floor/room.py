"""A small floor for tests: people, a link, tables, and commands in a word or two."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from houseway.floor.model import FloorModel
from houseway.house.meters import MICROCENTS
from houseway.journal.event import Command
from houseway.journal.journal import Journal
from houseway.journal.state import State
from tests.floor.decks import stacked

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


PINNED = ("pay_award", "pay_adjustment", "reprint_page", "end_earlier_game", "close_link")
SUPERVISED = ("void ", "rule ", "correct ")


def takes_pin(actor: str, asked: str, arguments: Mapping[str, Any]) -> bool:
    """True for commands that pay, document or stop money, rulings, and all of administrators."""
    ruling = asked == "round" and str(arguments.get("text")).startswith(SUPERVISED)
    return actor.startswith("a") or asked in PINNED or ruling


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
        """A command as somebody asks for it; a PIN that it takes is given unless told not to."""
        key = arguments.pop("key", None) or f"test-{self._name}-{next(self._numbers)}"
        if takes_pin(actor, asked, arguments):
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
            self.do("a1", "join_link", table=table, link="L")

    def say(self, table: str, text: str, dealer: str = "d1") -> Mapping[str, Any]:
        """A step of the live round, as a round file writes it."""
        return self.do(dealer, "round", table=table, text=text, from_shuffler=True)

    def bet(
        self,
        table: str,
        *positions: int,
        cents: int = 100,
        players: Mapping[int, str] | None = None,
        dealer: str = "d1",
    ) -> None:
        """A new round in which these positions have an Ante and a progressive wager."""
        self.do(dealer, "open_round", table=table)
        for position in positions:
            player = (players or {}).get(position, f"player {position}")
            bets = f"ante 5, progressive {cents / 100:.2f}"
            self.say(table, f"bets {position} by {player}: {bets}", dealer)
        self.say(table, "no more bets", dealer)

    def start(self, table: str, *positions: int, dealer: str = "d1", **more: Any) -> None:
        """The same up to START GAME."""
        self.bet(table, *positions, dealer=dealer, **more)
        self.say(table, "start game", dealer)

    def deal(
        self,
        table: str,
        hands: Mapping[int, str | None],
        *,
        folds: tuple[int, ...] = (),
        settle: bool = True,
        dealer: str = "d1",
    ) -> None:
        """Deal a round that was started, each lit position the hand that is named for it."""
        found = self.state.streams[f"table:{table}"]
        link = self.state.streams[f"link:{found.link}"]
        deck = stacked(hands, link.pays)
        number = f"{found.deal_number:06d}"
        self.say(table, f"shuffle {table}x{number} by automatic, packets of 3: {deck}", dealer)
        self.say(table, "deliver", dealer)
        for position in sorted(hands):
            choice = "fold" if position in folds else "play"
            self.say(table, f"decide {position}: {choice}", dealer)
        if folds:
            self.say(table, "collect forfeits", dealer)
        self.say(table, "reveal dealer", dealer)
        if link.pays.community:
            self.say(table, "reveal community", dealer)
        if settle:
            self.say(table, "reconcile", dealer)

    def play(
        self,
        table: str,
        hands: Mapping[int, str | None],
        *,
        folds: tuple[int, ...] = (),
        dealer: str = "d1",
        **more: Any,
    ) -> None:
        """A round up to where every hand is settled and no button was pressed."""
        self.start(table, *sorted(hands), dealer=dealer, **more)
        self.deal(table, hands, folds=folds, dealer=dealer)

    def quiet_round(self, table: str, *positions: int, cents: int = 100) -> None:
        """A whole round in which nobody wins the progressive."""
        self.play(table, dict.fromkeys(positions), cents=cents)
        self.say(table, "close")

    def press(self, table: str, position: int, hand: str, dealer: str = "d1") -> int:
        """The hand button; returns the cents that the claim stands at, 0 for a fixed pay."""
        self.say(table, f"press {position}: {hand}", dealer)
        return self.claim(table, position)

    def claim(self, table: str, position: int) -> int:
        """The cents of an award that waits; 0 when none does."""
        found = self.state.streams[f"table:{table}"]
        pending = self.state.streams[f"link:{found.link}"].pending
        own = [p.amount_cents for p in pending if (p.table, p.position) == (table, position)]
        return own[0] if own else 0

    def confirm(self, table: str, position: int, card: str = "e1") -> Mapping[str, Any]:
        """Confirm and card."""
        asked = {"table": table, "position": position, "pin_held": True, "checklist": CHECKED}
        return self.do(card, "confirm_award", **asked)

    def on_camera(self, table: str, page: int, **more: Any) -> Mapping[str, Any]:
        """Surveillance looks at the award of a win page."""
        asked = {"table": table, "page": page, "pin_held": True, "seen": ON_CAMERA}
        return self.do("v1", "check_on_camera", **{**asked, **more})

    def pay_seen(self, table: str, position: int, **more: Any) -> Mapping[str, Any]:
        """Surveillance looks at a pay of the round; `of` is the spot of the hand, for envy."""
        if "of" in more:
            more["from"] = more.pop("of")
        asked = {"table": table, "position": position, "pin_held": True, "seen": ON_CAMERA}
        return self.do("v1", "check_on_camera", **{**asked, **more})
