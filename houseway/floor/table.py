"""Table: the progressive at one table, from the lights on its spots to the end of the round."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from houseway.games.progressive import (
    envy_cents,
    folded_player_earns_envy,
    own_other_hand_earns_envy,
    payment_order,
)
from houseway.journal.event import Event
from houseway.journal.state import State
from houseway.money import MeterShare
from houseway.options import Options
from houseway.paytables import HANDS, PayTable
from houseway.refusal import Reason, Refused, listed
from houseway.wagers import read_options

Status = Literal["chosen", "recorded", "confirmed", "paid"]
FOR_AN_AWARD = "award"
"""The reason of a call that belongs to the game: its end clears it."""
RULE_KINDS = ("table_made",)
"""The few events that say what is played at a table: whoever rebuilds a round looks for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """A wager on the sensor of a spot."""

    cents: int
    player: str
    folded: bool = False
    carried: bool = False
    """True when it stands from a round that was void and is on the meters already (A-15)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A winning hand that the dealer has chosen at a spot."""

    position: int
    hand: str
    level: str | None
    """The meter it is paid from; None for a fixed pay."""
    whole: bool
    amount_cents: int
    by: str
    status: Status = "chosen"
    at: str = ""
    """When it was chosen, recorded, confirmed or paid."""
    confirmed_by: str = ""
    page: int = 0
    """The number of its win page, once confirmed."""
    moved: tuple[tuple[str, str, int], ...] = ()
    """What its confirmation moved, so that an adjustment can move it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A supervisor who is called to a table and has not answered yet."""

    reason: str
    text: str
    by: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTable:
    """A table that plays for a link."""

    name: str
    game: str
    positions: int
    options: Mapping[str, str] = field(default_factory=dict)
    deck: str = "virtual"
    opened_at: str = ""
    """When it was opened, where it is open; a practice table need not be."""
    equipment: tuple[str, ...] = ()
    """Serial numbers of what stands at it."""
    link: str = ""
    round: int = 0
    started: bool = False
    lights: Mapping[int, Light] = field(default_factory=dict)
    spot: int = 0
    """The spot that is chosen for the next hand; 0 while none is."""
    awards: tuple[Award, ...] = ()
    calls: tuple[Call, ...] = ()
    """Calls that are open, the oldest first; one for each reason."""
    key: Literal["run", "jph"] = "run"
    key_holder: str = ""
    envy_paid: tuple[tuple[int, int], ...] = ()
    """Envy that is paid: whose position, and for the hand at which."""
    seen: tuple[tuple[int, int, int], ...] = ()
    """Large payments that surveillance has verified: to whom, for the hand at which, and cents."""
    contributed: tuple[tuple[str, str, int], ...] = ()
    """What the start of the round moved, so that a void round can move it back."""
    starts: Mapping[str, int] = field(default_factory=dict)
    """How often each meter had been started again by then."""
    deal_number: int = 0
    """The live round that is under way, or was last."""
    deal_at: str = ""
    """When that was opened."""
    deal_start: Mapping[str, Any] = field(default_factory=dict)
    deal: tuple[str, ...] = ()
    """Its commands, as a round file writes them."""
    changed_at: str = ""
    """When something last happened here."""

    @property
    def house_options(self) -> Options:
        """The options of the table, read."""
        return _options(tuple(self.options.items()))

    @property
    def called_at(self) -> str:
        """When a supervisor was called for an award; empty while none was."""
        call = self.call_for(FOR_AN_AWARD)
        return "" if call is None else call.at

    def call_for(self, reason: str) -> Call | None:
        """The open call for a reason."""
        return next((call for call in self.calls if call.reason == reason), None)

    def award_at(self, position: int) -> Award | None:
        """The award of a spot."""
        return next((award for award in self.awards if award.position == position), None)


@lru_cache(maxsize=1024)
def _options(texts: tuple[tuple[str, str], ...]) -> Options:
    return read_options(dict(texts))[0]


def table_stream(name: str) -> str:
    """The stream of a table."""
    return f"table:{name}"


def find_table(state: State, name: str) -> FloorTable:
    """The table of that name; refused when there is none."""
    found = state.streams.get(table_stream(name))
    if not isinstance(found, FloorTable):
        raise Refused(Reason.UNKNOWN_VALUE, f"table {name!r} is unknown")
    return found


def read_hand(name: object, paytable: PayTable) -> int:
    """The hand of that name; refused when the paytable knows none or pays nothing on it."""
    hands = {hand.name.lower(): int(hand) for hand in HANDS[paytable.hands]}
    paid = [hand for hand, number in hands.items() if paytable.odds(number) is not None]
    if name not in paid:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"hand {name!r} wins nothing with progressive {paytable.code!r}; paid: {listed(paid)}",
        )
    return hands[str(name)]


def in_order(table: FloorTable, awards: Sequence[Award]) -> list[Award]:
    """Awards in the order they are paid: from the far right on, or as controls say."""
    by_position = {award.position: award for award in awards}
    options = table.house_options
    return [by_position[p] for p in payment_order(by_position, options, sorted(by_position))]


def from_meter(table: FloorTable) -> list[Award]:
    """The awards that a meter pays, in the order they are paid."""
    return in_order(table, [award for award in table.awards if award.level is not None])


def next_to_confirm(table: FloorTable) -> Award | None:
    """The award of a meter that is confirmed next: what J-POT has logged, else by the order."""
    for status in ("recorded", "chosen"):
        for award in from_meter(table):
            if award.status == status:
                return award
    return None


def envy_due(table: FloorTable, paytable: PayTable) -> list[dict[str, Any]]:
    """What each lit spot is still owed for the hands of others; nothing for the own one.

    One line for each trigger and receiver, in the order of positions (PGM-17, PNX-17, PML-13).
    """
    return list(_envy(table, paytable))


def _envy(table: FloorTable, paytable: PayTable) -> Iterator[dict[str, Any]]:
    options = table.house_options
    own_too = own_other_hand_earns_envy(paytable, options)
    for position, light in sorted(table.lights.items()):
        if light.folded and not folded_player_earns_envy(options):
            continue
        for award in sorted(table.awards, key=lambda award: award.position):
            if award.position == position or (position, award.position) in table.envy_paid:
                continue
            if table.lights[award.position].player == light.player and not own_too:
                continue
            hand = read_hand(award.hand, paytable)
            cents = envy_cents(hand, paytable, light.cents)
            if cents:
                yield {"position": position, "from": award.position, "cents": cents}


def evolve(before: FloorTable | None, event: Event) -> FloorTable:
    """The table after one of its events."""
    return replace(_evolved(before, event), changed_at=event.at)


def _evolved(before: FloorTable | None, event: Event) -> FloorTable:
    data = event.data
    if event.kind == "table_made":
        return FloorTable(
            name=data["name"],
            game=data["game"],
            positions=data["positions"],
            options=data["options"],
            deck=data.get("deck", "virtual"),
        )
    assert before is not None, event.stream
    match event.kind:
        case "table_opened":
            return replace(before, opened_at=event.at, equipment=tuple(data["equipment"]))
        case "table_closed":
            return replace(before, opened_at="")
        case "link_joined":
            return replace(before, link=data["link"])
        case "link_left":
            return replace(before, link="")
        case "lit":
            light = Light(cents=data["cents"], player=data["player"])
            return replace(before, lights={**before.lights, data["position"]: light})
        case "unlit":
            return replace(before, lights=_without(before.lights, data["position"]))
        case "game_started":
            moved = tuple((d, c, a) for d, c, a in event.transfers)
            return replace(
                before,
                started=True,
                round=data["round"],
                contributed=moved,
                starts=data["starts"],
            )
        case "folded":
            light = replace(before.lights[data["position"]], folded=True)
            return replace(before, lights={**before.lights, data["position"]: light})
        case "unfolded":
            light = replace(before.lights[data["position"]], folded=False)
            return replace(before, lights={**before.lights, data["position"]: light})
        case "spot_chosen":
            return replace(before, spot=data["position"])
        case "hand_chosen":
            return _chosen(before, data, event.at)
        case "hand_cleared":
            return replace(_without_award(before, data["position"]), spot=0)
        case "amounts_changed":
            return _with_amounts(before, data["amounts"])
        case "supervisor_called":
            return _called(before, event)
        case "call_answered":
            return replace(before, calls=_calls_but_for(before, data["reason"]))
        case "key_turned":
            return replace(before, key=data["to"], key_holder=data["holder"])
        case "jackpot_recorded":
            return _with_status(
                before,
                event,
                status="recorded",
                amount_cents=data["amount_cents"],
            )
        case "award_confirmed":
            return _with_status(
                before,
                event,
                status="confirmed",
                confirmed_by=data["confirmed_by"],
                page=data["page"],
                amount_cents=data["amount_cents"],
                moved=tuple((d, c, a) for d, c, a in event.transfers),
            )
        case "award_backed_out":
            left = _without_award(before, data["position"])
            paid = tuple(line for line in before.envy_paid if line[1] != data["position"])
            return replace(left, envy_paid=paid)
        case "camera_checked":
            payment = (data["position"], data["from"], data["cents"])
            return replace(before, seen=(*before.seen, payment))
        case "award_paid":
            return _with_status(before, event, status="paid")
        case "envy_paid":
            paid = tuple((line["position"], line["from"]) for line in data["lines"])
            return replace(before, envy_paid=before.envy_paid + paid)
        case "game_ended":
            return _cleared(before, {})
        case "game_voided":
            kept = before.lights if data["carried"] else {}
            return _cleared(
                before, {p: replace(x, carried=True, folded=False) for p, x in kept.items()}
            )
        case "round_opened":
            return replace(
                before,
                deal_number=data["number"],
                deal_at=event.at,
                deal_start=data["start"],
                deal=(),
            )
        case "round":
            return replace(before, deal=(*before.deal, data["text"]))
        case "round_undone":
            return replace(before, deal=before.deal[:-1])
        case "round_ended" | "irregularity":
            return before
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def _called(before: FloorTable, event: Event) -> FloorTable:
    reason = event.data["reason"]
    if before.call_for(reason) is not None:
        # An earlier program wrote down that a dealer called again; the first call counts.
        return before
    call = Call(reason=reason, text=event.data["text"], by=event.actor, at=event.at)
    return replace(before, calls=(*before.calls, call))


def _calls_but_for(table: FloorTable, reason: str) -> tuple[Call, ...]:
    return tuple(call for call in table.calls if call.reason != reason)


def _chosen(before: FloorTable, data: Mapping[str, Any], at: str) -> FloorTable:
    award = Award(
        position=data["position"],
        hand=data["hand"],
        level=data["level"],
        whole=data["whole"],
        amount_cents=data["amount_cents"],
        by=data["by"],
        at=at,
    )
    left = _without_award(before, award.position)
    return replace(left, awards=(*left.awards, award), spot=0)


def _with_amounts(table: FloorTable, amounts: Mapping[str, int]) -> FloorTable:
    """The table with amounts by position, which change with what is in front of them in line."""
    changed = tuple(
        replace(award, amount_cents=amounts.get(str(award.position), award.amount_cents))
        for award in table.awards
    )
    return replace(table, awards=changed)


def _without_award(table: FloorTable, position: int) -> FloorTable:
    """The table without the award of a spot, and without what was verified of it."""
    return replace(
        table,
        awards=tuple(award for award in table.awards if award.position != position),
        seen=tuple(payment for payment in table.seen if payment[1] != position),
    )


def _with_status(table: FloorTable, event: Event, **changes: Any) -> FloorTable:
    """The table with the award that an event is about changed."""
    position = event.data["position"]
    changed = tuple(
        replace(award, at=event.at, **changes) if award.position == position else award
        for award in table.awards
    )
    return replace(table, awards=changed)


def _without(lights: Mapping[int, Light], position: int) -> dict[int, Light]:
    return {place: light for place, light in lights.items() if place != position}


def _cleared(table: FloorTable, lights: Mapping[int, Light]) -> FloorTable:
    return replace(
        table,
        started=False,
        lights=lights,
        spot=0,
        awards=(),
        calls=_calls_but_for(table, FOR_AN_AWARD),
        key="run",
        key_holder="",
        envy_paid=(),
        seen=(),
        contributed=(),
        starts={},
    )


def dump(table: FloorTable) -> dict[str, Any]:
    """The table as plain data."""
    data = {
        name: getattr(table, name)
        for name in (
            "name",
            "game",
            "positions",
            "deck",
            "opened_at",
            "link",
            "round",
            "started",
            "spot",
        )
    }
    return {
        **data,
        "options": dict(table.options),
        "equipment": list(table.equipment),
        "lights": {str(place): _flat(light) for place, light in sorted(table.lights.items())},
        "awards": [_flat(award) for award in table.awards],
        "calls": [_flat(call) for call in table.calls],
        "key": table.key,
        "key_holder": table.key_holder,
        "envy_paid": [list(line) for line in table.envy_paid],
        "seen": [list(payment) for payment in table.seen],
        "contributed": [list(moved) for moved in table.contributed],
        "starts": dict(table.starts),
        "deal_number": table.deal_number,
        "deal_at": table.deal_at,
        "deal_start": dict(table.deal_start),
        "deal": list(table.deal),
        "changed_at": table.changed_at,
    }


def _flat(record: Light | Award | Call) -> dict[str, Any]:
    # This is done with every event of a table; asdict copies all that is in there.
    return {name: getattr(record, name) for name in record.__slots__}


def load(data: Mapping[str, Any]) -> FloorTable:
    """The table from plain data."""
    return FloorTable(
        **{
            **data,
            "equipment": tuple(data["equipment"]),
            "lights": {int(place): Light(**light) for place, light in data["lights"].items()},
            "awards": tuple(
                Award(**{**award, "moved": tuple((d, c, a) for d, c, a in award["moved"])})
                for award in data["awards"]
            ),
            "calls": tuple(Call(**call) for call in data["calls"]),
            "envy_paid": tuple((to, hand) for to, hand in data["envy_paid"]),
            "seen": tuple((to, hand, cents) for to, hand, cents in data["seen"]),
            "contributed": tuple((d, c, a) for d, c, a in data["contributed"]),
            "deal": tuple(data["deal"]),
        }
    )


def share_of(award_hand: str, paytable: PayTable) -> MeterShare | None:
    """The share of a meter that a hand wins; None for a fixed pay."""
    odds = paytable.odds(read_hand(award_hand, paytable))
    return odds if isinstance(odds, MeterShare) else None
