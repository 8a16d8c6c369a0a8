"""Documents from the command line: files, packs, and every way in which they are refused."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.documents.checklist import brought
from houseway.documents.submission import make_pack
from tests import ROOT

PROGRESSIVE = ("par", "three-card-progressive", "--paytable", "1")


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code of a command, with what it printed and what it complained of."""
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, " ".join(captured.err.split())


def typed_again(page: str) -> list[str]:
    """The command in the foot of a page."""
    typed = page.partition("The same again: <code>")[2].partition("</code>")[0].split()
    assert typed[0] == "houseway"
    return typed


def test_a_par_sheet_is_written_beside_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pdf, html = tmp_path / "a.pdf", tmp_path / "a.html"
    plain = ask(capsys, *PROGRESSIVE, "--json")
    code, out, _ = ask(capsys, *PROGRESSIVE, "--json", "--pdf", str(pdf), "--html", str(html))
    assert (code, out) == (0, plain[1])
    assert pdf.read_bytes().startswith(b"%PDF")
    page = html.read_text(encoding="utf-8")
    (bet,) = json.loads(out)["bets"]
    for folded in bet["if_folded_not_eligible"].values():
        assert f"{folded['fixed_return']} = " in page
    assert str(tmp_path) not in page
    # The command in the foot of the page makes the page again.
    again = tmp_path / "again"
    again.mkdir()
    with monkeypatch.context() as patch:
        patch.chdir(again)
        assert ask(capsys, *typed_again(page)[1:])[0] == 0
    assert (again / "par-three-card-progressive.pdf").read_bytes() == pdf.read_bytes()
    assert (again / "par-three-card-progressive.html").read_bytes() == html.read_bytes()
    code, out, _ = ask(capsys, *PROGRESSIVE, "--html", str(html), "--author", "N. N.")
    assert code == 0
    assert "par sheet written to" in out
    assert "N. N." in html.read_text(encoding="utf-8")


@pytest.mark.soak
def test_a_par_sheet_is_the_same_in_another_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pdf, html = tmp_path / "a.pdf", tmp_path / "a.html"
    assert ask(capsys, *PROGRESSIVE, "--pdf", str(pdf), "--html", str(html))[0] == 0
    again = tmp_path / "again"
    again.mkdir()
    subprocess.run(
        [sys.executable, "-m", *typed_again(html.read_text(encoding="utf-8"))],
        cwd=again,
        check=True,
        capture_output=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(Path.home())},
    )
    assert (again / "par-three-card-progressive.pdf").read_bytes() == pdf.read_bytes()
    assert (again / "par-three-card-progressive.html").read_bytes() == html.read_bytes()


def test_what_is_typed_besides_is_in_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = tmp_path / "a.html"
    more = ("--option", "meter_seed=5000", "--meter", "8000", "--bet", "progressive=2")
    code, _, _ = ask(capsys, *PROGRESSIVE, *more, "--html", str(html))
    assert code == 0
    page = html.read_text(encoding="utf-8")
    assert (
        "houseway par three-card-progressive --paytable 1 --option meter_seed=5000 --bet "
        "progressive=2 --meter 8000 --pdf"
    ) in page
    assert "House edge at the meters given" in page


@pytest.mark.parametrize("flag", ["--pdf", "--html"])
def test_a_place_that_is_none_is_refused(
    flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, problem in (
        (tmp_path / "none" / "a.x", "there is no folder"),
        (tmp_path, "it is a folder"),
    ):
        code, out, said = ask(capsys, *PROGRESSIVE, flag, str(place))
        assert (code, out) == (2, "")
        assert said.startswith(f"houseway: document '{place}' cannot be written: {problem}")


def test_other_things_about_a_sheet_that_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = str(tmp_path / "a.x")
    code, _, said = ask(capsys, *PROGRESSIVE, "--pdf", same, "--html", same)
    assert code == 2
    assert "name two files" in said
    code, _, said = ask(capsys, *PROGRESSIVE, "--author", "N. N.")
    assert code == 2
    assert "--pdf FILE or --html FILE" in said
    code, _, said = ask(capsys, *PROGRESSIVE, "--pdf", same, "--author", "x" * 81)
    assert code == 2
    assert "1 to 80 signs" in said
    assert not Path(same).exists()


@pytest.mark.parametrize("module", ["jinja2", "typst", "vl_convert"])
def test_without_the_extra_it_is_named(
    module: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from houseway.documents import web_page

    web_page._template.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    files = ("--pdf", str(tmp_path / "a.pdf"), "--html", str(tmp_path / "a.html"))
    code, _, said = ask(capsys, *PROGRESSIVE, *files)
    assert code == 2
    assert "install houseway with the extra 'documents'" in said
    assert module in said


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack of Face Up with one item closed."""
    folder = tmp_path_factory.mktemp("packs")
    (folder / "licences.txt").write_text("both of them\n", encoding="utf-8")
    made = folder / "pack"
    item = f"makers={folder / 'licences.txt'}"
    with few_rounds():
        assert main(["pack", "three-card-poker-face-up", "--out", str(made), "--item", item]) == 0
    return made


@contextmanager
def few_rounds() -> Iterator[None]:
    """Sheets deal a tenth of what a printed one deals; a long test makes packs with all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("houseway.documents.cross_check.ROUNDS", 200_000)
        yield


def manifest_of(pack: Path) -> Any:
    return json.loads((pack / "manifest.json").read_text(encoding="utf-8"))


def test_a_pack_holds_what_its_manifest_says(pack: Path) -> None:
    manifest = manifest_of(pack)
    found = {p.relative_to(pack).as_posix() for p in pack.rglob("*") if p.is_file()}
    assert found == {*manifest["files"], "manifest.json"}
    for name, entry in manifest["files"].items():
        content = (pack / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
        assert len(content) == entry["bytes"]
    for name in ("rules", "par-sheet", "strategy", "rack-card", "layout", "checklist"):
        assert {f"{name}.pdf", f"{name}.html"} <= found
    assert {"options.json", "paytables.json", "digests.json", "checklist.json"} <= found
    assert "par-sheet-three-card-progressive.pdf" in found
    assert (pack / "items" / "makers" / "licences.txt").read_bytes() == b"both of them\n"
    assert set(manifest["versions"]) >= {"houseway", "typst", "jinja2", "vl-convert-python"}
    digests = json.loads((pack / "digests.json").read_bytes())
    assert digests["ruleset"]["digest"] == manifest["digest"]
    for path in pack.rglob("*"):
        assert path.is_dir() or str(pack.parent).encode() not in path.read_bytes(), path


@pytest.mark.clause("CMP-06")
def test_the_checklist_of_a_pack_names_what_is_open(pack: Path) -> None:
    listed = json.loads((pack / "checklist.json").read_bytes())
    assert listed["open"] == [name for name in brought() if name != "makers"]
    (makers,) = [item for item in listed["items"] if item["name"] == "makers"]
    assert (makers["status"], makers["file"]) == ("closed", "items/makers/licences.txt")
    for item in listed["items"]:
        assert item["file"] is None or (pack / item["file"]).is_file()
    assert manifest_of(pack)["open"] == listed["open"]


@pytest.mark.soak
def test_a_pack_is_the_same_again_and_replaces_an_earlier_one(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {p: p.read_bytes() for p in pack.rglob("*") if p.is_file()}
    licence = pack / "items" / "makers" / "licences.txt"
    command = ("pack", "three-card-poker-face-up", "--out", str(pack))
    # The file of an item may lie in the pack that is replaced.
    with few_rounds():
        code, out, _ = ask(capsys, *command, "--item", f"makers={licence}", "--json")
    assert code == 0
    assert json.loads(out)["files"] == sorted(p.relative_to(pack).as_posix() for p in before)
    assert {p: p.read_bytes() for p in pack.rglob("*") if p.is_file()} == before


def test_a_pack_does_not_replace_what_is_no_pack(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {p: p.read_bytes() for p in pack.rglob("*") if p.is_file()}
    (pack / "strange.txt").write_text("x", encoding="utf-8")
    code, _, said = ask(capsys, "pack", "three-card-poker-face-up", "--out", str(pack))
    (pack / "strange.txt").unlink()
    assert code == 2
    assert "it holds 'strange.txt', which is of no earlier pack" in said
    assert {p: p.read_bytes() for p in pack.rglob("*") if p.is_file()} == before


@pytest.mark.clause("CMP-06")
def test_a_pack_that_is_not_complete_is_not_called_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("pack", "triple-shot-rummy", "--out", str(tmp_path / "pack"), "--complete")
    code, _, said = ask(capsys, *command)
    assert code == 2
    assert "items are open: section-18, agency-approval" in said
    assert said.endswith("[CMP-06]")
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    items = [w for name in brought() for w in ("--item", f"{name}={tmp_path / 'a.txt'}")]
    code, _, said = ask(capsys, *command, *items[:-2])
    assert code == 2
    assert f"items are open: {brought()[-1]}; give" in said
    assert not (tmp_path / "pack").exists()

    def quick(*arguments: Any) -> dict[str, bytes]:
        assert set(arguments[3]) == set(brought())
        return {"manifest.json": b"{}"}

    monkeypatch.setattr("houseway.documents.submission.make_pack", quick)
    code, out, _ = ask(capsys, *command, *items)
    assert code == 0
    assert "No item of the checklist is open" in out


def test_other_things_about_a_pack_that_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("x", encoding="utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "manifest.json").write_text('{"files": {}}', encoding="utf-8")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "away").symlink_to(tmp_path / "full")
    # A file of an earlier pack that leads elsewhere, where it would be written.
    (tmp_path / "led").mkdir()
    listed = '{"houseway_pack": 1, "files": {"rules.pdf": {}}}'
    (tmp_path / "led" / "manifest.json").write_text(listed, encoding="utf-8")
    (tmp_path / "led" / "rules.pdf").symlink_to(tmp_path / "file")
    new = str(tmp_path / "new")
    game = "triple-shot-rummy"
    for arguments, problem in (
        (["--out", new], "no game is given"),
        (["chess", "--out", new], "game 'chess' is unknown"),
        (["three-card-progressive", "--out", new], "is unknown"),
        ([game], "--out is not given"),
        ([game, "--out", str(tmp_path / "file")], "it is a file"),
        ([game, "--out", str(tmp_path / "full")], "it holds 'a', which is of no earlier pack"),
        ([game, "--out", str(tmp_path / "linked")], "it holds 'away'"),
        ([game, "--out", str(tmp_path / "led")], "it holds 'rules.pdf'"),
        ([game, "--out", str(tmp_path / "other")], "its manifest.json is of no earlier pack"),
        ([game, "--out", str(tmp_path / "none" / "new")], "there is no folder"),
        ([game, "--out", new, "--item", "makers"], "write NAME=FILE"),
        ([game, "--out", new, "--item", "pizza=a"], "item 'pizza' is unknown; known: section-18"),
        ([game, "--out", new, "--item", "rules=a"], "item 'rules' is unknown"),
        ([game, "--out", new, "--item", "makers=a", "--item", "makers=b"], "given twice"),
        ([game, "--out", new, "--item", f"makers={new}"], "No such file"),
        ([game, "--out", new, "--item", f"makers={tmp_path}"], "it is a folder"),
        ([game, "--out", new, "--paytable", "pair-plus=Z"], "is unknown"),
        ([game, "--out", new, "--option", "tie_rule=draw"], "is unknown"),
    ):
        code, out, said = ask(capsys, "pack", *arguments)
        assert (code, out) == (2, ""), arguments
        assert problem in said, said
        assert not Path(new).exists()
    assert (tmp_path / "full" / "a").read_text(encoding="utf-8") == "x"


@pytest.mark.soak
@pytest.mark.parametrize("game", ["three-card-poker", "triple-shot-rummy", "triple-shot-bonus"])
def test_packs_are_the_same_in_another_process(game: str, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "houseway", "pack", game, "--out", str(tmp_path / "pack")],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name, content in make_pack(game, {}, [], {}).items():
        assert (tmp_path / "pack" / name).read_bytes() == content, name
