"""Days on a floor, right and wrong commands mixed, told beforehand by a second model.

The second model says of every command whether it is done and what is answered; after each batch
the meters, the books, every round and every amount that waits are the same on both sides. At the
end the journal must hold, and every meter be explained.
"""

from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houseway.games.library import paytable_of
from houseway.house.meters import MICROCENTS, MeterSettings, contribute, opened, total
from houseway.house.meters import award as taken_off
from tests.floor.decks import stacked
from tests.floor.room import CHECKED, ON_CAMERA, SETTINGS, Clock, Room, takes_pin
from tests.floor.second_model import DOWN, LEVELS, No
from tests.floor.workload import (
    GONE,
    Day,
    bring_to_an_end,
    check_the_books,
    do_one,
    next_step,
    put_back,
    set_up,
    shuffled,
)
from tests.journal.databases import on_both_kinds


def play_a_day(url: str, seed: int, commands: int) -> Counter[str]:
    clock = Clock()
    day = Day(room=Room(url, clock=clock), rng=Random(seed), clock=clock)
    set_up(day)
    while day.number < commands:
        do_one(day)
    day.compare()
    bring_to_an_end(day)
    check_the_books(day)
    day.room.journal.close()
    return day.counts


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
@on_both_kinds
def test_a_day_goes_as_the_second_model_says(database: str, seed: int) -> None:
    play_a_day(database, seed, 1000)


BOTH_WAYS = (
    *("open_round", "undo", "confirm_award", "turn_key", "press_jackpot", "pay_award"),
    *("adjust", "unlock_card", "leave_link", "join_link", "close_link", "open_link"),
    *("change_settings", "set_thresholds", "check_on_camera", "hand_cheque", "record_deposit"),
    *("pay_adjustment", "call_supervisor", "answer_call"),
    *("bets", "no more", "start", "shuffle", "deliver", "decide", "collect", "reveal"),
    *("reconcile", "press", "pay envy", "close", "void", "exposed", "rule"),
)


KEPT_FROM_HARM = (
    "no PIN",
    "no second PIN",
    "two people (PGM-16)",
    "the own second card",
    "no notice",
    "the bank does not cover it (455)",
    "what was seized is not back in the bank (715)",
    "not verified on camera",
    "a fixed pay is not verified on camera",
    "neither chips nor a cheque that may be asked for",
    "none is promised",
    "more than the house has put up",
    "its meter_seed was taken back since",
    "later awards have had, or wait for, what it started again with",
    "handed over, or put back",
    "backed out, or of another meter",
    "the own confirmation",
    "not all of it was seen",
    "not that award",
    "nothing is owed on it",
    "a deck of one's own (ACE-01)",
    "a prize is not handed over (PGM-20)",
    "a supervisor rules first",
    "an executive's (PNX-14)",
    "its wagers are on the meters (A-15)",
    "no PIN, or the own choice",
    "not its turn",
    "only an adjustment backs it out (PGM-16)",
    "RUN first (PGM-14)",
    "somebody in front could not be paid",
    "something is not done (PGM-15)",
    "something was recorded or confirmed",
    "the cards say otherwise",
)
"""Refusals of the second model that custody turns on."""


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_days_in_which_everything_happens_and_everything_is_refused(tmp_path: Path) -> None:
    """Enough days that no command is only ever done, or only ever refused."""
    counts: Counter[str] = Counter()
    for seed in range(3, 13):
        counts += play_a_day(f"sqlite:///{tmp_path / f'{seed}.sqlite'}", seed, 2000)
    assert [name for name in BOTH_WAYS if not counts[f"{name} done"]] == []
    assert [name for name in BOTH_WAYS if not counts[f"{name} no"]] == []
    disturbed = ("asked again", "asked late", "restarted", "clock moved")
    assert min(counts[how] for how in disturbed) > 0
    # Every listed way down was gone, and there is no other.
    down = {name for name in counts if name.startswith("down: ")}
    kinds = ("award_confirmed", "game_voided", "adjusted", "game_ended")
    assert down == {f"down: {kind}" for kind in kinds}
    slips = {name for name in counts if name.startswith("down by slip: ")}
    assert slips == {f"down by slip: {reason}" for reason in (*DOWN, "award_backed_out")} - {
        "down by slip: booked_receipts"
    }
    assert [why for why in KEPT_FROM_HARM if not counts[f"no: {why}"]] == []
    # Winners had chips, cheques, and what a slip had found for them.
    paid = {name for name in counts if name.startswith("paid: ")}
    assert paid == {f"paid: {kind}" for kind in ("award_paid", "cheque_handed", "adjustment_paid")}


@pytest.mark.soak
def test_a_hundred_thousand_commands_go_as_the_second_model_says(tmp_path: Path) -> None:
    counts = play_a_day(f"sqlite:///{tmp_path / 'long.sqlite'}", 99, 100_000)
    assert counts["confirm_award done"] + counts["press_jackpot done"] > 1_000


# Everybody says everything at every step of a round.

EVERY_ROLE = ("a1", "d1", "s1", "e1", "c1", "u1", "v1", "zz")


def everything_said(day: Day, table: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Whatever could be said at a table, whether or not its time has come."""
    game, at = table["game_on"], {"table": table["name"]}
    pinned, checked = {"pin_held": True}, {"pin_held": True, "checklist": CHECKED}
    texts = [
        *("bets 1 by Ann: ante 5, progressive 1", "bets 7: none", "bets 7 by Zoe: progressive 1"),
        *("no more bets", "start game", "start game: pay 1 2 3", "start game: single 1"),
        *("deliver", "deliver 1", "deliver dealer", "collect forfeits", "reveal dealer"),
        *("reveal community", "reconcile", "reconcile 3", "pay envy", "close"),
        *("void ruling: a card fell", "void wrong_card_count: four", "exposed 1: card 1"),
        *("rule play_on: it was seen", "rule void: it was seen", "award 1: 5", "back out 1"),
        shuffled(day, table),
    ]
    texts += [f"decide {seat}: {what}" for seat in (1, 3, 7) for what in ("play", "fold")]
    made = game["hands"] if game and game["hands"] else dict.fromkeys((1, 2, 3), "akq_spades")
    texts += [f"press {seat}: {hand}" for seat, hand in made.items()]
    texts += [f"press {seat}: straight_flush" for seat in made]
    link, level = table["link"], LEVELS[day.model.links[table["link"]]["code"]][0]
    slip = {"link": link, "level": level, "text": "a slip", "second": "u1"} | dict.fromkeys(
        ("pin_held", "second_pin_held"), True
    )
    change = {"link": link, "meters": day.model.links[link]["rates"], "notice_posted": True}
    said: list[tuple[str, dict[str, Any]]] = [
        *(("round", {**at, "text": text, "from_shuffler": True}) for text in texts),
        *((name, at) for name in ("open_round", "undo", "call_supervisor")),
        *(("turn_key", {**at, **pinned, "to": to}) for to in ("jph", "run")),
        *((name, {**at, "position": 1, "hand": made[1], "reason": "so"}) for name in GONE),
        ("end_earlier_game", {**at, "reason": "an update"}),
        ("leave_link", {**at, **pinned}),
        ("join_link", {**at, **pinned, "link": link}),
        ("change_settings", {**change, **pinned, "second": "e1", "second_pin_held": True}),
        ("adjust", {**slip, "cents": -1, "reason": "display_error"}),
    ]
    for seat in made:
        said.append(("confirm_award", {**at, **checked, "position": seat}))
        said.append(("press_jackpot", {**at, **checked, "position": seat}))
        for other in made:
            seen = {**at, **pinned, "position": seat, "from": other, "seen": ON_CAMERA}
            said.append(("check_on_camera", seen))
    for page in range(1, day.model.links[link]["pages"] + 2):
        said.append(("check_on_camera", {**at, **pinned, "page": page, "seen": ON_CAMERA}))
        said.append(("pay_award", {**at, "page": page, "reference": "slip 6"}))
    said += [("adjust", put_back(table, award)) for award in table["awards"]]
    return said


def say_what_is_not_due(day: Day, table: dict[str, Any], share: float) -> None:
    """Of all that could be said, by everybody, whatever the second model refuses."""
    for actor, (name, asked) in product(EVERY_ROLE, everything_said(day, table)):
        if day.rng.random() >= share:
            continue
        # What would be done is left to the round.
        decks, day.model.decks = day.model.decks, {}
        trial = deepcopy(day.model)
        trial.decks = day.model.decks = decks
        trial.now = max(trial.now, day.clock.at)
        try:
            pinned = {"pin_held": True} if takes_pin(actor, name, asked) else {}
            trial.do(actor, name, {**asked, **pinned})
        except No:
            assert not day.ask(actor, name, **asked)
            day.counts["not due"] += 1


@pytest.mark.timeout(600)
@pytest.mark.parametrize("share", [0.01, pytest.param(1.0, marks=pytest.mark.soak)])
def test_nobody_does_at_any_step_of_a_round_what_is_not_due(tmp_path: Path, share: float) -> None:
    clock, phases = Clock(), Counter[str]()
    day = Day(
        room=Room(f"sqlite:///{tmp_path / 'steps.sqlite'}", clock=clock), rng=Random(5), clock=clock
    )
    set_up(day)
    tables = [day.model.tables[name] for name in ("L1", "L2", "M1", "N1")]
    for table in tables:
        say_what_is_not_due(day, table, share)
        day.must("d1", "open_round", table=table["name"])
        for seat in (1, 2, 3):
            text = f"bets {seat}: ante 5, progressive 10"
            day.must("d1", "round", table=table["name"], text=text)
        while table["game_on"]:
            say_what_is_not_due(day, table, share)
            phases[table["game_on"]["phase"]] += 1
            day.ask(*(step := next_step(day, table))[:2], **step[2])
    every = ("betting", "no more bets", "dealing", "decisions", "reveal", "reconcile")
    assert min(phases[phase] for phase in every) > 0
    assert day.counts["not due"] > 10_000 * share
    day.compare()
    check_the_books(day)
    day.room.journal.close()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 110))
def test_long_days_go_as_the_second_model_says(database: str, seed: int) -> None:
    play_a_day(database, seed, 5000)


# No unit is lost on the way.


@pytest.mark.soak
def test_a_million_odd_wagers_lose_nothing() -> None:
    """Opening + contributions + seed - paid = closing, at rates that never come out even."""
    rng = Random(20)
    rates = [
        MeterSettings(contribution_ppm=142_857, reserve_ppm=1, meter_seed_cents=777_777),
        MeterSettings(contribution_ppm=333_333, reserve_ppm=99_991, meter_seed_cents=1),
        MeterSettings(contribution_ppm=7, reserve_ppm=500_009, cap_cents=12),
    ]
    for settings, wagers in zip(rates, (333_333, 333_333, 333_334), strict=True):
        meter = opened(settings)
        wagered = paid = seeded = 0
        for number in range(wagers):
            wager = rng.randrange(1, 100_001)
            wagered += wager
            meter, _ = contribute(meter, settings, wager)
            if number % 10_007 == 0:
                # A tenth, which leaves an odd rest, or the whole.
                whole = number % 3 == 0
                due = meter.shown_cents // (1 if whole else 10)
                meter, moved = taken_off(meter, settings, due, whole=whole)
                paid += due
                seeded += moved.meter_seed_cents
                assert meter.shown_cents * MICROCENTS <= meter.amount
        share = Fraction(settings.contribution_ppm + settings.reserve_ppm, 10**6)
        opening = settings.meter_seed_cents
        assert Fraction(total(meter), MICROCENTS) == opening + wagered * share + seeded - paid


def shown_dollars(cents: int) -> str:
    return f"{cents / 100:.2f}".removesuffix(".00")


def test_hundreds_of_games_lose_nothing_and_show_no_more_than_is_there(database: str) -> None:
    room, rng = Room(database), Random(21)
    odd = {**SETTINGS, "contribution_ppm": 142_857, "reserve_ppm": 333, "meter_seed_cents": 1}
    room.set_up(meters={"single": odd})
    deck = stacked(
        dict.fromkeys((1, 2, 3)), paytable_of("three-card-progressive", "progressive", "1")
    )
    wagered = 0
    for number in range(200):
        amounts = {seat: rng.randint(1, 9_999) for seat in rng.sample(range(1, 8), 3)}
        texts = [
            f"bets {seat}: ante 5, progressive {cents / 100:.2f}" for seat, cents in amounts.items()
        ]
        texts += ["no more bets", "start game"]
        texts += [f"shuffle {number}x by automatic, packets of 3: {deck}", "deliver"]
        texts += [f"decide {seat}: play" for seat in sorted(amounts)]
        texts += ["reveal dealer", "reconcile", "close"]
        asked = [room.command("d1", "open_round", table="T1")]
        asked += [
            room.command("d1", "round", table="T1", text=text, from_shuffler=True) for text in texts
        ]
        answers = [room.journal.submit(command) for command in asked]
        for answer in answers:
            answer.result()
        wagered += sum(amounts.values())
        held = room.state.owed("meter:L:single")
        assert held == 1 * MICROCENTS + wagered * 142_857
        # The sign is below the ledger by less than a cent, and never above it.
        started = room.state.streams["table:T1"].deal[4]
        shown = held // MICROCENTS
        assert started == f"start game: single {shown_dollars(shown)}, priced by the floor", number
    assert room.state.owed("reserve:L:single") == wagered * 333
    assert room.state.owed("house") == wagered * (MICROCENTS - 142_857 - 333)
    assert room.state.owed("tray:T1") == -wagered * MICROCENTS
    room.journal.close()
