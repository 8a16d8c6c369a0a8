"""Identity: a digest changes with what is played, and not with what the program learns."""

import dataclasses
from typing import Literal

import pytest

from houseway import Refused
from houseway.games.registry import kept_options
from houseway.house.options import option
from houseway.rules import identity
from houseway.rules.ruleset import make_ruleset

FIRST = {
    "three-card-poker": "161c40a195085c11d770848902713d418a3137819d2f2b109432bb1b69806eef",
    "three-card-poker-face-up": "8867aabcf7ce385b302bfc499304a4d523081f17f3a4520b4500101e999c873e",
    "triple-shot-rummy": "2e87ffac04794a17441a851e4e5eda3b9af84c9359bd6f8120059edf5f94e363",
    "triple-shot-bonus": "2e4b3d66eae7890de4d747ab20a8a9807508fce4dcfcca9bc8839adaa2b914ee",
}
"""Digests of the first form, as the first program wrote them; they never change."""
SECOND = {
    "three-card-poker": "2203223016a6f5dcda23e6a8784a3588d272d3e74e40b83442cf97d39ff29025",
    "three-card-poker-face-up": "cb481a98f806b435077b2014b250e19f4d0244e1edcf999061488df6df7096e7",
    "triple-shot-rummy": "7ff9d674ae4210fd9188b59efde5c5ef6f11c11ef3fdb2ab771e484f28ff6f30",
    "triple-shot-bonus": "eb3133ef62e902181a76bd6ff98c4a19187ed018339b9937b8448dc927b6b515",
}
"""Digests of the second form; they never change."""


@pytest.mark.clause("CMP-01")
@pytest.mark.parametrize("game", FIRST)
def test_the_digests_of_the_usual_rules_never_change(game: str) -> None:
    rules = make_ruleset(game)
    assert rules.digest_by(1) == FIRST[game]
    assert rules.digest == rules.digest_by(2) == SECOND[game]


@pytest.mark.clause("CMP-01", "CMP-12")
@pytest.mark.parametrize(
    ("game", "profile", "day", "digest"),
    [
        (
            *("triple-shot-rummy", "wa_commercial", "2018-05-05"),
            "d3f1f7ff787b23530973e7634df369bf9e9556fc9f04bbfa52de30f0c9ef72f6",
        ),
        (
            *("triple-shot-rummy", "wa_2017", "2018-05-05"),
            "4e455c4010c53be8753939418e5cd876b28895f46cad741698cfd3919e327474",
        ),
        (
            *("three-card-poker", "wa_tribal", "2012-05-05"),
            "7450ac4da581a5fd484755f121878d6105071be9baf4919cbe672949ce4420e6",
        ),
        (
            *("triple-shot-bonus", "wa_commercial", "2023-06-01"),
            "472076c64da878c1aa6e9999e1bac8b4ce983fa386ca49f4ce5859e5bffa34ef",
        ),
    ],
)
def test_digests_of_the_first_form_looked_at_no_day(
    game: str, profile: str, day: str, digest: str
) -> None:
    assert make_ruleset(game, {"profile": profile, "date": day}).digest_by(1) == digest


@pytest.mark.parametrize("code", FIRST)
def test_an_option_that_is_new_and_not_set_changes_no_digest(code: str) -> None:
    """A program that has learned an option of the game since."""
    rules = make_ruleset(code)
    entry = option("off", "Whether the cards are warm", "A-01")
    made = dataclasses.make_dataclass(
        "Learned",
        [("warm_cards", Literal["off", "on"], entry)],
        bases=(rules.game.options,),
        frozen=True,
        kw_only=True,
    )
    game = dataclasses.replace(rules.game, options=made)
    learned = dataclasses.replace(rules, game=game, options=made())
    assert "warm_cards" in learned.options.to_json()
    assert (learned.digest_by(1), learned.digest) == (FIRST[code], SECOND[code])
    warm = dataclasses.replace(learned, options=made(warm_cards="on"))
    assert warm.digest != SECOND[code]


@pytest.mark.parametrize(
    ("game", "chosen", "paytables"),
    [
        ("three-card-poker", {"tie_rule": "lose"}, {}),
        ("three-card-poker", {}, {"pair-plus": "B"}),
        ("triple-shot-rummy", {"ace_in_runs": "wrap"}, {}),
        ("triple-shot-bonus", {"dealer_soft_17": "stand"}, {}),
        ("triple-shot-bonus", {}, {"hat-trick": "6"}),
    ],
)
def test_whatever_is_played_otherwise_changes_the_digest(
    game: str, chosen: dict[str, str], paytables: dict[str, str]
) -> None:
    rules = make_ruleset(game, chosen, paytables)
    for form in identity.FORMS:
        assert rules.digest_by(form) != make_ruleset(game).digest_by(form)


def test_an_option_of_another_game_is_refused_and_an_earlier_one_passed_over() -> None:
    with pytest.raises(Refused, match="option 'tie_rule' is unknown; known: breakage"):
        make_ruleset("triple-shot-bonus", {"tie_rule": "lose"})
    kept = kept_options("triple-shot-bonus", {"tie_rule": "lose", "war_ace": "low", "x": "y"})
    assert kept == {"war_ace": "low", "x": "y"}


def test_the_day_of_a_round_is_no_part_of_its_rules() -> None:
    first, second = (
        make_ruleset("three-card-poker", {"profile": "wa_commercial", "date": day})
        for day in ("2024-01-01", "2025-01-01")
    )
    assert first.digest == second.digest
