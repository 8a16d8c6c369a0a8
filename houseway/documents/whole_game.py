"""Whole game: all bets of a seat together, the hold a model expects, and the dearest deal."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from houseway.cards import cards_text
from houseway.documents.document import Block, Facts, Text, figures_table, named_figures
from houseway.documents.meter_figures import eligible_rows
from houseway.documents.study import Study
from houseway.documents.subject import Subject
from houseway.documents.words import bet_name, dollars, number, percent
from houseway.exact import three_card_seats
from houseway.exact.hold import ASSUMPTIONS, hold
from houseway.exact.liability import Liability, bonus_liability, maximum_liability
from houseway.exact.mix import whole_game_edge
from houseway.exact.sheet import ParRow
from houseway.exact.table import MOST_SEATS
from houseway.house.money import CENTS_PER_DOLLAR, MeterShare, dollars_text
from houseway.house.options import wager_limit
from houseway.names import Bet

HOLD_ROUNDS_PER_HOUR = Fraction(40)
HOLD_HOURS = Fraction(4)
HOLD_BUY_IN = 40
"""The model's visit: its pace, its length, and a buy-in of so many times what a round wagers."""


def together(study: Study) -> Iterator[Block]:
    """Part 15: all bets of a seat together, counted jointly."""
    subject = study.subject
    if subject.is_progressive:
        yield Text(
            text="A progressive is wagered beside a base game and priced by itself: net results "
            "add up, and a share of a meter is the same whatever else is won. Winners who share "
            "a round are counted jointly in part 14."
        )
        return
    chosen = _in_force(subject)
    staked = _stakes(subject, chosen)
    edge = whole_game_edge(chosen, staked)
    each = ", ".join(f"{bet_name(bet)} {dollars(stake)}" for bet, stake in staked.items())
    yield Facts(
        rows=(
            ("Wagers", each),
            ("Edge of all together", f"{edge} = {percent(edge, 6)} of the first wagers"),
            *(
                (
                    f"Share of {bet_name(bet)}",
                    percent(row.house_edge * staked[bet] / sum(staked.values())),
                )
                for bet, row in chosen.items()
            ),
        )
    )
    yield from _joint(subject, staked)
    if subject.sheet.table:
        yield named_figures("The whole table", subject.sheet.table)


def _joint(subject: Subject, staked: Mapping[Bet, Fraction]) -> Iterator[Block]:
    """Bets of one seat share cards: what is counted jointly, beside what multiplying would say."""
    game = subject.ante_play
    if game is None:
        joint: Any = subject.sheet.joint
        won, product = joint["hat_trick_probability"], joint["product_of_marginals"]
        multiplied = f"{percent(product, 6)}: not used, as the legs share cards"
        yield Facts(
            rows=(
                ("No leg of the Hat Trick lost, jointly", f"{won} = {percent(won, 6)}"),
                ("The three chances multiplied", multiplied),
                ("War and Blackjack not lost", percent(joint["war_and_blackjack"], 6)),
                ("War not lost and Poker won", percent(joint["war_and_poker"], 6)),
                ("Blackjack not lost and Poker won", percent(joint["blackjack_and_poker"], 6)),
            )
        )
        return
    within = three_card_seats.seat_covariance(game, subject.tables, subject.options)
    bets = [bet for bet in staked if (bet, bet) in within]
    together = sum((within[a, b] * staked[a] * staked[b] for a in bets for b in bets), Fraction(0))
    apart = sum((within[a, a] * staked[a] ** 2 for a in bets), Fraction(0))
    yield figures_table(
        "Covariance of the bets of one seat, counted over the same deals",
        tuple(bet_name(bet) for bet in bets),
        ((bet_name(a), *(number(within[a, b]) for b in bets)) for a in bets),
    )
    yield Facts(
        rows=(
            ("Sd of all together, jointly", number(float(together) ** 0.5)),
            (
                "As if the bets were independent",
                f"{number(float(apart) ** 0.5)}: not used, as the bets share cards",
            ),
        )
    )


def _in_force(subject: Subject) -> dict[Bet, ParRow]:
    """The row of every bet under the paytable in force."""
    found: dict[Bet, ParRow] = {}
    for bet in subject.game.wagers:
        table = subject.tables.get("ante-bonus" if bet == "ante" else bet)
        for row in subject.sheet.rows:
            if row.bet == bet and row.paytable in (None, table.code if table else None):
                found[bet] = row
    return found


def _stakes(subject: Subject, chosen: Mapping[Bet, ParRow]) -> dict[Bet, Fraction]:
    """Dollars on each bet: the mix that was given, or one on every bet."""
    mix: Any = subject.sheet.whole_game.get("wagers", {})
    if not mix:
        return dict.fromkeys(chosen, Fraction(1))
    return {bet: Fraction(mix[bet], CENTS_PER_DOLLAR) for bet in chosen if bet in mix}


def expected_hold(study: Study) -> Iterator[Block]:
    """Part 16: the hold that a model expects, labelled as a model."""
    subject = study.subject
    yield Text(text="A model and not a count: edge times what is wagered, over the drop.")
    if subject.is_progressive:
        runs = [(found.name, found.priced.long_run) for found in eligible_rows(subject)]
        known = [(name, percent(run.hold, 6)) for name, run in runs if run is not None]
        if known:
            yield figures_table("Hold of a $1 wager in the long run", ("hold",), known)
        else:
            yield Text(
                text="What a progressive keeps hangs on its meters; with contribution_rate and "
                "meter_seed set the long-run hold stands here."
            )
        return
    staked = _stakes(subject, _in_force(subject))
    bets: dict[str, int] = {bet: int(stake * CENTS_PER_DOLLAR) for bet, stake in staked.items()}
    model = hold(
        subject.code,
        subject.options,
        subject.given_paytables,
        bets=bets,
        rounds_per_hour=HOLD_ROUNDS_PER_HOUR,
        hours=HOLD_HOURS,
        buy_in_cents=HOLD_BUY_IN * sum(bets.values()),
    )
    lowest, highest = percent(model.lowest), percent(model.highest)
    facts = [
        ("Rounds an hour", str(model.rounds_per_hour)),
        ("Hours", str(model.hours)),
        ("Buy-in (the drop)", dollars_text(model.buy_in_cents)),
        ("Wagered a round", dollars_text(model.wagered_cents)),
        (
            "Expected hold",
            lowest if lowest == highest else f"{lowest} to {highest}, by paytable",
        ),
    ]
    if model.printed is not None:
        low, high = percent(model.printed.low, 1), percent(model.printed.high, 1)
        inside = "inside it" if model.within_printed else "not inside it"
        facts.append(
            ("Printed", f"{low} to {high} ({model.printed.clause}); the model is {inside}")
        )
    yield Facts(rows=tuple(facts))
    for sentence in ASSUMPTIONS:
        yield Text(text=sentence)
    yield Text(text=f"With a house's own pace and buy-in: houseway hold {subject.code} --help.")


def liability(study: Study) -> Iterator[Block]:
    """Part 17: the most that one deal can cost, and what limits it."""
    subject = study.subject
    if subject.is_progressive:
        yield Text(
            text="Shares of a meter are paid from it, and never more than stands there. From the "
            f"tray, {MOST_SEATS} wagers of $1 are paid at most this in fixed pays and envy:"
        )
        yield figures_table(
            f"Most from the tray, {MOST_SEATS} wagers of $1",
            ("fixed pays", "envy", "together"),
            _tray_rows(subject),
        )
        return
    staked = _stakes(subject, _in_force(subject))
    most = _most(subject, staked)
    each = ", ".join(f"{bet_name(bet)} {dollars(stake)}" for bet, stake in staked.items())
    yield Facts(
        rows=(
            ("Seats and wagers", f"{MOST_SEATS} seats, each with {each}"),
            ("No deal costs the house more than", dollars(most.at_most)),
            ("This deal costs", dollars(most.reached)),
            ("Dealer", cards_text(most.dealer)),
            ("Players", "; ".join(cards_text(hand) for hand in most.players)),
        )
    )
    limit = wager_limit(subject.options)
    if limit is None:
        yield Text(
            text="No limit on what one deal pays in all is part of these rules, and no wager limit "
            "is in force: the figure grows with the wagers. A house that posts an aggregate limit "
            "sets it against this figure."
        )
        return
    largest = Fraction(limit.most, CENTS_PER_DOLLAR)
    at_limit = _most(subject, dict.fromkeys(staked, largest))
    yield Facts(
        rows=(
            ("Wager limit", f"{dollars_text(limit.most)} ({limit.citation})"),
            ("With every wager at it, no deal costs more than", dollars(at_limit.at_most)),
        )
    )


def _most(subject: Subject, staked: Mapping[Bet, Fraction]) -> Liability:
    game = subject.ante_play
    if game is not None:
        return maximum_liability(game, subject.tables, subject.options, MOST_SEATS, staked)
    return bonus_liability(subject.tables, subject.options, MOST_SEATS, staked)


def _tray_rows(subject: Subject) -> Iterator[tuple[str, ...]]:
    """A bound for each progressive: every seat with the best fixed pay, and envy for all others."""
    for found in eligible_rows(subject):
        pays = found.row.pays
        fixed = [odds for _, odds in pays.rows if not isinstance(odds, MeterShare)]
        best = max((odds.net + 1 for odds in fixed), default=Fraction(0)) * MOST_SEATS
        most = max(pays.envy_cents.values(), default=0)
        envy = Fraction(most * MOST_SEATS * (MOST_SEATS - 1), CENTS_PER_DOLLAR)
        yield found.name, dollars(best), dollars(envy), dollars(best + envy)
