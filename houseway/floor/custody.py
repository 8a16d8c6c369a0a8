"""Custody: links and tables, made and changed (PRC-01 to 09, WAC 230-15-685)."""

from collections.abc import Mapping
from typing import Any

from houseway.catalog.register import house_reading
from houseway.floor import accounts, request
from houseway.floor.bank import DEPOSITS
from houseway.floor.dealing import DECKS
from houseway.floor.guard_rails import (
    check_change,
    check_mixture,
    check_settings,
)
from houseway.floor.house import today
from houseway.floor.link import Link, find_link, link_stream, read_settings
from houseway.floor.link_price import paytable_of, preset_of, price_change, price_new
from houseway.floor.linking import check_linkable
from houseway.floor.live_round import round_of
from houseway.floor.person import administrator, require, same_holder
from houseway.floor.rules import OF_THE_FLOOR, rules_now, rules_of, split_paytables
from houseway.floor.table import FloorTable, find_table, table_stream
from houseway.games import game_of
from houseway.games.contract import Game
from houseway.games.library import designator
from houseway.house.meters import MeterSettings, opened, settings_json
from houseway.house.money import MeterLevel, check_amount
from houseway.house.options import Options
from houseway.journal.event import Command, Draft, Entry, Transfer
from houseway.journal.state import State
from houseway.live.state import carried_over
from houseway.refusal import Reason, Refused, listed
from houseway.rules.identity import FORM
from houseway.rules.ruleset import differences
from houseway.rules.seat import paytable_pairs
from houseway.rules.wagers import read_options

CAUSES = {
    "seized": "a tax authority took the money; the bank must cover it again (WAC 230-15-715)",
    "fault": "something does not work as it should",
    "other": "what the text says",
}
"""Why a link takes no wagers."""


def make_link(state: State, command: Command) -> Entry:
    """A link with its paytable and meters, each opened at its meter_seed (PRC-01..09).

    Its meters have the settings that are pre-configured for the paytable unless others are given.
    """
    administrator(state, command)
    name = _new(state, link_stream, request.text(command, "link", longest=30))
    game = request.text(command, "progressive")
    paytable = paytable_of(game, request.text(command, "paytable"))
    settings = read_settings(request.mapping(command, "meters")) or preset_of(paytable)
    options = _options(command)
    check_settings(paytable, settings, options, override=_override(state, command))
    _check_notice(command, {}, settings)
    deposits = command.arguments.get("deposits", "weekly")
    if deposits not in DEPOSITS:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"deposits {request.shown(deposits)} is unknown; known: {listed(DEPOSITS)}",
        )
    all_from_meter = request.flag(command, "all_from_meter")
    price = price_new(paytable, settings, all_from_meter=all_from_meter).to_json()
    moved: list[Transfer] = []
    for level, level_settings in settings.items():
        moved += accounts.opening(name, level, opened(level_settings))
    data = {
        "name": name,
        "game": game,
        "paytable": paytable.code,
        "settings": settings_json(settings),
        "all_from_meter": all_from_meter,
        "deposits": deposits,
        **price,
        "form": FORM,
    }
    draft = Draft(stream=link_stream(name), kind="link_made", data=data, transfers=moved)
    return Entry(events=[draft], answer={"link": name, **price})


def set_thresholds(state: State, command: Command) -> Entry:
    """From which amount an executive confirms, for every level (A-24)."""
    administrator(state, command)
    link = find_link(state, request.text(command, "link"))
    # Once a hand may have been seen, its confirmation stays with the same role.
    _check_between_games(state, link, "thresholds")
    given = request.mapping(command, "thresholds")
    if set(given) != set(link.pays.levels):
        raise Refused(
            Reason.UNKNOWN_METER,
            f"thresholds for {listed(sorted(given)) or 'none'} are given; the link has "
            f"{listed(link.pays.levels)}",
            "PNX-14",
        )
    found = {level: check_amount(cents, f"threshold of {level}") for level, cents in given.items()}
    draft = Draft(stream=link_stream(link.name), kind="thresholds_set", data={"thresholds": found})
    return Entry(events=[draft], answer={"thresholds": found})


def change_settings(state: State, command: Command) -> Entry:
    """New settings of a link; those that bear on an award wait for the next one.

    With money on the meters a change of contribution, reserve or meter_seed begins with the next
    whole award of its level; a cap begins at once, and never below what is shown.
    """
    administrator(state, command)
    link = find_link(state, request.text(command, "link"))
    _check_between_games(state, link, "settings")
    new = read_settings(request.mapping(command, "meters"))
    reason = request.text(command, "reason", longest=request.LONGEST_TEXT, empty=True)
    check_settings(link.pays, new, _options(command), override=_override(state, command))
    meters = {level: accounts.meter_of(state, link.name, level) for level in link.settings}
    check_change(link.settings, new, meters, all_from_meter=link.all_from_meter, reason=reason)
    check_mixture(link.settings, new)
    _check_notice(command, link.settings, new)
    price = price_change(state, link, new).to_json()
    data = {"settings": settings_json(new), "reason": reason, **price, "form": FORM}
    draft = Draft(stream=link_stream(link.name), kind="change_waits", data=data)
    return Entry(events=[draft], answer={"waits_for": "the next award", **price})


def _check_between_games(state: State, link: Link, what: str) -> None:
    """Refuse to change a link while progressive wagers of it are in play."""
    under_way = [table for table in link.tables if find_table(state, table).started]
    if under_way:
        raise Refused(
            Reason.WRONG_PHASE,
            f"a game is under way at {under_way[0]}; change {what} between rounds",
        )


def make_table(state: State, command: Command) -> Entry:
    """A table of a game."""
    administrator(state, command)
    name = _new(state, table_stream, request.text(command, "table", longest=30))
    game = game_of(request.text(command, "game"))
    positions = command.arguments.get("positions", request.MOST_POSITIONS)
    if not isinstance(positions, int) or not 1 <= positions <= request.MOST_POSITIONS:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{request.shown(positions)} positions are not allowed; a table has 1 to "
            f"{request.MOST_POSITIONS}",
        )
    options, chosen = _table_options(command)
    paytables = _table_paytables(command, game, chosen)
    rules_of(game.code, _dated(state, options), paytables)
    deck = command.arguments.get("deck", "virtual")
    if deck not in DECKS:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"deck {request.shown(deck)} is unknown; known: {listed(DECKS)}",
        )
    data = {
        "name": name,
        "game": game.code,
        "positions": positions,
        "options": options,
        "paytables": paytables,
        "deck": deck,
    }
    return Entry(
        events=[Draft(stream=table_stream(name), kind="table_made", data=data)],
        answer={"table": name},
    )


def change_table(state: State, command: Command) -> Entry:
    """New options and paytables of a table that is closed and plays for no link."""
    administrator(state, command)
    table = find_table(state, request.text(command, "table"))
    _check_closed(table)
    if _in_round(table):
        raise Refused(Reason.WRONG_PHASE, f"a round is under way at {table.name!r}; end it first")
    if table.link:
        raise Refused(
            Reason.WRONG_PHASE,
            f"table {table.name!r} plays for {table.link!r}, whose games must win alike; leave the "
            "link first",
            "PML-03",
        )
    options, chosen = _table_options(command)
    paytables = _table_paytables(command, game_of(table.game), chosen)
    new = rules_of(table.game, _dated(state, options), paytables)
    changed = differences(new, rules_now(state, table), instead="before")
    data = {"options": options, "paytables": paytables, "changed": list(changed)}
    return Entry(
        events=[Draft(stream=table_stream(table.name), kind="table_changed", data=data)],
        answer={"table": table.name, "changed": list(changed)},
    )


def _table_options(command: Command) -> tuple[dict[str, str], dict[str, str]]:
    """The options of a table, and the paytables that some of them choose, by bet.

    Refused where one is not the table's to set.
    """
    options = {str(k): str(v) for k, v in request.mapping(command, "options").items()}
    for name in options:
        if name in OF_THE_FLOOR:
            raise Refused(
                Reason.BAD_ARGUMENT, f"option {name!r} is not a table's own: {OF_THE_FLOOR[name]}"
            )
    return split_paytables(options)


def _table_paytables(command: Command, game: Game, by_option: Mapping[str, str]) -> dict[str, str]:
    """The paytables of a table as codes by bet (TSB-24).

    They are given by designator, bet by bet, or as options; refused where two differ for a bet.
    """
    given = command.arguments.get("paytables")
    found = dict(by_option)
    for bet, code in paytable_pairs(given or {}):
        chosen = {bet: code} if bet else designator(game.code, code).paytables
        for named, wanted in chosen.items():
            if found.setdefault(str(named), wanted) != wanted:
                raise Refused(
                    Reason.GIVEN_TWICE,
                    f"two paytables are given for {named}, {found[named]!r} and {wanted!r}; "
                    "choose one",
                )
    if "progressive" in found:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"paytable {found['progressive']!r} of the progressive is not a table's own: "
            f"{OF_THE_FLOOR['progressive_paytable']}",
        )
    return found


def _dated(state: State, options: Mapping[str, str]) -> dict[str, str]:
    """The options of a table with the day that a profile asks for."""
    return {**options, "date": today(state)} if "profile" in options else dict(options)


def join_link(state: State, command: Command) -> Entry:
    """A table plays for a link from now on; refused where it may not be linked (PML-03).

    The answer says so where the game has a progressive only by a reading of the house.
    """
    administrator(state, command)
    table = find_table(state, request.text(command, "table"))
    link = find_link(state, request.text(command, "link"))
    if table.link:
        raise Refused(
            Reason.GIVEN_TWICE, f"table {table.name!r} plays for {table.link!r}; leave it first"
        )
    if _in_round(table):
        raise Refused(Reason.WRONG_PHASE, f"a round is under way at {table.name!r}; end it first")
    _check_closed(table)
    tables = [*(find_table(state, name) for name in link.tables), table]
    check_linkable(link.pays, tables, today(state))
    return Entry(
        events=[
            Draft(stream=link_stream(link.name), kind="table_joined", data={"table": table.name}),
            Draft(stream=table_stream(table.name), kind="link_joined", data={"link": link.name}),
        ],
        answer={
            "table": table.name,
            "link": link.name,
            "reading": house_reading(table.game, "progressive"),
        },
    )


def leave_link(state: State, command: Command) -> Entry:
    """A table no longer plays for its link."""
    administrator(state, command)
    table = find_table(state, request.text(command, "table"))
    if not table.link or _in_round(table):
        why = "a round is under way" if table.link else "it plays for no link"
        raise Refused(Reason.WRONG_PHASE, f"table {table.name!r} cannot leave: {why}")
    _check_closed(table)
    if table.awards:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"win page {table.awards[0].page} of {table.link!r} is not handed over at "
            f"{table.name!r}; pay it first",
            "PGM-20",
        )
    last = round_of(table)
    if last is not None and any(carried_over(last).values()):
        raise Refused(
            Reason.WRONG_PHASE,
            f"wagers of a void round are carried over at {table.name!r} and are on the meters of "
            f"{table.link!r}; play them first",
        )
    return Entry(
        events=[
            Draft(stream=link_stream(table.link), kind="table_left", data={"table": table.name}),
            Draft(stream=table_stream(table.name), kind="link_left", data={}),
        ],
        answer={"table": table.name},
    )


def _in_round(table: FloorTable) -> bool:
    under_way = round_of(table)
    return table.started or (under_way is not None and not under_way.over)


def _check_closed(table: FloorTable) -> None:
    """Refuse to change what a table plays while it is open: that was approved as it is."""
    if table.opened_at:
        raise Refused(
            Reason.WRONG_PHASE,
            f"table {table.name!r} is open with the rules that were approved; close it first",
            "CMP-01",
        )


def close_link(state: State, command: Command) -> Entry:
    """No wagers are taken: a seizure, a fault, a deposit that is missing."""
    require(state, command.actor, ("administrator", "supervisor", "executive"))
    request.check_pin(command, "WAC 230-15-430")
    link = find_link(state, request.text(command, "link"))
    cause = command.arguments.get("cause", "other")
    if not isinstance(cause, str) or cause not in CAUSES:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"cause {request.shown(cause)} is unknown; known: {listed(CAUSES)}",
        )
    if link.seized_at and cause != "seized":
        raise Refused(Reason.WRONG_PHASE, f"link {link.name!r} is seized already", "WAC 230-15-715")
    why = request.text(command, "why", longest=request.LONGEST_TEXT)
    data = {"cause": cause, "why": why}
    draft = Draft(stream=link_stream(link.name), kind="link_closed", data=data)
    return Entry(events=[draft], answer={"link": link.name, "closed": why})


def open_link(state: State, command: Command) -> Entry:
    """Wagers are taken again."""
    administrator(state, command)
    link = find_link(state, request.text(command, "link"))
    if not link.closed:
        raise Refused(Reason.WRONG_PHASE, f"link {link.name!r} is open")
    if link.seized_at and not link.restored:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the money of {link.name} was seized; record a deposit that covers what is owed first",
            "WAC 230-15-715",
        )
    draft = Draft(stream=link_stream(link.name), kind="link_opened", data={})
    return Entry(events=[draft], answer={"link": link.name})


def reprint_page(state: State, command: Command) -> Entry:
    """A win page printed again, which is marked and kept (PGM-13)."""
    require(state, command.actor, ("supervisor", "executive", "cage", "auditor"))
    request.check_pin(command, "PGM-13")
    link = find_link(state, request.text(command, "link"))
    data = {"page": request.number(command, "page", link.wins, f"win page of {link.name}")}
    draft = Draft(stream=link_stream(link.name), kind="reprinted", data=data)
    return Entry(events=[draft], answer={**data, "reprint": True})


def _override(state: State, command: Command) -> bool:
    """True when an executive signs what the sources advise against (PRC-09)."""
    if "second" not in command.arguments:
        return False
    card = request.second(command)
    signs = require(state, card, ("executive",), "PRC-09")
    # One person may hold cards of two roles.
    if same_holder(state, card, command.actor):
        raise Refused(Reason.NOT_APPROVED, f"{signs.name} asks for it; another signs", "PRC-09")
    return True


def _check_notice(
    command: Command,
    old: Mapping[MeterLevel, MeterSettings],
    new: Mapping[MeterLevel, MeterSettings],
) -> None:
    """Refuse a cap that no notice at the table tells players of."""
    for name, level in new.items():
        known = old[name].cap_cents if name in old else None
        if level.cap_cents not in (None, known) and not request.flag(command, "notice_posted"):
            raise Refused(
                Reason.NOT_DONE_YET,
                f"the cap of meter {name} is posted at the table first; say so with notice_posted",
                "WAC 230-15-685",
            )


def _new(state: State, stream: Any, name: str) -> str:
    if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        raise Refused(
            Reason.BAD_ARGUMENT, f"name {name!r} is not allowed; use letters, digits, - and _"
        )
    if stream(name) in state.streams:
        raise Refused(Reason.GIVEN_TWICE, f"{stream(name)!r} exists already; choose another name")
    return name


def _options(command: Command) -> Options:
    given = request.mapping(command, "options")
    return read_options({str(name): str(value) for name, value in given.items()}, Options())[0]


DECIDERS = {
    "make_link": make_link,
    "set_thresholds": set_thresholds,
    "change_settings": change_settings,
    "make_table": make_table,
    "change_table": change_table,
    "join_link": join_link,
    "leave_link": leave_link,
    "close_link": close_link,
    "open_link": open_link,
    "reprint_page": reprint_page,
}
