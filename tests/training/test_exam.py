"""Exams: left and taken up again, each question once, and a certificate that names the rules."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from houseway import Refused
from houseway.documents.certificate import certificate
from houseway.documents.print_sheet import pdf_of
from houseway.documents.web_page import html_of
from houseway.rules.ruleset import make_ruleset
from houseway.training.exam import (
    Exam,
    answer,
    certificate_data,
    certificate_hash,
    exam_from_json,
    make_exam,
    plan,
    question,
    result,
)
from houseway.training.modules import modules_of
from tests.training.test_drills import other_answer, right_answer

HOUSE = {"tie_rule": "win", "settle_style": "lay_and_pay"}
CODES = {"pair-plus": "B"}


def small(**changes: Any) -> Exam:
    wanted = {"seed": 11, "modules": ("overview", "payouts", "words"), "questions": 9}
    return make_exam("three-card-poker", HOUSE, CODES, **{**wanted, **changes})


def stored(exam: Exam) -> Exam:
    return exam_from_json(json.loads(json.dumps(exam.to_json())))


def taken(exam: Exam, wrong: int = 0, *, store: bool = False) -> Exam:
    """The exam with every question answered, the first ones wrong."""
    for number in range(exam.questions):
        drill = question(exam)
        give = other_answer if number < wrong else right_answer
        exam, marks = answer(exam, {field.name: give(field) for field in drill.fields}, number + 1)
        assert marks.right is (number >= wrong)
        if store:
            exam = stored(exam)
    return exam


def test_an_exam_goes_to_json_and_back_after_every_question() -> None:
    assert taken(small(), 2, store=True) == taken(small(), 2)


def test_questions_are_spread_over_the_modules_and_are_the_same_again() -> None:
    exam = small()
    asked = plan(exam)
    assert asked == plan(stored(exam))
    assert sorted(each.module for each in asked) == sorted(exam.modules * 3)
    for code in exam.modules:
        skills = [each.skill for each in asked if each.module == code]
        assert len(set(skills)) == len(skills)
    assert plan(small(seed=12)) != asked


def test_without_modules_it_is_of_all_that_dealers_learn() -> None:
    exam = make_exam("triple-shot-bonus", seed=1)
    known = modules_of(make_ruleset("triple-shot-bonus"))
    assert exam.modules == tuple(module.code for module in known if module.track == "dealer")


def test_each_question_is_answered_once() -> None:
    exam = small()
    drill = question(exam)
    given = {field.name: right_answer(field) for field in drill.fields}
    after, _ = answer(exam, given, 1)
    with pytest.raises(Refused, match="question 2 is open"):
        answer(after, given, 1)
    over = taken(small())
    with pytest.raises(Refused, match="all 9 questions are answered"):
        question(over)
    with pytest.raises(Refused, match="all 9"):
        answer(over, {})


def test_what_cannot_be_read_is_not_counted() -> None:
    exam = small()
    with pytest.raises(Refused):
        answer(exam, {})
    assert question(exam) == question(small())


@pytest.mark.parametrize(("wrong", "passed"), [(0, True), (1, True), (2, False), (9, False)])
def test_the_share_needed_decides(wrong: int, passed: bool) -> None:
    """Of nine questions 80% are 7.2: eight pass and seven do not."""
    found = result(taken(small(), wrong))
    assert (found.right, found.passed, found.over) == (9 - wrong, passed, True)
    assert sum(module.right for module in found.modules) == found.right
    assert [module.asked for module in found.modules] == [3, 3, 3]


def test_an_exam_that_is_not_over_is_not_passed() -> None:
    exam = small(needed=1)
    drill = question(exam)
    exam, _ = answer(exam, {field.name: right_answer(field) for field in drill.fields})
    found = result(exam)
    assert (found.right, found.answered, found.over, found.passed) == (1, 1, False, False)
    with pytest.raises(Refused, match="is not over"):
        certificate_data(exam, "Ann", "2026-01-05")
    with pytest.raises(Refused, match="was not passed"):
        certificate_data(taken(small(), 5), "Ann", "2026-01-05")


@pytest.mark.clause("CMP-01")
def test_the_certificate_names_the_rules_and_is_the_same_to_the_byte() -> None:
    exam = taken(small(), 1)
    data = certificate_data(exam, "Ann Lee", "2026-01-05")
    ruleset = make_ruleset("three-card-poker", HOUSE, CODES)
    assert data["ruleset"] == ruleset.digest
    assert data["revision"] == ruleset.revision
    assert data["options"] == HOUSE
    assert data["paytables"]["pair-plus"] == "B"
    assert (data["right"], data["questions"], data["seed"]) == (8, 9, 11)
    assert data["sha256"] == certificate_hash(data)
    again = certificate_data(stored(exam), "Ann Lee", "2026-01-05")
    assert html_of(certificate(again)) == html_of(certificate(data))
    text = html_of(certificate(data)).decode()
    for told in ("Ann Lee", "2026-01-05", "8 of 9", ruleset.digest, data["sha256"], "tie_rule"):
        assert told in text
    kept = json.loads(json.dumps(data))
    assert certificate_hash(kept) == data["sha256"]


def test_a_name_is_printed_as_it_is_and_on_paper_too() -> None:
    data = certificate_data(taken(small()), "Zoë <b> & Sons", "2026-01-05")
    assert "Zoë &lt;b&gt; &amp; Sons" in html_of(certificate(data)).decode()
    assert pdf_of(certificate(data)) == pdf_of(certificate(json.loads(json.dumps(data))))


def test_whatever_is_changed_on_a_certificate_changes_its_hash() -> None:
    data = certificate_data(taken(small()), "Ann", "2026-01-05")
    for name, value in data.items():
        if name != "sha256":
            assert certificate_hash({**data, name: [value, "x"]}) != data["sha256"], name
    other = certificate_data(taken(small()), "Ben", "2026-01-05")
    assert other["sha256"] != data["sha256"]


def test_a_house_with_the_usual_options_says_so() -> None:
    exam = taken(make_exam("triple-shot-bonus", seed=4, modules=("words",), questions=2))
    data = certificate_data(exam, "Ann", "2026-01-05")
    assert data["options"] == {}
    assert b"usual options" in html_of(certificate(data))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": -1}, "seed"),
        ({"modules": ("overview", "overview")}, "stands twice"),
        ({"modules": ("bonus-table",)}, "is unknown"),
        ({"modules": (None,)}, "is unknown"),
        ({"questions": 2}, "too few for 3 modules"),
        ({"questions": 0}, "questions 0 is not allowed"),
        ({"questions": 201}, "is not allowed"),
        ({"questions": "9"}, "is not allowed"),
        ({"needed": 0}, "needed 0 is not allowed"),
        ({"needed": 101}, "is not allowed"),
    ],
)
def test_what_is_no_exam_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=re.escape(said)):
        small(**changes)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 81, None, 5])
def test_a_name_that_cannot_be_printed_is_refused(name: Any) -> None:
    with pytest.raises(Refused, match="name"):
        certificate_data(taken(small()), name, "2026-01-05")


@pytest.mark.parametrize("date", ["", "5 January", "2026-13-01", "20260105", None, 5])
def test_a_day_that_is_none_is_refused(date: Any) -> None:
    with pytest.raises(Refused, match="is no day"):
        certificate_data(taken(small()), "Ann", date)


def test_a_record_that_was_changed_is_refused() -> None:
    exam = taken(small(), 3)
    data = exam.to_json()
    claimed = {**data, "right": [True] * 9}
    with pytest.raises(Refused, match="what the rules do not"):
        exam_from_json(claimed)
    broken: tuple[Any, ...] = (
        None,
        [],
        {},
        {**data, "given": data["given"][:-1]},
        {**data, "given": 5},
        {**data, "game": "tiddlywinks"},
        {**data, "options": {"tie_rule": "maybe"}},
        {**data, "questions": 3},
        {**data, "given": [None] * 9},
    )
    for bad in broken:
        with pytest.raises(Refused):
            exam_from_json(bad)
    with pytest.raises(Refused):
        exam_from_json(replace(exam, seed=12).to_json())
