"""Games that nobody plays, one for each thing that a script can say and our own games do not."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from houseway.cards import rank_of
from houseway.games import blackjack
from houseway.games.base import EVEN_MONEY, HALF, forfeits, loses, pushes, wins
from houseway.games.contract import (
    DEALER,
    SEATS,
    Action,
    Ask,
    Bet,
    Burn,
    Collect,
    Deal,
    Deck,
    Draw,
    Game,
    Hand,
    Put,
    Ruling,
    Seen,
    Settle,
    Show,
    known,
)
from houseway.house.options import Options

CLAUSE = "TSB-09"
Rulings = Iterator[Ruling]


def as_seen(seen: Seen, options: Options) -> Seen:
    """The cards themselves; these games are too small for facts of their own."""
    return seen


def nothing(*_: Any) -> str:
    """No words."""
    return ""


def game(**parts: Any) -> Game:
    """A game with what every game must say."""
    usual: dict[str, Any] = {
        "name": parts["code"],
        "facts": as_seen,
        "announce": nothing,
        "holds": nothing,
        "dealer_holds": nothing,
        "wager_clause": CLAUSE,
        "unit": parts["bets"][0].code,
        "packet": 1,
        "pace": (30, 60),
        "clauses": dict.fromkeys(
            ("bets", "two positions", "no more bets", "void", "fault"), CLAUSE
        ),
    }
    return Game(**(usual | parts))


def high(cards: tuple[int, ...]) -> int:
    """The highest rank."""
    return max(map(rank_of, cards))


def compared(bet: str, own: int, other: int, hand: int = 1) -> Ruling:
    """The higher one wins even money."""
    if own == other:
        return Ruling(bet, pushes(CLAUSE, "both are as high"), hand)
    if own > other:
        return Ruling(bet, wins(EVEN_MONEY, CLAUSE, "it is higher and pays"), hand)
    return Ruling(bet, loses(CLAUSE, "it is lower"), hand)


# A board, and raises of several sizes that get smaller; who has raised is not asked again.

FOLD = Action(name="fold", clause=CLAUSE, folds=True)
CHECK = Action(name="check", clause=CLAUSE)


def raises(times: int) -> Action:
    """Play, so many times the Ante."""
    put = Put(bet="play", times=Fraction(times), of="ante")
    return Action(name=f"raise-{times}", clause=CLAUSE, puts=put)


def not_raised(seen: Seen, options: Options) -> bool:
    """True while a seat has only checked."""
    return all(name == "check" for name in seen.actions)


def board_verdicts(seen: Seen, actions: tuple[str, ...], tables: Any, options: Options) -> Rulings:
    """The higher card of hand and board wins."""
    if "fold" in actions:
        yield Ruling("ante", forfeits(CLAUSE, "the player folded"))
        return
    board = seen.table.get("board", ())
    if known(seen.own, 2) and known(seen.dealer, 2) and known(board, 3):
        for bet in ("play", "ante"):
            yield compared(bet, high((*seen.own, *board)), high((*seen.dealer, *board)))


BOARD = game(
    code="made-up-board",
    bets=(Bet(code="play", not_made="a raise makes it"), Bet(code="ante", required=True)),
    unit="ante",
    script=(
        Deal(to=SEATS, down=2, clause=CLAUSE),
        Deal(to=DEALER, down=2, clause=CLAUSE),
        Ask(actions=(raises(4), raises(3), CHECK), usual="check", says="Check or bet?"),
        Deal(to="board", up=3, clause=CLAUSE),
        Ask(actions=(raises(1), FOLD), usual="fold", when=not_raised, says="Bet or fold?"),
        Collect(clause=CLAUSE),
        Show(to=DEALER, does="Turn your hand over.", clause=CLAUSE),
        Settle(clause=CLAUSE),
    ),
    verdicts=board_verdicts,
)

# Bets that are taken back, and cards of the table that are turned over one after the other.


def pull(bet: str) -> Action:
    """Takes a bet back."""
    return Action(name=f"pull-{bet}", clause=CLAUSE, takes_back=bet)


def let_verdicts(seen: Seen, actions: tuple[str, ...], tables: Any, options: Options) -> Rulings:
    """A pair with the two cards of the table pays each bet that was let ride."""
    cards = (*seen.own, *seen.table.get("board", ()))
    if not known(cards, 5):
        return
    pair = len({rank_of(card) for card in cards}) < len(cards)
    for bet in ("first", "second", "third"):
        won = wins(EVEN_MONEY, CLAUSE, "a pair pays")
        yield Ruling(bet, won if pair else loses(CLAUSE, "there is no pair"))


RIDE = Action(name="ride", clause=CLAUSE)
LET = game(
    code="made-up-let",
    bets=tuple(Bet(code=code, required=True) for code in ("first", "second", "third")),
    script=(
        Deal(to=SEATS, down=3, clause=CLAUSE),
        Deal(to="board", down=2, clause=CLAUSE),
        Ask(actions=(pull("first"), RIDE), usual="ride", clause=CLAUSE),
        Show(to="board", cards=1, does="Turn the first card over.", clause=CLAUSE),
        Ask(actions=(pull("second"), RIDE), usual="ride", clause=CLAUSE),
        Show(to="board", cards=1, does="Turn the second card over.", clause=CLAUSE),
        Settle(clause=CLAUSE),
    ),
    verdicts=let_verdicts,
)

# A second deal for some seats only, after cards that nobody sees; two packs hold each face twice.


def two_packs(options: Options) -> Deck:
    """Two packs."""
    return Deck(packs=2)


def tied(seen: Seen, options: Options) -> bool:
    """True when the first cards are as high."""
    return rank_of(seen.own[0]) == rank_of(seen.dealer[0])


def at_war(seen: Seen, options: Options) -> bool:
    """True for a seat that has gone to war."""
    return "war" in seen.actions


def war_verdicts(seen: Seen, actions: tuple[str, ...], tables: Any, options: Options) -> Rulings:
    """The higher card wins; a tie is given up for half or fought out."""
    if not known(seen.own, 1) or not known(seen.dealer, 1):
        return
    yield compared("tie", int(tied(seen, options)), 0)
    if not tied(seen, options):
        yield compared("main", rank_of(seen.own[0]), rank_of(seen.dealer[0]))
    elif "surrender" in actions:
        yield Ruling("main", loses(CLAUSE, "half of it is given up", HALF))
    elif known(seen.own, 2) and known(seen.dealer, 2):
        for bet in ("main", "war"):
            yield compared(bet, rank_of(seen.own[1]), rank_of(seen.dealer[1]))


WAR = game(
    code="made-up-war",
    deck=two_packs,
    bets=(
        Bet(code="main", required=True, divisors=(2,)),
        Bet(code="war", not_made="going to war makes it"),
        Bet(code="tie"),
    ),
    script=(
        Deal(to=SEATS, up=1, clause=CLAUSE),
        Deal(to=DEALER, up=1, clause=CLAUSE),
        Settle(bets=("main", "tie"), clause=CLAUSE),
        Ask(
            actions=(
                Action(name="war", clause=CLAUSE, puts=Put(bet="war", of="main")),
                Action(name="surrender", clause=CLAUSE),
            ),
            usual="war",
            when=tied,
            settles=("main",),
            clause=CLAUSE,
        ),
        Burn(cards=3, when=at_war),
        Deal(to=SEATS, up=1, when=at_war, words="a second card, face up", clause=CLAUSE),
        Deal(to=DEALER, up=1, when=at_war, words="a second card, face up", clause=CLAUSE),
        Settle(clause=CLAUSE),
    ),
    verdicts=war_verdicts,
)

# Several hands at a seat, split again and again, and chips that the house puts up.


def total(hand: Hand) -> int:
    """The points of a hand."""
    return blackjack.value(blackjack.total_of(tuple(map(rank_of, hand.cards))))


def is_open(seen: Seen, options: Options) -> bool:
    """True while the hand in turn may be played."""
    done = {"stand", "free-double"} & set(seen.hand.actions)
    return not done and len(seen.hand.cards) > 1 and total(seen.hand) < 21


def is_bust(seen: Seen, options: Options) -> bool:
    """True for a hand over 21, which is settled at once."""
    return total(seen.hand) > 21


def no_pair(seen: Seen, options: Options) -> str | None:
    """Why a hand is not split."""
    ranks = [rank_of(card) for card in seen.hand.cards]
    if len(ranks) != 2 or ranks[0] != ranks[1]:
        return "only a pair is split"
    return "there are four hands already" if len(seen.hands) == 4 else None


def not_first(seen: Seen, options: Options) -> str | None:
    """Why a hand is not doubled."""
    return None if len(seen.hand.cards) == 2 else "only two cards are doubled"


def dealer_stops(seen: Seen, options: Options) -> bool:
    """True at 17."""
    return total(Hand(seen.dealer)) >= 17


def is_left(seen: Seen, options: Options) -> bool:
    """True when a hand waits for the dealer's."""
    return any(total(hand) <= 21 for hand in seen.hands)


def many_verdicts(seen: Seen, actions: tuple[str, ...], tables: Any, options: Options) -> Rulings:
    """Each hand against the dealer's."""
    for number, hand in enumerate(seen.hands, start=1):
        if total(hand) > 21:
            yield Ruling("main", loses(CLAUSE, "it went over"), number)
        elif known(seen.dealer, 2) and dealer_stops(seen, options):
            dealer = total(Hand(seen.dealer))
            yield compared("main", total(hand), 0 if dealer > 21 else dealer, number)


def as_much(*, free: bool) -> Put:
    """As much again, by the player or by the house."""
    return Put(bet="main", of="main", free=free)


MANY = game(
    code="made-up-many",
    bets=(Bet(code="main", required=True, per_hand=True),),
    script=(
        Deal(to=SEATS, up=2, clause=CLAUSE),
        Deal(to=DEALER, up=1, down=1, clause=CLAUSE),
        Ask(
            actions=(
                Action(name="hit", clause=CLAUSE, takes=1),
                Action(name="stand", clause=CLAUSE),
                Action(
                    name="split",
                    clause=CLAUSE,
                    splits=True,
                    takes=1,
                    puts=as_much(free=False),
                    why_not=no_pair,
                ),
                Action(
                    name="free-split",
                    clause=CLAUSE,
                    splits=True,
                    takes=1,
                    puts=as_much(free=True),
                    why_not=no_pair,
                ),
                Action(
                    name="free-double",
                    clause=CLAUSE,
                    takes=1,
                    puts=as_much(free=True),
                    why_not=not_first,
                ),
            ),
            usual="stand",
            again=is_open,
            settles=("main",),
            settles_when=is_bust,
            says="Position {position}?",
            clause=CLAUSE,
        ),
        Show(to=DEALER, does="Turn your hand over.", clause=CLAUSE),
        Draw(until=dealer_stops, when=is_left, clause=CLAUSE),
        Settle(clause=CLAUSE),
    ),
    verdicts=many_verdicts,
)

# Hands of the table, drawn by a rule from a shoe of two packs; seats have no cards.

TABLEAU = ("player", "banker")


def points(cards: tuple[int, ...]) -> int:
    """The points of a hand, of which only the last digit counts."""
    return sum(min(rank_of(card) + 2, 10) for card in cards) % 10


def stands(place: str) -> Callable[[Seen, Options], bool]:
    """Says whether a hand of the table takes no more cards."""

    def done(seen: Seen, options: Options) -> bool:
        cards = seen.table[place]
        return len(cards) == 3 or points(cards) > 5

    return done


def shoe_verdicts(seen: Seen, actions: tuple[str, ...], tables: Any, options: Options) -> Rulings:
    """The hand nearer to nine wins, once both are done."""
    hands = [seen.table.get(place, ()) for place in TABLEAU]
    if not all(
        known(hand, 2) and stands(TABLEAU[n])(seen, options) for n, hand in enumerate(hands)
    ):
        return
    player, banker = map(points, hands)
    won = wins(EVEN_MONEY, CLAUSE, "the banker pays", commission=Fraction(1, 20))
    yield Ruling("banker", won) if banker > player else compared("banker", banker, player)
    yield compared("player", player, banker)
    yield compared("tie", int(player == banker), 0 if player == banker else 1)


SHOE = game(
    code="made-up-shoe",
    deck=two_packs,
    bets=(Bet(code="banker", divisors=(20,)), Bet(code="player"), Bet(code="tie")),
    script=(
        Deal(to="player", up=2, clause=CLAUSE),
        Deal(to="banker", up=2, clause=CLAUSE),
        Draw(to="player", until=stands("player"), clause=CLAUSE),
        Draw(to="banker", until=stands("banker"), clause=CLAUSE),
        Settle(clause=CLAUSE),
    ),
    verdicts=shoe_verdicts,
)

GAMES = (BOARD, LET, WAR, MANY, SHOE)
