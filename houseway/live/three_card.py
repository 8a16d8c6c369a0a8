"""Three cards: what happens in a round with Ante, Play and bonus bets."""

from collections.abc import Iterator

from houseway.games.contract import DEALER as THE_DEALER
from houseway.games.contract import SEATS, Deal, Game, Seen, Settle
from houseway.lines import in_action_after_fold, in_order
from houseway.live import events as e
from houseway.live import progressive
from houseway.live.commands import DEALER
from houseway.live.phases import Phase
from houseway.live.seen import added_wager, face_down, lines_of, seen_of
from houseway.live.state import Round

COMMUNITY_CARDS = 2


def game_of(table: Round) -> Game:
    """The game, which has an Ante and a Play."""
    assert table.ruleset.game.contest is not None
    return table.ruleset.game


def deliver(table: Round, places: tuple[int, ...]) -> Iterator[e.Event]:
    """A packet of three to each place, face down, or as the script has it (FUP-03).

    Positions come from the dealer's left, the dealer last (TSR-24, TCP-18, SCB-07). The packets
    lie face down from the shuffler to the spot, so no bottom card is seen (TSR-25).
    """
    assert table.shuffle is not None
    number = table.dealt // table.shuffle.packet_size
    for place in places:
        step = dealt_to(game_of(table), place)
        up = (False,) * step.down + (True,) * step.up
        yield e.Dealt(place, table.shuffle.packet(number), up)
        number += 1
    if places[-1] == DEALER:
        yield from _community(table, number)
        asked = any("ante" in table.seat(p).wagers for p in table.playing)
        yield e.PhaseBegan(Phase.DECISIONS if asked else Phase.REVEAL, None)


def dealt_to(game: Game, place: int) -> Deal:
    """The step of the script that deals a packet to a place."""
    to = THE_DEALER if place == DEALER else SEATS
    return next(step for step in game.script if isinstance(step, Deal) and step.to == to)


def _community(table: Round, next_packet: int) -> Iterator[e.Event]:
    """Two cards for the link, from the next packet or the top of the flushed cards (PML-09)."""
    assert table.shuffle is not None
    if not (table.ruleset.paytables["progressive"].community and table.lit()):
        return
    if table.options.community_source == "next_packet":
        cards = table.shuffle.packet(next_packet)[:COMMUNITY_CARDS]
    else:
        cards = table.shuffle.cards[: -COMMUNITY_CARDS - 1 : -1]
    yield e.CommunityTaken(cards, table.options.community_source)


def undecided(table: Round) -> list[int]:
    """The positions with an Ante that have neither played nor folded (TSR-26, TCP-19)."""
    return [
        p for p in table.playing if "ante" in table.seat(p).wagers and not table.seat(p).decisions
    ]


def decide(table: Round, position: int, decision: str) -> Iterator[e.Event]:
    """Play puts up as much as the Ante; a fold gives it up."""
    seat = table.seats[position - 1]
    yield e.Decided(position, decision, added_wager(table, seat, decision))
    if undecided(table) == [position]:
        yield e.PhaseBegan(Phase.REVEAL, None)


def uncollected(table: Round) -> list[int]:
    """The folded positions whose forfeits are not yet taken in."""
    return [
        seat.position for seat in table.seats if seat.folded and not seat.tucked and not seat.gone
    ]


def collect(table: Round) -> Iterator[e.Event]:
    """Forfeits are taken in before the dealer's hand is turned over (TSR-27, TCP-20).

    A folded hand that still plays for a bonus or a progressive is tucked under it (A-47).
    """
    game, options = game_of(table), table.options
    for position in uncollected(table):
        seat = table.seat(position)
        unseen = face_down(seat)
        taken = in_order(lines_of(table, seat, unseen), table.ruleset.order)
        for line in (*taken, *lines_of(table, seat, unseen, "progressive")):
            yield e.Settled(position, line)
        stays = in_action_after_fold(game, seat.wagers, table.ruleset.paytables, options)
        yield e.Tucked(position) if stays else e.PickedUp(position)


def reveal(table: Round) -> Iterator[e.Event]:
    """The dealer's hand, arranged from high to low, and the words for it (TCP-21, FUP-05, A-34)."""
    cards = tuple(sorted(table.dealer, reverse=True))
    yield e.DealerShown(cards)
    shown = table._replace(dealer=cards)
    yield e.Announced(game_of(table).announce(Seen(dealer=cards), table.options))
    yield from _settled_early(shown)
    if not table.community:
        yield e.PhaseBegan(Phase.RECONCILE, None)


def _settled_early(table: Round) -> Iterator[e.Event]:
    """What a script settles at once, such as the Antes of Face Up (FUP-06)."""
    early = [step for step in game_of(table).script if isinstance(step, Settle)]
    for position in reversed(table.playing):
        seat = table.seat(position)
        seen = seen_of(table, seat)
        for step in early:
            if not seat.folded and step.when(seen, table.options):
                for line in lines_of(table, seat, seen, *step.bets):
                    yield e.Settled(position, line)


def reveal_community(table: Round) -> Iterator[e.Event]:
    """The community cards, after the dealer's own hand (PML-09)."""
    yield e.CommunityShown(table.community)
    yield e.PhaseBegan(Phase.RECONCILE, None)


def reconcile(table: Round, position: int) -> Iterator[e.Event]:
    """One hand in the work area: shown, then bet by bet in order (TSR-28..30, TCP-22, A-33)."""
    seat = table.seats[position - 1]
    yield e.HandShown(position, seat.cards)
    place = table.ruleset.order.index
    found: list[tuple[int, e.Event]] = [
        (place(line.bet), e.Settled(position, line))
        for line in lines_of(table, seat, seen_of(table, seat))
    ]
    if "progressive" in seat.wagers and not seat.settled("progressive"):
        found.append((place("progressive"), progressive.settle_wager(table, seat)))
    for _, event in sorted(found, key=lambda bet: bet[0]):
        yield event
    yield e.Reconciled(position, progressive.stays_face_up(table, seat))
