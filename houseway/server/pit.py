"""The pit's page: a tile for each table, meters, what waits, and what is out of the ordinary."""

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any, NamedTuple

from houseway.floor.accounts import meter_account
from houseway.floor.cage import find_cage
from houseway.floor.day import seconds_between
from houseway.floor.expectation import Expectation, Rules
from houseway.floor.house import find_house
from houseway.floor.link import Link
from houseway.floor.live_round import round_of
from houseway.floor.person import MOST_FAILURES, holder, person_stream
from houseway.floor.pit import find_pit
from houseway.floor.play import is_under_way
from houseway.floor.table import FloorTable
from houseway.floor.tray import find_tray
from houseway.house.meters import MICROCENTS
from houseway.house.money import dollars_text
from houseway.journal.state import State
from houseway.server.inbox import items
from houseway.server.lobby import attention_of, links_of, tables_of
from houseway.server.names import game_name, progressive_name
from houseway.server.progressive import meters
from houseway.server.today import TableToday, Today

Expected = Callable[[Rules], Expectation | None]
ROUNDS_TO_TELL = 30
"""Rounds below which a win far from what is expected says nothing yet."""
ROUNDS_TO_TELL_PACE = 10
"""Rounds below which a pace says nothing yet."""
LATE_SECONDS = 120
SLIP_SECONDS = 600
WAITS = {
    "call": "a call for a supervisor",
    "award": "an award",
    "camera": "a look by surveillance",
    "pay": "a payment",
    "cheque": "a cheque",
    "slip": "the payment of an adjustment",
    "ruling": "a ruling",
    "deposit": "a deposit",
    "fill": "a fill",
    "credit": "a credit",
}
"""What waits, in words."""


class Alert(NamedTuple):
    """Something out of the ordinary."""

    name: str
    """By which it is acknowledged."""
    table: str | None
    text: str
    caused_by: str | None = None
    """The card whose doing it is, where it is anybody's."""


def pit(state: State, today: Today, expected: Expected) -> dict[str, Any]:
    """The floor as whoever watches it sees it."""
    now = state.now or state.at
    clock = find_house(state).clock
    today.turn(clock, now)
    tiles = [_tile(state, table, today, now, expected) for table in tables_of(state)]
    shown = find_pit(state)
    waiting = _waiting(state, now)
    return {
        "now": now,
        "day": today.day,
        "shift": clock.shift(now),
        "time_zone": clock.time_zone,
        "checkpoint_at": shown.checkpoint_at or None,
        "tables": tiles,
        "totals": _totals(tiles),
        "meters": [_meters(state, link, today, now) for link in links_of(state)],
        "waiting": waiting,
        "alerts": [
            {
                "alert": name,
                "text": text,
                "table": table,
                "seen": None
                if name not in shown.seen
                else {
                    "by": holder(state, shown.seen[name].by),
                    "at": shown.seen[name].at,
                    "note": shown.seen[name].note,
                },
            }
            for name, table, text, _ in _alerts(state, tiles, waiting, today, now)
        ],
    }


def raised(state: State, today: Today, expected: Expected) -> dict[str, str | None]:
    """The alerts that the pit shows now, each with the card that caused it, which it does not."""
    now = state.now or state.at
    today.turn(find_house(state).clock, now)
    tiles = [_tile(state, table, today, now, expected) for table in tables_of(state)]
    alerts = _alerts(state, tiles, _waiting(state, now), today, now)
    return {alert.name: alert.caused_by for alert in alerts}


def _tile(
    state: State, table: FloorTable, today: Today, now: str, expected: Expected
) -> dict[str, Any]:
    day = today.tables.get(table.name) or TableToday()
    under_way = round_of(table)
    tray = find_tray(state, table.name)
    pace = _pace(today, table.name, now)
    set_pit = find_pit(state)
    low, high = set_pit.pace(table.game)
    won, drop = day.won_cents, day.drop_cents
    playing = 0 if under_way is None else sum(bool(s.wagers) for s in under_way.seats)
    return {
        "table": table.name,
        "game": table.game,
        "name": game_name(table.game),
        "open": bool(tray.opened_at or table.opened_at)
        or is_under_way(table)
        # Nobody opens or counts a table for practice, which is not closed between two rounds.
        or today.is_between_rounds(table.name, now),
        "counted": bool(tray.session),
        "dealer": holder(state, day.dealer) if person_stream(day.dealer) in state.streams else None,
        "players": playing,
        "positions": table.positions,
        "rounds": day.played.rounds,
        "void": day.played.void,
        "pace": pace,
        "pace_low": low,
        "pace_high": high,
        "speed": _speed(pace, low, high, day.played.rounds),
        "wagered_cents": sum(day.played.wagered.values()),
        "won_cents": won,
        "since_cents": today.since[table.name] if set_pit.checkpoint_at else won,
        "drop_cents": drop,
        "hold": round(won / drop, 4) if drop else None,
        "band": _band(table, day, expected),
        "attention": attention_of(table),
    }


def _pace(today: Today, table: str, now: str) -> float | None:
    """Rounds an hour of late, as a tile shows them."""
    pace = today.pace(table, now) if table in today.tables else None
    return None if pace is None else round(pace, 1)


def _band(table: FloorTable, day: TableToday, expected: Expected) -> dict[str, Any] | None:
    """What it should have won; None while nothing was played or it is still being counted."""
    played = day.played
    if not played.rounds:
        return None
    figures = expected((table.game, tuple(sorted(table.options.items()))))
    if figures is None:
        return None
    band = figures.band(played.wagered, played.within, played.across)
    return {**band, "inside": _is_inside(band, day.won_cents, played.rounds)}


def _is_inside(band: dict[str, Any], won_cents: int, rounds: int) -> bool | None:
    """True inside the band, False outside of it; None after too few rounds to tell.

    A tile and an alert both go by this, so that no tile is outside of its band without an alert.
    """
    if rounds < ROUNDS_TO_TELL:
        return None
    return bool(band["low_cents"] <= won_cents <= band["high_cents"])


def _speed(pace: float | None, low: int, high: int, rounds: int) -> str | None:
    """Whether a table is dealt too slowly or too fast; None where neither, or too early to tell."""
    if pace is None or rounds < ROUNDS_TO_TELL_PACE:
        return None
    return "slow" if pace < low else "fast" if pace > high else None


def _totals(tiles: list[dict[str, Any]]) -> dict[str, Any]:
    summed = ("rounds", "wagered_cents", "won_cents", "since_cents", "drop_cents")
    totals = {name: sum(tile[name] for tile in tiles) for name in summed}
    bands = [tile["band"] for tile in tiles if tile["rounds"]]
    band = None
    if bands and all(bands):
        mean = sum(found["expected_cents"] for found in bands)
        # Tables do not share cards: their variances add up.
        spread = sqrt(sum((found["high_cents"] - found["expected_cents"]) ** 2 for found in bands))
        low, high = round(mean - spread), round(mean + spread)
        band = {"expected_cents": mean, "low_cents": low, "high_cents": high}
        band["inside"] = _is_inside(band, totals["won_cents"], totals["rounds"])
    # What was won where no box is counted yet belongs to a drop that nobody knows.
    counted = sum(tile["won_cents"] for tile in tiles if tile["drop_cents"])
    drop = totals["drop_cents"]
    hold = round(counted / drop, 4) if drop else None
    open_ = sum(tile["open"] for tile in tiles)
    return {**totals, "hold": hold, "band": band, "open": open_}


def _meters(state: State, link: Link, today: Today, now: str) -> dict[str, Any]:
    levels = []
    for meter in meters(state, link):
        grown = today.growth(meter_account(link.name, meter["level"]), now)
        levels.append({**meter, "growth_cents": grown // MICROCENTS})
    return {
        "link": link.name,
        "name": progressive_name(link.game),
        "levels": levels,
        "closed": link.closed,
    }


def _waiting(state: State, now: str) -> list[dict[str, Any]]:
    """Awards, calls and slips that somebody waits for, the longest first."""
    found = [
        {
            "what": item["kind"],
            "table": item.get("table"),
            "since": item.get("since"),
            "due": item.get("due"),
            "name": item["name"] if item["kind"] == "call" else "",
        }
        for item in items(state, "supervisor")
    ]
    found += [
        {
            "what": slip.kind,
            "table": slip.table,
            "since": slip.requested_at,
            "due": None,
            "name": "",
        }
        for slip in find_cage(state).slips.values()
    ]
    return sorted(found, key=lambda item: item["since"] or now)


def _alerts(
    state: State,
    tiles: list[dict[str, Any]],
    waiting: list[dict[str, Any]],
    today: Today,
    now: str,
) -> Iterator[Alert]:
    """What is out of the ordinary."""
    day = today.day
    for tile in tiles:
        table, pace, band = tile["table"], tile["pace"], tile["band"]
        if tile["speed"] == "slow":
            words = f"{pace:g} rounds an hour are below {tile['pace_low']}"
            yield Alert(f"slow {table} {day}", table, words)
        elif tile["speed"] == "fast":
            words = f"{pace:g} rounds an hour are above {tile['pace_high']}"
            yield Alert(f"fast {table} {day}", table, words)
        if band is not None and band["inside"] is False:
            won, low, high = tile["won_cents"], band["low_cents"], band["high_cents"]
            words = (
                f"won {dollars_text(won)}, where 95 of 100 days lie between {dollars_text(low)} "
                f"and {dollars_text(high)}"
            )
            yield Alert(f"band {table} {day}", table, words)
    clock = find_house(state).clock
    for item in waiting:
        if _is_late(item, now):
            what = WAITS[item["what"]] + (f" ({item['name']})" if item["name"] else "")
            words = f"{what} waits since {clock.local(item['since']):%Y-%m-%d %H:%M}"
            kind = f"{item['what']} {item['name']}".strip()
            yield Alert(f"late {kind} {item['table']} {item['since'][:19]}", item["table"], words)
    for link in links_of(state):
        if link.short_cents:
            words = f"the deposit of {link.name} is {dollars_text(link.short_cents)} short"
            yield Alert(f"short {link.name} {day}", None, words)
    for (card, by), failures in today.wrong_pins.items():
        if failures >= MOST_FAILURES:
            typed = "" if by == card else f", typed by {_named(state, by)}"
            words = f"{failures} wrong PINs of {_named(state, card)} today{typed}"
            # Raised again with the third after that: whoever has seen some has not seen all.
            times = failures // MOST_FAILURES
            again = f" {times}" if times > 1 else ""
            yield Alert(f"pin {card} {by} {day}{again}", None, words, by)


def _named(state: State, card: str) -> str:
    return f"{holder(state, card)} (card {card})"


def _is_late(item: dict[str, Any], now: str) -> bool:
    """True when something has waited longer than it may: up to a time, or for so long."""
    if item["due"]:
        return bool(item["due"] < now)
    seconds = seconds_between(item["since"], now) if item["since"] else 0
    return seconds > (SLIP_SECONDS if item["what"] in ("fill", "credit") else LATE_SECONDS)
