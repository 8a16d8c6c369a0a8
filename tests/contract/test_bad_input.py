"""Whatever is handed over, a game settles it or refuses it with a sentence, and nothing else."""

from dataclasses import fields
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway import settle
from houseway.cards import DECK
from houseway.conformance.rounds import deal
from houseway.games import GAMES
from houseway.games.contract import Game
from houseway.live.commands import Command
from houseway.live.round import act, refusal
from houseway.refusal import Reason, Refused
from tests.contract.made_up import GAMES as MADE_UP

EVERY = pytest.mark.parametrize("game", [*GAMES, *MADE_UP], ids=lambda game: game.code)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.binary()
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
QUICK = settings(max_examples=80, suppress_health_check=list(HealthCheck))


def is_refused(refused: Refused) -> None:
    """A refusal is of a known reason and one sentence."""
    assert isinstance(refused.reason, Reason)
    assert len(refused.message.split()) > 3
    assert "\n" not in refused.message


@EVERY
@QUICK
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_settle_answers_whatever_it_is_given(game: Game, data: st.DataObject, seed: int) -> None:
    deck = Random(seed).sample(DECK, len(DECK))
    amounts = st.sampled_from((1000, 2, 1)) | ANYTHING
    names = st.sampled_from((*game.order, "no-such-bet"))
    words = st.sampled_from([action.name for action in game.actions] or ["hit"])
    usual: dict[str, Any] = dict.fromkeys(game.wagers, 1000)
    bets: Any = data.draw(st.just(usual) | st.dictionaries(names, amounts) | ANYTHING)
    cards: Any = data.draw(st.just(deck) | st.lists(st.integers(-2, 53), max_size=20) | ANYTHING)
    decisions: Any = data.draw(st.lists(words | ANYTHING, max_size=4) | ANYTHING)
    try:
        settle(game, bets=bets, deck=cards, decisions=decisions)
    except Refused as refused:
        is_refused(refused)


@EVERY
@QUICK
@given(data=st.data(), seed=st.integers(0, 30))
def test_a_table_answers_whatever_it_is_asked(game: Game, data: st.DataObject, seed: int) -> None:
    table = data.draw(st.sampled_from([step.after for step in deal(game, seed).steps]))
    kind = data.draw(st.sampled_from(get_args(Command)))
    likely = st.integers(-1, 8) | st.sampled_from([*game.order, "dealer", "board", "play_on"])
    command = kind(*(data.draw(likely | ANYTHING) for _ in fields(kind)))
    refused = refusal(table, command)
    if refused is None:
        act(table, command)
    else:
        is_refused(refused)
