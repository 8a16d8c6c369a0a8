"""Sensitivity: what another reading or house rule would make of every edge."""

from collections.abc import Iterator
from fractions import Fraction

from houseway.documents.document import Table
from houseway.documents.subject import Subject
from houseway.documents.words import bet_name, percent
from houseway.exact import three_card
from houseway.exact.blackjack import blackjack
from houseway.exact.succession import war_law
from houseway.house.options import Chosen, allowed_values, parse_options

RULES = (
    "tie_rule",
    "ace_in_runs",
    "combination_choice",
    "face_up_unqualified_play",
    "pair_plus_after_fold",
    "war_ace",
    "dealer_soft_17",
    "dealer_natural",
    "split_ace_ten",
)
"""Options by which a hand is judged or a bet is paid; the others leave every edge alone."""


def sensitivities(subject: Subject) -> Table:
    """Every other value of every rule option of the game, with the edges that it changes."""
    rows = list(_rows(subject))
    return Table(
        caption="Edges under other options, under the paytables in force",
        columns=("option", "bet", "house edge", "change"),
        rows=tuple(rows) or (("no rule option touches the game", "", "", ""),),
        right=("house edge", "change"),
    )


def _rows(subject: Subject) -> Iterator[tuple[str, str, str, str]]:
    now = _edges(subject, subject.options)
    for name in RULES:
        if not subject.game.touches(name):
            continue
        kept = getattr(subject.options, name)
        yield f"{name} = {kept}", "as in this sheet", "", ""
        for value in allowed_values(name, subject.game.options):
            if value == kept:
                continue
            other = _edges(subject, parse_options({name: value}, subject.options))
            changed = {bet: edge for bet, edge in other.items() if edge != now[bet]}
            for bet, edge in changed.items():
                change = f"{float(edge - now[bet]) * 100:+.4f} points"
                yield f"{name} = {value}", bet_name(bet), percent(edge), change
            if not changed:
                yield f"{name} = {value}", "no bet of this table", "", "none"
    for row in subject.sheet.rows:
        seen = row.extra.get("exposed_card")
        if isinstance(seen, dict) and seen:
            gain = f"{-float(seen['gain']) * 100:+.4f} points"
            shown = percent(seen["house_edge"])
            name = bet_name(row.bet, row.paytable)
            yield "one card of the dealer is seen by mistake", name, shown, gain


def _edges(subject: Subject, options: Chosen) -> dict[str, Fraction]:
    """The edges of the bets that rule options can touch."""
    game, tables = subject.ante_play, subject.tables
    if game is None:
        return {
            "war": -war_law(options).mean,
            "blackjack": -blackjack(options).figures().law.mean,
        }
    analysis = three_card.ante_analysis(game, tables, options)
    plays = analysis.optimal()
    bonus = three_card.six_card_bonus_law(game, tables["six-card-bonus"])
    pairs = three_card.pair_plus_law(game, tables["pair-plus"], options, plays)
    return {
        "ante": -analysis.law(plays).mean,
        "pair-plus": -pairs.mean,
        "six-card-bonus": -bonus.mean,
    }
