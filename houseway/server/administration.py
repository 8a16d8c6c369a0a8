"""Administration: people, tables, links and the register, with what they may be set to."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from houseway.catalog.equipment import ApprovedModel, kinds_by_model, part_names, printed_models
from houseway.catalog.register import house_reading
from houseway.floor.accounts import meter_of
from houseway.floor.approvals import NEEDED, PAPERS, dump, find_register
from houseway.floor.custody import CAUSES
from houseway.floor.equipment_register import KINDS
from houseway.floor.guard_rails import check_levels
from houseway.floor.house import find_house, today
from houseway.floor.link import Link, find_link, read_settings
from houseway.floor.link_price import paytable_of, preset_of, price_change, price_new
from houseway.floor.person import ROLES, Person
from houseway.floor.rules import OF_THE_FLOOR, split_paytables
from houseway.floor.table import FloorTable
from houseway.floor.timekeeping import dump as dump_time
from houseway.floor.timekeeping import find_time
from houseway.games import GAMES
from houseway.games.library import all_paytables
from houseway.house.meters import MICROCENTS, settings_json
from houseway.house.options import allowed_values, of_few_words, register, value_text
from houseway.house.paytables import PayTable
from houseway.journal.state import State
from houseway.names import PROGRESSIVE_CODES
from houseway.server.lobby import links_of, tables_of
from houseway.server.names import game_name, progressive_name
from houseway.server.opening import equipment, opening
from houseway.studio.offer import offer


def administration(state: State, second_factors: frozenset[str]) -> dict[str, Any]:
    """Everything that an administrator sets up."""
    tables = [_table(state, table) for table in tables_of(state)]
    return {
        "people": [
            {
                "card": stream.partition(":")[2],
                "name": person.name,
                "person": person.person,
                "role": person.role,
                "active": person.active,
                "locked": person.locked,
                "failures": person.failures,
                "second_factor": stream.partition(":")[2] in second_factors,
            }
            for stream, person in sorted(state.streams.items())
            if isinstance(person, Person)
        ],
        "tables": tables,
        "links": [_link(state, link) for link in links_of(state)],
        "roles": list(ROLES),
        "clock": _clock(state),
        "games": [
            {
                "code": game.code,
                "name": game.name,
                "progressive": "progressive" in game.wagers,
                "progressive_reading": house_reading(game.code, "progressive"),
                **_pays(game.code),
            }
            for game in GAMES
        ],
        "progressives": [
            {
                "code": code,
                "name": progressive_name(code),
                "paytables": [
                    {
                        "code": paytable.code,
                        "levels": list(paytable.levels),
                        "preset": _preset(paytable),
                    }
                    for paytable in all_paytables()
                    if paytable.game == code
                ],
            }
            for code in PROGRESSIVE_CODES
        ],
        "options": _options(),
        "causes": dict(CAUSES),
        "register": _register(state, tables),
    }


def link_price(state: State, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The edge of a link, or of one to be made, under new settings (PRC-03)."""
    settings = read_settings(asked["meters"])
    if asked["link"]:
        link = find_link(state, asked["link"])
        check_levels(link.pays, settings)
        return price_change(state, link, settings).to_json()
    paytable = paytable_of(asked["progressive"], asked["paytable"])
    check_levels(paytable, settings)
    return price_new(paytable, settings, all_from_meter=asked["all_from_meter"]).to_json()


@cache
def _preset(paytable: PayTable) -> dict[str, Any]:
    return settings_json(preset_of(paytable))


def _register(state: State, tables: list[dict[str, Any]]) -> dict[str, Any]:
    """The register, the approved list, and the papers that a jurisdiction asks for."""
    found = dump(find_register(state))
    played = {table["profile"] for table in tables}
    return {
        "today": today(state),
        "papers": [
            {
                "paper": kind,
                "text": text,
                "asked_by": [
                    {"profile": profile, "clause": clause}
                    for profile, needed in NEEDED.items()
                    for asked, clause in needed
                    if asked == kind
                ],
                "asked": any(
                    asked == kind for profile in played for asked, _ in NEEDED.get(profile, ())
                ),
                "recorded": found["papers"].get(kind),
            }
            for kind, text in PAPERS.items()
        ],
        "makers": [{"maker": name, **maker} for name, maker in sorted(found["makers"].items())],
        "equipment": equipment(state, tables),
        "kinds": list(KINDS),
        "parts": list(part_names()),
        "listed_kinds": list(kinds_by_model()),
        "models": [
            *(_model(row, printed=True) for row in printed_models() if row.model),
            *(_model(row, printed=False) for row in find_register(state).models),
        ],
    }


def _model(row: ApprovedModel, *, printed: bool) -> dict[str, Any]:
    """An approved model with the names of its games; none where it is approved for all."""
    return {
        "kind": row.kind,
        "maker": row.maker,
        "model": row.model,
        "games": [game_name(game) for game in row.games],
        "reference": row.reference,
        "day": row.day,
        "until": row.until,
        "printed": printed,
    }


def _clock(state: State) -> dict[str, Any]:
    clock = find_house(state).clock
    now = state.now or state.at
    return {
        "time_zone": clock.time_zone,
        "day_begins": clock.day_begins,
        "shifts": [{"name": name, "begins": begins} for name, begins in clock.shifts],
        "day": clock.day(now),
        "local": clock.local(now).strftime("%Y-%m-%d %H:%M"),
        "offset_seconds": find_time(state).offset_us // 1_000_000,
        "alarms": dump_time(find_time(state))["alarms"],
        "zones": _zones(),
    }


@cache
def _zones() -> list[str]:
    return sorted(available_timezones())


@cache
def _pays(game: str) -> dict[str, Any]:
    """The paytables that a table of a game may be made with; the progressive's is the link's."""
    offered = next(one for one in offer()["games"] if one["game"] == game)
    return {
        "paytables": [one for one in offered["paytables"] if one["bet"] != "progressive"],
        "designators": offered["designators"],
    }


@cache
def _options() -> list[dict[str, Any]]:
    """The register of options that a table may be made with."""
    found: dict[str, dict[str, Any]] = {}
    for game in GAMES:
        for name, entry in register(game.options).items():
            if name in OF_THE_FLOOR or not game.touches(name):
                continue
            values = allowed_values(name, game.options)
            # A value typed freely is only described: nobody can choose a description.
            few = name in of_few_words(game.options)
            offered = found.setdefault(
                name,
                {
                    "name": name,
                    "text": entry.metadata["text"],
                    "values": list(values) if few else [],
                    "described": "" if few else values[-1],
                    "default": value_text(name, entry.default),
                    "games": [],
                },
            )
            offered["games"].append(game.code)
    return list(found.values())


def _table(state: State, table: FloorTable) -> dict[str, Any]:
    # An earlier program left paytables that were set as options where they were.
    options, chosen = split_paytables(table.options)
    return {
        **opening(state, table),
        "game": table.game,
        "positions": table.positions,
        "options": options,
        "paytables": {**chosen, **table.paytables},
        "deck": table.deck,
        "link": table.link or None,
        "started": table.started,
    }


def _link(state: State, link: Link) -> dict[str, Any]:
    settings, waiting = settings_json(link.settings), settings_json(link.waiting)
    levels = []
    for level in link.pays.levels:
        meter = meter_of(state, link.name, level)
        levels.append(
            {
                "level": level,
                "shown_cents": meter.shown_cents,
                "reserve_cents": meter.reserve // MICROCENTS,
                "overflow_cents": meter.overflow // MICROCENTS,
                "threshold_cents": link.thresholds.get(level),
                "settings": settings[level],
                "waiting": waiting.get(level),
            }
        )
    return {
        "link": link.name,
        "progressive": link.game,
        "name": progressive_name(link.game),
        "paytable": link.paytable,
        "all_from_meter": link.all_from_meter,
        "deposits": link.deposits,
        "deposited_at": link.deposited_at or None,
        "short_cents": link.short_cents,
        "tables": list(link.tables),
        "closed": link.closed,
        "seized_at": link.seized_at or None,
        "levels": levels,
    }
