"""Phases: where a live round stands, and the clause behind each step."""

from enum import StrEnum

from houseway.names import GameCode


class Phase(StrEnum):
    """Where a round stands. Triple Shot Bonus deals and reconciles once in each stage."""

    BETTING = "betting"
    NO_MORE_BETS = "no more bets"
    DEALING = "dealing"
    DECISIONS = "decisions"
    REVEAL = "reveal"
    RECONCILE = "reconcile"
    CLOSED = "closed"
    VOID = "void"


class Stage(StrEnum):
    """The three games of Triple Shot Bonus, in succession."""

    WAR = "war"
    BLACKJACK = "blackjack"
    POKER = "poker"


Step = str
_POKER = {
    "bets": "TCP-16",
    "two positions": "TCP-16",
    "no more bets": "TCP-17",
    "deliver": "TCP-18",
    "decide": "TCP-19",
    "collect": "TCP-20",
    "reveal": "TCP-21",
    "reconcile": "TCP-22",
    "void": "TCP-23",
    "fault": "TCP-23",
}
CLAUSES: dict[GameCode, dict[Step, str]] = {
    "three-card-poker": _POKER,
    # Face Up prints no dealing procedure and inherits the base game's.
    "three-card-poker-face-up": {
        **_POKER,
        "deliver": "FUP-03",
        "decide": "FUP-04",
        "reveal": "FUP-05",
    },
    "triple-shot-rummy": {
        "bets": "TSR-20",
        "two positions": "TSR-21",
        "no more bets": "TSR-22",
        "deliver": "TSR-24",
        "decide": "TSR-26",
        "collect": "TSR-27",
        "reveal": "TSR-28",
        "reconcile": "TSR-28",
        "void": "TSR-31",
        "fault": "TSR-32",
    },
    "triple-shot-bonus": {
        "bets": "TSB-02",
        "two positions": "TSB-29",
        "no more bets": "TSB-04",
        "deliver": "TSB-05",
        "decide": "TSB-32",
        "collect": "TSB-13",
        "reveal": "TSB-13",
        "reconcile": "TSB-07",
        "void": "TSR-31",
        "fault": "TSR-32",
    },
}
"""The clause that orders each step, by game."""
BONUS_DELIVERIES = {Stage.WAR: "TSB-05", Stage.BLACKJACK: "TSB-08", Stage.POKER: "TSB-17"}
BONUS_RECONCILING = {Stage.WAR: "TSB-07", Stage.BLACKJACK: "TSB-13", Stage.POKER: "TSB-21"}


def clause(game: GameCode, step: Step, stage: Stage | None = None) -> str:
    """The clause that orders a step of a game, in Triple Shot Bonus by stage."""
    if stage is not None and step == "deliver":
        return BONUS_DELIVERIES[stage]
    if stage is not None and step == "reconcile":
        return BONUS_RECONCILING[stage]
    return CLAUSES[game][step]
