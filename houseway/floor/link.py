"""Link: meters that one table or several play for, with their settings and awards that wait."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from houseway.floor.accounts import meter_of
from houseway.floor.guard_rails import settings_json
from houseway.games.progressive import share_cents
from houseway.journal.event import Event
from houseway.journal.state import State
from houseway.meters import MICROCENTS, Meter, MeterSettings
from houseway.money import MeterLevel, MeterShare
from houseway.options import Options
from houseway.paytables import PayTable, library
from houseway.refusal import Reason, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """An award that is chosen and not yet taken off the meter: its amount is fixed (A-16)."""

    table: str
    round: int
    position: int
    level: str
    amount_cents: int
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link: its paytable, meters, thresholds and tables."""

    name: str
    game: str
    """The progressive whose paytable it is."""
    paytable: str
    settings: Mapping[MeterLevel, MeterSettings]
    all_from_meter: bool = False
    waiting: Mapping[MeterLevel, MeterSettings] = field(default_factory=dict)
    """Settings that begin with the next award of their level."""
    thresholds: Mapping[MeterLevel, int] = field(default_factory=dict)
    """Cents from which an executive confirms, by level (A-24)."""
    tables: tuple[str, ...] = ()
    pending: tuple[Pending, ...] = ()
    wins: int = 0
    """The number of the last win page."""
    slips: int = 0
    """The number of the last adjustment slip."""
    closed: str = ""
    """Why no wagers are taken, where none are."""

    @property
    def pays(self) -> PayTable:
        """The paytable."""
        return library().get(self.game, "progressive", self.paytable)


def link_stream(name: str) -> str:
    """The stream of a link."""
    return f"link:{name}"


def find_link(state: State, name: str) -> Link:
    """The link of that name; refused when there is none."""
    found = state.streams.get(link_stream(name))
    if not isinstance(found, Link):
        raise Refused(Reason.UNKNOWN_VALUE, f"link {name!r} is unknown")
    return found


def meter_after_pending(
    state: State, link: Link, level: MeterLevel, *, without: tuple[str, int] | None = None
) -> Meter:
    """A meter as it will stand once awards that wait are taken off, those of one round left out.

    A whole award starts the meter again from meter_seed and reserve, so what another table wins
    meanwhile is won from there (A-16, A-17).
    """
    meter = meter_of(state, link.name, level)
    for pending in link.pending:
        if pending.level == level and (pending.table, pending.round) != without:
            meter = _after(meter, link.settings[level], pending.amount_cents, pending.whole)
    return meter


def _after(meter: Meter, settings: MeterSettings, cents: int, whole: bool) -> Meter:
    left = meter.amount - cents * MICROCENTS
    if not whole:
        return replace(meter, amount=left)
    fresh = left + settings.meter_seed_cents * MICROCENTS + meter.reserve
    if settings.cap_cents is not None:
        fresh = min(fresh, settings.cap_cents * MICROCENTS)
    return replace(meter, amount=fresh, reserve=0)


def amounts_in_order(
    state: State,
    link: Link,
    own_round: tuple[str, int],
    shares: Sequence[tuple[MeterShare, int]],
    options: Options,
) -> list[int]:
    """What each share of one round comes to, in the order they are paid (A-17, A-18).

    Every award is taken from what the one before it left; after a whole one the meter starts again.
    """
    meters: dict[MeterLevel, Meter] = {}
    amounts = []
    for share, wager_cents in shares:
        meter = meters.get(share.level) or meter_after_pending(
            state, link, share.level, without=own_round
        )
        cents = share_cents(share, meter.shown_cents, wager_cents, options)
        meters[share.level] = _after(meter, link.settings[share.level], cents, share.whole)
        amounts.append(cents)
    return amounts


def evolve(before: Link | None, event: Event) -> Link:
    """The link after one of its events."""
    data = event.data
    if event.kind == "link_made":
        return Link(
            name=data["name"],
            game=data["game"],
            paytable=data["paytable"],
            settings=read_settings(data["settings"]),
            all_from_meter=data["all_from_meter"],
        )
    assert before is not None, event.stream
    match event.kind:
        case "thresholds_set":
            return replace(before, thresholds=data["thresholds"])
        case "table_joined":
            return replace(before, tables=(*before.tables, data["table"]))
        case "table_left":
            left = tuple(table for table in before.tables if table != data["table"])
            return replace(before, tables=left)
        case "change_waits":
            return replace(before, waiting=read_settings(data["settings"]))
        case "settings_changed":
            return replace(before, settings=read_settings(data["settings"]), waiting={})
        case "award_waits":
            own = (data["table"], data["round"])
            kept = tuple(p for p in before.pending if (p.table, p.round) != own)
            return replace(before, pending=kept + tuple(Pending(**p) for p in data["pending"]))
        case "meter_awarded":
            return _awarded(before, data)
        case "adjusted":
            return replace(before, slips=before.slips + 1)
        case "link_closed":
            return replace(before, closed=data["why"])
        case "link_opened":
            return replace(before, closed="")
        case "contribution_quarantined" | "reprinted" | "deposited":
            return before
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def _awarded(before: Link, data: Mapping[str, Any]) -> Link:
    """An award was taken off: it no longer waits, and settings that waited for it begin."""
    place = (data["table"], data["round"], data["position"])
    kept = tuple(p for p in before.pending if (p.table, p.round, p.position) != place)
    level = data["level"]
    settings, waiting = dict(before.settings), dict(before.waiting)
    if data["whole"] and level in waiting:
        settings[level] = waiting.pop(level)
    return replace(before, pending=kept, wins=before.wins + 1, settings=settings, waiting=waiting)


def read_settings(data: Mapping[str, Any]) -> dict[MeterLevel, MeterSettings]:
    """Settings from plain data; refused when one cannot be."""
    found: dict[MeterLevel, MeterSettings] = {}
    for name, level in data.items():
        try:
            found[name] = MeterSettings(**level)  # type: ignore[index]
        except (TypeError, ValueError) as error:
            raise Refused(Reason.BAD_ARGUMENT, f"meter {name!r}: {error}") from None
    return found


def dump(link: Link) -> dict[str, Any]:
    """The link as plain data."""
    return {
        "name": link.name,
        "game": link.game,
        "paytable": link.paytable,
        "settings": settings_json(link.settings),
        "all_from_meter": link.all_from_meter,
        "waiting": settings_json(link.waiting),
        "thresholds": dict(link.thresholds),
        "tables": list(link.tables),
        "pending": [
            {
                "table": p.table,
                "round": p.round,
                "position": p.position,
                "level": p.level,
                "amount_cents": p.amount_cents,
                "whole": p.whole,
            }
            for p in link.pending
        ],
        "wins": link.wins,
        "slips": link.slips,
        "closed": link.closed,
    }


def load(data: Mapping[str, Any]) -> Link:
    """The link from plain data."""
    return Link(
        **{
            **data,
            "settings": read_settings(data["settings"]),
            "waiting": read_settings(data["waiting"]),
            "tables": tuple(data["tables"]),
            "pending": tuple(Pending(**p) for p in data["pending"]),
        }
    )
