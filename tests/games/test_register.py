"""The register of clauses, the readings and the list of games."""

import re
from collections import Counter

import pytest

from houseway import Refused
from houseway.catalog.register import (
    clause,
    clauses,
    contact_role,
    game_list,
    house_reading,
    house_readings,
    readings,
)
from houseway.cli import main
from houseway.games import GAMES, codes
from houseway.house.options import allowed_values
from houseway.house.options import register as option_register
from houseway.names import PROGRESSIVE_CODES
from houseway.rules.rulebook import rules_document


def test_the_register_holds_216_clauses_in_our_own_words() -> None:
    counts = Counter(entry.id[:3] for entry in clauses())
    assert counts == {
        "CMP": 20, "TSR": 39, "TSB": 33, "ACE": 12, "TCP": 27, "SCB": 9, "FUP": 11,
        "PGM": 20, "PNX": 19, "PML": 17, "PRC": 9,
    }  # fmt: skip
    assert len({entry.id for entry in clauses()}) == 216
    for prefix, count in counts.items():
        ids = [entry.id for entry in clauses() if entry.id.startswith(prefix)]
        assert ids == [f"{prefix}-{number:02d}" for number in range(1, count + 1)]
    for entry in clauses():
        assert entry.text.endswith(".")
        assert entry.source
        assert set(entry.games) <= {*codes(), *PROGRESSIVE_CODES}
        for source in entry.source:
            assert re.fullmatch(r"00[0-4]:L[0-9]+(-[0-9]+)?", source), entry.id


def test_the_52_readings_each_decide_something() -> None:
    assert [entry.id for entry in readings()] == [f"A-{number:02d}" for number in range(1, 53)]
    for entry in readings():
        assert entry.matter.endswith((".", "?"))
        assert entry.decision.endswith(".")


def test_every_reading_that_is_a_rule_is_an_option() -> None:
    """Readings on how a hand is judged or a bet is paid name the option that holds them."""
    for reading_id, option in {
        "A-07": "ace_in_runs", "A-08": "combination_choice", "A-09": "tie_rule",
        "A-10": "pair_plus_after_fold", "A-19": "percent_pay_scaling",
        "A-20": "dealer_six_card_hand", "A-21": "war_ace", "A-23": "breakage",
        "A-25": "dealer_natural", "A-27": "envy_own_other_hand", "A-43": "split_ace_ten",
        "A-46": "envy_when_folded", "A-51": "face_up_unqualified_play",
    }.items():  # fmt: skip
        reading = next(entry for entry in readings() if entry.id == reading_id)
        assert option in reading.options
        assert any(option in option_register(game.options) for game in GAMES)


@pytest.mark.clause("CMP-10")
def test_the_list_of_66_games_says_which_are_implemented() -> None:
    listed = game_list()
    assert [entry.number for entry in listed] == list(range(1, 67))
    assert len({entry.name for entry in listed}) == 66
    played = {entry.number for entry in listed if entry.implemented}
    assert played == {57, 58, 59, 60, 61, 63, 64}
    codes = {code for entry in listed for code in entry.implemented}
    assert codes == {game.code for game in GAMES} | set(PROGRESSIVE_CODES)
    assert listed[0].name == "6-5-4 Poker"
    assert listed[65].name == "Zappit Blackjack \N{EN DASH} Dual Progressives"


def test_an_unknown_clause_is_refused() -> None:
    assert clause("TCP-04").id == "TCP-04"
    with pytest.raises(Refused, match="clause 'TCP-99' is unknown"):
        clause("TCP-99")


@pytest.mark.clause("CMP-17")
def test_commercial_and_tribal_questions_go_to_different_roles() -> None:
    roles = {profile: contact_role(profile) for profile in allowed_values("profile")}
    assert roles.pop("none") is None
    assert roles["wa_commercial"] == roles["wa_2017"] != roles["wa_tribal"]
    for role in roles.values():
        assert role is not None
        # A role and nobody's name: one capital, of the Commission, and no digit of a number.
        assert re.findall(r"[A-Z]\w*", role) == ["Commission"]
        assert not re.search(r"[0-9@]", role)


def test_a_progressive_that_no_source_gives_a_game_is_a_reading_of_the_house(
    capsys: pytest.CaptureFixture[str],
) -> None:
    [ours] = house_readings()
    assert ours.id not in [entry.id for entry in readings()]
    for game in GAMES:
        # The letters list one game of ours with a progressive.
        given = any(
            game.code in entry.implemented and {*entry.implemented} & {*PROGRESSIVE_CODES}
            for entry in game_list()
        )
        sentence = house_reading(game.code, "progressive")
        assert (sentence is not None) == ("progressive" in game.wagers and not given), game.code
        assert main(["rules", game.code]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert (ours.decision in shown) == (sentence is not None)


@pytest.mark.clause("CMP-17")
@pytest.mark.parametrize(
    ("profile", "who"), [("wa_commercial", "card rooms"), ("wa_tribal", "tribal")]
)
def test_the_rules_say_whom_to_ask(
    capsys: pytest.CaptureFixture[str], profile: str, who: str
) -> None:
    texts = {"profile": profile, "date": "2026-01-05"}
    document = rules_document("three-card-poker", texts, [])
    assert who in document["contact"]
    options = [f"--option={name}={value}" for name, value in texts.items()]
    assert main(["rules", "three-card-poker", *options]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Questions about these rules go to {document['contact']}." in shown
    assert main(["rules", "three-card-poker"]) == 0
    assert "Questions about these rules" not in capsys.readouterr().out
