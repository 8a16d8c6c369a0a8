"""Outcomes: everything that can become of a bet, how often, and what each adds to its cost."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from houseway.documents.document import Block, Chart, Heading, Table
from houseway.documents.picture import bars
from houseway.documents.terms import spaced
from houseway.documents.words import one_in, percent, signed, units
from houseway.exact import three_card
from houseway.exact.sheet import ParRow
from houseway.games.base import ALL_FACTS, PLAYER_WINS, TIE, net_units
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.games.library import paytable_of
from houseway.games.triple_shot_bonus.rules import war
from houseway.house.money import MeterShare
from houseway.house.options import Chosen
from houseway.house.paytables import PayTable
from houseway.names import Bet

Tables = Mapping[Bet, PayTable]


class Outcome(NamedTuple):
    """One event of a bet: in how many of all cases, and what a unit then gains."""

    event: str
    cases: int
    net: Fraction


def outcome_blocks(name: str, outcomes: Sequence[Outcome]) -> Iterator[Block]:
    """The outcome table of a bet, with a picture of what each event contributes."""
    total = sum(outcome.cases for outcome in outcomes)
    rows = []
    for event, cases, net in outcomes:
        probability = Fraction(cases, total)
        share = signed(probability * net)
        rows.append(
            (event, f"{cases:,}", percent(probability, 6), one_in(probability), units(net), share)
        )
    mean = sum((Fraction(o.cases, total) * o.net for o in outcomes), Fraction(0))
    rows.append(("all", f"{total:,}", percent(1, 6), "1.00", "", signed(mean)))
    columns = ("event", "combinations", "probability", "1 in", "pay", "contribution")
    table = Table(
        caption=f"{name}: what becomes of a unit",
        columns=columns,
        rows=tuple(rows),
        right=columns[1:],
    )
    drawn = [(o.event, float(Fraction(o.cases, total) * o.net)) for o in outcomes]
    yield Heading(text=name, level=2)
    yield Chart(
        svg=bars(drawn, "contribution to the player's result, in units"),
        alt=f"{name}: contribution of every event; the table has the figures.",
        table=table,
    )


def outcomes_of(row: ParRow, game: Game, tables: Tables, options: Chosen) -> list[Outcome]:
    """The events of a row of a par sheet, worst first; they add up to its law."""
    if row.bet == "ante":
        chosen = dict(tables)
        if row.paytable:
            chosen["ante-bonus"] = paytable_of(game.code, "ante-bonus", row.paytable)
        found = _ante_outcomes(game, chosen, options)
    else:
        names = _names(row, options, game.code)
        found = [
            Outcome(names.get(net, f"net {units(net)}"), count, net)
            for net, count in sorted(row.law.counts.items())
        ]
    assert _law(found) == dict(row.law.counts), row.bet
    return found


def _names(row: ParRow, options: Chosen, code: str) -> dict[Fraction, str]:
    """Events by what they gain, in the words of the paytable; hands with equal pays together."""
    if row.bet == "war":
        said = {2: "the player's card is higher", 1: "tie", 0: "the dealer's card is higher"}
        return {net_units(war(found, options)): text for found, text in said.items()}
    if row.bet == "blackjack" or row.paytable is None:
        return {}
    found: dict[Fraction, list[str]] = {Fraction(-1): ["no pay"]}
    for hand, odds in paytable_of(code, row.bet, row.paytable).rows:
        assert not isinstance(odds, MeterShare), "a progressive has no law of its own"
        found.setdefault(odds.net, []).append(spaced(hand))
    return {net: ", ".join(hands) for net, hands in found.items()}


def _ante_outcomes(game: Game, tables: Tables, options: Chosen) -> list[Outcome]:
    """Ante, Play and Ante Bonus together: folded, or played against every kind of dealer."""
    analysis = three_card.ante_analysis(game, tables, options)
    plays = analysis.optimal()
    weights = analysis.weight[:, None] if analysis.face_up else analysis.weight
    folded = int((analysis.counts.sum(axis=-1) * weights * ~plays).sum())
    played = analysis.counts * (weights * plays)[..., None]
    by_hand = played.sum(axis=1) if analysis.face_up else played
    found = [Outcome("folded", folded, net_units(contest_of(game).folded()))]
    # Where a dealer who does not play pays alike whoever is better, it is one event.
    idle = analysis.units[:, :3]
    alike = bool((idle == idle[:, :1]).all())
    events: dict[tuple[str, Fraction], int] = {}
    for place, facts in enumerate(ALL_FACTS):
        if facts.dealer_plays or not alike:
            better = {PLAYER_WINS: "player better", TIE: "tie"}.get(
                facts.comparison, "dealer better"
            )
            kind = "dealer plays" if facts.dealer_plays else "dealer does not play"
            event = f"{kind}, {better}"
        else:
            event = "dealer does not play"
        for unit in np.unique(analysis.units[:, place]).tolist():
            cases = int(by_hand[analysis.units[:, place] == unit, place].sum())
            key = event, Fraction(unit, analysis.per_ante)
            events[key] = events.get(key, 0) + cases
    found += [Outcome(event, cases, net) for (event, net), cases in events.items() if cases]
    return found


def _law(outcomes: Sequence[Outcome]) -> dict[Fraction, int]:
    counts: dict[Fraction, int] = {}
    for _, cases, net in outcomes:
        if cases:
            counts[net] = counts.get(net, 0) + cases
    return counts
