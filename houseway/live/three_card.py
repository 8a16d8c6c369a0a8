"""Three cards: what happens in a round with Ante, Play and bonus bets."""

from collections.abc import Iterator

from houseway.cards import RANK_WORDS, rank_of
from houseway.games.contest import Three, contest_of, three
from houseway.games.contract import Game
from houseway.hands import ThreeCard, category3
from houseway.lines import in_action_after_fold, in_order
from houseway.live import events as e
from houseway.live import progressive
from houseway.live.commands import DEALER
from houseway.live.phases import Phase
from houseway.live.seen import added_wager, face_down, lines_of, seen_of
from houseway.live.state import Round

COMMUNITY_CARDS = 2
FACE_DOWN = (False, False, False)
ONE_UP = (False, False, True)


def game_of(table: Round) -> Game:
    """The game, which has an Ante and a Play."""
    assert table.ruleset.game.contest is not None
    return table.ruleset.game


def deliver(table: Round, places: tuple[int, ...]) -> Iterator[e.Event]:
    """A packet of three to each place, face down; in Face Up one dealer card up (FUP-03).

    Positions come from the dealer's left, the dealer last (TSR-24, TCP-18, SCB-07). The packets
    lie face down from the shuffler to the spot, so no bottom card is seen (TSR-25).
    """
    assert table.shuffle is not None
    number = table.dealt // table.shuffle.packet_size
    face_up = table.ruleset.game.code == "three-card-poker-face-up"
    for place in places:
        up = ONE_UP if face_up and place == DEALER else FACE_DOWN
        yield e.Dealt(place, table.shuffle.packet(number), up)
        number += 1
    if places[-1] == DEALER:
        yield from _community(table, number)
        asked = any("ante" in table.seat(p).wagers for p in table.playing)
        yield e.PhaseBegan(Phase.DECISIONS if asked else Phase.REVEAL, None)


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
    yield e.Announced(dealer_words(table, three(cards)))
    yield from _antes_returned(table, three(cards))
    if not table.community:
        yield e.PhaseBegan(Phase.RECONCILE, None)


def _antes_returned(table: Round, dealer: Three) -> Iterator[e.Event]:
    """In Face Up the Antes go back at once when the dealer does not play (FUP-06)."""
    game, options = game_of(table), table.options
    if game.code != "three-card-poker-face-up" or contest_of(game).dealer_plays(
        contest_of(game).value(dealer, options)
    ):
        return
    for position in reversed(table.playing):
        seat = table.seat(position)
        if "ante" in seat.wagers and not seat.folded:
            shown = seen_of(table, seat)._replace(dealer=dealer)
            for line in lines_of(table, seat, shown, "ante"):
                yield e.Settled(position, line)


def reveal_community(table: Round) -> Iterator[e.Event]:
    """The community cards, after the dealer's own hand (PML-09)."""
    yield e.CommunityShown(table.community)
    yield e.PhaseBegan(Phase.RECONCILE, None)


def dealer_words(table: Round, cards: Three) -> str:
    """What the dealer announces of the hand (TCP-21, A-28, A-34)."""
    game, options = game_of(table), table.options
    if not contest_of(game).dealer_plays(contest_of(game).value(cards, options)):
        return "Dealer doesn't play."
    if game.code == "triple-shot-rummy":
        return f"Dealer plays with {contest_of(game).describe(cards, options)}."
    if options.announcement_text == "source_text":
        return "Dealer plays with a Queen."
    if category3(*cards) == ThreeCard.HIGH_CARD:
        high = RANK_WORDS[max(rank_of(card) for card in cards)]
        return f"Dealer plays with {'an' if high[0] == 'A' else 'a'} {high}."
    return f"Dealer plays with {contest_of(game).describe(cards, options)}."


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
