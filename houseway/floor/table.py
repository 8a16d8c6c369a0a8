"""Table: a live table, the round at it, and the awards of its progressive that are not paid yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal

from houseway.floor import earlier
from houseway.floor.earlier import EarlierGame
from houseway.games.registry import game_of, kept_options
from houseway.house.money import MeterShare
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.journal.event import Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused
from houseway.rules.wagers import read_options

Status = Literal["recorded", "confirmed"]
FOR_AN_AWARD = "award"
"""The reason of a call that belongs to the game: its end clears it."""
RULE_KINDS = ("table_made", "table_changed")
"""The few events that say what is played at a table: whoever rebuilds a round looks for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A share of a meter that was recorded on a win page and is not handed over yet.

    A recorded award is logged and its meter still stands, as between J-POT and RUN; a confirmed
    one has left the meter.
    """

    page: int
    round: int
    """The live round; 0 for an award of an earlier program's game."""
    position: int
    player: str
    hand: str
    level: str
    whole: bool
    wager_cents: int
    amount_cents: int
    chosen_by: str
    confirmed_by: str
    status: Status
    at: str
    """When it was recorded or confirmed."""
    verified: bool = False
    """True once surveillance has verified it."""
    verified_by: str = ""
    """The card of surveillance that did; empty for an award of an earlier program's game."""
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
    """A live table of the floor."""

    name: str
    game: str
    positions: int
    options: Mapping[str, str] = field(default_factory=dict)
    paytables: Mapping[str, str] = field(default_factory=dict)
    """Codes by bet, where they are not the usual ones."""
    deck: str = "virtual"
    opened_at: str = ""
    """When it was opened, where it is open; a practice table need not be."""
    equipment: tuple[str, ...] = ()
    """Serial numbers of what stands at it."""
    without_layout: bool = False
    """True when it was made before a layout was asked for, and has had none since."""
    placard: str = ""
    """A digest of the placard that was posted when it was opened; an earlier program kept none."""
    card_material: str = ""
    card_size: str = ""
    """Of the cards that lie at it; empty until they are changed for the first time (ACE-05)."""
    link: str = ""
    started: bool = False
    """True from START GAME to the end of the round: progressive wagers are taken."""
    awards: tuple[Award, ...] = ()
    """Awards with a win page that are not handed over, of this round and of rounds before."""
    calls: tuple[Call, ...] = ()
    """Calls that are open, the oldest first; one for each reason."""
    key: Literal["run", "jph"] = "run"
    key_holder: str = ""
    seen: tuple[tuple[int, int, int], ...] = ()
    """Large pays of the round that surveillance has verified: to whom, for whose hand, cents."""
    contributed: tuple[tuple[str, str, int], ...] = ()
    """What the start of the round moved, so that a void round can move it back."""
    starts: Mapping[str, int] = field(default_factory=dict)
    """How often each meter had been started again by then, or by an award put back since."""
    envy_cents: int = 0
    """Envy that was paid in this round."""
    earlier: EarlierGame | None = None
    """A game of an earlier program that is not over."""
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
        """The options of the table, read; the day that limits depend on is the floor's."""
        return _options(self.game, tuple(self.options.items()))

    @property
    def recorded(self) -> Award | None:
        """The award that J-POT has recorded and whose meter still stands."""
        if not self.awards:
            # Asked of every table of a floor again and again, and mostly there are none.
            return None
        return next((award for award in self.awards if award.status == "recorded"), None)

    def award_of(self, page: int) -> Award | None:
        """The award of a win page, while it is not handed over."""
        return next((award for award in self.awards if award.page == page), None)

    @property
    def called_at(self) -> str:
        """When a supervisor was called for an award; empty while none was."""
        call = self.call_for(FOR_AN_AWARD)
        return "" if call is None else call.at

    def call_for(self, reason: str) -> Call | None:
        """The open call for a reason."""
        return next((call for call in self.calls if call.reason == reason), None)


@lru_cache(maxsize=1024)
def _options(game: str, texts: tuple[tuple[str, str], ...]) -> Options:
    undated = {name: text for name, text in texts if name not in ("profile", "date")}
    found: dict[str, Any] = {"profile": dict(texts).get("profile", "none")}
    usual: Options = game_of(game).options()
    return replace(read_options(kept_options(game, undated), usual)[0], **found)


def table_stream(name: str) -> str:
    """The stream of a table."""
    return f"table:{name}"


def find_table(state: State, name: str) -> FloorTable:
    """The table of that name; refused when there is none."""
    found = state.streams.get(table_stream(name))
    if not isinstance(found, FloorTable):
        raise Refused(Reason.UNKNOWN_VALUE, f"table {name!r} is unknown")
    return found


def check_no_earlier_game(table: FloorTable) -> None:
    """Refuse to go on with a game that an earlier program began."""
    if table.earlier is not None and table.started:
        raise Refused(
            Reason.WRONG_PHASE,
            f"an earlier version of the program began the game at {table.name}; a supervisor ends "
            "it with end_earlier_game",
        )


def read_hand(name: str, paytable: PayTable) -> int:
    """The hand of that name."""
    return paytable.hand_of(name)


def share_of(hand: str, paytable: PayTable) -> MeterShare | None:
    """The share of a meter that a hand wins; None for a fixed pay."""
    odds = paytable.odds(read_hand(hand, paytable))
    return odds if isinstance(odds, MeterShare) else None


def evolve(before: FloorTable | None, event: Event) -> FloorTable:
    """The table after one of its events."""
    if event.kind == "round" and before is not None:
        # Most events are steps of rounds, and a table has many fields to copy.
        return replace(before, deal=(*before.deal, event.data["text"]), changed_at=event.at)
    return replace(_evolved(before, event), changed_at=event.at)


def _evolved(before: FloorTable | None, event: Event) -> FloorTable:
    data = event.data
    if event.kind == "table_made":
        return FloorTable(
            name=data["name"],
            game=data["game"],
            positions=data["positions"],
            options=data["options"],
            paytables=data.get("paytables", {}),
            deck=data.get("deck", "virtual"),
            without_layout=data.get("without_layout", False),
        )
    assert before is not None, event.stream
    in_earlier = before.earlier is not None and before.started and event.kind in earlier.KINDS
    if in_earlier or event.kind in ("lit", "unlit"):
        return replace(before, earlier=earlier.evolve(before.earlier, event))
    match event.kind:
        case "table_changed":
            return replace(before, options=data["options"], paytables=data["paytables"])
        case "table_opened":
            return replace(
                before,
                opened_at=event.at,
                equipment=tuple(data["equipment"]),
                without_layout=data["without_layout"],
                placard=data.get("placard", ""),
            )
        case "shuffler_replaced":
            stands = (data["replacement"] if s == data["broken"] else s for s in before.equipment)
            return replace(before, equipment=tuple(stands))
        case "table_closed":
            return replace(before, opened_at="")
        case "cards_changed":
            return replace(before, card_material=data["material"], card_size=data["size"])
        case "link_joined":
            return replace(before, link=data["link"])
        case "link_left":
            return replace(before, link="")
        case "game_started":
            began = earlier.evolve(before.earlier, event) if data["earlier"] else None
            return replace(
                before,
                started=True,
                contributed=tuple((d, c, a) for d, c, a in event.transfers),
                starts=data["starts"],
                earlier=began,
            )
        case "supervisor_called":
            return _called(before, event)
        case "call_answered":
            return replace(before, calls=_calls_but_for(before, data["reason"]))
        case "key_turned":
            return replace(before, key=data["to"], key_holder=data["holder"])
        case "jackpot_recorded":
            return replace(before, awards=(*before.awards, _award(event, "recorded")))
        case "award_confirmed":
            left = _without(before.awards, data["page"])
            # A check on camera since J-POT still counts.
            recorded = before.award_of(data["page"])
            award = _award(event, "confirmed")
            if recorded is not None and recorded.verified:
                award = replace(award, verified=True, verified_by=recorded.verified_by)
            return replace(before, awards=(*left, award))
        case "award_backed_out":
            return _backed_out(before, data["page"])
        case "award_paid":
            return replace(before, awards=_without(before.awards, data["page"]))
        case "camera_checked" if data["page"]:
            changed = tuple(
                replace(award, verified=True, verified_by=event.actor)
                if award.page == data["page"]
                else award
                for award in before.awards
            )
            return replace(before, awards=changed)
        case "camera_checked":
            payment = (data["position"], data["from"], data["cents"])
            return replace(before, seen=(*before.seen, payment))
        case "envy_paid":
            return replace(before, envy_cents=data["cents"])
        case "game_voided" if data["carried"] and before.earlier is not None:
            return replace(_cleared(before), earlier=earlier.carried_over(before.earlier))
        case "game_ended" | "game_voided":
            return _cleared(before)
        case "earlier_game_ended":
            assert before.earlier is not None, event.position
            lights = earlier.carried_over(before.earlier) if data["carried"] else None
            awards = (*before.awards, *_owed(before.earlier))
            return replace(_cleared(before), awards=awards, earlier=lights)
        case "round_opened":
            return replace(
                before,
                deal_number=data["number"],
                deal_at=event.at,
                deal_start=data["start"],
                deal=(),
                # A round of an earlier program left the lights to its progressive.
                earlier=None if data.get("takes_over") else before.earlier,
            )
        case "round_undone":
            return replace(before, deal=before.deal[:-1])
        case "round_ended" | "irregularity" | "amounts_changed":
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


def _award(event: Event, status: Status) -> Award:
    data = event.data
    names = ("page", "round", "position", "player", "hand", "level", "whole", "wager_cents")
    more = ("amount_cents", "chosen_by", "confirmed_by")
    return Award(
        **{name: data[name] for name in (*names, *more)},
        status=status,
        at=event.at,
        moved=tuple((d, c, a) for d, c, a in event.transfers),
    )


def _owed(game: EarlierGame) -> list[Award]:
    """The confirmed awards of an earlier game that are not handed over."""
    return [
        Award(
            page=award.page,
            # Earlier games were counted for themselves: no live round has this award.
            round=0,
            position=award.position,
            player=game.lights[award.position][1],
            hand=award.hand,
            level=award.level,
            whole=award.whole,
            wager_cents=game.lights[award.position][0],
            amount_cents=award.amount_cents,
            chosen_by=award.by,
            confirmed_by=award.confirmed_by,
            status="confirmed",
            at=award.at,
            verified=award.verified,
            moved=award.moved,
        )
        for award in game.awards
        if award.status == "confirmed" and award.level is not None
    ]


def _backed_out(table: FloorTable, page: int) -> FloorTable:
    """The table once an award was put back; the start of its meter in this round is undone."""
    award = table.award_of(page)
    assert award is not None, page
    starts = dict(table.starts)
    in_round = table.started and award.round == table.deal_number
    if in_round and award.whole and award.status == "confirmed":
        starts[award.level] = starts.get(award.level, 0) + 1
    return replace(table, awards=_without(table.awards, page), starts=starts)


def _without(awards: tuple[Award, ...], page: int) -> tuple[Award, ...]:
    return tuple(award for award in awards if award.page != page)


def _cleared(table: FloorTable) -> FloorTable:
    """The table after a round: what is confirmed and not handed over stays."""
    return replace(
        table,
        started=False,
        calls=_calls_but_for(table, FOR_AN_AWARD),
        key="run",
        key_holder="",
        seen=(),
        contributed=(),
        starts={},
        envy_cents=0,
        earlier=None,
    )


_PLAIN = tuple(
    field.name
    for field in fields(FloorTable)
    if field.name
    not in ("options", "paytables", "equipment", "awards", "calls", "seen", "contributed")
    and field.name not in ("starts", "earlier", "deal_start", "deal")
)


def dump(table: FloorTable) -> dict[str, Any]:
    """The table as plain data."""
    return {
        **{name: getattr(table, name) for name in _PLAIN},
        "options": dict(table.options),
        "paytables": dict(table.paytables),
        "equipment": list(table.equipment),
        "awards": [_flat(award) for award in table.awards],
        "calls": [_flat(call) for call in table.calls],
        "seen": [list(payment) for payment in table.seen],
        "contributed": [list(moved) for moved in table.contributed],
        "starts": dict(table.starts),
        "earlier": None if table.earlier is None else earlier.dump(table.earlier),
        "deal_start": dict(table.deal_start),
        "deal": list(table.deal),
    }


def _flat(record: Award | Call) -> dict[str, Any]:
    # This is done with every event of a table; asdict copies all that is in there.
    return {name: getattr(record, name) for name in record.__slots__}


def load(data: Mapping[str, Any]) -> FloorTable:
    """The table from plain data."""
    return FloorTable(
        **{
            **data,
            "equipment": tuple(data["equipment"]),
            "awards": tuple(
                Award(**{**award, "moved": tuple((d, c, a) for d, c, a in award["moved"])})
                for award in data["awards"]
            ),
            "calls": tuple(Call(**call) for call in data["calls"]),
            "seen": tuple((to, hand, cents) for to, hand, cents in data["seen"]),
            "contributed": tuple((d, c, a) for d, c, a in data["contributed"]),
            "earlier": None if data["earlier"] is None else earlier.load(data["earlier"]),
            "deal": tuple(data["deal"]),
        }
    )
