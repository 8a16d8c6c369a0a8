"""Round files: written for a pit boss, read without loss, and done again line by line."""

from contextlib import suppress
from pathlib import Path

import pytest

from houseway.live import commands as c
from houseway.live.record import FIRST_LINE, Record, read_record
from houseway.live.shuffler import Shuffle
from houseway.live.text import command_text, parse_command
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import make_ruleset
from tests import ROOT

GAMES = ROOT / "houseway" / "games"
FILES = [*sorted(GAMES.rglob("*.round")), *sorted(Path(__file__).parent.rglob("*.round"))]
"""Also rounds that the first program wrote."""
POKER = GAMES / "three_card_poker" / "rounds" / "procedure.round"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_round_file_comes_out_again(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    done = read_record(text)
    assert done.differences == ()
    assert done.record.text() == text
    assert done.record.table.over


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_round_is_saved_at_any_step_and_gone_on_with(path: Path) -> None:
    whole = read_record(path.read_text(encoding="utf-8")).record
    commands = [command for command, _ in whole.entries]
    for stop in range(len(commands) + 1):
        first = _fresh(whole)
        for command in commands[:stop]:
            first.do(command)
        again = read_record(first.text())
        assert again.identical
        assert again.record.table == first.table
        for command in commands[stop:]:
            again.record.do(command)
        assert again.record.text() == whole.text()


def _fresh(whole: Record) -> Record:
    table = whole.table
    made = Record(table.ruleset, table.number, len(table.seats), clause_ids=whole.clause_ids)
    made.opened = made.table = made.table._replace(form=table.form)
    return made


RUMMY = f"{FIRST_LINE} 2\ngame: triple-shot-rummy\nround: 1\npositions: 1\n\n"
COMMANDS: list[c.Command] = [
    c.PlaceBets(1, (("ante", 1000), ("pair-plus", 250))),
    c.PlaceBets(7, (), ""),
    c.PlaceBets(2, (("ante", 5),), "Ann of the third table"),
    c.LoadShuffle(Shuffle("0a1b", tuple(range(52)), 3)),
    c.LoadShuffle(Shuffle("0a1b", tuple(range(52)), 1, "house procedure 4.2")),
    c.NoMoreBets(),
    c.StartGame(),
    c.StartGame((("mega", 5_000_007), ("major", 0)), (3, 1)),
    c.Deliver(),
    c.Deliver(0),
    c.Deliver(5),
    c.Expose(0, (12, 51)),
    c.Expose(3, (0,)),
    c.Expose("community", (7, 8)),
    c.Decide(3, "insurance"),
    c.CloseOffer("insurance"),
    c.CollectForfeits(),
    c.Reveal("dealer"),
    c.Reveal("community"),
    c.Reconcile(),
    c.Reconcile(4),
    c.StartGame((("single", 5),), (), (("single", 1_000_000),), "floor"),
    c.PressHand(3, "akq_spades"),
    c.ConfirmAward(3, 1_000_010),
    c.BackOutAward(3),
    c.PayEnvy(),
    c.CloseRound(),
    c.VoidRound("ruling", "the shoe fell: twice"),
    c.VoidRound("shuffler_fault"),
    c.ReportExposed(0, 2),
    c.ReportExposed(6, 1),
    c.ReportLateWager(2, "six-card-bonus", 150),
    c.Rule("play_on", "nobody had seen it, said the pit: play"),
    c.ReportPayout(2, "blackjack", -550, 2),
    c.ReportPayout(2, "ante", 0),
    c.CorrectPayout(2, "blackjack", "wrong_odds", 2),
    c.CorrectPayout(1, "pair-plus", "missed"),
    c.ReportFault("jam at: 3"),
    c.RunbookStep("seven_steps", 7),
]


@pytest.mark.parametrize("command", COMMANDS, ids=command_text)
def test_a_command_reads_back_as_itself(command: c.Command) -> None:
    assert parse_command(command_text(command)) == command


def test_the_commands_above_are_all_there_are() -> None:
    kinds = set(c.Command.__args__)
    assert {type(command) for command in COMMANDS} == kinds


@pytest.mark.parametrize(
    ("was", "becomes", "place"),
    [
        ("play 10 win +10", "play 10 win +11", "line "),
        ("Qs Qd 7h", "Qd Qs 7h", "line"),
        ("net: position 1 +25", "net: position 1 +26", "line "),
        ("digest: ", "digest: 0", "line 6"),
        ('says "Dealer plays', 'says "Dealer pays', "line"),
    ],
)
def test_an_edited_line_shows(was: str, becomes: str, place: str) -> None:
    text = POKER.read_text(encoding="utf-8")
    assert was in text
    done = read_record(text.replace(was, becomes, 1))
    assert not done.identical
    assert all(place in difference for difference in done.differences[:1])


def test_a_line_taken_out_shows() -> None:
    rows = POKER.read_text(encoding="utf-8").splitlines()
    for number, row in enumerate(rows):
        if row.startswith(("  ", "net")):
            assert not read_record("\n".join(rows[:number] + rows[number + 1 :])).identical, row


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "begins with"),
        ("a round\n", "begins with 'a round'"),
        (f"{FIRST_LINE} 2\n", "heading 'game' must stand once"),
        (f"{FIRST_LINE} 2\ngame: faro\nround: 1\npositions: 1\n", "'faro' is unknown"),
        (f"{FIRST_LINE} 2\ngame: triple-shot-rummy\nround: 1\npositions: 9\n", "1 to 7"),
        (f"{FIRST_LINE} 2\ngame: triple-shot-rummy\nround: 1\npositions: two\n", "'two'"),
        (f"{FIRST_LINE} 2\ncolour: red\n", "'colour' is unknown"),
        (
            f"{FIRST_LINE} 2\ngame: triple-shot-rummy\nround: 1\npositions: 1\nclause: XYZ-99\n",
            "'XYZ-99'",
        ),
        (
            f"{RUMMY}dance\n",
            "line 6: line 'dance' is not a step",
        ),
        (
            f"{RUMMY}deliver\n",
            "line 6: the round is in phase 'betting'",
        ),
        (
            f"{RUMMY}bets 1: ante ten\n",
            "line 6: ",
        ),
        (
            f"{RUMMY}shuffle 1 by automatic, packets of 3: Kh Kh\n",
            "line 6: ",
        ),
    ],
)
def test_what_is_no_round_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(Refused) as refused:
        read_record(text)
    assert refused.value.reason is Reason.BAD_RECORD
    assert says in refused.value.message


def test_every_byte_cut_off_is_refused_or_shown_or_a_round_so_far() -> None:
    """A file that a power cut shortened never passes for a whole one, and never breaks."""
    text = POKER.read_text(encoding="utf-8")
    for length in range(0, len(text) - 1, 7):
        with suppress(Refused):
            done = read_record(text[:length])
            assert not (done.identical and done.record.table.over), length


def test_the_rules_of_a_record_are_those_of_its_digest() -> None:
    plain = make_ruleset("three-card-poker")
    other = make_ruleset("three-card-poker", {"tie_rule": "lose"})
    assert plain.digest in Record(plain).text()
    assert plain.digest != other.digest
    assert "option: tie_rule=lose" in Record(other).text()
