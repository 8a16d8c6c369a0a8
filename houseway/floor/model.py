"""Model: what every command and event of a floor means, for the journal that keeps them."""

from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from typing import Any

from houseway.catalog.equipment import ApprovedModel, Display
from houseway.floor import (
    adjustment,
    approvals,
    bank,
    cage,
    call,
    camera,
    card,
    card_stock,
    confirmation,
    custody,
    dealing,
    drop,
    ending,
    house,
    link,
    payment,
    person,
    pit,
    table,
    timekeeping,
    tray,
)
from houseway.floor.approvals import Maker, Paper, Register
from houseway.floor.cage import Cage, Slip
from houseway.floor.day import Clock
from houseway.floor.drop import Box, Boxes
from houseway.floor.earlier import EarlierAward, EarlierGame
from houseway.floor.equipment_register import Equipment
from houseway.floor.house import House
from houseway.floor.link import Cheque, Link, Owed, Pending
from houseway.floor.person import Person
from houseway.floor.pit import Pit, Seen
from houseway.floor.table import Award, Call, FloorTable
from houseway.floor.timekeeping import Alarm, FloorTime
from houseway.floor.tray import Tray
from houseway.floor.upcasts import UPCASTS
from houseway.house.meters import MeterSettings
from houseway.journal.event import Command, Entry, Event, canonical
from houseway.journal.state import State
from houseway.journal.timekeeper import Jump
from houseway.refusal import Reason, Refused, listed

DECIDERS: dict[str, Callable[[State, Command], Entry]] = {
    name: decider
    for room in (
        house,
        approvals,
        card,
        card_stock,
        custody,
        bank,
        adjustment,
        confirmation,
        camera,
        payment,
        ending,
        dealing,
        tray,
        cage,
        call,
        drop,
        pit,
        timekeeping,
    )
    for name, decider in room.DECIDERS.items()
}


KEPT = (
    Link,
    Pending,
    Cheque,
    Owed,
    MeterSettings,
    FloorTable,
    Award,
    EarlierGame,
    EarlierAward,
    Call,
    Person,
    House,
    Clock,
    Register,
    Paper,
    Maker,
    ApprovedModel,
    Equipment,
    Display,
    Tray,
    Cage,
    Slip,
    Boxes,
    Box,
    Pit,
    Seen,
    FloorTime,
    Alarm,
)
"""What states are made of."""


FLOOR: dict[str, Any] = {
    house.STREAM: house,
    approvals.STREAM: approvals,
    cage.STREAM: cage,
    drop.STREAM: drop,
    pit.STREAM: pit,
    timekeeping.STREAM: timekeeping,
}
"""Streams of which a floor has one."""


class FloorModel:
    """Links, tables and people."""

    upcasts = UPCASTS
    form = canonical([[kept.__name__, *(field.name for field in fields(kept))] for kept in KEPT])

    def decide(self, state: State, command: Command) -> Entry:
        """What a command comes to; refused when it may not be done."""
        decider = DECIDERS.get(command.name)
        if decider is None:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"command {command.name!r} is unknown; known: {listed(DECIDERS)}",
            )
        return decider(state, command)

    def time_offset(self, state: State) -> timedelta:
        """The difference between the floor's time and the machine's clock."""
        return timekeeping.time_offset(state)

    def time_corrected(self, state: State) -> timedelta:
        """By how much people have set the floor's time, in all."""
        return timekeeping.time_corrected(state)

    def jumped(self, state: State, jump: Jump) -> Entry:
        """How a jump of the machine's clock is written down."""
        del state
        return timekeeping.jumped(jump)

    def evolve(self, before: Any, event: Event) -> Any:
        """The state of a stream after one more of its events."""
        return _room(event.stream).evolve(before, event)

    def dump(self, state: Any) -> Any:
        """The state of a stream as plain data."""
        match state:
            case Link():
                return link.dump(state)
            case FloorTable():
                return table.dump(state)
            case Person():
                return person.dump(state)
            case House():
                return house.dump(state)
            case Register():
                return approvals.dump(state)
            case Tray():
                return tray.dump(state)
            case Cage():
                return cage.dump(state)
            case Boxes():
                return drop.dump(state)
            case Pit():
                return pit.dump(state)
            case FloorTime():
                return timekeeping.dump(state)
        raise ValueError(f"{type(state).__name__} is no state of a floor")

    def load(self, stream: str, data: Any) -> Any:
        """The state of a stream from plain data."""
        room = _room(stream)
        return Person(**data) if room is person else room.load(data)


def _room(stream: str) -> Any:
    if stream in FLOOR:
        return FLOOR[stream]
    rooms = {"link": link, "table": table, "person": person, "tray": tray}
    kind = stream.partition(":")[0]
    if kind not in rooms:
        raise ValueError(f"stream {stream!r} is of no kind that a floor has")
    return rooms[kind]
