"""Days on a floor, right and wrong commands mixed, told beforehand by a second model.

The second model says of every command whether it is done and what is answered. Which hand each
position will hold is decided here, by name; the deck is built for it.
"""

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import timedelta
from fractions import Fraction
from itertools import groupby, product
from random import Random
from typing import Any

import pytest

from houseway.cards import parse_cards
from houseway.floor.adjustment import REDUCTIONS
from houseway.floor.live_round import round_of
from houseway.floor.model import FloorModel
from houseway.floor.records import (
    change_of,
    deposit_worksheet,
    progressive_record,
    reconciliation,
    win_pages,
)
from houseway.games.library import paytable_of
from houseway.house.meters import MICROCENTS
from houseway.house.paytables import PayTable
from houseway.journal.audit import verify
from houseway.journal.event import Command, Event
from houseway.journal.journal import events
from houseway.journal.rebuild import differences
from houseway.refusal import Reason, Refused
from tests.floor.decks import hand_name, stacked
from tests.floor.room import CHECKED, ON_CAMERA, PEOPLE, Clock, Room, takes_pin
from tests.floor.second_model import (
    CALLS,
    CAUSES,
    CHEQUE,
    DOWN,
    LEVELS,
    PAYS,
    UP,
    WEEK,
    No,
    SecondModel,
)

UNITS = 100 * MICROCENTS
"""Millionths of a cent to a dollar."""
CHOICES = {
    "folded_hand_progressive": ("not_eligible", "eligible"),
    "envy_when_folded": ("paid", "not_paid"),
    "envy_own_other_hand": ("by_profile", "yes", "no"),
    "percent_pay_scaling": ("per_spot", "per_wager_unit"),
    "meter_pay_order": ("right_to_left", "internal_controls"),
    "award_amount_fixed": ("at_hand_selection", "at_confirmation"),
    "void_progressive": ("refund", "carry_to_next_round"),
    "award_profile": ("nexus", "game_manager"),
    "two_adjacent_positions": ("on", "off"),
    "pair_plus_after_fold": ("by_game", "stays"),
    "ante_mandatory": ("off", "off", "on"),
    "table_maximum": ("unset", "unset", "progressive=10"),
}
SYSTEMS = {"1": "three-card-progressive", "2": "three-card-progressive"}
CARDS = {
    **PEOPLE,
    "a2": ("Abe", "administrator"),
    "s3": ("Dan", "supervisor"),
    "c3": ("Sue", "cage"),
    "e3": ("Ada", "executive"),
    "v3": ("Eve", "surveillance"),
}
"""Dan, Sue, Ada and Eve have a second card: it must not sign what they did with the first."""
OVER_IT = ("s1", "s2", "s3", "e1")
USUAL = {
    **dict.fromkeys(("unlock_card", "leave_link", "join_link", "open_link"), ("a1", "a2")),
    **dict.fromkeys(("change_settings", "set_thresholds"), ("a1", "a2")),
    **dict.fromkeys(("confirm_award", "turn_key", "press_jackpot"), OVER_IT),
    **dict.fromkeys(("adjust", "close_link", "pay_award", "pay_adjustment"), OVER_IT),
    "answer_call": OVER_IT,
    **dict.fromkeys(("record_deposit", "hand_cheque"), ("c1", "c3")),
    "check_on_camera": ("v1", "v3"),
}
"""Who mostly asks for what; the rest is asked by those who work at the table."""
MAY_BE_LOCKED = tuple(card for card in CARDS if card != "a2")
"""Both administrators locked out at once would be the end of the day."""
ODD = (None, 0, 8, -1, True, "3", 2.5)
GONE = (
    *("light", "unlight", "start_game", "fold", "choose_spot", "press_hand", "pay_envy"),
    *("end_game", "void_game"),
)
"""Commands that went past the round, once; and nobody began a game with them here."""
JUMPS = (
    *(timedelta(seconds=1), timedelta(hours=5), timedelta(hours=30), timedelta(days=3)),
    *(timedelta(days=8), -timedelta(hours=2)),
)
TICK = timedelta(microseconds=1)


@dataclass
class Day:
    """One workload: the floor, the second model beside it, and what waits to be compared."""

    room: Room
    rng: Random
    clock: Clock
    model: SecondModel = field(default_factory=SecondModel)
    waiting: list[tuple[Command, Any, "Future[Mapping[str, Any]]"]] = field(default_factory=list)
    done: list[tuple[Command, Any]] = field(default_factory=list)
    moved: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    """By the key of a command: by how many dollars it changes each account."""
    equal: dict[str, tuple[int, Fraction | int]] = field(default_factory=dict)
    """By account: amounts in both floors that were found equal."""
    counts: Counter[str] = field(default_factory=Counter)
    number: int = 0
    link: str = "L"
    """Where most happens for a while, so that awards of several tables wait at once."""
    patient: set[str] = field(default_factory=set)
    """Tables where nothing is done for a while though an award waits."""

    def ask(self, actor: str, name: str, /, **asked: Any) -> bool:
        """Hand in a command, with what the second model says of it; True when it is done."""
        self.number += 1
        if takes_pin(actor, name, asked):
            asked.setdefault("pin_held", True)
        self.look_at_the_clock()
        command = Command(name=name, arguments=asked, actor=actor, key=f"day-{self.number}")
        said = self.foretold(command)
        if isinstance(said, No):
            self.counts[f"no: {said}"] += 1
        what = spoken(asked["text"]) if name == "round" else name
        self.counts[f"{what} {'no' if isinstance(said, No) else 'done'}"] += 1
        self.waiting.append((command, said, self.room.journal.submit(command)))
        if self.rng.random() < 0.2:
            self.compare()
        return not isinstance(said, No)

    def foretold(self, command: Command) -> Any:
        """What the second model says of a command: an answer, or No."""
        before = dict(self.model.books)
        try:
            return self.model.do(command.actor, command.name, dict(command.arguments))
        except No as no:
            return no
        finally:
            # Fractions are slow to subtract, and most accounts stand as they stood.
            self.moved[command.key] = {
                name: now - before.get(name, 0)
                for name, now in self.model.books.items()
                if now is not before.get(name) and now != before.get(name, 0)
            }

    def look_at_the_clock(self) -> None:
        """A clock that goes back is not followed."""
        self.model.now = max(self.model.now, self.clock.at)

    def move_the_clock(self) -> None:
        """Some hours or days later; often just when something is due, or just after."""
        self.compare()
        rng, links = self.rng, self.model.links.values()
        due = [link["deposit"] + WEEK for link in links]
        due += [until for link in links for _, until in link["cheques"].values()]
        moments = [moment for moment in due if moment > self.clock.at]
        if moments and rng.random() < 0.4:
            self.clock.at = rng.choice(moments) + rng.choice([timedelta(0), TICK])
        else:
            self.clock.at += rng.choice(JUMPS)
        self.counts["clock moved"] += 1

    def must(self, actor: str, name: str, /, **asked: Any) -> None:
        assert self.ask(actor, name, **asked), (name, asked)

    def compare(self) -> None:
        """Everything that was handed in came out as it was told, and both floors are alike."""
        waiting, self.waiting = self.waiting, []
        for command, said, future in waiting:
            failed = future.exception()
            if isinstance(said, No):
                assert isinstance(failed, Refused), (command, said, failed)
                continue
            assert failed is None, (command, said, failed)
            answer = plain(future.result())
            assert answer == plain(said), (command, answer, said)
            self.done.append((command, answer))
        if waiting:
            self.compare_state()

    def compare_state(self) -> None:
        state, model = self.room.state, self.model
        names = {*state.accounts, *model.books}
        for name in names:
            amount, book = state.owed(name), model.books.get(name, 0)
            last_amount, last_book = self.equal.get(name, (None, None))
            if amount != last_amount or book is not last_book:
                assert Fraction(amount, UNITS) == book, name
                self.equal[name] = (amount, book)
        for name, link in model.links.items():
            kept = state.streams[f"link:{name}"]
            waits = [
                (p.table, p.position, p.hand, p.amount_cents, p.whole, p.recorded, p.by)
                for p in kept.pending
            ]
            assert waits == [
                (
                    *(one["table"], one["seat"], one["hand"], one["dollars"] * 100),
                    *(one["whole"], one["logged"], one["by"]),
                )
                for queue in link["queue"].values()
                for one in queue
            ]
            assert (kept.wins, kept.slips) == (link["pages"], link["slips"])
            owed = {slip: due.amount_cents for slip, due in kept.owed.items() if not due.due}
            assert owed == {slip: due * 100 for slip, due in link["owed"].items()}
            promised = {s: (o.amount_cents, o.due) for s, o in kept.owed.items() if o.due}
            assert promised == in_writing(link["slip_cheques"])
            cheques = {page: (c.amount_cents, c.due) for page, c in kept.cheques.items()}
            assert cheques == in_writing(link["cheques"])
            assert dict(kept.seeded) == link["seed"]
            assert (kept.closed, kept.short_cents) == (link["closed"], link["short"])
            for level in link["queue"]:
                assert model.all_paid(name, level), "an amount that is frozen is not there"
        for name, table in model.tables.items():
            self.compare_table(state.streams[f"table:{name}"], table)
        for card, person in model.people.items():
            assert state.streams[f"person:{card}"].locked == (person["wrong"] >= 3)

    def compare_table(self, kept: Any, table: dict[str, Any]) -> None:
        awards = [
            (a.page, a.round, a.position, a.hand, a.level, a.amount_cents, a.status, a.verified)
            for a in kept.awards
        ]
        names = ("page", "round", "seat", "hand", "level", "cents", "status", "verified")
        told = [{**award, "cents": award["dollars"] * 100} for award in table["awards"]]
        assert sorted(awards) == sorted(tuple(award[name] for name in names) for award in told)
        game = table["game_on"]
        assert (kept.deal_number, kept.started, kept.key) == (
            *(table["number"], table["taken"], table["key"]),
        )
        assert {c.reason: (c.text, c.by) for c in kept.calls} == table["calls"]
        assert kept.envy_cents == table["envy"] * 100
        assert set(kept.seen) == table["seen"]
        last = round_of(kept)
        assert (last is not None and not last.over) == bool(game)
        if last is None or game is None:
            return
        assert (last.phase.value, last.started) == (game["phase"], game["started"])
        for seat in last.seats:
            assert seat.wagers == game["bets"].get(seat.position, {})
            assert seat.carried == table["carried"].get(seat.position, 0)
            assert seat.folded == (seat.position in game["folded"])
            assert bool(seat.pressed) == (seat.position in game["pressed"])
            assert seat.shown == (seat.position in game["shown"])

    # What disturbs a day.

    def ask_again(self) -> None:
        """The same key again: the same answer, and nothing happens; another command: refused."""
        self.compare()
        if not self.done:
            return
        command, answer = self.rng.choice(self.done)
        self.look_at_the_clock()
        before = self.room.state.position
        assert plain(self.room.journal.do(command)) == answer
        assert self.room.state.position == before
        logged = self.room.state.head("refusals").version
        with pytest.raises(Refused) as used:
            self.room.journal.do(replace(command, arguments={**command.arguments, "more": 1}))
        assert used.value.reason is Reason.KEY_USED
        # The refusal is kept, and nothing else happened.
        assert self.room.state.position == before + 1
        assert self.room.state.head("refusals").version == logged + 1
        self.counts["asked again"] += 2

    def ask_late(self) -> None:
        """A command for a version that has passed is refused, and for this one done."""
        self.compare()
        table = self.rng.choice(list(self.model.tables))
        stream = f"table:{table}"
        version = self.room.state.head(stream).version
        self.number += 1
        self.look_at_the_clock()
        asked = {"table": table, "text": "bets 1: ante 5"}
        late = Command(
            name="round",
            arguments=asked,
            actor="d1",
            key=f"day-{self.number}",
            expects={stream: version - 1},
        )
        with pytest.raises(Refused) as stale:
            self.room.journal.do(late)
        assert stale.value.reason is Reason.STALE_VERSION
        now = replace(late, expects={stream: version})
        self.waiting.append((now, self.foretold(now), self.room.journal.submit(now)))
        self.compare()
        self.counts["asked late"] += 2

    def restart(self) -> None:
        self.compare()
        url = self.room.journal.url
        self.room.journal.close()
        self.room = Room(url, clock=self.clock)
        # The state is read with the first command after it.
        self.must("a1", "unlock_card", card="s1", pin_hash="y")
        self.compare()
        self.counts["restarted"] += 1


def spoken(text: Any) -> str:
    """The first words of a line of a round."""
    first = str(text).split(":")[0].split()[:2]
    return " ".join(first if first[:1] in (["no"], ["pay"]) else first[:1])


def plain(answer: Any) -> Any:
    """An answer to compare: of advice its clauses, and not what a round tells in words."""
    if not isinstance(answer, Mapping):
        return answer
    found = {name: value for name, value in answer.items() if name != "told"}
    if "advice" in found:
        found["advice"] = sorted(
            line if isinstance(line, str) else line["clause"] for line in found["advice"]
        )
    return found


def in_writing(promised: Mapping[int, tuple[Fraction, Any]]) -> dict[int, tuple[Fraction, str]]:
    """Cheques as the link keeps them."""
    return {
        number: (due * 100, until.isoformat(timespec="microseconds"))
        for number, (due, until) in promised.items()
    }


# Setting up.


def some_meters(rng: Random, code: str) -> dict[str, dict[str, Any]]:
    """Settings at odd rates, some with a cap near the seed."""
    found: dict[str, dict[str, Any]] = {}
    left = 1_000_000
    for level in rng.sample(LEVELS[code], len(LEVELS[code])):
        seed = rng.choice([0, 0, 50, 999, 5_000, 123_456, 350_000, 600_000, 900_000])
        rate = rng.choice([0, 1, 33_333, 142_857, 700_001, 900_000])
        meter: dict[str, Any] = {
            "contribution_ppm": min(rate, left),
            "reserve_ppm": min(rng.choice([0, 7, 12_345, 300_001]), left - min(rate, left)),
            "meter_seed_cents": seed,
        }
        left -= meter["contribution_ppm"] + meter["reserve_ppm"]
        if rng.random() < 0.4:
            meter["cap_cents"] = seed + rng.choice([0, 1, 40, 300, 10_000])
        found[level] = meter
    return found


def set_up(day: Day) -> None:
    rng = day.rng
    day.must("a1", "first_administrator", card="a1", name="Ada", pin_hash="x")
    for card, (name, role) in CARDS.items():
        if card != "a1":
            first = next(one for one, (known, _) in CARDS.items() if known == name)
            whose = {} if card == first else {"same_person_as": first}
            day.must("a1", "issue_card", card=card, name=name, role=role, pin_hash="x", **whose)
    # Somebody else has Sue's name, and may sign what she did.
    sue = {"card": "u3", "name": "Sue", "role": "auditor", "pin_hash": "x"}
    day.must("a1", "issue_card", **sue, another_person=True)
    codes = [rng.choice(["1", "2"]), rng.choice(["01", "01", "2"]), rng.choice(["ML01", "ML03"])]
    for letter, code in zip("LMN", codes, strict=True):
        day.must(
            "a1",
            "make_link",
            link=letter,
            progressive=SYSTEMS.get(code, "five-card-link"),
            paytable=code,
            meters=some_meters(rng, code),
            second="e1",
            second_pin_held=True,
            notice_posted=True,
            all_from_meter=rng.random() < 0.4,
            **({"deposits": "not_asked"} if letter == "M" else {}),
        )
        thresholds = {level: rng.choice([1, 700, 6_000, 10**9]) for level in LEVELS[code]}
        day.must("a1", "set_thresholds", link=letter, thresholds=thresholds)
        for number in (1, 2, 3)[: rng.choice([2, 2, 3])]:
            table = f"{letter}{number}"
            options = {name: rng.choice(values) for name, values in CHOICES.items()}
            if rng.random() < 0.6:
                options["award_profile"] = "game_manager"
            day.must("a1", "make_table", table=table, game="three-card-poker", options=options)
            day.must("a1", "join_link", table=table, link=letter)


# Decks.


def table_of(day: Day, table: dict[str, Any]) -> PayTable:
    code = day.model.links[table["link"]]["code"] if table["link"] else "1"
    return paytable_of(SYSTEMS.get(code, "five-card-link"), "progressive", code)


def shuffled(day: Day, table: dict[str, Any], *, spoil: bool = False) -> str:
    """A shuffle that deals every position a hand that is decided here, and tells the model."""
    rng, game, pays = day.rng, table["game_on"], table_of(day, table)
    seats = sorted(game["bets"]) if game else []
    hands: dict[int, str | None] = {
        seat: some_hand(day, table) if table["link"] and rng.random() < 0.7 else None
        for seat in seats
    }
    deck = ""
    while not deck:
        try:
            deck = stacked(hands, pays)
        except ValueError:
            # Not all of these lie in one deck.
            hands[rng.choice([seat for seat in seats if hands[seat]])] = None
    name = f"{table['name']}x{day.number}"
    by, size = "automatic", 3
    if spoil:
        name = rng.choice([name, table["last_deck"] or name])
        by, size = rng.choice([("automatic", 3), ("automatic", 1), ("hand", 3)])
        deck = rng.choice([deck, deck[:-3], deck.replace("As", "Kd")])
    text = f"shuffle {name} by {by}, packets of {size}: {deck}"
    day.model.decks[text] = hands_in(deck, pays)
    if not spoil and seats:
        dealt = day.model.decks[text][len(seats)]
        planned = [(hands[seat], made) for seat, made in zip(seats, dealt, strict=True)]
        paid = PAYS[pays.code]
        assert all(made == hand if hand else made not in paid for hand, made in planned)
    return text


def hands_in(deck: str, pays: PayTable) -> dict[int, list[str]]:
    """The hand that each packet makes, by how many positions are dealt to before the dealer."""
    cards = parse_cards(deck)
    packets = [cards[n : n + 3] for n in range(0, 27, 3)]
    found = {}
    for positions in range(1, 8):
        board = packets[positions + 1][:2] if pays.community else ()
        found[positions] = [hand_name(packet, board, pays) for packet in packets[:positions]]
    return found


def some_hand(day: Day, table: dict[str, Any]) -> str:
    """A hand that pays, more often than at a table one of a meter or with envy."""
    hands = list(PAYS[day.model.links[table["link"]]["code"]])
    return str(day.rng.choice([*hands[:3], *hands[:2], hands[0], hands[0], *hands]))


# Commands.

Asked = tuple[str, str, dict[str, Any]]


def right_command(day: Day, table: dict[str, Any]) -> Asked:
    """Something that a table may well do next."""
    rng, model, at = day.rng, day.model, {"table": table["name"]}
    game, link = table["game_on"], model.links.get(table["link"])
    for award in table["awards"]:
        if rng.random() < (0.03 if game else 0.2):
            return "s1", "adjust", slip_for(day, table, award)
        if rng.random() < 0.15:
            return toward_paid(day, table, award)
    if game is None and table["carried"] and rng.random() < 0.1:
        return "a1", "leave_link", at
    if game is None:
        return rng.choice(["d1", "d2", "s1"]), "open_round", at
    shut = link and (model.locked(link) or link["closed"])
    if shut and game["phase"] == "no more bets" and rng.random() < 0.5:
        return toward_open(day, table["link"])
    if rng.random() < 0.01:
        return "s1", "round", {**at, "text": "void ruling: a card fell"}
    if game["started"] and game["phase"] == "reconcile" and rng.random() < 0.02:
        return "s1", "round", {**at, "text": "void ruling: a card fell"}
    if game["phase"] in ("betting", "decisions") and rng.random() < 0.03:
        return "d1", "undo", at
    if (
        game["phase"] == "betting"
        and len(game["bets"]) < 4
        and (rng.random() < (0.6 if game["bets"] else 0.97))
    ):
        return "d1", "round", {**at, "text": right_bets(day, table)}
    if game["phase"] == "reconcile" and not game["wait"]:
        return right_ending(day, table)
    return next_step(day, table)


def right_bets(day: Day, table: dict[str, Any]) -> str:
    """Bets of a position that are mostly taken, with what was carried over to it."""
    rng, game = day.rng, table["game_on"]
    spot = rng.choice([n for n in range(1, table["seats"] + 1) if n not in game["bets"]])
    due = rng.choice([100, 100, 100, 500, 1_000, 1_000, 50, 137, 1_999])
    due = max(due, table["carried"].get(spot, 0))
    # Two spots of one player lie side by side, where that is allowed at all.
    near = [game["players"].get(spot - 1), game["players"].get(spot + 1)]
    who = rng.choice([f"{spot}th", f"{spot}th", "", "Ann", *(name for name in near if name)])
    base = rng.choice(["ante 5", "ante 5", "ante 5", "pair-plus 5", "ante 5, six-card-bonus 1"])
    with_it = f", progressive {due / 100:.2f}" if rng.random() < 0.9 else ""
    return f"bets {spot}{f' by {who}' if who else ''}: {base}{with_it}"


def right_ending(day: Day, table: dict[str, Any]) -> Asked:
    """What comes when every hand is settled: buttons, confirmations, slips, envy, the end."""
    rng, model, at, game = day.rng, day.model, {"table": table["name"]}, table["game_on"]
    if game["pressed"] and rng.random() < 0.06:
        # It is taken back, or it is too late for that.
        seat = rng.choice(sorted(game["pressed"]))
        return "d1", "round", {**at, "text": f"press {seat}: {game['hands'][seat]}"}
    if rng.random() < 0.06:
        return "d1", "round", {**at, "text": rng.choice(["pay envy", "close"])}
    if game["started"] and rng.random() < 0.03:
        seat = rng.choice(model.lit(game))
        return "d1", "round", {**at, "text": f"press {seat}: {some_hand(day, table)}"}
    if recorded(table) and rng.random() < 0.1:
        again = {**at, "position": rng.choice(model.lit(game)), "checklist": CHECKED}
        return "s1", "press_jackpot", {**again, "pin_held": True}
    if game["envy_paid"] and not game["settled"] and rng.random() < 0.2:
        # Also after envy was paid: it comes back.
        return "s1", "round", {**at, "text": "void ruling: a card fell"}
    for award in table["awards"]:
        often = 0.3 if game["envy_paid"] else 0.1
        if award["round"] == table["number"] and rng.random() < often:
            return "s1", "adjust", slip_for(day, table, award)
    if set(model.unpaid(table)) & game["pressed"] and rng.random() < 0.2:
        # An award waits, and those of other tables come in meanwhile.
        day.patient.add(table["name"])
    return next_step(day, table)


def next_step(day: Day, table: dict[str, Any]) -> Asked:
    """The one thing that brings a round nearer to its end."""
    rng, at, game = day.rng, {"table": table["name"]}, table["game_on"]
    if game["reported"]:
        text = rng.choice(["rule play_on: go on", "rule play_on: go on", "rule void: all back"])
        return rng.choice(["s1", "s1", "e1", "d1"]), "round", {**at, "text": text}
    match game["phase"]:
        case "betting":
            text = "no more bets" if game["bets"] else right_bets(day, table)
        case "no more bets":
            text = toward_dealt(day, table)
        case "dealing":
            text = rng.choice(["deliver", f"deliver {game['wait'][0]}"])
        case "decisions":
            asked = [s for s, bets in game["bets"].items() if "ante" in bets]
            seat = rng.choice([seat for seat in asked if seat not in game["decided"]])
            text = f"decide {seat}: {rng.choice(['play', 'play', 'play', 'play', 'fold'])}"
        case "reveal" if game["folded"] - game["collected"]:
            text = "collect forfeits"
        case "reveal":
            text = f"reveal {'community' if game['dealer_shown'] else 'dealer'}"
        case "reconcile" if game["wait"]:
            text = rng.choice(["reconcile", f"reconcile {game['wait'][0]}"])
        case _:
            return toward_end(day, table)
    asked_for: dict[str, Any] = {**at, "text": text}
    if text.startswith("shuffle"):
        asked_for["from_shuffler"] = True
    if text.startswith("void"):
        return "s1", "round", asked_for
    if rng.random() < 0.02 and game["dealt"]:
        place = rng.choice([*sorted(game["bets"]), "dealer"])
        asked_for["text"] = f"exposed {place}: card {rng.choice([1, 2, 3])}"
    return rng.choice(["d1", "d1", "d2", "s1"]), "round", asked_for


def toward_dealt(day: Day, table: dict[str, Any]) -> str:
    """START GAME, a deck, and the cards; void where the link takes no wagers for long."""
    rng, model, game = day.rng, day.model, table["game_on"]
    lit = model.lit(game)
    if lit and not game["started"]:
        link = model.links[table["link"]]
        if (link["closed"] or model.locked(link)) and rng.random() < 0.3:
            return "void ruling: the link is closed"
        order = ""
        if table["rules"]["meter_pay_order"] == "internal_controls":
            order = ": pay " + " ".join(map(str, rng.sample(lit, len(lit))))
        return f"start game{order}"
    if game["deck"] is None or rng.random() < 0.1:
        return shuffled(day, table)
    return rng.choice(["deliver", "deliver", f"deliver {min(game['bets'])}"])


def toward_end(day: Day, table: dict[str, Any]) -> Asked:
    """A round in which every hand is settled goes on to its end."""
    rng, model, at, game = day.rng, day.model, {"table": table["name"]}, table["game_on"]
    dealer = rng.choice(["d1", "d1", "d2", "s1"])
    if not game["started"]:
        return dealer, "round", {**at, "text": "close"}
    dark, unpaid = model.unpressed(table), model.unpaid(table)
    if dark and (not unpaid or unpaid[0] in dark or rng.random() < 0.8):
        seat = rng.choice(dark)
        return dealer, "round", {**at, "text": f"press {seat}: {game['hands'][seat]}"}
    if unpaid:
        # Mostly who is next; others have to wait.
        later = [seat for seat in unpaid[1:] if seat in game["pressed"]]
        seat = rng.choice(later) if later and rng.random() < 0.3 else unpaid[0]
        return toward_confirmed(day, table, seat)
    for to, of, _ in model.unseen(table):
        if rng.random() < 0.5:
            asked = {**at, "position": to, "seen": ON_CAMERA, "pin_held": True}
            if to != of or rng.random() < 0.5:
                asked["from"] = of
            return rng.choice(["v1", "v1", "v3"]), "check_on_camera", asked
    if model.envy_of(table):
        return dealer, "round", {**at, "text": "pay envy"}
    if table["key"] == "jph" and rng.random() < 0.8:
        return "e1", "turn_key", {**at, "to": "run", "pin_held": True}
    return dealer, "round", {**at, "text": "close"}


def toward_paid(day: Day, table: dict[str, Any], award: dict[str, Any]) -> Asked:
    """An award that has a win page is seen on camera and handed over."""
    asked: dict[str, Any] = {"table": table["name"], "page": award["page"]}
    if award["dollars"] > 3_000 and not award["verified"] and day.rng.random() < 0.8:
        seen = {**asked, "seen": ON_CAMERA, "pin_held": True}
        return day.rng.choice(["v1", "v1", "v3"]), "check_on_camera", seen
    by_cheque = award["dollars"] * 100 > CHEQUE and day.rng.random() < 0.5
    method = "cheque" if by_cheque else "chips"
    return "c1", "pay_award", {**asked, "reference": "slip 5", "method": method}


def toward_open(day: Day, name: str) -> tuple[str, str, dict[str, Any]]:
    """What a link that takes no wagers needs next: a deposit, mostly in full, or to be opened."""
    link, rng = day.model.links[name], day.rng
    if day.model.locked(link) or (link["seized"] and not link["restored"] and rng.random() < 0.8):
        less = rng.choice([0, 0, 0, 1])
        owed = max(0, owed_on(day, name) - less)
        asked = {"link": name, "balance_cents": owed, "reference": "a wire", "pin_held": True}
        return "c1", "record_deposit", asked
    return "a1", "open_link", {"link": name}


def slip_for(day: Day, table: dict[str, Any], award: dict[str, Any]) -> dict[str, Any]:
    """A slip about an award: put back, too little, or the meter_seed that came after it."""
    slip, rng = put_back(table, award), day.rng
    link, level = day.model.links[table["link"]], award["level"]
    left = link["seed"][level]
    if left and rng.random() < 0.4:
        change = rng.choice([left, left, left + 1, 1])
        return {**slip, "reason": "seed_recovered", "cents": -change}
    if rng.random() < 0.2:
        return {**slip, "reason": "won", "cents": -rng.choice([1, 50, 400_000])}
    return slip


def put_back(table: dict[str, Any], award: dict[str, Any]) -> dict[str, Any]:
    """The slip that puts a confirmed award back."""
    return {
        "link": table["link"],
        "level": award["level"],
        "cents": int(award["dollars"] * 100),
        "reason": "award_backed_out",
        "page": award["page"],
        "text": "the hand was misread",
        "second": "u1",
        "pin_held": True,
        "second_pin_held": True,
    }


def spoiled(rng: Random, actor: str, asked: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """What is right but for one thing: who asks, a PIN, a check, or one of the arguments."""
    wrong: dict[str, Any] = {
        "position": rng.choice([1, 2, 3, 4, 5, 6, 7, *ODD]),
        "pin_held": False,
        "second_pin_held": False,
        "second": rng.choice(["s2", "c3", "c3"]),
        "from_shuffler": rng.choice([False, None, 1]),
        "text": rng.choice([None, 5, ["close"], "close " * 200, " ", "no more  bets"]),
        "checklist": dict(rng.sample(list(CHECKED.items()), 4)),
        "seen": dict(rng.sample(list(ON_CAMERA.items()), 3)),
        "page": rng.choice([1, 2, 3]),
        "level": rng.choice(["single", "major", "minor"]),
        "method": rng.choice(["cheque", "gold"]),
        "reference": "",
    }
    what = rng.choice(["actor", *(name for name in wrong if name in asked)])
    if what == "actor":
        return rng.choice([*CARDS, "s1", "s2", "s3"]), asked
    return actor, {**asked, what: wrong[what]}


def some_text(day: Day, at: dict[str, Any]) -> str:
    """A line of a round, right or wrong, now or not."""
    rng = day.rng
    spot = rng.choice([1, 2, 3, 4, 5, 6, 7, 8])
    hand = rng.choice([*PAYS["1"], *PAYS["01"], "two_pair"])
    table = day.model.tables.get(at["table"])
    if table and rng.random() < 0.15:
        return shuffled(day, table, spoil=True)
    return str(
        rng.choice(
            [
                *(some_bets(rng, spot), some_bets(rng, spot), "no more bets"),
                *(
                    "start game",
                    "start game: pay 1",
                    f"start game: pay {spot} 2",
                    "start game: pay x",
                ),
                *(
                    "start game: single 5",
                    "start game: gold 5",
                    f"start game: mega 1, pay {spot} 1",
                ),
                *("deliver", f"deliver {spot}", "deliver dealer", f"decide {spot}: play"),
                *(f"decide {spot}: fold", f"decide {spot}: split", "collect forfeits"),
                *("reveal dealer", "reveal community", "reveal all", "reconcile"),
                *(f"reconcile {spot}", f"press {spot}: {hand}", f"press {spot}: {hand}"),
                *(f"award {spot}: 100", f"back out {spot}", "pay envy", "close", "close"),
                *("void ruling: a card fell", "void wrong_card_count: four", "void whim: no"),
                *(f"exposed {spot}: card 2", "exposed dealer: card 4", "rule play_on: it was seen"),
                *("rule void: it was seen", "rule void:  ", "dance", ""),
            ]
        )
    )


def some_bets(rng: Random, spot: int) -> str:
    """Bets that are mostly taken, at any time."""
    who = rng.choice(["", "", " by Ann", " by Bob", " by Cid"])
    amount = rng.choice(["1", "1", "5", "0.50", "1.37", "20", "0", "-1", "1.375", "x", "9" * 15])
    bets = [f"ante 5, progressive {amount}", f"progressive {amount}", "none", "ante 5"]
    bets += [f"pair-plus 2, progressive {amount}", "ante 5, ante 5", "play 5, ante 5"]
    bets += [f"ante 5, six-card-bonus 1, progressive {amount}", f"ante {amount}", "war 5"]
    return f"bets {spot}{who}: {rng.choice(bets)}"


def toward_confirmed(day: Day, table: dict[str, Any], seat: int) -> tuple[str, str, dict[str, Any]]:
    """What an award needs next; its button is on."""
    at = {"table": table["name"]}
    if "award" not in table["calls"]:
        return "d1", "call_supervisor", at
    confirm = {**at, "position": seat, "pin_held": True, "checklist": CHECKED}
    card = day.rng.choice(["e1", "e1", "e1", "e3", "s1", "s2", "s3"])
    if day.model.system(table) != "game_manager":
        return card, "confirm_award", confirm
    if table["key"] == "run" or recorded(table):
        to = "run" if table["key"] == "jph" else "jph"
        return card, "turn_key", {**at, "to": to, "pin_held": True}
    return card, "press_jackpot", confirm


def recorded(table: dict[str, Any]) -> bool:
    """Whether J-POT has recorded an award whose meter still stands."""
    return any(award["status"] == "recorded" for award in table["awards"])


def some_command(day: Day) -> tuple[str, str, dict[str, Any]]:
    """Anything, right or wrong, at any table or link."""
    rng = day.rng
    near = [name for name in day.model.tables if name[0] == day.link]
    at = {"table": rng.choice([*near, *near, *near, *day.model.tables, "T9"])}
    known = day.model.tables.get(at["table"])
    chosen = sorted(known["game_on"]["pressed"]) if known and known["game_on"] else []
    seat = {**at, "position": rng.choice([1, 2, 3, 4, 5, 6, 7, rng.choice(ODD), *chosen * 4])}
    paged = {**at, "page": some_page(day, known)}
    pinned = {"pin_held": rng.random() < 0.8}
    checks = some_of(rng, CHECKED)
    actor = rng.choice([*CARDS, "d1", "d2", "s1", "s2", "e1", "zz"])
    link = {"link": rng.choice([*day.model.links, day.link, day.link, day.link, "Z"])}
    text = {**at, "text": some_text(day, at), "from_shuffler": rng.random() < 0.9}
    commands: list[tuple[str, dict[str, Any]]] = [
        *[("round", text)] * 16,
        ("open_round", at),
        ("open_round", at),
        ("undo", at),
        ("undo", at),
        (rng.choice([*GONE, "end_earlier_game"]), {**seat, "reason": "so"}),
        ("call_supervisor", {**at, **some_call(rng)}),
        ("answer_call", some_answer(day, at)),
        ("confirm_award", {**seat, **pinned, "checklist": checks}),
        ("turn_key", {**at, **pinned, "to": rng.choice(["jph", "run", "off"])}),
        ("press_jackpot", {**seat, **pinned, "checklist": checks}),
        ("check_on_camera", {**some_payment(day, seat), **pinned, "seen": some_of(rng, ON_CAMERA)}),
        ("check_on_camera", {**some_payment(day, seat), **pinned, "seen": some_of(rng, ON_CAMERA)}),
        ("check_on_camera", {**paged, **pinned, "seen": some_of(rng, ON_CAMERA)}),
        ("pay_award", {**paged, **pinned, "reference": rng.choice(["slip 2", ""])}),
        ("pay_award", {**paged, "reference": "slip 2", "method": some_method(rng)}),
        ("hand_cheque", {**some_cheque(day, link, "page", "cheques"), **pinned}),
        ("hand_cheque", {**some_cheque(day, link, "slip", "slip_cheques"), **pinned}),
        ("record_deposit", {**some_deposit(day, link), **pinned}),
        ("pay_adjustment", {**at, "slip": some_slip(day, at), **some_pay(rng)}),
        ("adjust", some_adjustment(day, link)),
        ("adjust", some_adjustment(day, link)),
        ("adjust", some_adjustment(day, link)),
        ("note_pin", {"card": rng.choice(MAY_BE_LOCKED), "held": rng.random() < 0.7}),
        ("unlock_card", {**pinned, "card": rng.choice([*CARDS, "zz"]), **some_pin(rng)}),
        ("leave_link", {**at, **pinned}),
        ("join_link", {**at, **link, **pinned}),
        ("close_link", {**link, **pinned, **some_cause(rng)}),
        ("open_link", {**link, **pinned}),
        ("change_settings", {**some_change(day, link), **pinned}),
        ("set_thresholds", {**some_thresholds(day, link), **pinned}),
    ]
    name, asked = rng.choice(commands)
    if rng.random() < 0.8:
        actor = rng.choice(USUAL.get(name, ("d1", "d2", "s1")))
    return actor, name, asked


def some_pin(rng: Random) -> dict[str, Any]:
    """Mostly a new PIN."""
    return {"pin_hash": "y"} if rng.random() < 0.9 else {}


def some_call(rng: Random) -> dict[str, Any]:
    """A reason to call a supervisor, or none; mostly one that there is, with the text it takes."""
    if rng.random() < 0.2:
        return {}
    reason = rng.choice([*CALLS, *CALLS, "lunch", ["award"], None])
    return {"reason": reason, "text": rng.choice(["a chip fell", "a chip fell", "", 7])}


def some_answer(day: Day, at: dict[str, Any]) -> dict[str, Any]:
    """A call to answer: mostly one that is open, or the only one."""
    rng = day.rng
    called = [name for name, table in day.model.tables.items() if table["calls"]]
    if called and rng.random() < 0.8:
        at = {"table": rng.choice(called)}
    if rng.random() < 0.2:
        return at
    known = day.model.tables.get(at["table"])
    return {**at, "reason": rng.choice([*(known["calls"] if known else ()), "misdeal", "lunch"])}


def some_page(day: Day, table: dict[str, Any] | None) -> Any:
    """A win page, mostly one that waits at the table."""
    waits = [award["page"] for award in table["awards"]] if table else []
    return day.rng.choice([*waits * 3, 1, 2, *ODD])


def some_of(rng: Random, checks: Mapping[str, bool]) -> dict[str, bool]:
    """A list that is mostly ticked off."""
    return {name: True for name in checks if rng.random() < 0.97}


def some_payment(day: Day, seat: dict[str, Any]) -> dict[str, Any]:
    """Something that surveillance could look at, mostly what waits for it."""
    rng, table = day.rng, day.model.tables.get(seat["table"])
    waits = day.model.unseen(table) if table and table["link"] else []
    if waits and rng.random() < 0.5:
        to, of, _ = rng.choice(waits)
        return {**seat, "position": to, "from": of}
    return {**seat, "from": rng.choice([1, 2, 3, *ODD, [1]])} if rng.random() < 0.5 else seat


def some_method(rng: Random) -> Any:
    return rng.choice(["cheque", "cheque", "chips", "gold", None, ["chips"]])


def some_cause(rng: Random) -> dict[str, Any]:
    cause = rng.choice([*CAUSES, "seized", "a whim", ["seized"], None])
    return {"why": rng.choice(["as written in the log", ""]), "cause": cause}


def some_number(day: Day, link: dict[str, Any], what: str) -> Any:
    """The number of something on a link that waits to be paid, or any."""
    known = day.model.links.get(link["link"])
    return day.rng.choice([*(known[what] if known else ()), 1, 2, 3, *ODD])


def some_cheque(day: Day, link: dict[str, Any], paper: str, promised: str) -> dict[str, Any]:
    number = some_number(day, link, promised)
    return {**link, paper: number, "reference": day.rng.choice(["cheque 4", "cheque 4", ""])}


def some_pay(rng: Random) -> dict[str, Any]:
    """How a slip is paid, mostly with surveillance beside it."""
    asked: dict[str, Any] = {"reference": "slip 3"}
    if rng.random() < 0.4:
        asked["method"] = some_method(rng)
    if rng.random() < 0.8:
        asked |= {
            "second": rng.choice(["v1", "v1", "v3", "c1"]),
            "seen": rng.choice([ON_CAMERA, ON_CAMERA, {}]),
        }
        asked["second_pin_held"] = rng.random() < 0.9
    return asked


def some_slip(day: Day, at: dict[str, Any]) -> Any:
    table = day.model.tables.get(at["table"])
    return some_number(day, {"link": table["link"] if table else "Z"}, "owed")


def some_deposit(day: Day, link: dict[str, Any]) -> dict[str, Any]:
    """What is owed, a cent more or less, or anything."""
    rng = day.rng
    owed = owed_on(day, link["link"]) if link["link"] in day.model.links else 0
    balance = rng.choice([owed, owed, owed, owed + 1, owed - 1, 10**7, 0, *ODD])
    return {**link, "balance_cents": balance, "reference": rng.choice(["a wire", "a wire", ""])}


def owed_on(day: Day, link: str) -> int:
    """Cents that the bank must hold for a link."""
    return -int(-day.model.liability(link) * 100 // 1)


def some_adjustment(day: Day, link: dict[str, Any]) -> dict[str, Any]:
    rng = day.rng
    known = day.model.links.get(link["link"])
    change = rng.choice([1, 250, 10_000, -1, -1, -30, -700, -20_000, 0])
    pages = [1, 2, 3, rng.choice(ODD)]
    if known:
        pages += [known["pages"]] * 3
    if known and rng.random() < 0.6:
        change = rng.choice([1, 250, 10_000, -1, -30, -700, -700_000])
        return {
            **link,
            "level": rng.choice(list(known["queue"])),
            "cents": change,
            "reason": rng.choice(DOWN if change < 0 else UP),
            "page": rng.choice(pages),
            "text": "a slip",
            "second": rng.choice(["c1", "u1", "u3"]),
            "pin_held": True,
            "second_pin_held": True,
        }
    won = [
        (table, award)
        for table in day.model.tables.values()
        for award in table["awards"]
        if table["link"] == link["link"]
    ]
    if won and rng.random() < 0.5:
        slip = put_back(*rng.choice(won))
        wrong = rng.choice(["cents", "cents", "level", "page", ""])
        other = {"cents": slip["cents"] - 1, "level": "none", "page": rng.choice(pages)}
        return {**slip, wrong: other[wrong]} if wrong else slip
    return {
        **link,
        "level": rng.choice([*(known["queue"] if known else ()), "none"]),
        "cents": change,
        "reason": rng.choice([*(DOWN if change < 0 else UP), "because"]),
        "page": rng.choice(pages),
        "text": rng.choice(["the sensor counted twice", "a slip", "a slip", ""]),
        "second": rng.choice(["s1", "e1", "v1", "a1", "c1", "c3", "c3", "u1", ""]),
        "pin_held": rng.random() < 0.9,
        "second_pin_held": rng.random() < 0.9,
    }


def some_change(day: Day, link: dict[str, Any]) -> dict[str, Any]:
    rng = day.rng
    code = day.model.links[link["link"]]["code"] if link["link"] in day.model.links else "1"
    return {
        **link,
        "meters": some_meters(rng, rng.choice([code, code, code, "01"])),
        "reason": rng.choice(["a busy month", "a busy month", ""]),
        "notice_posted": rng.random() < 0.9,
        **signed(rng),
    }


def signed(rng: Random) -> dict[str, Any]:
    """Mostly the executive signs for a meter_seed of nothing."""
    if rng.random() < 0.1:
        return {}
    card = rng.choice(["e1"] * 8 + ["e3", "s1", "zz"])
    return {"second": card, "second_pin_held": rng.random() < 0.95}


def some_thresholds(day: Day, link: dict[str, Any]) -> dict[str, Any]:
    rng = day.rng
    code = day.model.links[link["link"]]["code"] if link["link"] in day.model.links else "1"
    levels = LEVELS[rng.choice([code, code, "ML03"])]
    return {**link, "thresholds": {name: rng.choice([0, 1, 900, 10**8]) for name in levels}}


def do_one(day: Day) -> None:
    """One step of the day, mostly what a table would do next."""
    chance = day.rng.random()
    if chance < 0.004:
        day.ask_again()
    elif chance < 0.008:
        day.ask_late()
    elif chance < 0.009:
        day.restart()
    elif chance < 0.02:
        put_right(day)
    elif chance < 0.03:
        change_between_rounds(day)
    elif chance < 0.035:
        day.move_the_clock()
    elif chance < 0.037:
        day.ask("s2", "close_link", link=day.link, cause="seized", why="the account was taken")
    else:
        asked = some_work(day, at_a_table=chance < 0.72)
        if asked:
            day.ask(*asked[:2], **asked[2])


def some_work(day: Day, *, at_a_table: bool) -> Asked | None:
    """What somebody asks for: mostly what a table would do next, now and then spoiled."""
    if not at_a_table:
        return some_command(day)
    if day.rng.random() < 0.01:
        day.link = day.rng.choice("LMN")
    tables = [t for t in day.model.tables.values() if t["link"] in (day.link, "")]
    table = day.rng.choice(tables) if tables else None
    if table and table["name"] in day.patient and day.rng.random() < 0.9:
        table = day.rng.choice([t for t in tables if t["name"] not in day.patient] or tables)
    if table is None:
        return None
    day.patient.discard(table["name"])
    actor, name, asked = right_command(day, table)
    if day.rng.random() < 0.15:
        actor, asked = spoiled(day.rng, actor, asked)
    return actor, name, asked


def put_right(day: Day) -> None:
    """What was closed by chance opens again, cards are unlocked, and what is owed is paid."""
    unlock_all(day)
    for name, link in day.model.links.items():
        if day.model.locked(link) or link["seized"]:
            deposit = {"link": name, "balance_cents": owed_on(day, name), "reference": "a wire"}
            day.ask("c1", "record_deposit", **deposit, pin_held=True)
        if link["closed"]:
            day.ask("a1", "open_link", link=name)
        for page in list(link["cheques"]):
            asked = {"link": name, "page": page, "reference": "cheque 4", "pin_held": True}
            day.ask("c1", "hand_cheque", **asked)
        for slip in list(link["slip_cheques"]):
            asked = {"link": name, "slip": slip, "reference": "cheque 5", "pin_held": True}
            day.ask("c1", "hand_cheque", **asked)
        for slip in list(link["owed"]):
            signed = {"second": "v1", "second_pin_held": True}
            ways: tuple[dict[str, Any], ...] = (
                {},
                {**signed, "seen": {}},
                {**signed, "seen": ON_CAMERA},
            )
            for table, looks in product(link["tables"][:1], ways):
                day.ask("s1", "pay_adjustment", table=table, slip=slip, reference="slip 4", **looks)
    for name, table in day.model.tables.items():
        if not table["link"]:
            day.ask("a1", "join_link", table=name, link=name[0])


def change_between_rounds(day: Day) -> None:
    """New settings of a link, once all its tables have ended their rounds."""
    name = day.rng.choice(list(day.model.links))
    finish(day, day.model.links[name]["tables"])
    day.ask("a1", "change_settings", **some_change(day, {"link": name}))


def bring_to_an_end(day: Day) -> None:
    """Every table can be brought to the end of its round by doing what is right."""
    finish(day, list(day.model.tables))
    unlock_all(day)
    hand_over(day)
    day.compare()


def finish(day: Day, names: list[str]) -> None:
    """End the rounds of some tables and of those that share a link with them."""
    unlock_all(day)
    links = {day.model.tables[name]["link"] for name in names}
    for _ in range(2000):
        busy = [t for t in day.model.tables.values() if t["game_on"] and t["link"] in links]
        if not busy:
            return
        table = day.rng.choice(busy)
        game = table["game_on"]
        waits = sorted(game["pressed"] - game["settled"])
        waits = [seat for seat in waits if seat in day.model.off_meter(table)]
        if waits and not game["reported"] and day.rng.random() < 0.02:
            # Two tables may each wait for the other; then one takes its hand back.
            text = f"press {waits[0]}: {game['hands'][waits[0]]}"
            day.must("d1", "round", table=table["name"], text=text)
        else:
            actor, name, asked = next_step(day, table)
            day.ask(actor, name, **asked)
    raise AssertionError("a table cannot be brought to an end")


def hand_over(day: Day) -> None:
    """Every award is seen and paid."""
    for table in day.model.tables.values():
        while table["awards"]:
            actor, name, asked = toward_paid(day, table, table["awards"][0])
            day.ask(actor, name, **asked)


def unlock_all(day: Day) -> None:
    """Unlock every card; if nobody may, the journal is not to blame."""
    for admin in ("a1", "a2", "a1"):
        for card, person in day.model.people.items():
            if person["wrong"] and card != admin:
                day.ask(admin, "unlock_card", card=card, pin_hash="y")


# What holds at the end of every day.


def check_the_books(day: Day) -> None:
    with day.room.journal.engine.connect() as connection:
        audit = verify(connection)
        assert audit.holds, audit
        assert list(differences(connection, FloorModel())) == []
        happened = list(events(connection))
    state = day.room.state
    assert sum(b.debits for b in state.accounts.values()) == sum(
        b.credits for b in state.accounts.values()
    )
    check_that_every_command_moved_what_was_told(day, happened)
    check_that_meters_are_explained(day, happened)
    check_that_money_is_kept(day, happened)
    check_that_meters_go_down_only_for_a_listed_reason(day, happened)
    pages = sorted((page["link"], page["page"]) for page in win_pages(happened))
    for _, of_link in groupby(pages, key=lambda page: page[0]):
        numbers = [number for _, number in of_link]
        assert numbers == list(range(1, len(numbers) + 1))


def check_that_every_command_moved_what_was_told(day: Day, happened: list[Event]) -> None:
    """No account differs after any command, also within what was handed in together."""
    moved: dict[str, Counter[str]] = {}
    for event in happened:
        for debit, credit, amount in event.transfers:
            by = moved.setdefault(event.key, Counter())
            by[debit] -= amount
            by[credit] += amount
    for key, told in day.moved.items():
        found = {name: Fraction(by, UNITS) for name, by in moved.pop(key, Counter()).items() if by}
        assert found == told, key
    assert not moved


def check_that_meters_are_explained(day: Day, happened: list[Event]) -> None:
    for link, found in day.model.links.items():
        for level in found["queue"]:
            account = f"meter:{link}:{level}"
            lines = progressive_record(happened, link, level)
            assert all(line["why"] and " " in line["why"] for line in lines)
            below = [line for line in lines if line["amount_microcents"] < 0]
            assert not below, below
            stands = lines[-1]["amount_microcents"] if lines else 0
            assert stands == day.room.state.owed(account)
            assert sum(change_of(event, account) for event in happened) == stands
            # What is shown is never above what is there, and less than a cent below it.
            shown = stands // MICROCENTS
            assert 0 <= stands - shown * MICROCENTS < MICROCENTS
        assert all(
            line["closing"] == day.room.state.owed(account) and line["closing"] >= 0
            for account, line in reconciliation(happened, link)["accounts"].items()
        )


def check_that_money_is_kept(day: Day, happened: list[Event]) -> None:
    """Opening + contributions + seed - paid - adjusted = closing, to the last unit."""
    for link in day.model.links:
        held = {
            f"{kind}:{link}:{level}"
            for kind in ("meter", "reserve", "overflow")
            for level in day.model.links[link]["queue"]
        }
        came: Counter[str] = Counter()
        for event in happened:
            for debit, credit, amount in event.transfers:
                if (credit in held) != (debit in held):
                    other = debit if credit in held else credit
                    came[other.partition(":")[0]] += amount if credit in held else -amount
        closing = sum(day.room.state.owed(account) for account in held)
        assert set(came) <= {"tray", "seed_fund", "payable", "house"}
        assert sum(came.values()) == closing
        # Through the payable accounts went what is on the win pages, and slips.
        won = sum(p["amount_cents"] for p in win_pages(happened) if p["link"] == link) * MICROCENTS
        slips = [
            event.data
            for event in happened
            if event.kind == "adjusted" and event.stream == f"link:{link}"
        ]
        adjusted = sum(
            slip["cents"] for slip in slips if slip["reason"] in ("won", "award_backed_out")
        )
        assert came["payable"] == adjusted * MICROCENTS - won
        check_that_winners_were_paid(day, happened, link, won - adjusted * MICROCENTS)


def check_that_winners_were_paid(day: Day, happened: list[Event], link: str, won: int) -> None:
    """What was won on a link was paid over its tables or by cheque, or is still owed."""
    payable, paid = f"payable:{link}", Counter[str]()
    for event in happened:
        for debit, credit, amount in event.transfers:
            if debit == payable and event.kind != "adjusted":
                paid[event.kind] += amount
                day.counts[f"paid: {event.kind}"] += 1
                assert credit == "bank" or credit.startswith("tray:"), event
                assert (credit == "bank") == (event.kind == "cheque_handed")
    assert won - sum(paid.values()) == day.room.state.owed(payable) >= 0
    lines = day.model.links[link]
    left = sum(lines["owed"].values()) + sum(due for due, _ in lines["cheques"].values())
    left += sum(due for due, _ in lines["slip_cheques"].values())
    awards = [one for table in lines["tables"] for one in day.model.tables[table]["awards"]]
    left += sum(one["dollars"] for one in awards if one["status"] == "confirmed")
    assert day.room.state.owed(payable) == left * UNITS
    sheet = deposit_worksheet(happened, link)
    assert sheet["liability_cents"] == owed_on(day, link)


def check_that_meters_go_down_only_for_a_listed_reason(day: Day, happened: list[Event]) -> None:
    """Every transfer out of a meter is an award, a void round's, a listed slip or a fixed pay."""
    for event in happened:
        for debit, credit, _ in event.transfers:
            if not debit.startswith("meter:"):
                continue
            _, link, level = debit.split(":")
            day.counts[f"down: {event.kind}"] += 1
            match event.kind:
                case "award_confirmed":
                    assert credit in (f"payable:{link}", f"overflow:{link}:{level}")
                    assert event.data["level"] == level
                case "game_voided":
                    assert credit == f"tray:{event.stream.partition(':')[2]}"
                case "adjusted":
                    reason = event.data["reason"]
                    day.counts[f"down by slip: {reason}"] += 1
                    if reason == "award_backed_out":
                        # What the meter was started again with goes back where it came from.
                        kinds = ("seed_fund", f"reserve:{link}:{level}")
                        assert credit in kinds
                        assert event.data["whole"]
                    else:
                        assert reason in REDUCTIONS
                    assert event.data["by"] != event.data["second"]
                    assert event.data["text"].strip()
                case "game_ended":
                    assert day.model.links[link]["all_off"]
                case _:
                    raise AssertionError(f"{event.kind} takes money off {debit}")
