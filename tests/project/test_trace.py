"""The trace: what counts as evidence, and that the clauses of the rules core have it."""

import ast
import json
from pathlib import Path

import pytest

from houseway.catalog.register import clauses
from houseway.rules.trace import clauses_in_tests, named_ids, to_json, trace
from tests import ROOT

RULES_CORE = [
    *named_ids("TSR-01..18 TSR-34..37 TCP-01..13 TCP-25..26 SCB-01..04 SCB-06 SCB-09"),
    *named_ids("TSB-02 TSB-03 TSB-06 TSB-09..12 TSB-14..25 TSB-33 FUP-01 FUP-02 FUP-04 FUP-06..10"),
    *named_ids("PGM-02..05 PGM-07..10 PGM-17..19 PNX-04 PNX-05 PNX-09..11 PNX-17..19"),
    *named_ids("PML-01 PML-02 PML-04..06 PML-10 PML-12 PML-13 PML-16 PML-17"),
]


LIVE_TABLE = [
    *named_ids("TSR-19..33 TSR-39 TSB-01 TSB-04 TSB-05 TSB-07 TSB-08 TSB-13 TSB-29 TSB-32"),
    *named_ids("TCP-14..24 SCB-05 SCB-07 SCB-08 FUP-03 FUP-05 CMP-01 CMP-08 CMP-13..15"),
    *named_ids("ACE-01..03 ACE-06 ACE-12 PML-02 PML-04 PML-09"),
]


def test_every_clause_of_the_live_table_is_tested_and_has_code() -> None:
    by_id = {entry.id: entry for entry in trace()}
    assert [clause for clause in LIVE_TABLE if by_id[clause].status != "tested"] == []
    assert [clause for clause in LIVE_TABLE if not by_id[clause].code] == []


def test_every_clause_of_the_rules_core_is_tested_and_has_code() -> None:
    by_id = {entry.id: entry for entry in trace()}
    assert [clause for clause in RULES_CORE if by_id[clause].status != "tested"] == []
    without_code = [clause for clause in RULES_CORE if not by_id[clause].code]
    assert without_code == []


def test_the_document_lists_all_216_and_what_is_untested() -> None:
    document = to_json(trace())
    assert [entry["id"] for entry in document["clauses"]] == [entry.id for entry in clauses()]
    statuses = {entry["id"]: entry["status"] for entry in document["clauses"]}
    assert set(statuses.values()) <= {"tested", "untested", "no_software"}
    assert document["untested"] == [i for i, status in statuses.items() if status == "untested"]
    assert not {"CMP-11", "CMP-17", "ACE-04", "ACE-05"} & {*document["untested"]}
    assert {i for i, status in statuses.items() if status == "no_software"} == {
        "CMP-09",
        "ACE-09",
        "ACE-11",
    }
    json.dumps(document)


def test_what_is_read_from_the_files_is_what_pytest_collects(
    request: pytest.FixtureRequest,
) -> None:
    """Marks are read without running pytest; here both views of this very run are compared."""
    collected: dict[str, set[str]] = {}
    files = set()
    for item in request.session.items:
        files.add(item.nodeid.partition("::")[0])
        for mark in item.iter_markers("clause"):
            for clause in mark.args:
                # Behind an @ stands the group that xdist runs it in.
                place = item.nodeid.partition("[")[0].partition("@")[0]
                collected.setdefault(clause, set()).add(place)
    read = {
        entry.id: {place for place in entry.tests if place.partition("::")[0] in files}
        for entry in trace()
    }
    for clause, places in collected.items():
        assert places <= read[clause]
    if not request.config.getoption("keyword"):
        assert {clause: places for clause, places in read.items() if places} == collected
    assert set(collected) <= {entry.id for entry in clauses()}


def test_a_mention_or_a_skipped_test_counts_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text(
        """
import pytest

def test_mentions_only():
    '''TCP-01'''

@pytest.mark.skip
@pytest.mark.clause("TCP-02")
def test_skipped(): ...

@pytest.mark.clause("TCP-03", "TCP-04")
def test_counts(): ...

@pytest.mark.soak
@pytest.mark.clause("TCP-05")
def test_long(): ...

@pytest.mark.clause("TCP-06")
class TestClass:
    def test_inside(self): ...

    @pytest.mark.xfail
    def test_fails(self): ...

@pytest.mark.clause("TCP-07")
def helper(): ...
"""
    )
    assert clauses_in_tests(tmp_path / "tests") == {
        "TCP-03": ["tests/test_x.py::test_counts"],
        "TCP-04": ["tests/test_x.py::test_counts"],
        "TCP-06": ["tests/test_x.py::TestClass::test_inside"],
    }


def test_code_is_found_by_its_docstring() -> None:
    code = {entry.id: entry.code for entry in trace()}
    assert "houseway.games.three_card_poker.rules:dealer_plays" in code["TCP-04"]
    assert "houseway.games.blackjack:leg_lost" in code["TSB-22"]
    assert named_ids("TSR-09..11 and A-23, TCP-07") == ["TSR-09", "TSR-10", "TSR-11", "TCP-07"]


def test_no_test_calls_skip() -> None:
    calls = ("skip", "importorskip", "xfail")
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in calls):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                assert node.func.attr not in calls, path
