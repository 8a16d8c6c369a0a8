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
    Deal,
    Draw,
    Game,
    Hand,
    Peek,
    Seen,
)
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.options import Options


def known_action(game: Game, name: str) -> Action:
    """The action of that name; refused with the known ones when there is none."""
    found = game.action(name)
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
    *_, seen = stages(game, deck, decisions, wagers, options)
    return seen


def stages(
    game: Game,
    deck: Sequence[int],
    decisions: Iterable[str],
    wagers: Iterable[str],
    options: "Options",
) -> Iterator[Seen]:
    """The seat after each step of the script."""
    made = tuple(wagers)
    queue = [known_action(game, name) for name in decisions]
    cards = _Deck(game, deck)
    seen = Seen()
    for step in game.script:
        if isinstance(step, Deal):
            seen = _dealt(step, seen, cards, options)
        elif isinstance(step, Draw):
            while step.when(seen, options) and not step.until(seen, options):
                seen = seen._replace(dealer=(*seen.dealer, *cards.draw(1)))
        elif isinstance(step, Peek):
            if step.when(seen, options):
                seen = seen._replace(peeked=int(step.what(seen, options)))
        elif isinstance(step, Ask) and (not step.needs or step.needs in made):
            seen = _asked(step, seen, queue, cards, options)
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


def _dealt(step: Deal, seen: Seen, cards: "_Deck", options: "Options") -> Seen:
    if step.when is not None and not step.when(seen, options):
        return seen
    held = seen.own if step.to == SEATS else seen.dealer
    number = max(0, step.upto - len(held)) if step.upto else step.down + step.up
    dealt = cards.draw(number)
    if step.to == DEALER:
        return seen._replace(dealer=(*seen.dealer, *dealt))
    assert step.to == SEATS, step
    # Cards that complete a seat belong to no one of several hands.
    hands = seen.hands if step.upto else (Hand((*seen.own, *dealt)),)
    return seen._replace(own=(*seen.own, *dealt), hands=hands)


def _asked(step: Ask, seen: Seen, queue: list[Action], cards: "_Deck", options: "Options") -> Seen:
    """The seat after its answers; one that the step does not know is left for the next."""
    while step.again is None or step.again(seen, options):
        if queue and queue[0] in step.actions:
            action = queue.pop(0)
            problem = None if action.why_not is None else action.why_not(seen, options)
            if problem is not None or (step.when is not None and not step.when(seen, options)):
                raise _refused(action, seen, options)
        elif queue and step.again is not None:
            raise _refused(queue[0], seen, options)
        elif not step.usual:
            return seen
        else:
            action = next(action for action in step.actions if action.name == step.usual)
        seen = acted(seen, action, cards.draw)
        if step.again is None:
            return seen
    return seen


def acted(seen: Seen, action: Action, draw: Callable[[int], tuple[int, ...]]) -> Seen:
    """The seat after an action on its first hand, with the cards that it takes."""
    first, rest = seen.hands[0], seen.hands[1:]
    opened: tuple[Hand, ...] = (first,)
    if action.splits:
        opened = tuple(Hand((card,), first.actions) for card in first.cards)
    dealt = draw(action.takes * len(opened))
    hands = tuple(
        Hand(
            (*hand.cards, *dealt[place * action.takes : (place + 1) * action.takes]),
            (*hand.actions, action.name),
        )
        for place, hand in enumerate(opened)
    )
    return seen._replace(
        own=(*seen.own, *dealt), hands=(*hands, *rest), actions=(*seen.actions, action.name)
    )


def _refused(
    action: Action, seen: Seen, options: "Options", not_due: str = "none is due"
) -> Refused:
    problem = None if action.why_not is None else action.why_not(seen, options)
    return Refused(
        Reason.DECISION_NOT_ALLOWED,
        f"decision {action.name!r} is not allowed: {problem or not_due}",
        action.clause,
    )


class _Deck:
    """Cards in dealing order."""

    def __init__(self, game: Game, cards: Sequence[int]) -> None:
        self.fewest = game.fewest
        self.cards = tuple(cards)
        self.dealt = 0

    def draw(self, number: int) -> tuple[int, ...]:
        """The next cards; refused when the deck runs out."""
        if self.dealt + number > len(self.cards):
            fewest, clause = self.fewest
            never = f", and never fewer than {fewest}" if fewest else ""
            raise Refused(
                Reason.TOO_FEW_CARDS,
                f"the deck '{cards_text(self.cards)}' runs out: the round needs more than "
                f"{len(self.cards)} cards{never}",
                clause or None,
            )
        self.dealt += number
        return self.cards[self.dealt - number : self.dealt]
