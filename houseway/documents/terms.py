"""Terms: what the rules in force come to, in a sentence each, read off the verdicts.

Nothing is said here that the rules of the game do not say: every sentence asks them with the
options and paytables of the table, so that a changed option changes the sentence.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from houseway.cards import ACE, DECK, DECK_SIZE, TEN
from houseway.cards.hands import QUEEN_HIGH, ThreeCard
from houseway.games import blackjack
from houseway.games.base import DEALER_WINS, HALF, PLAYER_WINS, TIE, Facts, Outcome, Verdict
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.games.solvers import Showdown
from houseway.games.triple_shot_bonus.rules import HatTrick, war
from houseway.house.money import MeterShare, Odds
from houseway.house.options import Chosen
from houseway.house.paytables import PayTable
from houseway.names import Bet

Tables = Mapping[Bet, PayTable]
HELP_LINE = (
    "Set yourself a limit before you sit down, and keep to it. If play stops being fun, stop, and "
    "ask the staff: they know where help is to be had, free and in confidence."
)
SIX, EIGHT = 4, 6
SIX_LOW_CARDS = (0, 0, 0, 0, 1, 1)
"""Ranks: four deuces and two threes, which make 14."""
SITUATIONS = (
    ("the dealer does not play, your hand is better", Facts(0, PLAYER_WINS)),
    ("the dealer does not play, a tie", Facts(0, TIE)),
    ("the dealer does not play, the dealer's hand is better", Facts(0, DEALER_WINS)),
    ("the dealer plays, your hand is better", Facts(1, PLAYER_WINS)),
    ("the dealer plays, a tie", Facts(1, TIE)),
    ("the dealer plays, the dealer's hand is better", Facts(1, DEALER_WINS)),
)


def outcome_words(verdict: Verdict) -> str:
    """What a verdict does to a bet, in a word or two."""
    match verdict.outcome:
        case Outcome.PUSH:
            return "push"
        case Outcome.WIN:
            return f"pays {verdict.odds}"
    return "loses half" if verdict.lost == HALF else "loses"


def contest_rows(game: Game, tables: Tables, options: Chosen) -> list[tuple[str, str, str]]:
    """What becomes of Play and Ante of a hand without bonus, situation by situation.

    Situations in which both fare alike whoever is better are told once.
    """
    found: list[tuple[str, str, str]] = []
    for situation, facts in SITUATIONS:
        verdicts = dict(plain_verdicts(game, facts, tables, options))
        play = "pays by your score" if _by_score(tables, facts) else outcome_words(verdicts["play"])
        found.append((situation, play, outcome_words(verdicts["ante"])))
    idle = found[:3]
    if len({row[1:] for row in idle}) == 1:
        return [("the dealer does not play", *idle[0][1:]), *found[3:]]
    return found


def plain_verdicts(
    game: Game, facts: Facts, tables: Tables, options: Chosen
) -> tuple[tuple[Bet, Verdict], ...]:
    """The verdicts on a hand that no bonus is paid on; in Rummy one of the most points paid."""
    points = max(tables["play"].pays) if "play" in tables else QUEEN_HIGH
    return contest_of(game).played(facts, points, ThreeCard.HIGH_CARD, tables, options)


def _by_score(tables: Tables, facts: Facts) -> bool:
    return "play" in tables and facts == Facts(1, PLAYER_WINS)


@lru_cache(maxsize=64)
def worst_dealer_hand(game: Game, options: Chosen) -> tuple[int, int, int]:
    """A hand than which the dealer plays with none that is worse."""
    hands = {contest_of(game).value(hand, options): hand for hand in combinations(DECK, 3)}
    playing = [value for value in hands if contest_of(game).dealer_plays(value)]
    return hands[max(playing) if contest_of(game).lower_wins else min(playing)]


def qualifier(game: Game, options: Chosen) -> str:
    """The worst hand that the dealer plays with, in words."""
    worst = worst_dealer_hand(game, options)
    if contest_of(game).lower_wins:
        return f"{contest_of(game).value(worst, options)} points or fewer"
    # Of high cards the highest one says it: the dealer plays with any hand above it.
    return f"{contest_of(game).describe(worst, options).partition('-')[0]} high or better"


def spaced(name: str) -> str:
    """A name of the data in plain words: 'full_house' is 'full house'."""
    return name.replace("_", " ").replace("akq ", "A-K-Q ")


def lowest_paid(paytable: PayTable) -> str:
    """The lowest hand that a paytable pays, with its odds."""
    hand, odds = paytable.rows[-1]
    return f"{spaced(hand)}, {odds}"


def bets_sentence(options: Chosen) -> str:
    """Which bets of a three-card game stand alone (TSR-20, TCP-16, TSR-33, TCP-24)."""
    if options.ante_mandatory == "on":
        return "Everybody bets the Ante; Pair Plus and the 6 Card Bonus are a choice on top of it."
    return "Bet the Ante against the dealer, Pair Plus on your own three cards, or both."


def order_sentences(game: Game, options: Chosen) -> Iterator[str]:
    """Which of two hands wins (TCP-02, TSR-03, TSR-04)."""
    if contest_of(game).lower_wins:
        yield "The lowest total wins. An Ace counts 1, tens and faces 10, other cards their number."
        runs = RUNS[options.ace_in_runs]
        yield f"Pairs, triples and runs in one suit count nothing ({runs})."
    else:
        yield "The better hand of three cards wins. A straight beats a flush, a triple beats both."


RUNS = {
    "low": "an Ace stands below the deuce",
    "high_low": "an Ace stands below the deuce or above the King",
    "wrap": "an Ace joins the deuce and the King, both at once too",
}
DECISION = "Having seen your cards, fold and give up the Ante, or make a Play bet equal to it."


def idle_sentence(game: Game, tables: Tables, options: Chosen) -> str:
    """What becomes of Play and Ante when the dealer does not play."""
    situation, play, ante = contest_rows(game, tables, options)[0]
    return f"When {situation}: Play {_does(play)}, the Ante {_does(ante)}."


def _does(words: str) -> str:
    return "is returned (push)" if words == "push" else words


def six_card_sentence(tables: Tables) -> str:
    """What the 6 Card Bonus looks at, and from where it pays (TSR-14, SCB-02, SCB-03)."""
    return (
        "The 6 Card Bonus looks at the best five of your cards and the dealer's, folded or not; "
        f"it wins from {lowest_paid(tables['six-card-bonus'])} upwards."
    )


def pair_plus_sentence(game: Game, tables: Tables, options: Chosen) -> str:
    """Whether Pair Plus has action after a fold (TSR-15, TCP-13)."""
    if game.side("pair-plus").folded(tables["pair-plus"], options) is None:
        return "Pair Plus always has action: neither the dealer's hand nor a fold touches it."
    return "Pair Plus has action whatever the dealer holds, but a fold gives it up."


def folded_progressive_sentence(options: Chosen) -> str:
    """Whether a folded hand still wins a progressive (PGM-07, PNX-09, PML-10)."""
    if options.folded_hand_progressive == "eligible":
        return "A folded hand still wins the progressive."
    return "A folded hand does not win the progressive."


def bonus_sentences(tables: Tables, options: Chosen) -> Iterator[str]:
    """What the layout of Triple Shot Bonus says, by the options and paytables (TSB-30)."""
    yield from split_sentences(options)
    yield from war_sentences(options)
    yield from natural_sentences(options)
    yield poker_sentence(tables)
    yield f"The Hat Trick pays {hat_trick_odds(tables)} when none of the three is lost."


def split_sentences(options: Chosen) -> Iterator[str]:
    """What may be split, and what six cards do (TSB-10, TSB-11)."""
    eights = blackjack.first_hand(EIGHT, EIGHT)
    aces = blackjack.first_hand(ACE, ACE)
    assert blackjack.may("split", aces, options)
    if not blackjack.may("split", eights, options):
        yield "Only Aces may be split, once, for one card each."
    six = blackjack.Hand(blackjack.total_of(SIX_LOW_CARDS), blackjack.SIX_CARDS)
    if blackjack.status(six, options) is blackjack.Status.SIX_CARDS:
        yield f"A hand of {blackjack.SIX_CARDS} cards that does not go over 21 wins."


def war_sentences(options: Chosen) -> Iterator[str]:
    """What a tie on War does, and where the Ace stands (TSB-06)."""
    yield f"A tie on War {_tie_words(war(TIE, options))}."
    yield f"Aces are {options.war_ace} in War."


def natural_sentences(options: Chosen) -> Iterator[str]:
    """What a blackjack pays, and what the dealer does with a soft 17 (TSB-12, TSB-14)."""
    yield f"Blackjack pays {blackjack.BLACKJACK_PAYS}. Insurance pays {blackjack.INSURANCE_PAYS}."
    soft = blackjack.total_of((ACE, SIX))
    stands = blackjack.dealer_stops(soft, options)
    yield f"The dealer {'stands on' if stands else 'hits'} soft 17."


def peek_sentence(options: Chosen) -> str:
    """When a dealer's blackjack is found, and what it takes (TSB-09)."""
    if blackjack.dealer_peeks(TEN, options):
        return "With an Ace or a ten up the dealer looks for a blackjack before anybody decides."
    natural = blackjack.total_of((ACE, TEN))
    doubled = blackjack.double(blackjack.first_hand(SIX, SIX), SIX)
    lost = blackjack.resolve(doubled, natural, 2, options).lost
    takes = "only the bet you began with" if lost == HALF else "all that you have added, too"
    return f"The dealer does not look for a blackjack first; one that turns up takes {takes}."


def poker_sentence(tables: Tables) -> str:
    """From where Poker pays (TSB-18)."""
    return f"Poker pays from {lowest_paid(tables['poker'])} upwards."


def hat_trick_odds(tables: Tables) -> Odds:
    """What the Hat Trick pays."""
    odds = tables["hat-trick"].odds(HatTrick.NO_LEG_LOST)
    assert odds is not None
    assert not isinstance(odds, MeterShare)
    return odds


def _tie_words(verdict: Verdict) -> str:
    return "forfeits half of the bet" if verdict.lost == HALF else outcome_words(verdict)


def assumptions(game: Game, options: Chosen, tables: Tables, *, progressive: bool) -> list[str]:
    """What the figures of a sheet rest on."""
    showdown = isinstance(game.solver, Showdown)
    found = [
        f"One deck of {DECK_SIZE} cards, shuffled for every round; all orders are equally likely.",
        "Amounts are exact: no pay is rounded to cents or chips (breakage is left aside).",
    ]
    if progressive:
        found += [
            "A wager is $1, and a share of a meter is taken of what stands on it, not rounded.",
            "Each base game's Ante is played as well as can be, whatever stands on the meters.",
        ]
    elif showdown:
        tie = dict(plain_verdicts(game, Facts(1, TIE), tables, options))
        both = outcome_words(tie["play"]), outcome_words(tie["ante"])
        found += [
            "Hands are played or folded as is best for the Ante, no other player's cards seen.",
            f"Ties with a dealer who plays: Play {both[0]}, Ante {both[1]}.",
            pair_plus_sentence(game, tables, options),
        ]
    else:
        found += [
            "Blackjack is played as is best for itself, no other player's cards seen.",
            "Insurance is not taken.",
            f"Ties on War: {_tie_words(war(TIE, options))}.",
            "The Hat Trick follows the Blackjack decisions and is not weighed in them.",
        ]
    if showdown:
        found.append(folded_progressive_sentence(options))
    return found
