"""Link: meters that one table or several play for, with their settings and awards that wait."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any

from houseway.games.library import paytable_of
from houseway.house.meters import MeterSettings, settings_json
from houseway.house.money import MeterLevel
from houseway.house.paytables import PayTable
from houseway.journal.event import Event
from houseway.journal.state import State
from houseway.journal.timekeeper import moved_back
from houseway.refusal import Reason, Refused

DAY_US = 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """An award that is chosen and not yet taken off the meter: its amount is fixed (A-16)."""

    table: str
    round: int
    position: int
    level: MeterLevel
    hand: str
    wager_cents: int
    amount_cents: int
    whole: bool
    by: str = ""
    """The card that pressed the hand button."""
    at: str = ""
    """When it was pressed."""
    recorded: bool = False
    """True once J-POT has recorded it; its amount then never changes (PGM-16)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheque:
    """A cheque that a winner has asked for."""

    amount_cents: int
    due: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """What an adjustment found for a winner and is not yet paid."""

    amount_cents: int
    at: str
    due: str = ""
    """Until when it is handed over by cheque, where one was asked for."""
    signed: tuple[str, ...] = ()
    """The cards that signed the slip."""


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
    """Level by level in the order they are taken off; see `houseway.floor.queue`."""
    starts: Mapping[MeterLevel, int] = field(default_factory=dict)
    """How often each meter was started again."""
    pages: tuple[MeterLevel | None, ...] = ()
    """The meter of every win page; none where it was backed out."""
    slips: int = 0
    """The number of the last adjustment slip."""
    closed: str = ""
    """Why no wagers are taken, where none are."""
    seized_at: str = ""
    """When the money was seized, where it was."""
    restored: bool = False
    """True when the last deposit came after the seizure and covered what was owed."""
    deposits: str = "not_asked"
    made_at: str = ""
    form: int = 1
    """The form of the program that made or last set it: approvals of the first cover no meters."""
    deposited_at: str = ""
    short_cents: int = 0
    """What the last deposit lacked of what was owed then."""
    seeded: Mapping[MeterLevel, int] = field(default_factory=dict)
    """Cents of meter_seed in the present run of each meter that the house has not taken back."""
    recovered: Mapping[MeterLevel, int] = field(default_factory=dict)
    """The last win page when meter_seed was last taken back, by level."""
    owed: Mapping[int, Owed] = field(default_factory=dict)
    """What adjustments have found for winners, by slip."""
    more_found: Mapping[int, int] = field(default_factory=dict)
    """The slip that found more for the winner of a win page, by page."""
    cheques: Mapping[int, Cheque] = field(default_factory=dict)
    """Cheques that are promised, by win page."""

    @property
    def wins(self) -> int:
        """The number of the last win page."""
        return len(self.pages)

    @property
    def pays(self) -> PayTable:
        """The paytable."""
        return _pays(self.game, self.paytable)

    def next_start(self, level: MeterLevel) -> MeterSettings:
        """What a meter starts again with: settings that waited for an award begin with it."""
        return self.waiting.get(level, self.settings[level])


@cache
def _pays(game: str, code: str) -> PayTable:
    # Every command at a table asks for it.
    return paytable_of(game, "progressive", code)


def link_stream(name: str) -> str:
    """The stream of a link."""
    return f"link:{name}"


def find_link(state: State, name: str) -> Link:
    """The link of that name; refused when there is none."""
    found = state.streams.get(link_stream(name))
    if not isinstance(found, Link):
        raise Refused(Reason.UNKNOWN_VALUE, f"link {name!r} is unknown")
    return found


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
            deposits=data.get("deposits", "not_asked"),
            made_at=event.at,
            form=data.get("form", 1),
            seeded={level: s["meter_seed_cents"] for level, s in data["settings"].items()},
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
            new = read_settings(data["settings"])
            capped = {
                level: replace(settings, cap_cents=new[level].cap_cents)
                for level, settings in before.settings.items()
            }
            return replace(before, settings=capped, waiting=new, form=data.get("form", 1))
        case "settings_changed":
            return replace(before, settings=read_settings(data["settings"]), waiting={})
        case "award_waits":
            return replace(before, pending=tuple(Pending(**p) for p in data["pending"]))
        case "award_recorded":
            return replace(before, pages=(*before.pages, data["level"]))
        case "meter_awarded":
            return _awarded(before, data)
        case "adjusted":
            return _adjusted(before, data, event.at)
        case "adjustment_paid":
            if data.get("method") == "cheque":
                return before
            return replace(before, owed=_without(before.owed, data["slip"]))
        case "link_closed":
            seized = event.at if data.get("cause") == "seized" else ""
            return replace(before, closed=data["why"], seized_at=seized, restored=False)
        case "link_opened":
            return replace(before, closed="", seized_at="")
        case "deposited":
            short = data.get("short_cents", 0)
            return replace(before, deposited_at=event.at, short_cents=short, restored=not short)
        case "cheque_promised" if data.get("slip"):
            owed = replace(before.owed[data["slip"]], due=data["due"])
            return replace(before, owed={**before.owed, data["slip"]: owed})
        case "cheque_promised":
            cheque = Cheque(amount_cents=data["amount_cents"], due=data["due"])
            return replace(before, cheques={**before.cheques, data["page"]: cheque})
        case "cheque_handed" if data.get("slip"):
            return replace(before, owed=_without(before.owed, data["slip"]))
        case "cheque_handed":
            return replace(before, cheques=_without(before.cheques, data["page"]))
        case "times_corrected":
            return _times_corrected(before, data["upto"], data["back_us"])
        case "contribution_quarantined" | "reprinted":
            return before
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def _awarded(before: Link, data: Mapping[str, Any]) -> Link:
    """An award was taken off: it no longer waits, and settings that waited for it begin."""
    place = (data["table"], data["round"], data["position"])
    kept = tuple(p for p in before.pending if (p.table, p.round, p.position) != place)
    level = data["level"]
    settings, waiting, starts = dict(before.settings), dict(before.waiting), dict(before.starts)
    seeded = dict(before.seeded)
    if data["whole"]:
        starts[level] = starts.get(level, 0) + 1
        seeded[level] = before.next_start(level).meter_seed_cents
        if level in waiting:
            settings[level] = waiting.pop(level)
    return replace(
        before,
        pending=kept,
        # J-POT has given the page already, where the system has one.
        pages=before.pages if data["page"] <= before.wins else (*before.pages, level),
        settings=settings,
        waiting=waiting,
        starts=starts,
        seeded=seeded,
    )


def _adjusted(before: Link, data: Mapping[str, Any], at: str) -> Link:
    """A slip was written: what it found for a winner is owed, and seed taken back is gone."""
    seeded, owed, recovered = dict(before.seeded), dict(before.owed), dict(before.recovered)
    more_found = dict(before.more_found)
    pages = list(before.pages)
    if data["reason"] == "award_backed_out":
        pages[data["page"] - 1] = None
    match data["reason"]:
        case "seed_recovered":
            seeded[data["level"]] += data["cents"]
            recovered[data["level"]] = before.wins
        case "award_backed_out" if data.get("whole"):
            # Its meter_seed went back to the house with it.
            seeded[data["level"]] = 0
        case "won":
            owed[data["slip"]] = Owed(
                amount_cents=-data["cents"], at=at, signed=(data["by"], data["second"])
            )
            more_found[data["page"]] = data["slip"]
    slips = before.slips + 1
    return replace(
        before,
        slips=slips,
        seeded=seeded,
        owed=owed,
        recovered=recovered,
        more_found=more_found,
        pages=tuple(pages),
    )


def _times_corrected(before: Link, upto: str, back_us: int) -> Link:
    """Times were ahead by so much: those that lie in the future now are moved back."""

    def right(at: str) -> str:
        return moved_back(at, back_us) if at > upto else at

    def right_due(due: str) -> str:
        # A cheque is due a day after it was asked for.
        return moved_back(due, back_us) if due and moved_back(due, DAY_US) > upto else due

    cheques = {page: replace(one, due=right_due(one.due)) for page, one in before.cheques.items()}
    owed = {
        slip: replace(one, at=right(one.at), due=right_due(one.due))
        for slip, one in before.owed.items()
    }
    return replace(
        before,
        made_at=right(before.made_at),
        deposited_at=right(before.deposited_at),
        seized_at=right(before.seized_at),
        cheques=cheques,
        owed=owed,
    )


def _without(kept: Mapping[int, Any], number: int) -> dict[int, Any]:
    return {key: value for key, value in kept.items() if key != number}


def read_settings(data: Mapping[str, Any]) -> dict[MeterLevel, MeterSettings]:
    """Settings from plain data; refused when one cannot be."""
    found: dict[MeterLevel, MeterSettings] = {}
    for name, level in data.items():
        try:
            found[name] = MeterSettings(**level)  # type: ignore[index]
        except (TypeError, ValueError) as error:
            raise Refused(Reason.BAD_ARGUMENT, f"meter {name!r}: {error}", "PRC-01") from None
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
        "pending": [asdict(pending) for pending in link.pending],
        "starts": dict(link.starts),
        "pages": list(link.pages),
        "slips": link.slips,
        "closed": link.closed,
        "seized_at": link.seized_at,
        "restored": link.restored,
        "deposits": link.deposits,
        "made_at": link.made_at,
        "form": link.form,
        "deposited_at": link.deposited_at,
        "short_cents": link.short_cents,
        "seeded": dict(link.seeded),
        "recovered": dict(link.recovered),
        "owed": {str(slip): asdict(owed) for slip, owed in sorted(link.owed.items())},
        "more_found": {str(page): slip for page, slip in sorted(link.more_found.items())},
        "cheques": {str(page): asdict(cheque) for page, cheque in sorted(link.cheques.items())},
    }


def load(data: Mapping[str, Any]) -> Link:
    """The link from plain data."""
    return Link(
        **{
            **data,
            "settings": read_settings(data["settings"]),
            "waiting": read_settings(data["waiting"]),
            "tables": tuple(data["tables"]),
            "pages": tuple(data["pages"]),
            "pending": tuple(Pending(**p) for p in data["pending"]),
            "owed": {
                int(slip): Owed(**{**owed, "signed": tuple(owed["signed"])})
                for slip, owed in data["owed"].items()
            },
            "more_found": {int(page): slip for page, slip in data["more_found"].items()},
            "cheques": {int(page): Cheque(**cheque) for page, cheque in data["cheques"].items()},
        }
    )
