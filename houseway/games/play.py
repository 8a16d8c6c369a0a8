"""Play: one seat of a game, dealt from cards in order by the script of the game.

For settling a seat that somebody describes; a table of several seats is dealt by a live round.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from houseway.cards import cards_text
from houseway.games.contract import (
    DEALER,
    SEATS,
    Action,
    Ask,
    Burn,
    Deal,
    Draw,
    Game,
    Hand,
    Peek,
    Seen,
)
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.house.options import Options


def known_action(game: Game, name: str) -> Action:
    """The action of that name; refused with the known ones when there is none."""
    found = game.action(name) if isinstance(name, str) else None
    if found is None:
        raise Refused(
            Reason.UNKNOWN_DECISION,
            f"decision {name!r} is unknown; known: "
            f"{listed(action.name for action in game.actions)}",
        )
    return found


def play_out(
    game: Game,
    deck: Sequence[int],
    decisions: Iterable[str],
    wagers: Iterable[str],
    options: "Options",
) -> Seen:
    """One seat dealt from the deck in order, with these decisions; refused where one is illegal.

    Without a further decision the seat does what the script calls usual. Cards that are left over
    are ignored.
    """
    *_, seen = stages(game, in_order(game, deck), decisions, wagers, options)
    return seen


Source = Callable[[str, int], tuple[int, ...]]
"""Where cards come from: the next cards for a place, so many."""
BURNED = "burned"
"""The place of cards that nobody gets."""


def stages(
    game: Game,
    draw: Source,
    decisions: Iterable[str],
    wagers: Iterable[str],
    options: "Options",
) -> Iterator[Seen]:
    """The seat after each step of the script."""
    made = tuple(wagers)
    queue = [known_action(game, name) for name in decisions]
    seen = Seen()
    for step in game.script:
        if isinstance(step, Deal):
            seen = _dealt(step, seen, draw, options)
        elif isinstance(step, Draw):
            due = step.when is None or step.when(seen, options)
            while due and not step.until(seen, options):
                seen = _with_cards(seen, step.to, draw(step.to, 1))
        elif isinstance(step, Peek):
            if step.when(seen, options):
                seen = seen._replace(peeked=int(step.what(seen, options)))
        elif isinstance(step, Burn):
            if step.when is None or step.when(seen, options):
                draw(BURNED, step.cards)
        elif isinstance(step, Ask) and (not step.needs or step.needs in made):
            seen = _asked(step, seen, queue, draw, options)
        yield seen
    if queue:
        raise _refused(queue[0], seen, options, _not_due(game, queue[0], seen, made))


def _not_due(game: Game, action: Action, seen: Seen, made: tuple[str, ...]) -> str:
    """Why a seat is not asked for an action any more, or never was."""
    asked = (step for step in game.script if isinstance(step, Ask) and action in step.actions)
    for step in asked:
        if step.needs and step.needs not in made:
            article = "an" if step.needs[0] in "aeiou" else "a"
            return f"without {article} {step.needs} there is nothing to decide"
    return f"the decision to {seen.actions[-1]} stands" if seen.actions else "none is due"


def _dealt(step: Deal, seen: Seen, draw: Source, options: "Options") -> Seen:
    # What a side bet of several tables looks at lies at no seat.
    if step.for_bet or (step.when is not None and not step.when(seen, options)):
        return seen
    places = {SEATS: seen.own, DEALER: seen.dealer}
    held = places.get(step.to) or seen.table.get(step.to, ())
    number = max(0, step.upto - len(held)) if step.upto else step.down + step.up
    dealt = draw(step.to, number)
    if step.to != SEATS:
        return _with_cards(seen, step.to, dealt)
    # Cards that complete a seat belong to no one of several hands.
    hands = seen.hands if step.upto else (Hand((*seen.own, *dealt)),)
    return seen._replace(own=(*seen.own, *dealt), hands=hands)


def _with_cards(seen: Seen, place: str, dealt: tuple[int, ...]) -> Seen:
    """The seat with further cards of the dealer's or of another place at the table."""
    if place == DEALER:
        return seen._replace(dealer=(*seen.dealer, *dealt))
    held = seen.table.get(place, ())
    return seen._replace(table={**seen.table, place: (*held, *dealt)})


def _asked(step: Ask, seen: Seen, queue: list[Action], draw: Source, options: "Options") -> Seen:
    """The seat after its answers; one that the step does not know is left for the next."""
    while (turn := in_turn(seen, step, options)) is not None:
        seen = seen._replace(turn=turn)
        if queue and queue[0] in step.actions:
            action = queue.pop(0)
            problem = None if action.why_not is None else action.why_not(seen, options)
            if problem is not None or (step.when is not None and not step.when(seen, options)):
                raise _refused(action, seen, options)
        elif queue and step.again is not None:
            raise _refused(queue[0], seen, options)
        elif not step.usual or (step.when is not None and not step.when(seen, options)):
            break
        else:
            action = next(action for action in step.actions if action.name == step.usual)
        seen = acted(seen, action, draw(SEATS, action.cards))
        if step.again is None:
            break
    return seen._replace(turn=0)


def in_turn(seen: Seen, step: Ask, options: "Options") -> int | None:
    """The hand of a seat that a question is about, counted from 0; None when none is left."""
    if step.again is None:
        return 0
    for turn in range(len(seen.hands)):
        if step.again(seen._replace(turn=turn) if turn != seen.turn else seen, options):
            return turn
    return None


def acted(seen: Seen, action: Action, dealt: tuple[int, ...]) -> Seen:
    """The seat after an action on the hand in turn, with the cards that it takes."""
    hands = given(answered(seen.hands, seen.turn, action), seen.turn, action, dealt)
    return seen._replace(own=(*seen.own, *dealt), hands=hands, actions=(*seen.actions, action.name))


def answered(hands: tuple[Hand, ...], turn: int, action: Action) -> tuple[Hand, ...]:
    """The hands of a seat after an action on one of them, before it takes cards."""
    hand = hands[turn] if hands else Hand(())
    hand = hand._replace(actions=(*hand.actions, action.name))
    if not action.splits:
        return (*hands[:turn], hand, *hands[turn + 1 :])
    free = action.puts is not None and action.puts.free
    first, *others = (hand._replace(cards=(card,)) for card in hand.cards)
    # The chips on a new hand are those of this action, whoever put up the first ones.
    opened = (other._replace(free=free) for other in others)
    return (*hands[:turn], first, *opened, *hands[turn + 1 :])


def given(
    hands: tuple[Hand, ...], turn: int, action: Action, cards: tuple[int, ...]
) -> tuple[Hand, ...]:
    """The hands with the cards of an action: all to the hand in turn, or to both of a split."""
    found, takes = list(hands), action.takes
    for number in range(len(cards) // takes if takes else 0):
        hand = found[turn + number]
        new = cards[number * takes : (number + 1) * takes]
        found[turn + number] = hand._replace(cards=(*hand.cards, *new))
    return tuple(found)


def _refused(
    action: Action, seen: Seen, options: "Options", not_due: str = "none is due"
) -> Refused:
    problem = None if action.why_not is None else action.why_not(seen, options)
    return Refused(
        Reason.DECISION_NOT_ALLOWED,
        f"decision {action.name!r} is not allowed: {problem or not_due}",
        action.clause,
    )


def in_order(game: Game, deck: Sequence[int]) -> Source:
    """A deck whose next card goes to whatever place is dealt to; refused when it runs out."""
    cards, dealt = tuple(deck), 0

    def draw(_place: str, number: int) -> tuple[int, ...]:
        nonlocal dealt
        if dealt + number > len(cards):
            fewest, clause = game.fewest
            never = f", and never fewer than {fewest}" if fewest else ""
            raise Refused(
                Reason.TOO_FEW_CARDS,
                f"the deck '{cards_text(cards)}' runs out: the round needs more than "
                f"{len(cards)} cards{never}",
                clause or None,
            )
        dealt += number
        return cards[dealt - number : dealt]

    return draw
