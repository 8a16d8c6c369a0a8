"""Phases: where a live round stands."""

from enum import StrEnum


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
