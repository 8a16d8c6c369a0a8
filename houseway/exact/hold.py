"""Hold: what a model expects the house to keep of what players buy in for. A model, not a count.

The edge of every bet is counted; how long a visit lasts, how many rounds are dealt an hour and
what a player buys in for are what the house knows of its own floor, and are given.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.catalog.claims import PrintedHold, printed_hold
from houseway.exact.mix import whole_game_edge
from houseway.exact.pricing import par
from houseway.games import game_of
from houseway.games.registry import shown_options
from houseway.house.money import check_amount
from houseway.house.options import Options
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed
from houseway.rules.seat import Pairs

ASSUMPTIONS = (
    "The player buys in once, for cash: the drop is the buy-in and nothing else.",
    "Every round has the same wagers, and what is won is wagered again, until the hours are over.",
    "Nobody runs out before, so ruin neither shortens a visit nor caps a loss.",
    "No visit holds more than its drop: the hold is at most 100%.",
    "Players play as well as can be; those who do not are held more.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldRow:
    """One bet of the mix under one paytable."""

    bet: Bet
    paytable: str | None
    wager_cents: int
    house_edge: Fraction

    @property
    def win_cents(self) -> Fraction:
        """What the house wins with it in a round on average, in cents."""
        return self.house_edge * self.wager_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedHold:
    """What a visit is expected to bring, over the paytables that the house may choose."""

    game: str
    options: Options
    rows: tuple[HoldRow, ...]
    rounds_per_hour: Fraction
    hours: Fraction
    buy_in_cents: int
    lowest_edge: Fraction
    highest_edge: Fraction
    lowest: Fraction
    """Win over drop with the paytables that hold least."""
    highest: Fraction
    printed: PrintedHold | None

    @property
    def wagered_cents(self) -> int:
        """What is first wagered in a round."""
        return sum({row.bet: row.wager_cents for row in self.rows}.values())

    @property
    def rounds(self) -> Fraction:
        """How many rounds a visit has."""
        return self.rounds_per_hour * self.hours

    def win_cents(self, edge: Fraction) -> Fraction:
        """What the house wins of a visit at that edge, in cents."""
        return edge * self.wagered_cents * self.rounds

    @property
    def within_printed(self) -> bool | None:
        """True when all of the range lies in the printed one; None where none is printed."""
        if self.printed is None:
            return None
        return self.printed.low <= self.lowest and self.highest <= self.printed.high

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway hold --json`."""
        document: dict[str, Any] = {
            "game": self.game,
            "options": shown_options(self.game, self.options),
            "model": "win over drop: edge x first wagers x rounds / buy-in, at most 1",
            "is_a_count": False,
            "assumptions": list(ASSUMPTIONS),
            "bets": [
                {
                    "bet": row.bet,
                    "paytable": row.paytable,
                    "wager": row.wager_cents,
                    "house_edge": str(row.house_edge),
                    "win_per_round": str(row.win_cents),
                }
                for row in self.rows
            ],
            "wagered_per_round": self.wagered_cents,
            "rounds_per_hour": str(self.rounds_per_hour),
            "hours": str(self.hours),
            "buy_in": self.buy_in_cents,
        }
        for name, edge, hold in (
            ("lowest", self.lowest_edge, self.lowest),
            ("highest", self.highest_edge, self.highest),
        ):
            document[name] = {
                "house_edge": str(edge),
                "expected_win": str(self.win_cents(edge)),
                "expected_hold": str(hold),
            }
        if self.printed is not None:
            document["printed"] = {**self.printed.to_json(), "within": self.within_printed}
        return document


def hold(
    game: str,
    options: Options | Mapping[str, str] | None = None,
    paytables: str | Mapping[str, str] | Pairs | None = None,
    *,
    bets: Mapping[str, int],
    rounds_per_hour: Fraction,
    hours: Fraction,
    buy_in_cents: int,
) -> ExpectedHold:
    """The expected hold of a mix of wagers in cents (TSB-24).

    Where no paytable is chosen for a bet every one of its is looked at, so that a range comes out.
    """
    made: tuple[Bet, ...] = tuple(bet for bet in game_of(game).wagers if bet in bets)
    if "progressive" in made:
        raise Refused(
            Reason.UNKNOWN_BET,
            "bet 'progressive' is not in the model of the hold, since what it keeps hangs on its "
            f"meter; see houseway par {game} --meter AMOUNT",
        )
    if not bets:
        raise Refused(
            Reason.MISSING_BET,
            f"nothing is wagered; wager on {listed(game_of(game).wagers)}",
        )
    sheet = par(game, options, paytables, bets=bets)
    choices = {bet: [row for row in sheet.rows if row.bet == bet] for bet in made}
    staked = {bet: Fraction(bets[bet]) for bet in made}
    edges, held = [], []
    for choose in (min, max):
        rows = {bet: choose(choices[bet], key=lambda row: row.house_edge) for bet in made}
        edges.append(whole_game_edge(rows, staked))
        held.append(
            expected_hold(
                house_edge=edges[-1],
                average_bet=sum(staked.values(), Fraction(0)),
                decisions_per_hour=rounds_per_hour,
                hours=hours,
                buy_in=check_amount(buy_in_cents, "buy-in"),
            )
        )
    return ExpectedHold(
        game=game,
        options=sheet.options,
        rows=tuple(
            HoldRow(
                bet=bet,
                paytable=row.paytable,
                wager_cents=bets[bet],
                house_edge=row.house_edge,
            )
            for bet, found in choices.items()
            for row in found
        ),
        rounds_per_hour=rounds_per_hour,
        hours=hours,
        buy_in_cents=buy_in_cents,
        lowest_edge=edges[0],
        highest_edge=edges[1],
        lowest=held[0],
        highest=held[1],
        printed=printed_hold(game),
    )


def expected_hold(
    *,
    house_edge: Fraction,
    average_bet: int | Fraction,
    decisions_per_hour: int | Fraction,
    hours: int | Fraction,
    buy_in: int | Fraction,
) -> Fraction:
    """Win over drop that a model expects of one player's visit (TSB-24). A model, not a count.

    win = house edge x average bet x decisions an hour x hours; drop = the buy-in; hold = win over
    drop, at most 1. The model assumes that the player buys in once and for cash, so that the
    drop is the buy-in and nothing else; that he wagers the same on every round, wins wagered
    again, until the hours are over; that he never runs out before, so ruin neither shortens the
    visit nor caps a loss; and that he plays as the edge assumes. `average_bet` is what is first
    wagered on all bets of a round, `house_edge` the edge on that (see `whole_game_edge`).
    """
    given = {
        "average_bet": average_bet,
        "decisions_per_hour": decisions_per_hour,
        "hours": hours,
    }
    for name, value in given.items():
        if value < 0:
            raise Refused(
                Reason.NEGATIVE_AMOUNT, f"{name} {value} is negative; it must be 0 or more"
            )
    if buy_in <= 0:
        raise Refused(Reason.ZERO_AMOUNT, f"buy_in {buy_in} is no drop; it must be more than 0")
    win = Fraction(house_edge) * average_bet * decisions_per_hour * hours
    return min(Fraction(1), win / buy_in)
