"""Reading: what a hand is, what it is worth, and which of two is better."""

from itertools import combinations
from random import Random

from houseway.cards import (
    ACE,
    DECK,
    DECK_SIZE,
    DEUCE,
    KING,
    card_text,
    card_words,
    make_card,
    rank_of,
)
from houseway.cards.hands import FiveCard, ThreeCard, category5, describe3, describe5, rank5
from houseway.games import blackjack
from houseway.games.base import DEALER_WINS, PLAYER_WINS
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.marks import choice_field, yes_field
from houseway.training.packs import (
    Three,
    any_three,
    some_six,
    some_three,
    three_card_name,
    three_card_names,
)
from houseway.training.seats import tied_hands
from houseway.training.skill import Question, Skill, of_games, three_card

WINNERS = {
    PLAYER_WINS: Choice("player", "the player's"),
    DEALER_WINS: Choice("dealer", "the dealer's"),
}
PAIR = "pair"
TIE = Choice("tie", "neither: they tie")


def _game(ruleset: Ruleset) -> Game:
    return ruleset.game


def _spaced(name: str) -> str:
    return name.lower().replace("_", " ")


def name(rng: Random, ruleset: Ruleset) -> Question:
    """Which hand three cards are, or the best five of six."""
    if three_card(ruleset):
        three = some_three(rng)
        cards: tuple[int, ...] = three
        found: ThreeCard | FiveCard = three_card_name(three, ruleset)
        kinds: list[ThreeCard | FiveCard] = list(three_card_names(ruleset))
        words, where = describe3(*three), "TCP-02"
    else:
        cards = some_six(rng, rng.choice(tuple(FiveCard)))
        found, kinds = category5(cards), list(FiveCard)
        words, where = describe5(cards), "TSB-18"
    choices = tuple(Choice(kind.name.lower(), _spaced(kind.name)) for kind in kinds)
    return Question(
        question="Which hand is it?",
        scene=Scene(hands=(Held("Player", cards),)),
        fields=(
            choice_field(
                "hand", "The hand is", found.name.lower(), choices, f"It is {words}.", where
            ),
        ),
    )


def compare(rng: Random, ruleset: Ruleset) -> Question:
    """Whose hand is better, by the rules of the game."""
    game, options = _game(ruleset), ruleset.options
    if rng.random() < 0.5:
        # Hands of one kind are the ones that are misread.
        category = rng.choice((ThreeCard.HIGH_CARD, ThreeCard.PAIR, ThreeCard.FLUSH))
        player = some_three(rng, (), (category,))
        dealer = some_three(rng, player, (category,))
    else:
        player = some_three(rng)
        dealer = some_three(rng, player)
    if rng.random() < 0.15:
        player, dealer = tied_hands(rng, game, options)
    found = contest_of(game).compare(
        contest_of(game).value(player, options), contest_of(game).value(dealer, options)
    )
    answer = WINNERS.get(found, TIE)
    rummy = game.code == "triple-shot-rummy"
    why = (
        f"The player has {contest_of(game).describe(player, options)}, "
        f"the dealer {contest_of(game).describe(dealer, options)}."
    )
    return Question(
        question="Lower points win. Whose hand is better?" if rummy else "Whose hand is better?",
        scene=Scene(hands=(Held("Player", player), Held("Dealer", dealer))),
        fields=(
            choice_field(
                "better",
                "The better hand is",
                answer.value,
                (*WINNERS.values(), TIE),
                why,
                "TSR-04" if rummy else "TCP-03",
            ),
        ),
    )


def rank(rng: Random, ruleset: Ruleset) -> Question:
    """Several hands from the best down."""
    game, options = _game(ruleset), ruleset.options
    hands: list[Three] = []
    gone: set[int] = set()
    values: set[int] = set()
    while len(hands) < 4:
        hand = some_three(rng, gone)
        value = contest_of(game).value(hand, options)
        if value not in values:
            hands.append(hand)
            gone |= {*hand}
            values.add(value)
    letters = "ABCD"
    # The rules compare two hands; the best is the one that beats most others.
    beaten = {
        letter: sum(
            contest_of(game).compare(
                contest_of(game).value(hand, options), contest_of(game).value(other, options)
            )
            == PLAYER_WINS
            for other in hands
        )
        for letter, hand in zip(letters, hands, strict=True)
    }
    order = sorted(beaten, key=lambda letter: -beaten[letter])
    named = {
        letter: contest_of(game).describe(hand, options)
        for letter, hand in zip(letters, hands, strict=True)
    }
    return Question(
        question="Put these hands in order, the best first.",
        scene=Scene(
            hands=tuple(
                Held(f"Hand {letter}", hand) for letter, hand in zip(letters, hands, strict=True)
            )
        ),
        fields=(
            Field(
                name="order",
                label="Best first",
                kind="order",
                answer=tuple(order),
                why=", then ".join(f"{letter}: {named[letter]}" for letter in order) + ".",
                clause="TSR-04" if game.code == "triple-shot-rummy" else "TCP-02",
                choices=tuple(Choice(letter, f"Hand {letter}") for letter in letters),
            ),
        ),
    )


def points(rng: Random, ruleset: Ruleset) -> Question:
    """The points of a hand in Triple Shot Rummy."""
    game, options = _game(ruleset), ruleset.options
    draw = rng.random()
    if draw < 0.2:
        hand = _with_ace(rng)
    else:
        hand = any_three(rng) if draw < 0.5 else _with_combination(rng, ruleset)
    score = contest_of(game).value(hand, options)
    why = "Pairs, three of a kind and suited runs count nothing; what is left counts its cards."
    return Question(
        question="How many points does this hand have?",
        scene=Scene(hands=(Held("Player", hand),)),
        fields=(
            Field(
                name="points",
                label="Points",
                kind="number",
                answer=score,
                why=f"It has {score}. {why}",
                clause="TSR-04",
            ),
        ),
    )


def _with_ace(rng: Random) -> Three:
    """A suited Ace and a neighbour, high or low: where it may stand is the house's reading."""
    suit = rng.randrange(4)
    ace, beside = make_card(ACE, suit), make_card(rng.choice((DEUCE, KING)), suit)
    third = rng.choice([card for card in DECK if card not in (ace, beside)])
    a, b, c = rng.sample((ace, beside, third), 3)
    return a, b, c


def _with_combination(rng: Random, ruleset: Ruleset) -> Three:
    """A hand in which something counts nothing."""
    game, options = _game(ruleset), ruleset.options
    while True:
        hand = any_three(rng)
        if contest_of(game).value(hand, options) < sum(_card_points(card) for card in hand):
            return hand


def _card_points(card: int) -> int:
    return blackjack.rank_points(rank_of(card))


def qualifies(rng: Random, ruleset: Ruleset) -> Question:
    """Whether the dealer plays with a hand near the line."""
    game, options = _game(ruleset), ruleset.options
    wanted, near = rng.random() < 0.5, rng.random() < 0.7
    while True:
        hand = any_three(rng)
        plays = bool(contest_of(game).dealer_plays(contest_of(game).value(hand, options)))
        if plays is wanted and (not near or _near_the_line(game, hand, ruleset)):
            break
    rummy = game.code == "triple-shot-rummy"
    enough, short = ("low enough", "too high") if rummy else ("enough", "not enough")
    return Question(
        question="Does the dealer play with this hand?",
        scene=Scene(hands=(Held("Dealer", hand),)),
        fields=(
            yes_field(
                "plays",
                "The dealer plays",
                wanted,
                f"The dealer has {contest_of(game).describe(hand, options)}, which is "
                f"{enough if wanted else short}.",
                "TSR-05" if rummy else "TCP-04",
            ),
        ),
    )


def _near_the_line(game: Game, hand: Three, ruleset: Ruleset) -> bool:
    """True for a hand that the dealer would play, or not, with one card a little different."""
    plays = contest_of(game).dealer_plays(contest_of(game).value(hand, ruleset.options))
    for place, card in enumerate(hand):
        for other in (card - 4, card + 4):
            changed = (*hand[:place], other, *hand[place + 1 :])
            if 0 <= other < DECK_SIZE and len({*changed}) == 3:
                a, b, c = changed
                if (
                    contest_of(game).dealer_plays(
                        contest_of(game).value((a, b, c), ruleset.options)
                    )
                    != plays
                ):
                    return True
    return False


def best_five(rng: Random, ruleset: Ruleset) -> Question:
    """Which of six cards stays out of the best five."""
    while True:
        six = some_six(rng, rng.choice(tuple(FiveCard)))
        ranks = {five: rank5(*five) for five in combinations(six, 5)}
        best = max(ranks.values())
        if list(ranks.values()).count(best) == 1:
            break
    kept = next(five for five, found in ranks.items() if found == best)
    (out,) = {*six} - {*kept}
    hands = (
        (Held("Player", six[:3]), Held("Dealer", six[3:]))
        if three_card(ruleset)
        else (Held("Player", six),)
    )
    category = category5(six)
    # Which pair it is matters to Poker alone.
    plain = {FiveCard.LOW_PAIR: PAIR, FiveCard.JACKS_OR_BETTER: PAIR} if three_card(ruleset) else {}
    names = [plain.get(kind, kind.name.lower()) for kind in FiveCard]
    kinds = tuple(Choice(name, _spaced(name)) for name in dict.fromkeys(names))
    answer = plain.get(category, category.name.lower())
    where = _six_clause(ruleset)
    why = f"The best five make {describe5(six)}; the {card_words(out)} stays out."
    return Question(
        question="The best five of these six cards count. Which hand, and which card stays out?",
        scene=Scene(hands=hands),
        fields=(
            choice_field("hand", "The best five are", answer, kinds, why, where),
            choice_field(
                "out",
                "The card that stays out",
                card_text(out),
                [Choice(card_text(card), card_words(card)) for card in six],
                why,
                where,
            ),
        ),
    )


def _six_clause(ruleset: Ruleset) -> str:
    if not three_card(ruleset):
        return "TSB-18"
    return "TSR-14" if ruleset.game.code == "triple-shot-rummy" else "SCB-02"


STATUS_WORDS: dict[blackjack.Status, str] = {
    blackjack.Status.OPEN: "still open: the player may draw",
    blackjack.Status.NATURAL: "blackjack",
    blackjack.Status.BUST: "over 21",
    blackjack.Status.SIX_CARDS: "six cards: it wins at once",
    blackjack.Status.STANDS: "ended: no card may be drawn",
}


def total(rng: Random, ruleset: Ruleset) -> Question:
    """A Blackjack total, and where the hand stands."""
    cards = rng.sample(range(52), rng.choice((2, 2, 3, 3, 4, 5, 6)))
    hand = blackjack.first_hand(rank_of(cards[0]), rank_of(cards[1]))
    shown = cards[:2]
    for card in cards[2:]:
        if blackjack.status(hand, ruleset.options) is not blackjack.Status.OPEN:
            break
        hand = blackjack.hit(hand, rank_of(card))
        shown.append(card)
    at = blackjack.status(hand, ruleset.options)
    worth = blackjack.value(hand.total)
    soft = "soft " if blackjack.is_soft(hand.total) else ""
    why = f"The cards make {soft}{worth}. The hand is {STATUS_WORDS[at]}."
    return Question(
        question="What does this Blackjack hand make, and where does it stand?",
        scene=Scene(hands=(Held("Player", tuple(shown)),)),
        fields=(
            Field(
                name="total", label="Total", kind="number", answer=worth, why=why, clause="TSB-09"
            ),
            choice_field(
                "status",
                "The hand is",
                at.value,
                [
                    Choice(status.value, words)
                    for status, words in STATUS_WORDS.items()
                    if status is not blackjack.Status.STANDS
                ],
                why,
                "TSB-11" if at is blackjack.Status.SIX_CARDS else "TSB-09",
            ),
        ),
    )


def dealer_draws(rng: Random, ruleset: Ruleset) -> Question:
    """Whether the dealer of Triple Shot Bonus takes another card."""
    options = ruleset.options
    wanted = rng.random() < 0.5
    # A soft 17 is where houses differ, and so is asked for often.
    soft = rng.random() < 0.35
    while True:
        cards = rng.sample(range(52), rng.choice((2, 2, 3, 4)))
        found = blackjack.total_of(tuple(rank_of(card) for card in cards))
        stops = blackjack.dealer_stops(found, options)
        if soft and blackjack.is_soft(found) and blackjack.value(found) == 17:
            break
        if not soft and stops is not wanted and 12 <= blackjack.value(found) <= 21:
            break
    words = f"{'soft ' if blackjack.is_soft(found) else ''}{blackjack.value(found)}"
    return Question(
        question="It is your turn to complete your Blackjack hand. Do you take another card?",
        scene=Scene(hands=(Held("Dealer", tuple(cards)),)),
        fields=(
            yes_field(
                "draws",
                "You take a card",
                not stops,
                f"You have {words}; here a soft 17 is one to {options.dealer_soft_17}.",
                "TSB-12",
            ),
        ),
    )


_RUMMY = of_games("triple-shot-rummy")
_BONUS = of_games("triple-shot-bonus")
SKILLS = (
    Skill(code="hands.name", title="Which hand is it", make=name),
    Skill(code="hands.compare", title="Which hand is better", make=compare, applies=three_card),
    Skill(code="hands.rank", title="Hands in order", make=rank, applies=three_card),
    Skill(code="hands.points", title="Rummy points", make=points, applies=_RUMMY),
    Skill(
        code="hands.qualifies", title="Hands the dealer plays", make=qualifies, applies=three_card
    ),
    Skill(code="hands.best-five", title="Best five of six", make=best_five),
    Skill(code="hands.total", title="Blackjack totals", make=total, applies=_BONUS),
    Skill(
        code="hands.dealer-draws", title="Does the dealer draw", make=dealer_draws, applies=_BONUS
    ),
)
