"""Learners: what comes again and when, sessions that replay, and accuracy before speed."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway import Refused
from houseway.rules.ruleset import make_ruleset
from houseway.training.drill import Drill, Grade, Mark
from houseway.training.learner import (
    Learner,
    Record,
    answered,
    learner_from_json,
    new_learner,
    next_drill,
    standings,
    weak_spots,
)
from houseway.training.modules import Module, find_module

RULES = make_ruleset("three-card-poker")
QUICK = ("hands.name", "hands.qualifies", "payouts.odds", "exceptions.required")
MODULES = (
    Module(
        code="quick",
        title="Quick",
        track="dealer",
        about="Skills that take no time.",
        games=("three-card-poker",),
        chapters=(),
        clauses=(),
        skills=QUICK,
    ),
)


def graded(right: bool) -> Grade:
    mark = Mark(name="x", right=right, given="this", answer="that", why="Because.", clause="TCP-02")
    return Grade(marks=(mark,))


def key(drill: Drill) -> tuple[str, int]:
    return drill.skill, drill.seed


def session(seed: int, rights: list[bool], *, stored: bool = False) -> list[tuple[str, int]]:
    """The drills that somebody is asked who answers like that."""
    learner = new_learner(seed)
    asked = []
    for right in rights:
        drill = next_drill(learner, MODULES, RULES)
        asked.append(key(drill))
        learner = answered(learner, drill, graded(right), 2.5, game="three-card-poker")
        if stored:
            learner = learner_from_json(json.loads(json.dumps(learner.to_json())))
    return asked


@settings(max_examples=40)
@given(st.integers(0, 2**40), st.integers(0, 12))
def test_a_missed_drill_comes_after_three_then_eight_then_twenty_others(seed: int, at: int) -> None:
    """One miss and nothing else: the places are known to the drill."""
    asked = session(seed, [place != at for place in range(at + 45)])
    places = [place for place, drill in enumerate(asked) if drill == asked[at]]
    assert places == [at, at + 4, at + 4 + 9, at + 4 + 9 + 21]


@settings(max_examples=40)
@given(st.integers(0, 2**40))
def test_missed_again_it_starts_over(seed: int) -> None:
    missed = {2, 6, 6 + 4 + 9}
    asked = session(seed, [place not in missed for place in range(70)])
    places = [place for place, drill in enumerate(asked) if drill == asked[2]]
    second = 6 + 4 + 9
    assert places[:4] == [2, 6, 10, second]
    # The second time it was missed at its last stage but one, and then it begins again.
    assert places[4:] == [second + 4, second + 4 + 9, second + 4 + 9 + 21]


@settings(max_examples=30)
@given(st.integers(0, 2**40), st.lists(st.booleans(), min_size=1, max_size=60))
def test_what_waits_longest_comes_first_and_sessions_replay(seed: int, rights: list[bool]) -> None:
    asked = session(seed, rights)
    assert session(seed, rights, stored=True) == asked
    waiting: dict[tuple[str, int], tuple[int, int]] = {}
    gaps = (3, 8, 20)
    for number, (drill, right) in enumerate(zip(asked, rights, strict=True)):
        due = {name: at for name, (at, _) in waiting.items() if at <= number}
        if due:
            assert due.get(drill) == min(due.values())
        else:
            assert drill not in waiting
        before = waiting.pop(drill, None)
        if right and before is None:
            continue
        stage = before[1] + 1 if right and before is not None else 0
        if stage < len(gaps):
            waiting[drill] = (number + 1 + gaps[stage], stage)


def test_seeds_differ() -> None:
    assert session(1, [True] * 12) != session(2, [True] * 12)
    assert len(set(session(1, [True] * 40))) == 40


def test_weak_skills_come_more_often() -> None:
    weak = Record(wrong=8, right=2, last=(False,) * 8 + (True,) * 2, times=(1000,) * 10)
    drawn = Counter(
        next_drill(
            Learner(seed=9, answered=number, records={"hands.name": weak}), MODULES, RULES
        ).skill
        for number in range(200)
    )
    rest = [count for skill, count in drawn.items() if skill != "hands.name"]
    assert set(drawn) == set(QUICK)
    assert drawn["hands.name"] > 4 * max(rest)


def practised(rights: list[bool], seconds: float = 4.0) -> Learner:
    learner = new_learner(1)
    (drill,) = {key(d): d for d in [next_drill(learner, MODULES, RULES)]}.values()
    for right in rights:
        learner = answered(learner, drill, graded(right), seconds)
    return learner


def test_a_time_is_shown_once_nine_of_the_last_ten_were_right() -> None:
    for rights, shown in (
        ([True] * 9, False),
        ([True] * 10, True),
        ([False] + [True] * 9, True),
        ([False, False] + [True] * 8, False),
        ([False] * 9 + [True] * 10, True),
        ([True] * 10 + [False, False], False),
    ):
        (standing,) = standings(practised(rights))
        assert (standing.seconds is not None) is shown, rights
        assert (standing.goal_seconds is not None) is shown
        if shown:
            assert standing.seconds == 4.0
            assert standing.goal_seconds == 3.6


def test_streaks_mistakes_and_weak_spots() -> None:
    learner = practised([True, True, True, False, True])
    assert (learner.answered, learner.streak, learner.longest) == (5, 1, 3)
    (spot,) = weak_spots(learner)
    assert (spot.right, spot.asked) == (4, 5)
    (mistake,) = learner.mistakes
    assert (mistake.number, mistake.given, mistake.answer, mistake.why) == (
        4,
        "this",
        "that",
        "Because.",
    )
    assert weak_spots(practised([True] * 5)) == ()


def test_a_drill_of_one_game_does_not_come_again_in_another() -> None:
    learner = new_learner(3)
    drill = next_drill(learner, MODULES, RULES)
    learner = answered(learner, drill, graded(False), 1, game="three-card-poker")
    for _ in range(3):
        other = next_drill(learner, MODULES, RULES)
        learner = answered(learner, other, graded(True), 1, game="three-card-poker")
    rummy = make_ruleset("triple-shot-rummy")
    assert key(next_drill(learner, MODULES, RULES)) == key(drill)
    assert key(next_drill(learner, MODULES, rummy)) != key(drill)


def test_what_is_chosen_is_what_is_asked() -> None:
    envy = find_module("envy", RULES)
    for number in range(12):
        drill = next_drill(Learner(seed=4, answered=number), (envy,), RULES)
        assert drill.skill in envy.skills


BAD: list[Any] = [
    *(None, 3, "x", [], {}, {"seed": 1}),
    {**new_learner(1).to_json(), "seed": -1},
    {**new_learner(1).to_json(), "seed": "1"},
    {**new_learner(1).to_json(), "goal": 0},
    {**new_learner(1).to_json(), "streak": True},
    {**new_learner(1).to_json(), "records": []},
    {**new_learner(1).to_json(), "records": {"hands.name": 3}},
    {**new_learner(1).to_json(), "records": {"hands.name": {"right": 1}}},
    {
        **new_learner(1).to_json(),
        "records": {"hands.name": {"right": 1, "wrong": 0, "last": [1], "times": [1]}},
    },
    {**new_learner(1).to_json(), "due": [{"skill": "hands.name"}]},
    {**new_learner(1).to_json(), "due": [[]] * 1000},
    {**new_learner(1).to_json(), "mistakes": "many"},
    {**new_learner(1).to_json(), "exam": 5},
]


@pytest.mark.parametrize("data", BAD)
def test_what_is_no_learner_is_refused(data: Any) -> None:
    with pytest.raises(Refused) as refused:
        learner_from_json(data)
    assert refused.value.message


def test_what_a_learner_knows_of_a_skill_that_is_gone_is_left_out() -> None:
    data = new_learner(1).to_json()
    record = {"right": 1, "wrong": 0, "last": [True], "times": [900]}
    data["records"] = {"hands.gone": record, "hands.name": record}
    assert set(learner_from_json(data).records) == {"hands.name"}


@pytest.mark.parametrize("seconds", [-1, 4000, True, "3", None, float("nan"), float("inf")])
def test_a_time_that_cannot_be_is_refused(seconds: Any) -> None:
    learner = new_learner(1)
    drill = next_drill(learner, MODULES, RULES)
    with pytest.raises(Refused, match="seconds"):
        answered(learner, drill, graded(True), seconds)


def test_modules_without_a_skill_are_refused() -> None:
    with pytest.raises(Refused, match="choose others"):
        next_drill(new_learner(1), (), RULES)
    with pytest.raises(Refused, match="seed"):
        new_learner(-3)
