"""Views: nobody is shown a card that they may not see, nor anything that depends on it."""

from collections.abc import Iterator
from random import Random
from typing import Any

from houseway.cards import HIDDEN, card_text
from houseway.conformance.rounds import Played, cards_by_place, deal
from houseway.games.contract import Game, Hand
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.commands import DEALER, Place
from houseway.live.guard import place_words
from houseway.live.round import act
from houseway.live.state import Round, Seat
from houseway.live.view import AFTERWARDS, Viewer, view
from houseway.refusal import Refused

WATCHING = (Viewer("dealer"), Viewer("supervisor"), Viewer("surveillance"), Viewer("public"))
REPLAYED = 2
"""At how many steps of a round it is dealt again from a deck with other hidden cards."""
Slot = tuple[Place, int]
"""A card by where it lies: the place, and its number there from 0."""


def views_hide(game: Game, seed: int) -> Iterator[str]:
    """Yields a sentence for each view that changes with cards its viewer may not see.

    After every step the hidden cards are exchanged on the table. At some steps the round is dealt
    again from the beginning with them exchanged, so that what was said or done earlier is tried.
    """
    played = deal(game, seed)
    rng = Random(seed)
    for step in played.steps:
        table = step.after
        for viewer in viewers(table):
            shown = view(table, viewer)
            yield from _wrong_cards(table, viewer, shown)
            other = exchanged(table, viewer, rng)
            yield from _differing(table, shown, other, viewer, "exchanging")
    for number in rng.sample(range(len(played.steps)), min(REPLAYED, len(played.steps))):
        table = played.steps[number].after
        for viewer in viewers(table):
            again = dealt_again(played, number, viewer, rng)
            if again is not None:
                shown = view(table, viewer)
                yield from _differing(table, shown, again, viewer, "dealing again with")


def viewers(table: Round) -> tuple[Viewer, ...]:
    """Everybody who may look: the staff, the public, and a player at each position."""
    return (*WATCHING, *(Viewer("player", seat.position) for seat in table.seats))


def may_see(table: Round, viewer: Viewer, slot: Slot, *, up: bool) -> bool:
    """True when a viewer may see a card: it lies face up, is the own, or all is over."""
    place, number = slot
    if up or (place, number + 1) in table.exposed:
        return True
    own = viewer.kind == "player" and viewer.position == place
    return own or (table.over and viewer.kind in AFTERWARDS)


def _wrong_cards(table: Round, viewer: Viewer, shown: dict[str, Any]) -> Iterator[str]:
    """Yields each place whose cards are not shown as this viewer may see them."""
    told: dict[Place, list[str]] = {DEALER: shown["dealer"], **shown.get("places", {})}
    told |= {seat["position"]: seat["cards"] for seat in shown["positions"]}
    if shown["community"] is not None:
        told["community"] = shown["community"]
    for place, (cards, up) in lying(table).items():
        due = [
            card_text(card) if may_see(table, viewer, (place, n), up=up[n]) else HIDDEN
            for n, card in enumerate(cards)
        ]
        if told.get(place, []) != due:
            yield (
                f"{_name(viewer)} is shown {' '.join(told.get(place, [])) or 'nothing'} at "
                f"{place_words(place)} in phase '{table.phase}', and may see "
                f"{' '.join(due) or 'nothing'}"
            )


def _name(viewer: Viewer) -> str:
    return f"the player at position {viewer.position}" if viewer.position else viewer.kind


def _differing(
    table: Round, first: dict[str, Any], other: Round, viewer: Viewer, how: str
) -> Iterator[str]:
    second = view(other, viewer)
    if first == second:
        return
    name = _name(viewer)
    for key in first:
        if first[key] != second[key]:
            yield (
                f"{how} cards that {name} may not see in phase '{table.phase}' changes "
                f"'{key}' of the view: {_short(first[key])}, then {_short(second[key])}"
            )
            return


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 120 else f"{text[:117]}..."


def lying(table: Round) -> dict[Place, tuple[tuple[int, ...], tuple[bool, ...]]]:
    """The cards on the table by place, each face up or down."""
    found: dict[Place, tuple[tuple[int, ...], tuple[bool, ...]]] = {
        DEALER: (table.dealer, table.dealer_up)
    }
    found |= {seat.position: (seat.cards, seat.up) for seat in table.seats}
    return found | {place: (laid.cards, laid.up) for place, laid in table.laid.items()}


def hidden_slots(table: Round, viewer: Viewer) -> list[Slot]:
    """The cards on the table that a viewer may not see."""
    return [
        (place, number)
        for place, (cards, up) in lying(table).items()
        for number in range(len(cards))
        if not may_see(table, viewer, (place, number), up=up[number])
    ]


def exchanged(table: Round, viewer: Viewer, rng: Random) -> Round:
    """The round with every card in another place that the viewer may not see."""
    if table.shuffle is None:
        return table
    slots = hidden_slots(table, viewer)
    spread = {place: list(cards) for place, (cards, _) in lying(table).items()}
    left = list(table.shuffle.cards[table.dealt :])
    cards = [spread[place][number] for place, number in slots] + left
    rng.shuffle(cards)
    for (place, number), card in zip(slots, cards, strict=False):
        spread[place][number] = card
    deck = (*table.shuffle.cards[: table.dealt], *cards[len(slots) :])
    return table._replace(
        shuffle=table.shuffle._replace(cards=deck),
        dealer=tuple(spread[DEALER]),
        seats=tuple(_with_cards(seat, tuple(spread[seat.position])) for seat in table.seats),
        laid={at: laid._replace(cards=tuple(spread[at])) for at, laid in table.laid.items()},
    )


def _with_cards(seat: Seat, cards: tuple[int, ...]) -> Seat:
    """A seat with other cards in its hands."""
    if cards == seat.cards:
        return seat
    # With several packs a hand may hold a face twice, and each of them is another card now.
    instead: dict[int, list[int]] = {}
    for old, new in zip(seat.cards, cards, strict=True):
        instead.setdefault(old, []).append(new)
    hands: tuple[Hand, ...] = tuple(
        hand._replace(cards=tuple(instead[card].pop(0) for card in hand.cards))
        for hand in seat.hands
    )
    return seat._replace(cards=cards, hands=hands)


def dealt_again(played: Played, number: int, viewer: Viewer, rng: Random) -> Round | None:
    """The round after a step, from a deck in which the cards are exchanged that are hidden then.

    None where the same commands are impossible with these cards, or the dealer would have found
    another answer when looking at a card: both may be seen.
    """
    table = played.steps[number].after
    if table.shuffle is None:
        return None
    shown = set(range(len(played.deck)))
    places = cards_by_place(played._replace(steps=played.steps[: number + 1]))
    hidden = set(hidden_slots(table, viewer))
    # The dealer's cards may lie in another order once they are shown, and then none is hidden.
    for place, indices in places.items():
        for at, index in enumerate(indices):
            seen = place != "burned" and (place, at) not in hidden
            shown -= set() if seen else {index}
    dealt = {index for indices in places.values() for index in indices}
    free = sorted((set(range(len(played.deck))) - dealt) | (dealt - shown))
    cards = [played.deck[index] for index in free]
    rng.shuffle(cards)
    deck = list(played.deck)
    for index, card in zip(free, cards, strict=True):
        deck[index] = card
    again = played.opened
    try:
        for step in played.steps[: number + 1]:
            command = step.command
            if isinstance(command, c.LoadShuffle):
                command = c.LoadShuffle(command.shuffle._replace(cards=tuple(deck)))
            again, happened = act(again, command)
            if _found(happened) != _found(step.happened):
                return None
    except Refused:
        return None
    return again


def _found(happened: tuple[e.Event, ...]) -> list[bool]:
    return [event.holds for event in happened if isinstance(event, e.Peeked)]
