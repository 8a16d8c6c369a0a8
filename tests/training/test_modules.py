"""Modules: every chapter of the manuals has one, and every skill is in one."""

from typing import Any

import pytest

from houseway import Refused
from houseway.catalog.register import clauses
from houseway.games import codes
from houseway.rules.ruleset import make_ruleset
from houseway.training.modules import find_module, modules, modules_of, read_modules
from houseway.training.skills import SKILLS, skills_of

TCP, FACE_UP, BONUS, RUMMY = codes()


def covered(game: str, source: str) -> list[str]:
    found = modules_of(make_ruleset(game))
    return [m.code for m in found for chapter in m.chapters if chapter.source == source]


@pytest.mark.clause("TSB-31")
def test_triple_shot_bonus_has_a_module_for_each_chapter_of_its_manual() -> None:
    assert covered(BONUS, "003") == [
        "bonus-table",
        "bonus-overview",
        "bonus-dealing",
        "bonus-payouts",
    ]


@pytest.mark.clause("TCP-27")
def test_three_card_poker_has_a_module_for_each_chapter_of_its_manual() -> None:
    for game in (TCP, FACE_UP):
        assert covered(game, "004") == ["overview", "dealing", "irregularities", "exceptions"]
    assert covered(RUMMY, "004") == []


@pytest.mark.clause("ACE-10", "TSR-32")
@pytest.mark.parametrize("game", codes())
def test_every_game_has_the_crafts(game: str) -> None:
    codes = {module.code for module in modules_of(make_ruleset(game))}
    assert {"words", "order", "shuffler", "protection", "irregularities"} <= codes
    assert ("progressive" in codes) is ("envy" in codes) is (game != BONUS)


@pytest.mark.parametrize("game", codes())
def test_modules_hold_the_skills_that_apply_and_no_others(game: str) -> None:
    ruleset = make_ruleset(game)
    for module in modules_of(ruleset):
        assert module.skills
        assert all(SKILLS[code].applies(ruleset) for code in module.skills)
        assert module.to_json()["skills"][0]["title"]
    held = {code for module in modules_of(ruleset) for code in module.skills}
    assert held == {skill.code for skill in skills_of(ruleset)}


def test_a_table_that_is_dealt_by_hand_has_no_runbook_to_learn() -> None:
    by_hand = make_ruleset(RUMMY, {"shuffler_mode": "hand"})
    assert find_module("shuffler", by_hand).skills == ("shuffler.deck",)
    with pytest.raises(Refused, match="known: overview"):
        find_module("bonus-table", by_hand)


def test_clauses_of_modules_are_known_and_codes_are_words() -> None:
    known = {clause.id for clause in clauses()}
    for module in modules():
        assert set(module.clauses) <= known
        assert module.clauses
        assert module.code == module.code.lower()
        assert 20 < len(module.about) < 200


GOOD: dict[str, Any] = {
    "code": "m",
    "title": "M",
    "track": "dealer",
    "about": "What it is about.",
    "clauses": ["TCP-02"],
    "skills": ["hands.name"],
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"track": "cook"}, "track 'cook' is unknown"),
        ({"skills": ["hands.none"]}, "skill 'hands.none' is unknown"),
        ({"games": ["chess"]}, "game 'chess' is unknown"),
    ],
)
def test_a_bad_module_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_modules({"module": [{**GOOD, **change}]})
    with pytest.raises(ValueError, match="'m' stands twice"):
        read_modules({"module": [GOOD, GOOD]})
    with pytest.raises(Refused, match="TCP-99"):
        read_modules({"module": [{**GOOD, "clauses": ["TCP-99"]}]})
