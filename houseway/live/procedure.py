"""Procedure: the dealer's own next step, for a table that deals itself."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from houseway.house.money import MeterLevel
from houseway.live import commands as c
from houseway.live import engine, progressive
from houseway.live.commands import Bets, Command
from houseway.live.phases import Phase
from houseway.live.round import act
from houseway.live.shuffler import Shuffle
from houseway.live.state import Round

if TYPE_CHECKING:
    from houseway.live.record import Record

Meters = tuple[tuple[MeterLevel, int], ...]


def next_step(table: Round, meters: Meters = ()) -> Command | None:
    """What the dealer does now without being asked; None while players or a deck are awaited.

    Whatever waits is done at one stroke, in the order of the procedure. An offer is left open:
    whoever asks the players closes it.
    """
    if table.over or table.reported or table.wrong or table.runbook is not None:
        return None
    if engine.awaited(table) is not None:
        return None
    match table.phase:
        case Phase.NO_MORE_BETS:
            if table.lit() and not table.started:
                order = table.lit() if table.options.meter_pay_order != "right_to_left" else ()
                return c.StartGame(meters, order)
            return c.Deliver() if table.shuffle is not None else None
        case Phase.DEALING:
            return c.Deliver()
        case Phase.REVEAL:
            step = engine.to_show(table)
            return c.CollectForfeits() if step is None else c.Reveal(step.to)
        case Phase.RECONCILE:
            if table.waiting:
                return c.Reconcile()
            if not table.started:
                return c.CloseRound()
            if missing := progressive.unpressed(table):
                return c.PressHand(missing[0], progressive.hand_of(table, table.seat(missing[0])))
            if progressive.waits_for_floor(table) and progressive.unconfirmed(table):
                return None
            return c.PayEnvy() if progressive.unpaid_envy(table) else c.CloseRound()
    return None


Player = Callable[[Round, int], str | None]
"""Who decides for a position: a decision, or None to let an offer pass."""


def answers(table: Round, player: Player) -> Iterator[Command]:
    """The decisions that the players are asked for now, as commands.

    One at a time; an offer is made from the dealer's left and then closed.
    """
    if (offer := table.offer) is not None:
        for position in tuple(engine.undecided(table)):
            if (decision := player(table, position)) is not None:
                yield c.Decide(position, decision)
        yield c.CloseOffer(offer.name)
        return
    position = next(engine.undecided(table))
    decision = player(table, position)
    assert decision is not None, "only an offer may be left unanswered"
    yield c.Decide(position, decision)


def carry_on(table: Round, meters: Meters = ()) -> Round:
    """The round after all that the dealer does until a decision is due or the round is over."""
    if table.phase is Phase.BETTING:
        table, _ = act(table, c.NoMoreBets())
    while (command := next_step(table, meters)) is not None:
        table, _ = act(table, command)
    return table


def play_out(table: Round, player: Player, meters: Meters = ()) -> Round:
    """The round, carried on to its end with every decision made by a player.

    Bets and a shuffle are on the table.
    """
    table = carry_on(table, meters)
    while not table.over:
        for command in answers(table, player):
            table, _ = act(table, command)
        table = carry_on(table, meters)
    return table


def play_round(
    record: "Record",
    shuffle: Shuffle,
    bets: Mapping[int, Bets],
    player: Player,
    meters: Meters = (),
) -> None:
    """A whole round from these bets and this deck, with a player for every position."""
    for position, placed in bets.items():
        record.do(c.PlaceBets(position, placed))
    record.do(c.LoadShuffle(shuffle))
    record.do(c.NoMoreBets())
    while not record.table.over:
        step = next_step(record.table, meters)
        for command in answers(record.table, player) if step is None else (step,):
            record.do(command)
