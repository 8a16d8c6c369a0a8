"""Console: a table with a progressive as the floor keeps it, for questions about its keys.

Nothing is decided here: every key is handed to the floor's own model, and what it refuses is
refused. There is no journal behind it; a console is made for one question and thrown away.
"""

from collections.abc import Collection, Mapping
from random import Random
from typing import Any

from houseway.floor import accounts
from houseway.floor.confirmation import CHECKLIST
from houseway.floor.link import Link, find_link, link_stream
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.person import Person, person_stream
from houseway.floor.profile import Profile, profile_of
from houseway.floor.table import FloorTable, find_table, table_stream
from houseway.house.meters import MICROCENTS, Meter, MeterSettings
from houseway.house.money import MeterLevel
from houseway.journal.event import NO_HASH, Command, Draft, Event, body_of
from houseway.journal.state import Balance, State
from houseway.journal.versions import newest
from houseway.live import commands as c
from houseway.live.progressive import hand_of
from houseway.live.shuffler import Shuffle
from houseway.live.state import Round
from houseway.live.text import command_text
from houseway.refusal import Refused
from houseway.rules.ruleset import Ruleset
from houseway.training.felt import some_wager
from houseway.training.seats import some_meters

LINK, TABLE = "L", "T"
NOON = "2026-01-05T12:00:00.000000+00:00"
"""The one moment of a console; nothing that is asked depends on it."""
PEOPLE = {role: role.title() for role in ("dealer", "supervisor", "executive", "surveillance")}
CHECKED = dict.fromkeys((*CHECKLIST, "surveillance"), True)
MODEL = FloorModel()


class Console:
    """The progressive of one table."""

    def __init__(
        self,
        ruleset: Ruleset,
        meters: Mapping[MeterLevel, Meter],
        settings: Mapping[MeterLevel, MeterSettings],
        thresholds: Mapping[MeterLevel, int],
    ) -> None:
        paytable = ruleset.paytables["progressive"]
        self.ruleset = ruleset
        self.paytable = paytable
        self.profile: Profile = profile_of(paytable, ruleset.options)
        self.state = State(now=NOON)
        link = Link(
            name=LINK,
            game=paytable.game,
            paytable=paytable.code,
            settings=settings,
            thresholds=thresholds,
            tables=(TABLE,),
        )
        # The papers of a jurisdiction are the floor's matter and not the keypad's.
        options = {
            name: text
            for name, text in ruleset.game.shown_options(ruleset.options).items()
            if name not in ("profile", "date")
        }
        self.state.streams = {
            link_stream(LINK): link,
            table_stream(TABLE): FloorTable(
                name=TABLE,
                game=ruleset.game.code,
                positions=7,
                options=options,
                link=LINK,
                opened_at=NOON,
            ),
            **{
                person_stream(role): Person(name=name, person=role, role=role, pin_hash="")
                for role, name in PEOPLE.items()
            },
        }
        for level, meter in meters.items():
            names = accounts.of_level(LINK, level)
            held = (meter.amount, meter.reserve, meter.overflow)
            for name, amount in zip(names, held, strict=True):
                self.state.accounts[name] = Balance(0, amount)

    @property
    def table(self) -> FloorTable:
        """The table as it stands."""
        return find_table(self.state, TABLE)

    @property
    def link(self) -> Link:
        """The link as it stands."""
        return find_link(self.state, LINK)

    def meter_cents(self, level: str) -> int:
        """What a meter shows."""
        return accounts.meter_of(self.state, LINK, level).shown_cents

    def press(self, role: str, command: str, /, **arguments: Any) -> Mapping[str, Any]:
        """What a key comes to when somebody presses it; refused with nothing changed."""
        asked = Command(
            name=command,
            arguments={"table": TABLE, "pin_held": True, "checklist": CHECKED, **arguments},
            actor=role,
            key="key",
        )
        entry = MODEL.decide(self.state, asked)
        for draft in entry.events:
            self._take(draft, role)
        return entry.answer

    def refusal(self, role: str, command: str, /, **arguments: Any) -> Refused | None:
        """Why a key would do nothing; None when it would work. Nothing is changed."""
        before = (dict(self.state.streams), dict(self.state.accounts))
        try:
            self.press(role, command, **arguments)
        except Refused as refused:
            return refused
        self.state.streams, self.state.accounts = before
        return None

    def _take(self, draft: Draft, role: str) -> None:
        place = self.state.position + 1
        event = Event(
            position=place,
            stream=draft.stream,
            version=place,
            kind=draft.kind,
            schema=newest(MODEL.upcasts, draft.kind),
            key="key",
            part=0,
            actor=role,
            at=NOON,
            body=body_of(draft, {}),
            prior=NO_HASH,
            hash=NO_HASH,
        )
        self.state.take(event, MODEL, draft.transfers)

    def say(self, text: str) -> Mapping[str, Any]:
        """A step of the live round, as a round file writes it."""
        return self.press("dealer", "round", text=text, from_shuffler=True)

    @property
    def round(self) -> Round:
        """The live round as it stands."""
        found = round_of(self.table)
        assert found is not None
        return found

    def bet(
        self,
        rng: Random,
        wagers: Mapping[int, int],
        players: Mapping[int, str] | None = None,
    ) -> None:
        """A new round with a base wager and these progressive wagers, up to no more bets."""
        self.press("dealer", "open_round")
        for position, cents in wagers.items():
            base = {"ante": some_wager(rng, self.ruleset, "ante")}
            bets = tuple({**base, "progressive": cents}.items())
            player = (players or {}).get(position, f"player {position}")
            self.say(command_text(c.PlaceBets(position, bets, player)))
        self.say("no more bets")

    def start(self) -> tuple[int, ...]:
        """The key that takes the progressive wagers; returns the positions they come from."""
        controls = self.ruleset.options.meter_pay_order == "internal_controls"
        order = self.round.lit() if controls else ()
        self.say(command_text(c.StartGame(pay_order=order)))
        return self.round.lit()

    def deal(self, shuffle: Shuffle, folds: Collection[int] = ()) -> None:
        """Deal this deck, and settle every hand; those of `folds` are folded."""
        self.say(command_text(c.LoadShuffle(shuffle)))
        self.say("deliver")
        for position in self.round.playing:
            self.say(f"decide {position}: {'fold' if position in folds else 'play'}")
        if folds:
            self.say("collect forfeits")
        self.say("reveal dealer")
        if self.paytable.community:
            self.say("reveal community")
        self.say("reconcile")

    def choose(self, position: int) -> int:
        """Press the hand that the cards of a position show; returns the cents of its claim."""
        self.say(self.press_text(position))
        waits = [claim for claim in self.link.pending if claim.position == position]
        return waits[0].amount_cents if waits else 0

    def press_text(self, position: int) -> str:
        """The hand button of a position, as a step of the round."""
        return f"press {position}: {hand_of(self.round, self.round.seat(position))}"

    def confirm(self, position: int) -> None:
        """The award of a position confirmed by the highest role, with the keys of the system."""
        if self.profile.confirms == "card":
            self.press("executive", "confirm_award", position=position)
            return
        self.press("executive", "turn_key", to="jph")
        self.press("executive", "press_jackpot", position=position)
        self.press("executive", "turn_key", to="run")


def settings_of(rng: Random, ruleset: Ruleset) -> dict[MeterLevel, MeterSettings]:
    """How each meter grows and starts again: as the house has set it, else as drawn."""
    options = ruleset.options
    rates, reserves = dict(options.contribution_rate), dict(options.reserve_rate)
    seeds = dict(options.meter_seed)
    return {
        level: MeterSettings(
            contribution_ppm=rates.get(level, rng.choice((50_000, 100_000, 150_000))),
            reserve_ppm=reserves.get(level, 10_000),
            meter_seed_cents=seeds.get(level, rng.choice((50_000, 100_000, 150_000))),
        )
        for level in ruleset.paytables["progressive"].levels
    }


def some_console(rng: Random, ruleset: Ruleset) -> Console:
    """A console before the start of a round."""
    paytable = ruleset.paytables["progressive"]
    shown = some_meters(rng, paytable)
    meters = {
        level: Meter(amount=cents * MICROCENTS, reserve=rng.randint(5_000, 90_000) * MICROCENTS)
        for level, cents in shown.items()
    }
    set_by_house = dict(ruleset.options.executive_threshold)
    thresholds = {
        level: set_by_house.get(level, _round(shown[level] * rng.choice((1, 2, 6, 12)) // 4))
        for level in paytable.levels
    }
    return Console(ruleset, meters, settings_of(rng, ruleset), thresholds)


def _round(cents: int) -> int:
    """Whole tens of dollars, as such lines are drawn."""
    return max(1_000, cents // 1_000 * 1_000)
