"""Frequency: how often each row of a paytable comes, as fractions of all deals."""

from collections.abc import Mapping
from fractions import Fraction

from houseway.exact import three_card
from houseway.exact.progressive import row_in_force
from houseway.exact.sheet import ParRow
from houseway.games.base import ALL_FACTS, PLAYER_WINS
from houseway.hands import ThreeCard
from houseway.names import Bet
from houseway.paytables import PayTable
from houseway.ruleset import Ruleset
from houseway.tabulate import contest, three_card_hands


def frequencies(
    table: PayTable, ruleset: Ruleset, rows: Mapping[Bet, ParRow]
) -> dict[str, Fraction]:
    """By row: how often the hand comes; of Play in Rummy, how often such a score wins it.

    Pair Plus that a fold gives up comes only where the hand is played.
    """
    if table.bet == "progressive":
        row = row_in_force(ruleset)
        return dict(row.named(row.probabilities))
    if table.by_score:
        return _scores(table, ruleset)
    if table.bet == "hat-trick":
        return {hand: rows["hat-trick"].law.hit_frequency for hand, _ in table.rows}
    return _hands(table, ruleset)


def _hands(table: PayTable, ruleset: Ruleset) -> dict[str, Fraction]:
    kind = table.classes
    if kind is ThreeCard:
        hands, game = three_card_hands(), ruleset.game
        categories = hands.category[hands.canonical]
        plays = None
        assert game.contest is not None
        if table.bet == "pair-plus":
            plays = three_card.ante_analysis(game, ruleset.paytables, ruleset.options).optimal()
        kept, folded = three_card.pair_plus_kept(
            game, ruleset.paytables["pair-plus"], ruleset.options, plays
        )
        counts = [int(kept[categories == member].sum()) for member in kind]
        total = int(kept.sum() + folded.sum())
    else:
        six = three_card.six_card_counts()
        counts, total = [six[member] for member in kind], sum(six)
    named = {hand for hand, _ in table.rows}
    found: dict[str, int] = dict.fromkeys(named, 0)
    for member, count in zip(kind, counts, strict=True):
        name = member.name.lower()
        if name not in named and member == ThreeCard.MINI_ROYAL and kind is ThreeCard:
            # A suited A-K-Q that is not named is the straight flush that it is.
            name = ThreeCard.STRAIGHT_FLUSH.name.lower()
        if name in named:
            found[name] += count
    return {name: Fraction(count, total) for name, count in found.items()}


def _scores(table: PayTable, ruleset: Ruleset) -> dict[str, Fraction]:
    game = ruleset.game
    assert game.contest is not None
    analysis = three_card.ante_analysis(game, ruleset.paytables, ruleset.options)
    plays = analysis.optimal()
    values = contest(game, ruleset.options).values[three_card_hands().canonical]
    won = [
        place
        for place, facts in enumerate(ALL_FACTS)
        if facts.dealer_plays and facts.comparison == PLAYER_WINS
    ]
    cases = analysis.counts.sum(axis=-1) * analysis.weight
    wins = analysis.counts[:, won].sum(axis=-1) * analysis.weight * plays
    total = int(cases.sum())
    found: dict[str, Fraction] = {}
    for hand, _ in table.rows:
        first, _, last = hand.partition("-")
        inside = (values >= int(first)) & (values <= int(last or first))
        found[hand] = Fraction(int(wins[inside].sum()), total)
    return found
