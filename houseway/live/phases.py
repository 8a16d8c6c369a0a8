"""Phases: where a live round stands."""

from enum import StrEnum


class Phase(StrEnum):
    """Where a round stands. A game with stages deals and reconciles once in each."""

    BETTING = "betting"
    NO_MORE_BETS = "no more bets"
    DEALING = "dealing"
    DECISIONS = "decisions"
    REVEAL = "reveal"
    RECONCILE = "reconcile"
    CLOSED = "closed"
    VOID = "void"
