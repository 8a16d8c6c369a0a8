"""The environments: what Gymnasium asks of them, whose randomness they use, and their value."""

import random
import subprocess
import sys
from fractions import Fraction
from math import sqrt

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import houseway.rl
from houseway.exact.blackjack import blackjack
from houseway.exact.succession import poker_law, war_law
from houseway.exact.three_card import ante_analysis
from houseway.games.solvers import Showdown
from houseway.live.phases import Phase
from houseway.practice.coach import optimal
from houseway.refusal import Refused
from houseway.rl import ENVIRONMENTS, TableEnvironment
from tests import ROOT

every_environment = pytest.mark.parametrize("name", ENVIRONMENTS)


def made(name: str) -> TableEnvironment:
    found = gymnasium.make(name).unwrapped
    assert isinstance(found, TableEnvironment)
    return found


@every_environment
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    """Warnings are errors here, so it finds nothing to remark on either."""
    check_env(gymnasium.make(name, render_mode="ansi").unwrapped)


def best_action(env: TableEnvironment) -> int:
    if env.round.phase is not Phase.DECISIONS:
        return 0
    return env.actions.index(str(optimal(env.round, 1)))


def exact_value(env: TableEnvironment) -> Fraction:
    """What a round is worth in base bets, by the exact law of each bet."""
    game, options, tables = env.ruleset.game, env.ruleset.options, env.ruleset.paytables
    if isinstance(game.solver, Showdown):
        analysis = ante_analysis(game, tables, options)
        return analysis.law(analysis.optimal()).mean
    laws = war_law(options), blackjack(options).figures().law, poker_law(tables["poker"])
    return sum((law.mean for law in laws), Fraction(0))


@every_environment
def test_the_best_policy_earns_the_exact_value(name: str) -> None:
    hold_against_the_exact_value(name, 1000)


@pytest.mark.soak
@every_environment
def test_the_best_policy_earns_the_exact_value_in_the_long_run(name: str) -> None:
    hold_against_the_exact_value(name, 20_000)


def hold_against_the_exact_value(name: str, rounds: int) -> None:
    env, rewards = made(name), []
    env.reset(seed=2024)
    for _ in range(rounds):
        env.reset()
        done = False
        while not done:
            _, reward, done, truncated, info = env.step(best_action(env))
            assert not truncated
            assert not info["illegal_action"]
            assert done or reward == 0
        assert env.round.over
        rewards.append(reward)
    error = float(np.std(rewards)) / sqrt(len(rewards))
    assert abs(float(np.mean(rewards)) - float(exact_value(env))) < 4 * error


def trail(env: TableEnvironment, choice: random.Random, rounds: int) -> list[object]:
    """What an environment shows over some rounds of play at random."""
    seen: list[object] = []
    for number in range(rounds):
        observation, info = env.reset(seed=99 if number == 0 else None)
        seen.append((observation.tolist(), info["action_mask"].tolist()))
        done = False
        while not done:
            action = choice.randrange(len(env.actions))
            observation, reward, done, _, info = env.step(action)
            seen.append((observation.tolist(), reward, info["decision"], info["illegal_action"]))
    return seen


@every_environment
def test_environments_share_no_randomness(name: str) -> None:
    """Interleaved or alone, with global generators touched or not, a seed gives the same rounds."""
    alone = trail(made(name), random.Random(1), 60)
    first, second = made(name), made(name)
    choices = random.Random(1), random.Random(1)
    seen: tuple[list[object], list[object]] = ([], [])
    first.reset(seed=99)
    second.reset(seed=99)
    for number in range(60):
        for env, choice, found in zip((first, second), choices, seen, strict=True):
            random.seed(number)
            np.random.seed(number)
            observation, info = env.reset(seed=99 if number == 0 else None)
            found.append((observation.tolist(), info["action_mask"].tolist()))
            done = False
            while not done:
                random.random()
                action = choice.randrange(len(env.actions))
                observation, reward, done, _, info = env.step(action)
                found.append(
                    (observation.tolist(), reward, info["decision"], info["illegal_action"])
                )
    assert seen[0] == seen[1] == alone


@every_environment
def test_global_generators_are_left_alone(name: str) -> None:
    plain, arrays = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    trail(made(name), random.Random(1), 5)
    assert random.getstate() == plain
    assert np.random.get_state()[1].tolist() == arrays  # type: ignore[index]


@every_environment
def test_observations_hold_what_the_player_sees(name: str) -> None:
    env = made(name)
    env.reset(seed=4)
    for _ in range(200):
        observation, info = env.reset()
        assert env.observation_space.contains(observation)
        table = env.round
        if table.phase is not Phase.DECISIONS:
            assert info["action_mask"].tolist() == [1, 0, 0, 0]
            assert np.count_nonzero(observation[:6]) == 2
            continue
        ups = [card for card, up in zip(table.dealer, table.dealer_up, strict=True) if up]
        own = list(table.seat(1).cards)
        if env.ruleset.game.code == "triple-shot-bonus":
            expected = [card + 1 for card in own] + [0] * (6 - len(own)) + [ups[0] + 1]
        else:
            expected = sorted(own) + ups
        assert observation.tolist() == expected


def test_an_illegal_action_is_read_as_a_stand_and_reported() -> None:
    env = TableEnvironment("triple-shot-bonus")
    env.reset(seed=1)
    for _ in range(50):
        _, info = env.reset()
        illegal = int(np.flatnonzero(info["action_mask"] == 0)[-1])
        _, _, done, _, info = env.step(illegal)
        assert done
        assert info["illegal_action"]
        assert info["decision"] == "stand"


def test_bets_that_cannot_be_are_refused_at_once() -> None:
    for bets in ({"pair-plus": 500}, {"ante": 500, "progressive": 100}, {"ante": 0}):
        with pytest.raises(Refused):
            TableEnvironment("three-card-poker", bets=bets)


def test_options_and_bets_are_the_houses_own() -> None:
    env = TableEnvironment(
        "three-card-poker", {"tie_rule": "lose"}, bets={"ante": 200, "pair-plus": 100}
    )
    env.reset(seed=8)
    _, reward, done, _, info = env.step(0)
    assert done
    assert (reward, info["net_cents"]) == (-1.5, -300)


def test_the_missing_extra_is_named() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import houseway.rl"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert "install houseway with the extra 'rl'" in done.stderr
    assert houseway.rl.__doc__
