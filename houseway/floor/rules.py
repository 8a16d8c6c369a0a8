"""Rules: what a table of the floor plays by on a day.

The table has its options and paytables. Its link adds the paytable of the progressive and how the
meters grow and pay, so both are part of what is approved. The floor's clock gives the day.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from houseway.floor.house import today
from houseway.floor.link import Link, find_link
from houseway.floor.table import FloorTable
from houseway.games.registry import kept_options
from houseway.house.meters import MeterSettings
from houseway.house.money import MeterLevel
from houseway.house.options import METER_OPTIONS, paytable_bet, value_text
from houseway.journal.state import State
from houseway.rules.ruleset import Ruleset, make_ruleset

OF_THE_FLOOR = {
    **dict.fromkeys((*METER_OPTIONS, "all_from_meter"), "the link sets it"),
    "date": "the floor's clock gives the day",
    "progressive_paytable": "the link has the paytable",
}
"""Options that are not a table's own on a floor, and whose they are."""


def split_paytables(options: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The options without those that choose a paytable, and the codes that these choose by bet."""
    own = {name: text for name, text in options.items() if paytable_bet(name) is None}
    chosen = {bet: text for name, text in options.items() if (bet := paytable_bet(name))}
    return own, chosen


def rules_now(state: State, table: FloorTable) -> Ruleset:
    """The rules that a round opened now would be played by."""
    start = start_rules(state, table)
    return rules_of(table.game, start["options"], start["paytables"])


def rules_to_come(state: State, table: FloorTable) -> Ruleset | None:
    """The rules once settings of the link that wait are in force; None where none wait."""
    link = find_link(state, table.link) if table.link else None
    if link is None or not link.waiting:
        return None
    return rules_of(
        table.game,
        _options(state, table, link, {**link.settings, **link.waiting}),
        _paytables(table, link),
    )


def start_rules(state: State, table: FloorTable) -> dict[str, dict[str, str]]:
    """The options and paytables of a round that is opened now, as text: it keeps them."""
    link = find_link(state, table.link) if table.link else None
    settings = {} if link is None else link.settings
    return {
        "options": _options(state, table, link, settings),
        "paytables": _paytables(table, link),
    }


def rules_begun(table: FloorTable, start: Mapping[str, Any]) -> Ruleset:
    """The rules of a round, by what it began with; an earlier program left them to the table."""
    if "options" in start:
        return rules_of(table.game, start["options"], start["paytables"])
    return rules_at_first(table, start.get("progressive", ""))


def rules_at_first(table: FloorTable, progressive: str) -> Ruleset:
    """The rules of a table as the first program had them: the meters of a link were no part."""
    paytables = dict(table.paytables) | ({"progressive": progressive} if progressive else {})
    return rules_of(table.game, table.options, paytables)


def rules_of(game: str, options: Mapping[str, str], paytables: Mapping[str, str]) -> Ruleset:
    """The rules of a game with these options and paytables, as text."""
    return _rules(game, tuple(sorted(options.items())), tuple(sorted(paytables.items())))


Texts = tuple[tuple[str, str], ...]


@lru_cache(maxsize=1024)
def _rules(game: str, options: Texts, paytables: Texts) -> Ruleset:
    return make_ruleset(game, kept_options(game, dict(options)), dict(paytables))


def _paytables(table: FloorTable, link: Link | None) -> dict[str, str]:
    return dict(table.paytables) | ({} if link is None else {"progressive": link.paytable})


def _options(
    state: State,
    table: FloorTable,
    link: Link | None,
    settings: Mapping[MeterLevel, MeterSettings],
) -> dict[str, str]:
    options = {name: text for name, text in table.options.items() if name not in OF_THE_FLOOR}
    if table.house_options.profile != "none":
        options["date"] = today(state)
    if link is not None:
        options |= _meter_options(settings) | (
            {"all_from_meter": "on"} if link.all_from_meter else {}
        )
    return options


def _meter_options(settings: Mapping[MeterLevel, MeterSettings]) -> dict[str, str]:
    """How the meters of a link grow, as the options of a ruleset say it."""
    amounts = {
        "contribution_rate": {level: one.contribution_ppm for level, one in settings.items()},
        "reserve_rate": {level: one.reserve_ppm for level, one in settings.items()},
        "meter_seed": {level: one.meter_seed_cents for level, one in settings.items()},
        "cap": {k: one.cap_cents for k, one in settings.items() if one.cap_cents is not None},
    }
    return {name: value_text(name, tuple(of.items())) for name, of in amounts.items() if of}
