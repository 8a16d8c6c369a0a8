"""Results on disk: what is found there is what would be counted, and nothing else is found."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houseway.cards.hands import FiveCard
from houseway.exact import kept as module
from houseway.exact.blackjack import _blackjack
from houseway.exact.bonus import six_card_sets
from houseway.exact.kept import Kept, R, canonical_text, digest_of, kept, results_folder
from houseway.exact.tabulate import category_by_ranks
from houseway.games.triple_shot_bonus.rules import BonusOptions
from tests import ROOT

FORBIDDING = ("HOUSEWAY_NO_CACHE", "HOUSEWAY_COUNT_ANEW")
COUNTED: list[tuple[int, str]] = []


@kept
def powers(base: int, name: str) -> tuple[Fraction, dict[str, int]]:
    COUNTED.append((base, name))
    return Fraction(1, base), {name: base**70}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test alone, with nothing in it and nothing in memory."""
    monkeypatch.setenv("HOUSEWAY_CACHE_DIR", str(tmp_path))
    for name in FORBIDDING:
        monkeypatch.delenv(name, raising=False)
    powers.cache_clear()
    COUNTED.clear()
    return tmp_path


def ask_anew(base: int, name: str) -> tuple[Fraction, dict[str, int]]:
    """Asks as another process would: with nothing in memory."""
    powers.cache_clear()
    return powers(base, name)


def test_what_is_found_is_what_was_counted() -> None:
    counted = powers(3, "a")
    assert powers(3, "a") is counted
    assert ask_anew(3, "a") == counted == powers.__wrapped__(3, "a")
    assert COUNTED == [(3, "a"), (3, "a")]  # once by the question, once by the line above


def test_arrays_meet_by_type_shape_and_content() -> None:
    one = np.arange(6)
    assert canonical_text(one) == canonical_text(np.arange(6))
    for other in (one.astype(np.int8), one.reshape(2, 3), one[::-1]):
        assert canonical_text(other) != canonical_text(one)


def test_only_so_many_results_stay_in_memory() -> None:
    first = powers(2, "a")
    for base in range(3, 2 + module.IN_MEMORY):
        powers(base, "a")
    assert powers(2, "a") is first
    powers(2, "b")
    assert powers(2, "a") is not first
    assert powers(2, "a") == first


def test_arguments_that_differ_do_not_meet() -> None:
    asked = [(3, "a"), (3, "b"), (4, "a")]
    counted = [powers(*arguments) for arguments in asked]
    assert [ask_anew(*arguments) for arguments in asked] == counted
    assert asked == COUNTED


def test_arrays_come_back_as_they_were() -> None:
    counted, found = counted_and_found(six_card_sets)
    assert found.kinds == counted.kinds
    for name in ("by_kinds", "ranks", "categories"):
        array, wanted = getattr(found, name), getattr(counted, name)
        assert array.dtype == wanted.dtype
        assert array.flags.c_contiguous == wanted.flags.c_contiguous
        assert np.array_equal(array, wanted)


def counted_and_found(function: Kept[..., R], *args: Any) -> tuple[R, R]:
    """A result that was counted here, in a folder that was empty, and the same from disk."""
    results: list[R] = []
    for _ in range(2):
        function.cache_clear()
        assert function.path(*args).exists() == bool(results)
        results.append(function(*args))
    counted, found = results
    assert found is not counted
    return counted, found


def test_an_analysis_comes_back_as_it_was() -> None:
    """The largest object that is kept, from disk, beside one that was counted here."""
    counted, found = counted_and_found(_blackjack, BonusOptions())
    assert found.figures() == counted.figures()
    for mine, wanted in zip(found.by_up, counted.by_up, strict=True):
        assert mine.nodes == wanted.nodes
        assert mine.values == wanted.values
    assert found.figures(found.best) == counted.figures()


@pytest.mark.parametrize("damage", ["empty", "cut short", "a changed bit", "no pickle"])
def test_a_damaged_file_is_counted_anew_and_replaced(damage: str) -> None:
    counted = powers(5, "a")
    path = powers.path(5, "a")
    whole = path.read_bytes()
    changed = bytes([*whole[:-9], whole[-9] ^ 1, *whole[-8:]])
    broken = {"empty": b"", "cut short": whole[:-3], "a changed bit": changed, "no pickle": b"x"}
    path.write_bytes(broken[damage])
    assert ask_anew(5, "a") == counted
    assert len(COUNTED) == 2
    assert path.read_bytes() == whole


@pytest.mark.parametrize("name", FORBIDDING)
def test_nothing_is_kept_on_disk_where_that_is_forbidden(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    powers(6, "a")
    monkeypatch.setenv(name, "1")
    ask_anew(6, "a")
    powers(6, "a")
    ask_anew(6, "b")
    assert COUNTED == [(6, "a"), (6, "a"), (6, "b")]
    assert [path.name for path in results_folder().iterdir()] == [powers.path(6, "a").name]


def test_a_folder_that_cannot_be_written_is_no_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = folder / "file"
    in_the_way.write_text("not a folder")
    monkeypatch.setenv("HOUSEWAY_CACHE_DIR", str(in_the_way))
    assert ask_anew(7, "a") == ask_anew(7, "a")
    assert len(COUNTED) == 2


def test_any_change_of_sources_or_data_is_another_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = folder / "package"
    (package / "games").mkdir(parents=True)
    (package / "server" / "screens").mkdir(parents=True)
    (package / "games" / "rules.py").write_text("pays = 1\n")
    (package / "games" / "pays.toml").write_text("pays = 1\n")
    found = {digest_of(package)}
    assert found == {digest_of(package)}
    (package / "games" / "rules.py").write_text("pays = 2\n")
    found.add(digest_of(package))
    (package / "games" / "pays.toml").write_text("pays = 2\n")
    found.add(digest_of(package))
    (package / "more.py").write_text("")
    found.add(digest_of(package))
    (package / "more.py").rename(package / "less.py")
    found.add(digest_of(package))
    for name in ("numpy", "numba"):
        versions = {"numpy": "1", "numba": "1", name: "2"}
        with monkeypatch.context() as other:
            other.setattr(module, "_version", versions.get)
            found.add(digest_of(package))
    assert len(found) == 7
    before = digest_of(package)
    (package / "server" / "screens" / "screen.json").write_text("{}")
    assert digest_of(package) == before


def test_results_of_other_sources_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    powers(8, "a")
    monkeypatch.setattr(module, "package_digest", lambda: "other")
    ask_anew(8, "a")
    assert len(COUNTED) == 2


def test_what_was_counted_while_sources_changed_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "digest_of", lambda _: "edited")
    assert powers(8, "a") == ask_anew(8, "a")
    assert len(COUNTED) == 2
    assert not results_folder().exists()


def test_only_the_newest_sources_keep_their_results(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [f"sources{number}" for number in range(module.FOLDERS + 3)]
    for age, digest in enumerate(made):
        monkeypatch.setattr(module, "package_digest", lambda digest=digest: digest)
        monkeypatch.setattr(module, "digest_of", lambda _, digest=digest: digest)
        ask_anew(9, "a")
        os.utime(results_folder(), (1e9 + age, 1e9 + age))
    left = {path.name for path in results_folder().parent.iterdir()}
    assert left == {*made[-module.FOLDERS :]}


ASK = """
import json
from houseway.exact.tabulate import category_by_ranks

print(json.dumps(category_by_ranks().tolist()))
"""


def test_two_processes_at_once_find_the_same() -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", ASK], cwd=ROOT, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    told = [process.communicate()[0] for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert json.loads(told[0]) == json.loads(told[1]) == category_by_ranks.__wrapped__().tolist()
    assert [path.name for path in results_folder().iterdir()] == [category_by_ranks.path().name]


@dataclass(frozen=True)
class Pay:
    odds: Fraction
    hands: frozenset[int]


def test_the_text_of_arguments() -> None:
    values = [
        *(None, True, False, 1, 0, "1", "None", Fraction(1), FiveCard(1)),
        *((), (1,), ("1",), ((1,), 2), (1, (2,)), ("a', 'b",), ("a", "b")),
        *(frozenset({1, 2}), frozenset({1}), BonusOptions(), BonusOptions(war_ace="low")),
        *(Pay(Fraction(1, 2), frozenset({3})), Pay(Fraction(1, 3), frozenset({3}))),
    ]
    texts = [canonical_text(value) for value in values]
    assert len({*texts}) == len(values)
    assert canonical_text(frozenset({8, 16, 1})) == canonical_text(frozenset({1, 16, 8}))


@pytest.mark.parametrize(
    "value",
    [1.5, [1], {"a": 1}, print, object()],
    ids=lambda value: type(value).__name__,
)
def test_an_argument_without_a_text_is_an_error_by_name(value: object) -> None:
    with pytest.raises(TypeError, match="no canonical text"):
        canonical_text((1, value))
