"""Unjudged: printed figures that no count can confirm or refute, with what can be said of them.

A hold depends on how long people play and what they buy in for; the speed of a machine depends
on the machine. Neither gets a verdict. What follows from the exact figures is computed here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from houseway.catalog.claims import PrintedHold, PrintedSpeed, printed_holds, printed_speeds
from houseway.exact.mix import whole_game_edge
from houseway.exact.pace import cycles_gained
from houseway.exact.pricing import par
from houseway.exact.sheet import ParRow
from houseway.names import Bet
from houseway.refusal import listed

VERDICT = "not_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unjudged:
    """A printed figure without a verdict: why it has none, and what follows from exact figures."""

    id: str
    source: str
    clause: str
    figure: str
    printed: str
    reason: str
    computed: Mapping[str, Fraction]
    note: str

    def to_json(self) -> dict[str, object]:
        """The figure as `houseway verify --json` prints it under `not_judged`."""
        return {
            "id": self.id,
            "source": self.source,
            "clause": self.clause,
            "figure": self.figure,
            "printed": self.printed,
            "verdict": VERDICT,
            "reason": self.reason,
            "computed": {name: str(value) for name, value in self.computed.items()},
            "note": self.note,
        }


def unjudged(game: str | None = None) -> Iterator[Unjudged]:
    """Every printed figure that has no verdict; of one game where told."""
    for hold in printed_holds():
        if game in (None, hold.game):
            yield _hold(hold)
    for speed in printed_speeds() if game is None else ():
        yield _speed(speed)


def _hold(printed: PrintedHold) -> Unjudged:
    """The turnover that a printed hold needs, and how far paytables can move it (TSB-24)."""
    sheet = par(printed.game)
    poker = [row for row in sheet.rows if row.bet == "poker"]
    hat_trick = [row for row in sheet.rows if row.bet == "hat-trick"]
    base: dict[Bet, ParRow] = {bet: sheet.row(bet) for bet in ("war", "blackjack")}
    # A bet that cost the house would make the tables matter more than Poker alone shows.
    assert all(row.house_edge >= 0 for row in base.values())
    computed: dict[str, Fraction] = {}
    for row in poker:
        edge = _equal_bets({**base, "poker": row})
        computed[f"house_edge_{row.paytable}"] = edge
        computed[f"turnover_at_low_{row.paytable}"] = printed.low / edge
        computed[f"turnover_at_high_{row.paytable}"] = printed.high / edge
    turnovers = [value for name, value in computed.items() if name.startswith("turnover")]
    edges = [row.house_edge for row in poker]
    computed["printed_range"] = printed.high / printed.low
    computed["most_by_poker_table"] = max(edges) / min(edges)
    best_poker = max(poker, key=lambda row: row.house_edge)
    for row in hat_trick:
        everything: dict[Bet, ParRow] = {**base, "poker": best_poker, "hat-trick": row}
        computed[f"house_edge_with_hat_trick_{row.paytable}"] = _equal_bets(everything)
    with_hat_trick = [
        f"{float(computed[f'house_edge_with_hat_trick_{row.paytable}']):.2%} at {row.paytable} to 1"
        for row in hat_trick
    ]
    return Unjudged(
        id=f"{printed.source}/{printed.game}/hold",
        source=printed.source,
        clause=printed.clause,
        figure="hold",
        printed=f"{float(printed.low):.0%} to {float(printed.high):.0%}",
        reason=printed.reason,
        computed=computed,
        note=f"Equal bets on the three games: each dollar bought in must be wagered "
        f"{float(min(turnovers)):.2f} to {float(max(turnovers)):.2f} times. The printed range is "
        f"{float(computed['printed_range']):.2f} to 1; at the same play the Poker tables move the "
        f"hold by {float(computed['most_by_poker_table']):.3f} to 1 at most. An equal bet on Hat "
        f"Trick too makes the house edge at most {listed(with_hat_trick)}.",
    )


def _equal_bets(rows: Mapping[Bet, ParRow]) -> Fraction:
    return whole_game_edge(rows, dict.fromkeys(rows, Fraction(1)))


def _speed(printed: PrintedSpeed) -> Unjudged:
    """What a cycle that is so much quicker means, by both readings (ACE-04)."""
    by_rate, by_time = cycles_gained(printed.quicker)
    return Unjudged(
        id=f"{printed.source}/cycle_time",
        source=printed.source,
        clause=printed.clause,
        figure="cycle_time",
        printed=f"{float(printed.quicker):.0%}",
        reason=printed.reason,
        computed={"cycles_if_rate": by_rate, "cycles_if_time": by_time},
        note=f"In the time of 100 older cycles it makes {float(100 * by_rate):.0f} if the rate is "
        f"meant, {float(100 * by_time):.1f} if the time of a cycle is; houseway hold takes the "
        "seconds of a cycle and says what they change.",
    )
