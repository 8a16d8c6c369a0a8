"""Check: what is wrong with a game as it is declared, in a sentence each.

It looks at the declaration alone and is quick enough to be asked whenever a game is loaded. What
only shows when a game is played is for the contract suite.
"""

from collections.abc import Iterator
from dataclasses import MISSING, fields

from houseway.games.contract import (
    DEALER,
    SEATS,
    Ask,
    Burn,
    Deal,
    Draw,
    Game,
    Peek,
    Settle,
    Show,
)
from houseway.games.play import play_out
from houseway.games.shelf import Shelf
from houseway.house.options import allowed_values, of_few_words
from houseway.refusal import listed

STRIDES = (1, 7, 51)
"""Three orders of a deck, by the step from card to card: enough to see a forgotten bet."""
CODE = "a game's code is the name of its folder, with hyphens"


def faults(game: object, code: str) -> list[str]:
    """What is wrong with a game, most telling first; empty when it can be played."""
    if not isinstance(game, Game):
        return [f"GAME is {type(game).__name__}; it must be a Game"]
    found = [f"code {game.code!r} is not {code!r}; {CODE}"] if game.code != code else []
    found += [*_bets(game), *_options(game), *_steps(game), *_settling(game)]
    # Options of which one is wrong cannot be made, and the deck depends on them.
    return found or [*_cards(game)]


def without_paytable(game: Game, shelf: Shelf) -> Iterator[str]:
    """Side bets that nothing prices."""
    priced = {table.bet for table in shelf.paytables}
    for side in game.side_bets:
        if not side.owners and side.code not in priced:
            yield f"side bet {side.code!r} has no paytable; give it one in paytables.toml"


def undecided(game: Game, shelf: Shelf) -> Iterator[str]:
    """The bet that the verdicts forget when every bet is made and nothing unusual is decided."""
    options = game.options()
    tables = {table.bet: table for table in reversed(shelf.paytables)}
    cards = game.deck(options).cards
    for stride in STRIDES:
        deck = [cards[place * stride % len(cards)] for place in range(len(cards))]
        seen = play_out(game, deck, (), game.wagers, options)
        rulings = game.verdicts(game.facts(seen, options), seen.actions, tables, options)
        ruled = {ruling.bet for ruling in rulings}
        for bet in game.bets:
            if not bet.not_made and bet.code not in ruled:
                yield (
                    f"verdicts forget bet {bet.code!r} after {listed(seen.actions) or 'the deal'}; "
                    "every bet that was made is decided in the end"
                )
                return


def _bets(game: Game) -> Iterator[str]:
    codes = [*(bet.code for bet in game.bets), *(side.code for side in game.side_bets)]
    for bet in codes:
        if codes.count(bet) > 1:
            yield f"bet {bet!r} stands {codes.count(bet)} times; once is allowed"
            return
    if not game.wagers:
        yield "no bet is put up by the player; at least one must be"
    named = {
        "unit": (game.unit,),
        "mandatory": game.mandatory[:1] if game.mandatory else (),
        "calls_without": (game.calls_without,) if game.calls_without else (),
        **{f"rides of bet {bet.code!r}": (bet.rides,) for bet in game.bets if bet.rides},
        **{f"needs of side bet {side.code!r}": side.needs for side in game.side_bets},
    }
    for field, bets in named.items():
        yield from _unknown_bets(game, field, bets)


def _unknown_bets(game: Game, field: str, bets: tuple[str, ...]) -> Iterator[str]:
    for bet in bets:
        if bet not in game.order:
            yield f"{field} names bet {bet!r}; bets of the game: {listed(game.order)}"


def _options(game: Game) -> Iterator[str]:
    for entry in fields(game.options):
        if entry.default is MISSING:
            yield f"option {entry.name!r} has no default; every option needs one"
        elif "text" not in entry.metadata:
            yield f"option {entry.name!r} has no words; declare it by option(default, text, source)"
    for name in game.main_options:
        if name not in of_few_words(game.options):
            known = listed(of_few_words(game.options))
            yield f"main_options names {name!r}; options with a choice of words: {known}"
    for name in of_few_words(game.options):
        values = allowed_values(name, game.options)
        default = next(entry.default for entry in fields(game.options) if entry.name == name)
        if default not in values:
            yield f"option {name!r} is {default!r} by default; allowed: {listed(values)}"


def _steps(game: Game) -> Iterator[str]:
    places = {step.to for step in game.script if isinstance(step, Deal)}
    for number, step in enumerate(game.script, start=1):
        where = f"step {number} of the script"
        match step:
            case Show(to=place) if place not in places:
                known = listed(sorted(places))
                yield f"{where} shows cards of {place!r}; cards are dealt to {known}"
            case Ask(actions=actions, usual=usual):
                names = [action.name for action in actions]
                if usual and usual not in names:
                    yield f"{where} takes {usual!r} for granted; actions: {listed(names)}"
                yield from _unknown_bets(
                    game, f"needs of {where}", (step.needs,) * bool(step.needs)
                )
                for action in actions:
                    if action.puts:
                        field = f"puts of action {action.name!r}"
                        yield from _unknown_bets(game, field, (action.puts.bet, action.puts.of))
            case Deal(for_bet=bet) if bet:
                yield from _unknown_bets(game, f"for_bet of {where}", (bet,))
    for side in game.side_bets:
        for place, number in (("seats", side.own), (DEALER, side.dealer)):
            if number and place not in places:
                yield f"side bet {side.code!r} sees cards of the {place}; none are dealt there"


def _settling(game: Game) -> Iterator[str]:
    """Bets that the script settles nowhere, and bets in it that the game does not have."""
    settled: set[str] = set()
    last = game.script[-1] if game.script else None
    if not isinstance(last, Settle) or last.at_once:
        yield "the script does not end with Settle; the last step takes the cards in"
        return
    for number, step in enumerate(game.script, start=1):
        bets: tuple[str, ...] = ()
        match step:
            case Settle(bets=(), also=()):
                bets = game.order
            case Settle(bets=first, also=also):
                bets = (*first, *also)
            case Ask(settles=found) | Peek(settles=found):
                bets = found
        yield from _unknown_bets(game, f"step {number} of the script", bets)
        settled.update(bets)
    for bet in game.order:
        if bet not in settled and not _settled_at_the_end(game, bet):
            yield f"bet {bet!r} is settled by no step; name it in a Settle, or end with Settle()"


def _settled_at_the_end(game: Game, bet: str) -> bool:
    """True for what the engine settles after the script: a meter's bet, and envy with it."""
    side = game.side_bet(bet)
    return bet == "envy" or (side is not None and side.from_meter)


def _cards(game: Game) -> Iterator[str]:
    """A script that may deal more cards than there are, whatever the seats decide."""
    held: dict[str, int] = {}
    burnt = 0
    for step in game.script:
        match step:
            case Deal(to=place, upto=upto) if upto:
                held[place] = max(held.get(place, 0), upto)
            case Deal(to=place):
                held[place] = held.get(place, 0) + step.down + step.up
            case Burn(cards=cards):
                burnt += cards
            case Draw() | _:
                pass
    most = sum(n * (game.positions if place == SEATS else 1) for place, n in held.items()) + burnt
    cards = len(game.deck(game.options()).cards)
    if most > cards:
        yield (
            f"the script deals {most} cards to {game.positions} positions; the deck has "
            f"{cards}, so allow fewer positions or use more packs"
        )
