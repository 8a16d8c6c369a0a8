"""Bonus lessons: Triple Shot Bonus, one hand in three games."""

from collections.abc import Iterator
from random import Random
from typing import Any

from houseway.cards import DECK_SIZE, cards_text
from houseway.documents.terms import (
    hat_trick_odds,
    natural_sentences,
    peek_sentence,
    poker_sentence,
    split_sentences,
    war_sentences,
)
from houseway.games.base import Outcome
from houseway.live.procedure import play_out
from houseway.names import Bet
from houseway.practice.coach import basic
from houseway.rules.ruleset import Ruleset
from houseway.rules.settlement import Settlement, settle
from houseway.training.decisions import deal
from houseway.training.drill import Held
from houseway.training.lesson import (
    MOST_DEALS,
    Example,
    Lesson,
    Wanted,
    became,
    checks,
    house_of,
    lesson_wagers,
    limit_sentences,
    lowered,
    pays_of,
    price_sentences,
)


def bonus_lessons(ruleset: Ruleset) -> Iterator[Lesson]:
    """The lessons of Triple Shot Bonus, in order."""
    options, tables = ruleset.options, ruleset.paytables
    facing = "face up" if options.poker_cards_facing == "up" else "face down"
    yield Lesson(
        code="hands",
        title="One hand, three games",
        sentences=(
            f"One deck of {DECK_SIZE} cards is used, shuffled for every round.",
            "The same cards play War, Blackjack and Poker, one after the other.",
            "War looks at your first card, Blackjack at all that you take, Poker at six.",
        ),
        clauses=("TSB-01", "TSB-09", "TSB-18"),
        example=_bonus_seat(ruleset, "hands", "One seat, all three games", ()),
        checks=checks("rules.war", "rules.total"),
    )
    yield Lesson(
        code="bets",
        title="The bets",
        sentences=(
            "You bet on War, Blackjack and Poker, all three; the amounts may differ.",
            "The Hat Trick is a choice, and it is made before the first card.",
            *limit_sentences(ruleset),
        ),
        clauses=("TSB-02", "TSB-03", "TSB-04"),
        checks=checks("rules.outcome"),
    )
    yield Lesson(
        code="deal",
        title="The deal",
        sentences=(
            "First everybody gets a card face up, the dealer too: that is War.",
            "Then a second one each; the dealer's lies face down, and Blackjack is played.",
            f"At last each player is filled up to six cards, {facing}, for Poker.",
        ),
        clauses=("TSB-05", "TSB-08", "TSB-17"),
    )
    yield Lesson(
        code="decision",
        title="Your decisions",
        sentences=(
            "In turn, hit, stand or double, which is allowed on any first two cards.",
            *split_sentences(options),
            (
                "With an Ace up you may insure, for half of the Blackjack bet; it costs more than "
                "it gives, whatever you hold."
            ),
            "The printed chart is a rule to learn; the questions tell what leaving it costs.",
        ),
        clauses=("TSB-09", "TSB-10", "TSB-11", "TSB-27", "TSB-32"),
        example=_bonus_seat(ruleset, "decision", "A hand that was doubled", (), decided="double"),
        checks=checks(
            "decisions.blackjack-simple", "decisions.blackjack-exact", "decisions.insurance"
        ),
    )
    yield Lesson(
        code="dealer",
        title="The dealer's hand",
        sentences=(
            "The dealer draws up to 16 and stops from 17 on.",
            tuple(natural_sentences(options))[1],
            peek_sentence(options),
        ),
        clauses=("TSB-12", "TSB-13"),
        example=_bonus_seat(
            ruleset,
            "dealer",
            "The dealer draws",
            (),
            lambda found: len(found.dealer) > 2,
        ),
        checks=checks("rules.draws"),
    )
    yield Lesson(
        code="war",
        title="War",
        sentences=(
            "The higher card wins even money.",
            *war_sentences(options),
            *price_sentences(ruleset, "war"),
        ),
        clauses=("TSB-06", "TSB-07"),
        example=_bonus_seat(ruleset, "war", "War wins", (), became("war", Outcome.WIN)),
        checks=checks("rules.war", "prices.cost"),
    )
    yield Lesson(
        code="blackjack",
        title="Blackjack",
        sentences=(
            next(natural_sentences(options)),
            (
                "Otherwise whoever is nearer to 21 without going over it wins even money; a tie is "
                "returned."
            ),
            "Of the bet, played as well as can be: "
            + lowered(next(price_sentences(ruleset, "blackjack"))),
        ),
        clauses=("TSB-09", "TSB-14"),
        example=_bonus_seat(ruleset, "blackjack", "Blackjack wins", (), _won_blackjack),
        checks=checks("decisions.blackjack-later-exact", "prices.cost"),
    )
    yield Lesson(
        code="poker",
        title="Poker",
        sentences=(
            "The best five of your six cards count.",
            poker_sentence(tables),
            *price_sentences(ruleset, "poker"),
        ),
        pays=pays_of(ruleset, "poker"),
        clauses=("TSB-17", "TSB-18"),
        example=_bonus_seat(ruleset, "poker", "Poker wins", (), became("poker", Outcome.WIN)),
        checks=checks("prices.how-often", "prices.to-or-for"),
    )
    yield Lesson(
        code="hat-trick",
        title="The Hat Trick",
        sentences=(
            (
                f"The Hat Trick pays {hat_trick_odds(tables)} when none of the three is lost; a "
                "tie on War does not lose it."
            ),
            "It is taken with the first bet that is lost.",
            *price_sentences(ruleset, "hat-trick"),
            (
                "The three games share their cards, so how often none is lost cannot be had by "
                "multiplying."
            ),
        ),
        clauses=("TSB-21", "TSB-22", "TSB-23"),
        example=_bonus_seat(
            ruleset,
            "hat-trick",
            "None of the three is lost",
            ("hat-trick",),
            became("hat-trick", Outcome.WIN),
        ),
        checks=checks("prices.joint", "prices.cheapest"),
    )


def _won_blackjack(found: Settlement) -> bool:
    return became("blackjack", Outcome.WIN)(found)


def _bonus_seat(
    ruleset: Ruleset,
    code: str,
    about: str,
    more: tuple[Bet, ...],
    wanted: Wanted | None = None,
    *,
    decided: str | None = None,
) -> Example | None:
    """A seat of Triple Shot Bonus, played by the chart and dealt until it shows what is wanted.

    None if it does not.
    """
    rng = Random(f"{ruleset.game.code}/{code}")
    wagers = lesson_wagers(rng, ruleset, "war", "blackjack", "poker", *more)
    house = house_of(ruleset)
    for _ in range(MOST_DEALS):
        table = play_out(deal(ruleset, wagers, (), rng), basic)
        decisions = table.seat(1).decisions
        if decided is not None and decided not in decisions:
            continue
        assert table.shuffle is not None
        seat: dict[str, Any] = {
            "bets": dict(wagers),
            "deck": cards_text(table.shuffle.cards[: table.dealt]),
            "decisions": list(decisions),
        }
        found = settle(house["game"], options=ruleset.options, paytables=house["paytables"], **seat)
        if wanted is None or wanted(found):
            hands = (Held("Your six cards", found.player), Held("Dealer", found.dealer))
            return Example(about=about, hands=hands, seat=house | seat, settled=found)
    return None
