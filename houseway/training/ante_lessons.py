"""Ante lessons: the three-card games, from the deck to the progressive."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from houseway.cards import (
    DECK,
    DECK_SIZE,
    KING,
    QUEEN,
    TEN,
    UNKNOWN,
    cards_text,
    make_card,
)
from houseway.cards.hands import category3
from houseway.documents.terms import (
    DECISION,
    bets_sentence,
    contest_rows,
    folded_progressive_sentence,
    idle_sentence,
    order_sentences,
    pair_plus_sentence,
    qualifier,
    six_card_sentence,
    spaced,
)
from houseway.games.base import Outcome
from houseway.games.contest import contest_of
from houseway.games.contract import Game, Seen
from houseway.games.progressive import by_system, own_other_hand_earns_envy
from houseway.house.money import MeterLevel, dollars_text
from houseway.names import Bet
from houseway.rules.ruleset import Ruleset
from houseway.rules.settlement import Settlement, settle
from houseway.training.drill import Held
from houseway.training.figures import costs_text, dollars_of, fine_text, one_in_text
from houseway.training.lesson import (
    MOST_DEALS,
    Example,
    Lesson,
    Pays,
    Wanted,
    became,
    checks,
    house_of,
    lesson_wagers,
    limit_sentences,
    lowered,
    order_sentence,
    pays_of,
    price_sentences,
)
from houseway.training.meters import meter_line, meter_name
from houseway.training.packs import any_three
from houseway.training.prices import price_list


def ante_lessons(ruleset: Ruleset, game: Game) -> Iterator[Lesson]:
    """The lessons of a game of Ante and Play, in order."""
    options, tables = ruleset.options, ruleset.paytables
    rummy, face_up = contest_of(game).lower_wins, game.code == "three-card-poker-face-up"
    mandatory = ("TSR-33" if rummy else "TCP-24",) if options.ante_mandatory == "on" else ()
    ante = price_list(ruleset).rows["ante"]
    yield Lesson(
        code="hands",
        title="The deck and the hands",
        sentences=(f"One deck of {DECK_SIZE} cards is used.", *order_sentences(game, options)),
        pays=_points() if rummy else _ranks(),
        clauses=("TSR-01", "TSR-03", "TSR-04") if rummy else ("TCP-01", "TCP-02", "TCP-03"),
        example=_seat(ruleset, "hands", "Two hands and what they are", ("ante",)),
        checks=checks("rules.hand", "rules.better"),
    )
    yield Lesson(
        code="bets",
        title="The bets",
        sentences=(
            bets_sentence(options),
            "Play comes later and is always as large as the Ante."
            + ("" if rummy else " The 6 Card Bonus is added to these."),
            "Each bet stands for itself: their sizes may differ.",
            *limit_sentences(ruleset),
        ),
        clauses=(
            *(("TSR-02", "TSR-06", "TSR-17", "TSR-20") if rummy else ("SCB-06", "TCP-12")),
            *(("FUP-01", "FUP-02") if face_up else ()),
            *mandatory,
        ),
        example=_seat(
            ruleset, "bets", "All bets of one seat", ("ante", "pair-plus", "six-card-bonus")
        ),
        checks=checks("rules.outcome"),
    )
    yield Lesson(
        code="deal",
        title="The deal",
        sentences=(
            "Once the dealer has called an end to betting, nobody adds to a bet or takes one back.",
            "You get three cards face down, and so does the dealer."
            if not face_up
            else "You get three cards face down. Of the dealer's three one lies face up.",
            "A wrong number of cards in any hand makes the round void, and every bet goes back.",
        ),
        clauses=("TSR-22", "TSR-24", "TSR-31")
        if rummy
        else (("FUP-03",) if face_up else ("TCP-18",)) + ("TCP-17", "TCP-23"),
    )
    yield Lesson(
        code="decision",
        title="Play or fold",
        sentences=(
            DECISION,
            pair_plus_sentence(game, tables, options),
            *_thumb(ruleset, face_up=face_up),
            *_played_share(ante.extra.get("play_frequency")),
        ),
        clauses=(
            contest_of(game).folded().clause,
            "TSR-26" if rummy else "TCP-19",
            game.side("pair-plus").fold_clause,
        ),
        example=_seat(
            ruleset, "decision", "A hand that was folded", ("ante", "pair-plus"), decision="fold"
        ),
        checks=checks("decisions.ante-simple", "decisions.ante-exact"),
    )
    yield Lesson(
        code="dealer",
        title="When the dealer plays",
        sentences=(
            f"The dealer plays with {qualifier(game, options)}.",
            *_dealer_share(ante.extra.get("dealer_plays_frequency")),
            idle_sentence(game, tables, options),
        ),
        clauses=("TSR-05", "TSR-08")
        if rummy
        else (("FUP-06", "FUP-07") if face_up else ("TCP-04", "TCP-06")),
        example=_seat(ruleset, "dealer", "The dealer does not play", ("ante",), _idle(game)),
        checks=checks("rules.dealer"),
    )
    yield _settling(ruleset, game, rummy=rummy, face_up=face_up)
    yield from _side_bets(ruleset, game)
    if "progressive" in tables:
        yield _progressive(ruleset)


def _settling(ruleset: Ruleset, game: Game, *, rummy: bool, face_up: bool) -> Lesson:
    options, tables = ruleset.options, ruleset.paytables
    extra: list[str] = []
    if "ante-bonus" in tables:
        extra.append(
            "The Ante Bonus comes with the Ante and is paid whatever the dealer holds: "
            + ", ".join(f"{spaced(hand)} {odds}" for hand, odds in tables["ante-bonus"].rows)
            + "."
        )
    if "play" in tables:
        rows = ", ".join(f"{score} points {odds}" for score, odds in tables["play"].rows)
        extra.append(f"A winning Play is paid by your own score: {rows}.")
    clauses = ("TCP-07", "TCP-08", "TCP-09", "TCP-10", "TCP-22")
    if rummy:
        clauses = ("TSR-09", "TSR-10", "TSR-11", "TSR-12", "TSR-29")
    elif face_up:
        clauses = ("FUP-06", "FUP-08", "TCP-09", "TCP-22", "FUP-07")
    price = price_sentences(ruleset, "ante")
    return Lesson(
        code="settling",
        title="Ante and Play",
        sentences=(
            "The table below says what becomes of both, case by case.",
            *extra,
            order_sentence(ruleset),
            "Of the Ante, played as well as can be: " + lowered(next(price)),
        ),
        pays=Pays(
            columns=("when", "Play", "Ante"), rows=tuple(contest_rows(game, tables, options))
        ),
        clauses=clauses,
        example=_seat(
            ruleset,
            "settling",
            "A hand that was played and won",
            ("ante",),
            became("play", Outcome.WIN),
        ),
        checks=checks("rules.outcome", "prices.cost"),
    )


def _side_bets(ruleset: Ruleset, game: Game) -> Iterator[Lesson]:
    options, tables = ruleset.options, ruleset.paytables
    yield Lesson(
        code="pair-plus",
        title="Pair Plus",
        sentences=(
            "Pair Plus wins when your own three cards hold at least a pair.",
            pair_plus_sentence(game, tables, options),
            *price_sentences(ruleset, "pair-plus"),
        ),
        pays=pays_of(ruleset, "pair-plus"),
        clauses=(game.side("pair-plus").clause, game.side("pair-plus").fold_clause),
        example=_seat(
            ruleset,
            "pair-plus",
            "Pair Plus wins",
            ("ante", "pair-plus"),
            became("pair-plus", Outcome.WIN),
        ),
        checks=checks("prices.cost", "prices.how-often"),
    )
    yield Lesson(
        code="six-card-bonus",
        title="6 Card Bonus",
        sentences=(six_card_sentence(tables), *price_sentences(ruleset, "six-card-bonus")),
        pays=pays_of(ruleset, "six-card-bonus"),
        clauses=("TSR-14",) if contest_of(game).lower_wins else ("SCB-02", "SCB-03"),
        example=_seat(
            ruleset,
            "six-card-bonus",
            "The 6 Card Bonus wins",
            ("ante", "six-card-bonus"),
            became("six-card-bonus", Outcome.WIN),
        ),
        checks=checks("prices.cost", "prices.how-often", "prices.to-or-for"),
    )


def _progressive(ruleset: Ruleset) -> Lesson:
    options, table = ruleset.options, ruleset.paytables["progressive"]
    wager = dict(lesson_wagers(Random("progressive"), ruleset, "progressive"))["progressive"]
    line = meter_line(ruleset, wager)
    # Fixed pays may give back more than the wager; then it is fair with nothing on any meter.
    part = max(line.empty, Fraction(0)) / len(line.per_dollar)
    fair = {level: part / per for level, per in line.per_dollar.items()}
    half = {level: amount / 2 for level, amount in fair.items()}
    seen = "your own three cards"
    if table.community:
        seen += " and two more, which are turned up at the end for all"
    pressed = by_system(table, options, "COIN IN", "START GAME", "START GAME")
    shown = " and ".join(
        f"{dollars_of(amount)} on the {meter_name(level).lower()}" for level, amount in fair.items()
    )
    envy = []
    if table.envy_cents:
        own = "counts" if own_other_hand_earns_envy(table, options) else "does not count"
        envy.append(
            "When another lit hand at your table makes one of the best hands you are paid envy. It "
            f"gives back {fine_text(line.envy)} of a dollar for each such hand; a second hand of "
            f"your own {own}."
        )
    meters = {level: int(amount) * 100 for level, amount in fair.items()}
    return Lesson(
        code="progressive",
        title="The progressive and its meter",
        sentences=(
            f"The progressive is a bet by choice, judged on {seen}; the dealer's hand has no part.",
            (
                f"The dealer presses {pressed} and takes the bet in; it never comes back, so "
                "pays are 'for 1'."
            ),
            "A share of the meter is paid off the meter, everything else from the tray.",
            folded_progressive_sentence(options),
            (
                f"For you alone {dollars_text(wager)} is fair at {shown}. With half of that a "
                f"dollar {costs_text(line.edge(half))}, with twice as much it "
                f"{costs_text(line.edge({level: 2 * amount for level, amount in fair.items()}))}."
            ),
            f"It is paid anything {one_in_text(line.row.hit_frequency)}.",
            *envy,
        ),
        pays=pays_of(ruleset, "progressive"),
        clauses=(
            by_system(table, options, "PGM-06", "PNX-06", "PML-07"),
            by_system(table, options, "PGM-07", "PNX-09", "PML-10"),
            by_system(table, options, "PGM-08", "PNX-10", "PML-13"),
            by_system(table, options, "PGM-17", "PNX-17", "PML-16"),
            by_system(table, options, "PGM-19", "PNX-19", "PML-12"),
        ),
        example=_seat(
            ruleset,
            "progressive",
            "The progressive is paid",
            ("ante", "progressive"),
            became("progressive", Outcome.WIN),
            meters=meters,
        ),
        checks=checks("meters.better", "meters.fair", *(("meters.envy",) if envy else ())),
    )


def _thumb(ruleset: Ruleset, *, face_up: bool) -> Iterator[str]:
    rule = ruleset.game.rule_of_thumb
    assert rule is not None

    def words(up: int) -> str:
        return rule.words(Seen(dealer=(make_card(up, 0),)), ruleset.options)

    if not face_up:
        yield f"A rule to remember: {words(QUEEN)}."
        return
    yield f"A rule to remember, against a Ten or lower: {words(TEN)}."
    yield f"Against a King, say: {words(KING)}; it has to be beaten."


def _played_share(share: object) -> Iterator[str]:
    if isinstance(share, Fraction):
        yield f"The best play goes on with {float(share):.1%} of all hands."


def _dealer_share(share: object) -> Iterator[str]:
    if isinstance(share, Fraction):
        yield f"The dealer does so in {float(share):.1%} of all rounds."


def _idle(game: Game) -> Wanted:
    def wanted(found: Settlement) -> bool:
        a, b, c = found.dealer
        return not contest_of(game).dealer_plays(contest_of(game).value((a, b, c), found.options))

    return wanted


@cache
def _ranks() -> Pays:
    """The order of hands, with how many there are of each."""
    counted = Counter(category3(*hand) for hand in combinations(DECK, 3))
    rows = [
        (spaced(each.name.lower()).replace("mini royal", "A-K-Q of one suit"), f"{count:,}")
        for each, count in sorted(counted.items(), reverse=True)
    ]
    return Pays(columns=("hand, best first", f"of {counted.total():,}"), rows=tuple(rows))


def _points() -> Pays:
    return Pays(
        columns=("card", "points"),
        rows=(("Ace", "1"), ("2 to 9", "what they show"), ("10, Jack, Queen, King", "10")),
    )


def _seat(
    ruleset: Ruleset,
    code: str,
    about: str,
    bets: tuple[Bet, ...],
    wanted: Wanted | None = None,
    *,
    decision: str = "play",
    meters: Mapping[MeterLevel, int] | None = None,
) -> Example | None:
    """A seat of a three-card game, dealt until it shows what is wanted; None if it does not."""
    game = ruleset.game
    rng = Random(f"{game.code}/{code}")
    wagers = lesson_wagers(rng, ruleset, *bets)
    house, rule = house_of(ruleset), game.rule_of_thumb
    assert rule is not None
    for _ in range(MOST_DEALS):
        player = any_three(rng)
        dealer = any_three(rng, player)
        # What is shown is also played as the rule of thumb has it; in Face Up the last card is up.
        seen = Seen(own=player, dealer=(UNKNOWN, UNKNOWN, dealer[-1]))
        if rule.decide(seen, ruleset.options) != decision:
            continue
        seat: dict[str, Any] = {
            "bets": dict(wagers),
            "player": cards_text(player),
            "dealer": cards_text(dealer),
            "decision": decision,
        }
        hands = [Held("Your hand", player), Held("Dealer", dealer)]
        if meters is not None:
            seat["meter"] = meters["single"] if set(meters) == {"single"} else dict(meters)
            if ruleset.paytables["progressive"].community:
                rest = [card for card in DECK if card not in (*player, *dealer)]
                common = tuple(rng.sample(rest, 2))
                seat["community"] = cards_text(common)
                hands.append(Held("Community cards", common))
        found = settle(house["game"], options=ruleset.options, paytables=house["paytables"], **seat)
        if wanted is None or wanted(found):
            return Example(about=about, hands=tuple(hands), seat=house | seat, settled=found)
    return None
