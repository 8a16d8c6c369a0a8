"""Settling: a table pays what `settle` says, keeps every cent, and takes no verdict back."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from houseway.cards import UNKNOWN, cards_text
from houseway.conformance.rounds import (
    BrokenGame,
    Played,
    cards_by_place,
    chosen_paytables,
    deal,
)
from houseway.games.contract import DEALER, SEATS, Game, Seen
from houseway.games.play import stages
from houseway.house.money import dollars_text
from houseway.live import commands as c
from houseway.live import progressive
from houseway.live.phases import Phase
from houseway.live.seen import seen_of, turned
from houseway.live.state import Round, Seat, evolve
from houseway.rules.lines import Line, action_cents, put_cents, rulings
from houseway.rules.settlement import Settlement, settle

if TYPE_CHECKING:
    from houseway.games.base import Verdict


def settle_agrees(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each seat that a table pays otherwise than `settle` does."""
    played = deal(game, seed)
    for seat in played.final.seats:
        if not seat.wagers:
            continue
        found = settled_apart(played, seat)
        paid, due = (Counter(map(_told, lines)) for lines in (seat.lines, found.lines))
        for line in paid - due:
            yield f"{_whose(seat)}: the table settles {line}; settle does not"
        for line in due - paid:
            yield f"{_whose(seat)}: settle says {line}; the table does not"


def settled_apart(played: Played, seat: Seat) -> Settlement:
    """A seat of a round, settled from its cards in dealing order and its decisions alone."""
    game, table, rules = played.ruleset.game, played.final, played.ruleset
    extra: dict[str, Any] = {} if game.by_deck else _from_the_table(table, seat)
    return settle(
        game,
        bets=dict(seat.wagers),
        deck=seat_deck(played, seat),
        decisions=seat.decisions,
        paytables=chosen_paytables(rules),
        options=rules.options,
        **extra,
    )


def seat_deck(played: Played, seat: Seat) -> tuple[int, ...]:
    """The cards of a round in the order in which they would come to this seat alone."""
    rules, drawn = played.ruleset, list[int]()
    lying = {place: list(cards) for place, cards in cards_by_place(played).items()}

    def draw(place: str, number: int) -> tuple[int, ...]:
        at = {SEATS: seat.position, DEALER: c.DEALER}.get(place, place)
        left = lying.get(at, [])
        if len(left) < number:
            raise BrokenGame(
                f"{_whose(seat)}: settled alone, a card goes to {place!r} that the table never "
                "dealt there"
            )
        cards = tuple(played.deck[at] for at in left[:number])
        del left[:number]
        drawn.extend(cards)
        return cards

    *_, seen = stages(rules.game, draw, seat.decisions, seat.wagers, rules.options)
    if seen.actions != seat.decisions:
        raise BrokenGame(
            f"{_whose(seat)}: settled alone it is asked otherwise and comes to "
            f"{', '.join(seen.actions) or 'no decision'}"
        )
    return tuple(drawn)


def _from_the_table(table: Round, seat: Seat) -> dict[str, Any]:
    """What a progressive looks at beyond the seat: meters, a link's cards, the other lit hands."""
    if "progressive" not in seat.wagers:
        return {}
    others = [table.seat(p) for p in table.lit() if p != seat.position and table.seat(p).shown]
    return {
        "community": table.community or None,
        "meter": dict(progressive.meters_before(table, seat.position)),
        "others": [other.cards for other in others if not other.folded],
        "folded_others": [other.cards for other in others if other.folded],
    }


def _told(line: Line) -> str:
    on = line.bet if line.hand is None else f"{line.bet}, hand {line.hand},"
    free = f" and {dollars_text(line.free)} of the house" if line.free else ""
    return (
        f"{on} of {dollars_text(line.wager)}{free} as {line.outcome} "
        f"{dollars_text(line.net, sign=True)} by {line.clause} ({line.why})"
    )


def _whose(seat: Seat) -> str:
    done = ", ".join(seat.decisions) or "no decision"
    return f"position {seat.position} with {cards_text(seat.cards) or 'no cards'} and {done}"


# Money.


def money_adds_up(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each step at which a cent appears, is lost or has no line."""
    played = deal(game, seed)
    for step in played.steps:
        table = step.before
        for event in step.happened:
            table = evolve(table, event)
            what = f"after {type(event).__name__}"
            if table.money() != 0:
                yield f"{what} the money of the round sums to {table.money()} cents, not to 0"
            for seat in table.seats:
                on_felt = _on_felt(table, seat)
                if seat.felt != on_felt:
                    yield (
                        f"{what} {dollars_text(seat.felt)} lie on the felt of position "
                        f"{seat.position}; by its wagers, decisions and lines it is "
                        f"{dollars_text(on_felt)}"
                    )
    for seat in played.final.seats:
        yield from _ended(played, seat)


def _on_felt(table: Round, seat: Seat) -> int:
    """What should lie before a seat: what it put up, less what is settled or taken in."""
    done = [line for line in seat.lines if line.bet not in ("progressive", "envy")]
    put = sum(seat.wagers.values()) + sum(_puts(table, seat, free=False).values())
    taken = seat.wagers.get("progressive", 0) if table.started else 0
    return put - taken - sum(line.stake for line in done)


def _puts(table: Round, seat: Seat, *, free: bool) -> Counter[str]:
    """The chips that the decisions of a seat put up, by bet: the player's or the house's."""
    found: Counter[str] = Counter()
    for name in seat.decisions:
        action = table.ruleset.game.action(name)
        if action is None or action.puts is None or action.puts.free != free:
            continue
        cents = (put_cents if free else action_cents)(action, seat.wagers, table.options)
        found[action.puts.bet] += cents
    return found


def _ended(played: Played, seat: Seat) -> Iterator[str]:
    """Yields what is wrong with a seat when the round is over: every chip has one line."""
    table, named = played.final, f"position {seat.position}"
    lines = [line for line in seat.lines if line.bet != "envy" and not line.rides]
    own = Counter(seat.wagers) + _puts(table, seat, free=False)
    free = _puts(table, seat, free=True)
    for bet in {*own, *free, *(line.bet for line in lines)}:
        on_bet = [line for line in lines if line.bet == bet]
        if len({line.hand for line in on_bet}) < len(on_bet):
            yield f"{bet} of {named} is settled more than once"
        for whose, put, has_line in (
            ("", own[bet], sum(line.wager for line in on_bet)),
            (" of the house", free[bet], sum(line.free for line in on_bet)),
        ):
            if put != has_line:
                yield (
                    f"{named} has {dollars_text(put)}{whose} on {bet} and "
                    f"{dollars_text(has_line)} are settled"
                )
    for line in lines:
        if line.net < -line.wager:
            yield f"{line.bet} of {named} loses more than was wagered: {_told(line)}"
    net = sum(line.net for line in seat.lines)
    if seat.purse != net:
        yield f"{named} leaves with {seat.purse} cents; its lines come to {net}"


# Verdicts.


def verdicts_stand(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each verdict that a further card or decision changes.

    Cards are looked at one by one as they are turned over; a seat's own cards that lie face down
    are tried known, as a shuffler knows them, and unknown, as with real cards.
    """
    played = deal(game, seed)
    rng = Random(seed)
    for position in played.final.playing:
        for own_known in (True, False):
            before: dict[tuple[str, int], Verdict] = {}
            for seen, seat, table in _all_seen(played, position, rng, own_known=own_known):
                found = rulings(game, seen, seat.wagers, table.ruleset.paytables, table.options)
                now = {(ruling.bet, ruling.hand): ruling.verdict for ruling in found}
                for (bet, hand), verdict in before.items():
                    if now.get((bet, hand)) == verdict:
                        continue
                    after = now.get((bet, hand))
                    yield (
                        f"the verdict on {bet} of position {position}, hand {hand}, was "
                        f"{verdict.outcome} by {verdict.clause} and is then "
                        f"{f'{after.outcome} by {after.clause}' if after else 'open'}, with "
                        f"{cards_text(seen.own) or 'no cards'} against "
                        f"{cards_text(seen.dealer) or 'none'}"
                    )
                before = now


def _all_seen(
    played: Played, position: int, rng: Random, *, own_known: bool
) -> Iterator[tuple[Seen, Seat, Round]]:
    """What is seen of a seat after each event, and between two as cards are turned over."""
    last: Seen | None = None
    for step in played.steps:
        table = step.before
        for event in step.happened:
            table = evolve(table, event)
            if table.phase in (Phase.BETTING, Phase.NO_MORE_BETS, Phase.DEALING):
                continue
            seat = table.seat(position)
            seen = seen_of(table, seat)
            if not own_known:
                seen = _own_hidden(seen, seat)
            if seen == last:
                continue
            for between in _turned_over(last, seen, rng) if last is not None else ():
                yield between, seat, table
            yield seen, seat, table
            last = seen


def _own_hidden(seen: Seen, seat: Seat) -> Seen:
    """The same, with the seat's cards unknown that lie face down."""
    down = {card for card, up in zip(seat.cards, seat.up, strict=True) if not up}
    hands = tuple(
        hand._replace(cards=tuple(UNKNOWN if card in down else card for card in hand.cards))
        for hand in seen.hands
    )
    return seen._replace(own=turned(seat.cards, seat.up), hands=hands)


def _turned_over(before: Seen, after: Seen, rng: Random) -> Iterator[Seen]:
    """Yields what is seen as the cards that are new in the second are turned over one by one.

    None where anything else has changed: cards are added and decisions made at one stroke.
    """
    kept = before._replace(dealer=after.dealer, table=after.table)
    places = {DEALER: (before.dealer, after.dealer)}
    places |= {at: (before.table.get(at, ()), cards) for at, cards in after.table.items()}
    if kept != after or any(len(old) != len(new) for old, new in places.values()):
        return
    down = [(at, n) for at, cards in places.items() for n in _newly_known(*cards)]
    rng.shuffle(down)
    for first in range(1, len(down)):
        hidden = set(down[first:])
        lying = {
            at: tuple(UNKNOWN if (at, n) in hidden else card for n, card in enumerate(new))
            for at, (_, new) in places.items()
        }
        yield after._replace(dealer=lying.pop(DEALER), table=lying or after.table)


def _newly_known(old: tuple[int, ...], new: tuple[int, ...]) -> list[int]:
    """The places of cards that were not known before; the hand may be in another order now."""
    left = Counter(card for card in old if card != UNKNOWN)
    found = []
    for place, card in enumerate(new):
        if card != UNKNOWN and not left[card]:
            found.append(place)
        left[card] -= left[card] > 0
    return found
