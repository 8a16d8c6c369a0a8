"""The page of findings quotes what the program computes."""

from fractions import Fraction
from typing import Any

import pytest

from houseway.exact.pricing import par
from houseway.exact.succession import hat_trick_row, joint_figures
from houseway.games.library import paytable_of
from houseway.games.triple_shot_bonus.rules import BonusOptions
from tests import ROOT

TEXT = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")


def quoted(value: Fraction, places: int = 4) -> bool:
    return f"{float(value):.{places}%}" in TEXT


@pytest.mark.clause("TSB-26")
def test_the_hat_trick_of_the_page() -> None:
    poker = paytable_of("triple-shot-bonus", "poker", "TSB-01")
    for rule in ("hit", "stand"):
        for ace in ("high", "low"):
            chosen: Any = {"dealer_soft_17": rule, "war_ace": ace}
            options = BonusOptions(**chosen)
            joint = joint_figures(poker, options)
            assert isinstance(joint["hat_trick_probability"], Fraction)
            assert quoted(joint["hat_trick_probability"])
            nine = paytable_of("triple-shot-bonus", "hat-trick", "9")
            six = paytable_of("triple-shot-bonus", "hat-trick", "6")
            assert quoted(hat_trick_row(nine, poker, options).house_edge)
            if ace == "high":
                assert quoted(hat_trick_row(six, poker, options).house_edge)
                assert isinstance(joint["product_of_marginals"], Fraction)
                assert quoted(joint["product_of_marginals"])
    joint = joint_figures(poker, BonusOptions())
    for pair in ("war_and_blackjack", "war_and_poker", "blackjack_and_poker"):
        found = joint[pair]
        assert isinstance(found, Fraction)
        assert quoted(found, 2)


def test_the_fractions_of_the_page() -> None:
    poker, face_up = par("three-card-poker"), par("three-card-poker-face-up")
    rummy = par("triple-shot-rummy")
    for row in (
        poker.row("six-card-bonus", "TCP-6B1"),
        face_up.row("ante"),
        rummy.row("ante"),
        rummy.row("pair-plus", "6"),
    ):
        assert str(row.house_edge) in TEXT
        assert quoted(row.house_edge)
    for code in "ABCD":
        edge = face_up.row("pair-plus", code).house_edge
        assert f"{edge * 5525}/5525 = {float(edge):.4%}" in TEXT
