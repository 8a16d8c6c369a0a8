"""What holds in every live round, whatever is asked of the table and in whatever order.

Random commands, most of them wrong, go through whole rounds of every game. Who may see which card
is judged from the log of events alone, by rules that are written here a second time.
"""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway.cards import RANK_WORDS, RANKS, SUIT_WORDS, SUITS, card_text
from houseway.games.base import Outcome
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.commands import Command
from houseway.live.events import Event
from houseway.live.phases import Phase
from houseway.live.round import act, legal, refusal
from houseway.live.state import Round, evolve, fold, open_round
from houseway.live.view import Viewer, view
from houseway.live.words import prompt
from houseway.refusal import Reason, Refused
from tests.live.play import KINDS, any_command, next_step, some_rules
from tests.live.table import BONUS, GAMES, wealth

STAFF = ("dealer", "supervisor", "surveillance")
RECALL = ("supervisor", "surveillance")
CARD = re.compile(rf"\b([{RANKS}])([{SUITS}])\b")
CARD_WORDS = re.compile(rf"({'|'.join(RANK_WORDS)}) of ({'|'.join(SUIT_WORDS)})")


class Watcher:
    """Who has been shown which card, by what has happened and nothing else."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.all: set[int] = set()
        """Cards that everybody has seen."""
        self.own: dict[int, set[int]] = {}
        """Cards that lie face down before their player."""
        self.hands: dict[int, list[int]] = {}
        self.out: set[int] = set()
        """Cards that have left the deck."""
        self.shown: set[int] = set()
        self.over = False

    def watch(self, event: Event) -> None:
        match event:
            case e.Dealt(int() as to, cards, up):
                assert not self.out & set(cards), "a card was dealt twice"
                assert len(cards) == len(up) == len(set(cards))
                self.out |= set(cards)
                self.hands.setdefault(to, []).extend(cards)
                self.all |= {card for card, facing in zip(cards, up, strict=True) if facing}
                if to:
                    self.own.setdefault(to, set()).update(cards)
            case e.CommunityTaken(cards, _):
                assert not self.out & set(cards), "a card was dealt twice"
                self.out |= set(cards)
            case e.CardExposed(to, number):
                self.all.add(self.hands[to][number - 1])
            case e.DealerShown(cards):
                assert sorted(cards) == sorted(self.hands[0])
                self.all |= set(cards)
            case e.CardsShown(_, cards):
                self.all |= set(cards)
            case e.HandShown(position, cards):
                assert list(cards) == self.hands[position]
                self.all |= set(cards)
                self.shown.add(position)
            case e.Settled(position, line) if self.game != BONUS and position not in self.shown:
                # Nothing that depends on a hand may be settled, or said, before it is shown.
                # Envy is earned by another's hand, also by a player whose own was folded away.
                assert line.bet == "envy" or line.outcome in (Outcome.FORFEIT, Outcome.PUSH)
            case e.RoundVoided() | e.PhaseBegan(Phase.CLOSED):
                self.over = True

    def may_see(self, viewer: Viewer) -> set[int]:
        """The cards that the viewer may see."""
        if self.over and viewer.kind in RECALL:
            return self.out
        if viewer.kind == "player":
            assert viewer.position is not None
            return self.all | self.own.get(viewer.position, set())
        return self.all


def texts(document: Any) -> Iterator[str]:
    """Every text in a document, keys included."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield from texts(key)
            yield from texts(value)
    elif isinstance(document, list):
        for value in document:
            yield from texts(value)
    else:
        assert document is None or isinstance(document, int | bool), document


def cards_told(document: Any) -> set[int]:
    """Every card that a document names, in two characters or in words."""
    found: set[int] = set()
    for text in texts(document):
        found |= {RANKS.index(r) * 4 + SUITS.index(s) for r, s in CARD.findall(text)}
        found |= {
            RANK_WORDS.index(r) * 4 + SUIT_WORDS.index(s) for r, s in CARD_WORDS.findall(text)
        }
    return found


def check_views(
    table: Round,
    watcher: Watcher,
    shown_to: Callable[[Round, Viewer], dict[str, Any]] = view,
) -> None:
    """No view tells of a card its viewer may not see, and each shows those he may."""
    viewers = [Viewer(kind) for kind in (*STAFF, "public")]  # type: ignore[arg-type]
    viewers += [Viewer("player", seat.position) for seat in table.seats]
    for viewer in viewers:
        seen, allowed = shown_to(table, viewer), watcher.may_see(viewer)
        assert cards_told(seen) <= allowed, viewer
        spread = [*seen["dealer"], *(seen["community"] or [])]
        spread += [card for at in seen["positions"] for card in at["cards"]]
        assert {card for card in spread if card != "??"} == {card_text(card) for card in allowed}
        assert len(spread) == len(watcher.out)
        assert viewer.kind in STAFF or (seen["do"] is None and seen["tray"] is None)


def check_state(table: Round) -> None:
    """Money is nowhere lost or made, everything offered is taken, and there is a way on."""
    assert table.money() == 0
    assert all(seat.felt >= 0 and seat.carried >= 0 for seat in table.seats)
    offered = legal(table)
    assert len(set(offered)) == len(offered)
    for command in offered:
        assert act(table, command)[1]
    assert prompt(table).do
    if table.over:
        assert offered == ()
        assert all(seat.felt == 0 for seat in table.seats)
    else:
        # An award that left its meter is put back first; what was reported is ruled on first.
        ways: list[Command] = [
            c.VoidRound("ruling", "the end of all rounds"),
            c.Rule("play_on", "a way on"),
        ]
        ways += [c.BackOutAward(seat.position) for seat in table.seats]
        assert any(refusal(table, way) is None for way in ways)
    if table.phase is Phase.CLOSED:
        for seat in table.seats:
            assert seat.purse == sum(line.net for line in seat.lines) + seat.prepaid
    if table.phase is Phase.VOID:
        # What was given is given back, but for what is carried over to the next round.
        assert table.tray == 0
        kept = sum(seat.carried for seat in table.seats)
        assert table.system <= kept
        assert sum(seat.purse for seat in table.seats) == -table.system


def check_command(table: Round, command: Any) -> tuple[Round, tuple[Event, ...]]:
    """What a command does; refused or not, the guard and the deed agree."""
    wagers = [dict(seat.wagers) for seat in table.seats]
    refused = refusal(table, command)
    if refused is not None:
        assert isinstance(refused, Refused)
        assert len(refused.message) > 10
        assert "\n" not in refused.message
        with pytest.raises(Refused) as raised:
            act(table, command)
        assert (raised.value.reason, raised.value.message) == (refused.reason, refused.message)
        # By how they are written: 1.0 and True equal 1, and are refused where 1 is allowed.
        assert repr(command) not in map(repr, legal(table))
        assert [dict(seat.wagers) for seat in table.seats] == wagers
        return table, ()
    _, happened = act(table, command)
    assert happened
    for stale in ({"version": table.version - 1}, {"number": "another"}):
        with pytest.raises(Refused) as raised:
            act(table, command, **stale)
        assert raised.value.reason is Reason.STALE_ROUND
    after, again = act(table, command, number=table.number, version=table.version)
    assert again == happened
    assert fold(table, happened) == after
    assert after.version == table.version + len(happened)
    return after, happened


def check_events(table: Round, happened: tuple[Event, ...]) -> None:
    """One by one, events keep the books straight and move nothing from seat to seat."""
    for event in happened:
        after = evolve(table, event)
        assert after.version == table.version + 1
        assert after.money() == 0
        if not isinstance(event, e.GameStarted | e.RoundVoided | e.Ruled):
            moved = [new - old for old, new in zip(wealth(table), wealth(after), strict=True)]
            assert sum(1 for cents in moved if cents) <= 1
        table = after


def check_round(table: Round, rng: Random, commands: Random, wrong: float) -> Round:
    """One round to its end, with as many wrong commands between the right ones as told."""
    start, log = table, list[Event]()
    watcher = Watcher(table.ruleset.game.code)
    check_state(table)
    while not table.over:
        if commands.random() < wrong:
            command = any_command(commands, table)
        else:
            command = next_step(commands, table)
        after, happened = check_command(table, command)
        if happened:
            check_events(table, happened)
            for event in happened:
                watcher.watch(event)
            log += happened
            table = after
            check_state(table)
            check_views(table, watcher)
    for command in (any_command(rng, table) for _ in range(5)):
        assert refusal(table, command) is not None
    assert fold(start, log) == table
    return table


def check_rounds(game: str, seed: int, commands: Random, wrong: float) -> None:
    """Two rounds at one table, one after the other."""
    rng = Random(seed)
    rules = some_rules(rng, game)
    table = open_round(rules, "000001", rng.choice((1, 2, 3, 7)))
    table = check_round(table, rng, commands, wrong)
    following = open_round(rules, "000002", len(table.seats), after=table)
    assert following.runbook == table.runbook
    check_round(following, rng, commands, wrong)


@pytest.mark.clause("TSR-25", "TCP-18", "TSB-08", "FUP-03", "PML-09", "TCP-14")
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), wrong=st.sampled_from((0.0, 0.4, 0.7)))
def test_whatever_is_asked_the_round_stays_right(game: str, seed: int, wrong: float) -> None:
    check_rounds(game, seed, Random(seed + 1), wrong)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), commands=st.randoms(use_true_random=False))
def test_the_same_with_commands_that_shrink(game: str, seed: int, commands: Random) -> None:
    """Every choice is drawn one by one, so that a failure is cut down to few commands."""
    check_rounds(game, seed, commands, 0.3)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=4000, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**64), wrong=st.sampled_from((0.0, 0.4, 0.7)))
def test_the_same_for_long(game: str, seed: int, wrong: float) -> None:
    check_rounds(game, seed, Random(seed + 1), wrong)


def test_the_vocabulary_is_whole_and_reaches_every_event() -> None:
    """The random play asks for every command and makes every kind of event happen."""
    assert set(KINDS) == set(get_args(Command))
    # None of these games burns a card, and their decks are known: tests/contract has both.
    elsewhere = {e.Burned, e.Exposed, e.MiscountFound}
    seen: set[type] = set()
    done: set[type] = set()
    for seed in range(400):
        rng = Random(seed)
        table = open_round(some_rules(rng, GAMES[seed % 4]), "000001", 7)
        while not table.over:
            command = any_command(rng, table) if rng.random() < 0.4 else next_step(rng, table)
            if refusal(table, command) is None:
                table, happened = act(table, command)
                seen |= {type(event) for event in happened}
                done.add(type(command))
        if seen == set(get_args(Event)) - elsewhere and done == set(KINDS) - {c.Expose}:
            break
    assert set(get_args(Event)) - seen == elsewhere
    assert set(KINDS) - done == {c.Expose}


@pytest.mark.parametrize("leak", ["dealer", "undealt", "words"])
def test_a_leak_would_be_found(leak: str) -> None:
    """The judge of the views is judged: three views that tell too much are caught."""
    rng = Random(5)
    table = open_round(some_rules(rng, "three-card-poker"), "000001", 3)
    watcher = Watcher("three-card-poker")
    while not table.dealer:
        table, happened = act(table, next_step(rng, table))
        for event in happened:
            watcher.watch(event)
    check_views(table, watcher)
    assert table.shuffle is not None

    def leaky(round_: Round, viewer: Viewer) -> dict[str, Any]:
        seen = view(round_, viewer)
        assert round_.shuffle is not None
        match leak:
            case "dealer":
                seen["dealer"] = [card_text(card) for card in round_.dealer]
            case "undealt":
                seen["next"] = [card_text(round_.shuffle.cards[-5])]
            case _:
                seen["say"] = "The dealer holds the " + " and the ".join(
                    f"{RANK_WORDS[card >> 2]} of {SUIT_WORDS[card & 3]}" for card in round_.dealer
                )
        return seen

    with pytest.raises(AssertionError):
        check_views(table, watcher, leaky)
