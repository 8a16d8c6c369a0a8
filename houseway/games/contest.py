"""Contest: three cards against the dealer's three, for an Ante and a Play.

The games of this family differ in what a hand is worth, when the dealer plays and what is then
paid. What they share stands here once: the two decisions, the procedure, and the facts.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from houseway.cards import UNKNOWN, rank_of
from houseway.cards.hands import ThreeCard, category3
from houseway.games.base import DEALER_WINS, PLAYER_WINS, TIE, Facts, Verdict
from houseway.games.contract import (
    DEALER,
    SEATS,
    Action,
    Ask,
    Bet,
    Collect,
    Deal,
    Game,
    Put,
    RuleOfThumb,
    Ruling,
    Seen,
    Settle,
    Show,
    Step,
    Tables,
    Words,
    known,
)
from houseway.games.progressive import LINK_DEAL, LINK_SHOW
from houseway.games.solvers import Showdown
from houseway.house.options import Options, option
from houseway.house.paytables import Hands

if TYPE_CHECKING:
    from houseway.house.paytables import PayTable

Three = tuple[int, int, int]
PlayedVerdicts = tuple[tuple[str, Verdict], ...]
"""What a rule says of each bet of a hand that was played, in the order they are settled."""
PLAY, FOLD = "play", "fold"
CARDS = 3
COMPARISONS = (DEALER_WINS, TIE, PLAYER_WINS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestOptions(Options):
    """What is at the casino's discretion in every game of this family."""

    pair_plus_after_fold: Literal["by_game", "stays", "forfeit"] = option(
        "by_game",
        "What a fold does to Pair Plus; by game, Three Card Poker forfeits and the others keep it",
        "TSR-15, TCP-13, A-10",
    )
    announcement_text: Literal["qualifying_rank", "source_text"] = option(
        "qualifying_rank", "What is announced when the dealer plays", "A-28"
    )


def three(cards: tuple[int, ...]) -> Three:
    """Three cards as a hand."""
    a, b, c = cards
    return a, b, c


class Found(NamedTuple):
    """The facts of one seat."""

    value: int = UNKNOWN
    category: int = UNKNOWN
    dealer_plays: int = UNKNOWN
    comparison: int = UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contest:
    """A hand against the dealer's.

    `value` is what a hand is worth. `dealer_plays` and `compare` are arithmetic without branches
    on such values, so they work on ints and on arrays alike. `played` gives the verdicts on a hand
    that was played, by facts, value and three-card category; `folded` the one on its Ante.
    """

    value: "Callable[[Three, Any], int]"
    describe: "Callable[[Three, Any], str]"
    dealer_plays: Callable[[int], int]
    compare: Callable[[int, int], int]
    played: "Callable[[Facts, int, int, Mapping[str, PayTable], Any], PlayedVerdicts]"
    folded: Callable[[], Verdict]

    def facts(self, player_value: int, dealer_value: int) -> Facts:
        """The facts of a player's hand against the dealer's."""
        return Facts(self.dealer_plays(dealer_value), self.compare(player_value, dealer_value))

    @property
    def lower_wins(self) -> bool:
        """True where the lower hand beats the higher one."""
        low, high = 0, 1
        return self.compare(low, high) == PLAYER_WINS

    def found(self, seen: Seen, options: Options) -> Found:
        """The facts of a seat, as far as cards are known."""
        found = Found()
        if known(seen.own, CARDS):
            hand = three(seen.own)
            value, category = self.value(hand, options), int(category3(*hand))
            found = found._replace(value=value, category=category)
        if known(seen.dealer, CARDS):
            dealer = self.value(three(seen.dealer), options)
            found = found._replace(dealer_plays=self.dealer_plays(dealer))
            if found.value != UNKNOWN:
                found = found._replace(comparison=self.compare(found.value, dealer))
        return found

    def verdicts(
        self, found: Found, actions: tuple[str, ...], tables: Tables, options: Options
    ) -> Iterator[Ruling]:
        """What becomes of Ante and Play, and of whatever rides on them."""
        if FOLD in actions:
            yield Ruling("ante", self.folded())
        elif PLAY in actions and found.dealer_plays != UNKNOWN:
            if found.comparison == UNKNOWN and found.dealer_plays:
                return
            # While the player's hand lies face down, what every comparison says is decided.
            known_ones = (found.comparison,) if found.comparison != UNKNOWN else COMPARISONS
            first, *others = (
                self.played(
                    Facts(found.dealer_plays, one), found.value, found.category, tables, options
                )
                for one in known_ones
            )
            for bet, verdict in first:
                if all((bet, verdict) in other for other in others):
                    yield Ruling(bet, verdict)

    def holds(self, seen: Seen, _: str | None, options: Options) -> str:
        """What a seat holds, in words."""
        return _as_held(self.describe(three(seen.own), options)) if known(seen.own, CARDS) else ""

    def dealer_holds(self, seen: Seen, options: Options) -> str:
        """What the dealer holds, in words."""
        return _as_held(self.describe(three(seen.dealer), options))

    def is_idle(self, seen: Seen, options: Options) -> bool:
        """True when the dealer's hand is seen and does not play."""
        return self.found(seen, options).dealer_plays == 0

    def words(self, seen: Seen, options: Options) -> Words:
        """Both hands as the contest calls them."""
        said = {"player": self.describe(three(seen.own), options)} if known(seen.own) else {}
        if known(seen.dealer, CARDS):
            said["dealer"] = self.describe(three(seen.dealer), options)
        return said


def _as_held(text: str) -> str:
    """The words of a hand by themselves; a bare number is a score."""
    if text.isdecimal():
        return f"{text} point" + ("" if text == "1" else "s")
    return text[:1].upper() + text[1:]


def ante(contest: Contest) -> Bet:
    """The Ante."""
    return Bet(code="ante", words=contest.words)


def play(contest: Contest, clause: str, hands: Hands | None = None) -> Bet:
    """Play, which always equals the Ante; paid by hand where a game says so."""
    return Bet(
        code="play",
        hands=hands,
        not_made="Play always equals the Ante and follows from the decision to play",
        clause=clause,
        words=contest.words,
    )


def ante_bonus(contest: Contest) -> Bet:
    """The Ante Bonus, which is paid on the Ante."""
    return Bet(
        code="ante-bonus",
        rides="ante",
        hands=ThreeCard,
        not_made="the Ante Bonus comes with the Ante",
        words=contest.words,
    )


def script(
    *,
    deal: str,
    decide: str,
    collect: str,
    reveal: str,
    reconcile: str,
    dealer_up: int = 0,
    early: tuple[Settle, ...] = (),
) -> tuple[Step, ...]:
    """The procedure: a packet of three to each place, and one decision; by their clauses."""
    actions = (
        Action(name=PLAY, clause=decide, key="P", puts=Put(bet="play", of="ante")),
        Action(name=FOLD, clause=decide, key="F", folds=True),
    )
    return (
        Deal(to=SEATS, down=CARDS, clause=deal),
        Deal(to=DEALER, down=CARDS - dealer_up, up=dealer_up, clause=deal),
        LINK_DEAL,
        Ask(
            actions=actions,
            usual=PLAY,
            needs="ante",
            says="Play or fold?",
            clause=decide,
        ),
        Collect(clause=collect),
        Show(
            to=DEALER,
            arranged=True,
            does="Turn your hand over and arrange it from high to low.",
            clause=reveal,
        ),
        *early,
        LINK_SHOW,
        Settle(clause=reconcile),
    )


def rule_of_thumb(
    contest: Contest,
    plays: Callable[[int, int], bool],
    words: Callable[[Seen, Any], str],
) -> RuleOfThumb:
    """The rule that plays a hand by its value and the rank of the dealer's card that is up."""

    def decide(seen: Seen, options: "Options") -> str:
        return PLAY if plays(contest.value(three(seen.own), options), up_rank(seen)) else FOLD

    return RuleOfThumb(decide=decide, words=words)


def up_rank(seen: Seen) -> int:
    """The rank of the dealer's card that is up; any where none is, for nothing looks at it."""
    return rank_of(next((card for card in seen.dealer if card != UNKNOWN), 0))


def contest_of(game: Game) -> Contest:
    """How a hand is held against the dealer's in a game that has it so."""
    assert isinstance(game.solver, Showdown), game.code
    return game.solver.contest
