"""`make bench`: prints each measurement beside what it is compared with."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from phevaluator import evaluate_cards

from houseway import settle
from houseway.cards.hands import category5


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """The best of several runs, which is the one least disturbed."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def command(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def show(what: str, ours: float, other: str, theirs: float) -> None:
    ratio = ours / theirs
    print(f"{what:<38}{ours * 1e3:9.2f} ms  {other:<38}{theirs * 1e3:9.2f} ms {ratio:6.1f} x")


def main() -> None:
    bare = seconds(command("-c", "pass"))
    show("houseway games", seconds(command("-m", "houseway", "games")), "bare interpreter", bare)
    show("import houseway", seconds(command("-c", "import houseway")), "bare interpreter", bare)
    rng = random.Random(1)
    hands = [tuple(rng.sample(range(52), 6)) for _ in range(10_000)]
    show(
        "10,000 six-card hands, scalar rule",
        seconds(lambda: [category5(hand) for hand in hands]),
        "phevaluator (compiled)",
        seconds(lambda: [evaluate_cards(*hand) for hand in hands]),
    )
    bets = {"ante": 1000, "pair-plus": 500, "six-card-bonus": 100}
    seats = [(hand[:3], hand[3:]) for hand in hands[:1000]]
    show(
        "1,000 seats settled with reasons",
        seconds(
            lambda: [settle("three-card-poker", player=p, dealer=d, bets=bets) for p, d in seats]
        ),
        "their six-card classification alone",
        seconds(lambda: [category5((*p, *d)) for p, d in seats]),
    )


def exact_speed() -> None:
    """Exact work: warm, in this process, beside the quickest Python route a user has."""
    from houseway.exact import three_card
    from houseway.exact.blackjack import Blackjack
    from houseway.exact.bonus import joint_law
    from houseway.exact.pricing import priced
    from houseway.exact.showdown_table import contest
    from houseway.games import GAMES
    from houseway.games.library import paytable_of
    from houseway.games.triple_shot_bonus.rules import BonusOptions

    three_card.six_card_counts()
    share = [tuple(random.Random(2).sample(range(52), 6)) for _ in range(200_000)]
    loop = seconds(lambda: [evaluate_cards(*hand) for hand in share], 3) * 20_358_520 / len(share)
    show(
        "all 20,358,520 six-card hands counted",
        seconds(three_card.six_card_counts.__wrapped__),
        "phevaluator in a Python loop",
        loop,
    )
    game = GAMES[0]
    found = contest(game, game.options())
    three_card.seat_counts(found)
    show(
        "407,170,400 player/dealer pairs",
        seconds(lambda: three_card.seat_counts.__wrapped__(found)),
        "half a second",
        0.5,
    )
    Blackjack(BonusOptions())
    show(
        "blackjack optimum, one rule",
        seconds(lambda: Blackjack(BonusOptions()).figures(), 3),
        "two seconds",
        2.0,
    )
    joint_law(BonusOptions())
    game_of_rule = Blackjack(BonusOptions())
    show(
        "joint law of the Hat Trick, one rule",
        seconds(lambda: joint_law(BonusOptions(), game_of_rule.best), 2),
        "ten seconds",
        10.0,
    )
    from houseway.exact.card_sets import card_sets
    from houseway.exact.optimum import _up_cards, joint_optimum
    from houseway.exact.succession import winning_categories

    wins = winning_categories(paytable_of("triple-shot-bonus", "poker", "TSB-01"))

    def optimum() -> None:
        _up_cards.cache_clear()
        card_sets.cache_clear()
        joint_optimum(BonusOptions(), Fraction(1, 2), Fraction(9), wins)

    show("joint optimum, one stake ratio", seconds(optimum, 1), "forty seconds", 40.0)
    from houseway.exact import bonus_seats, pairs

    terms = bonus_seats.terms_of(
        paytable_of("triple-shot-bonus", "poker", "TSB-01"), BonusOptions()
    )
    bonus_seats.products(terms)

    def two_seats() -> None:
        bonus_seats.best_play.cache_clear()
        pairs.blackjack_beside.cache_clear()
        bonus_seats.products.__wrapped__(terms)

    show("two seats of Triple Shot Bonus", seconds(two_seats, 1), "one minute", 60.0)
    show(
        "houseway verify, cold process",
        seconds(command("-m", "houseway", "verify", "--json"), 1),
        "forty seconds",
        40.0,
    )
    paytable = paytable_of("three-card-poker", "pair-plus", "A")
    show(
        "a changed paytable priced again",
        seconds(lambda: three_card.pair_plus_law(game, paytable, BonusOptions())),
        "ten milliseconds",
        0.01,
    )
    link = paytable_of("three-card-poker", "progressive", "1")
    priced(link, (), BonusOptions(), 100, 100)
    show(
        "a changed meter priced again",
        seconds(lambda: priced(link, (), BonusOptions(), 12345, 100)),
        "ten milliseconds",
        0.01,
    )


def live_speed() -> None:
    """The live engine: rounds a second beside a poker library's hands, both plain Python."""
    from houseway.live import commands as c
    from houseway.live.procedure import play_out
    from houseway.live.round import act
    from houseway.live.shuffler import make_shuffle
    from houseway.live.state import Round, open_round
    from houseway.practice.coach import basic
    from houseway.rules.ruleset import Ruleset, make_ruleset

    rng = random.Random(3)

    def with_bets(ruleset: Ruleset, bets: c.Bets, packet_size: int) -> Round:
        table, _ = act(open_round(ruleset, positions=1), c.PlaceBets(1, bets))
        return act(table, c.LoadShuffle(make_shuffle(rng, packet_size)))[0]

    poker = make_ruleset("three-card-poker")

    def three_card_round() -> None:
        table = with_bets(poker, (("ante", 1000),), 3)
        table, _ = act(table, c.NoMoreBets())
        table, _ = act(table, c.Deliver())
        decision = basic(table, 1)
        assert decision is not None
        table, _ = act(table, c.Decide(1, decision))
        if decision == "fold":
            table, _ = act(table, c.CollectForfeits())
        table, _ = act(table, c.Reveal())
        if table.waiting:
            table, _ = act(table, c.Reconcile())
        table, _ = act(table, c.CloseRound())
        assert table.over

    bonus = make_ruleset("triple-shot-bonus")
    three_bets: c.Bets = (("war", 1000), ("blackjack", 1000), ("poker", 1000))

    def bonus_round() -> None:
        assert play_out(with_bets(bonus, three_bets, 1), basic).over

    def rate(work: Callable[[], object], rounds: int) -> float:
        return rounds / seconds(lambda: [work() for _ in range(rounds)])

    theirs = rate(hold_em_hand, 100)
    for what, work, least in (
        ("Three Card Poker rounds", three_card_round, 4),
        ("Triple Shot Bonus rounds", bonus_round, 2),
    ):
        ours = rate(work, 400)
        print(
            f"{what:<38}{ours:9.0f} /s  {'pokerkit hands, heads-up hold-em':<38}{theirs:9.0f} /s "
            f"{ours / theirs:6.1f} x (at least {least} x)"
        )


def simulation_speed() -> None:
    """The simulator: rounds a second of one core, beside blackjack in OpenSpiel; two workers."""
    from concurrent.futures import ThreadPoolExecutor

    from houseway.sim.job import BLOCK, Job, laid_out
    from houseway.sim.plan import make_job
    from houseway.sim.run import carry_out, new_run

    def dealt(job: Job, blocks: int) -> float:
        """Rounds a second of one core, by the core's own clock, which others do not slow."""
        layout = laid_out(job)
        layout.deal(0, 1000)
        best = 0.0
        for _ in range(3):
            start = time.thread_time()
            for block in range(blocks):
                layout.deal(block, BLOCK)
            best = max(best, blocks * BLOCK / (time.thread_time() - start))
        return best

    python_loop, bots = open_spiel_hands()
    print(f"{'OpenSpiel blackjack, Python loop':<38}{python_loop:12,.0f} /s")
    print(f"{'OpenSpiel blackjack, evaluate_bots':<38}{bots:12,.0f} /s")
    for code, seats, blocks, least in (
        ("three-card-poker", 1, 8, 15e6),
        ("three-card-poker-face-up", 1, 8, 15e6),
        ("triple-shot-rummy", 1, 8, 15e6),
        ("triple-shot-bonus", 1, 4, 5e6),
        ("three-card-poker", 7, 2, 3e6),
        ("triple-shot-bonus", 7, 1, 0),
    ):
        rate = dealt(make_job(code, seats=seats, seed=1), blocks)
        wanted = f"(at least {least / 1e6:.0f} million)" if least else ""
        print(
            f"{f'{code}, {seats} seats':<38}{rate:12,.0f} /s {rate / python_loop:8.0f} x "
            f"{rate / bots:6.0f} x {wanted}"
        )
    job = make_job("three-card-poker", seed=1)
    elapsed = {}
    for workers in (1, 2):
        with ThreadPoolExecutor(workers) as pool:
            work = partial(carry_out, executor=pool, workers=workers)
            elapsed[workers] = min(work(new_run(job, 64 * BLOCK)).seconds for _ in range(3))
    gain = elapsed[1] / elapsed[2]
    print(f"{'two workers beside one':<38}{gain:12.2f} x (at least 1.6, on two free cores)")
    few, many = peak_memory_of("1e6"), peak_memory_of("3e8")
    print(f"{'memory of a million rounds':<38}{few:12.0f} MB, of 300 million {many:.0f} MB")


def open_spiel_hands() -> tuple[float, float]:
    """Blackjack hands a second: a loop in Python with chance sampled, and two bots in C++."""
    import numpy as np
    import pyspiel

    game = pyspiel.load_game("blackjack")
    rng = np.random.default_rng(1)

    def one_hand() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(actions, p=chances)))
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.integers(len(actions)))])

    bot = pyspiel.make_uniform_random_bot(0, 1)

    def rate(work: Callable[[], object], hands: int) -> float:
        best = 0.0
        for _ in range(3):
            start = time.thread_time()
            for _ in range(hands):
                work()
            best = max(best, hands / (time.thread_time() - start))
        return best

    evaluate = rate(lambda: pyspiel.evaluate_bots(game.new_initial_state(), [bot], 1), 20_000)
    return rate(one_hand, 2_000), evaluate


def peak_memory_of(rounds: str) -> float:
    """Megabytes that a process took at most to simulate so many rounds."""
    code = (
        "import resource, sys; from houseway.cli import main; "
        "main(['simulate', 'three-card-poker', '--rounds', sys.argv[1], '--json']); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, rounds], check=True, capture_output=True, text=True
    )
    return int(done.stderr.split()[-1]) / 1024


def hold_em_hand() -> None:
    """A heads-up no-limit hold'em hand, checked and called down to the showdown."""
    from pokerkit import Automation, NoLimitTexasHoldem

    state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, 200, 2)
    while state.status:
        state.check_or_call()


if __name__ == "__main__":
    main()
    live_speed()
    simulation_speed()
    exact_speed()
