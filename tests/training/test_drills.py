"""Drills: every skill under several houses makes, grades and explains itself, and pays are settled
again from nothing but what a screen is sent."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from houseway import Refused, settle
from houseway.cards import DECK, card_text
from houseway.catalog.register import clauses
from houseway.games import codes
from houseway.house.money import parse_amount
from houseway.rules.ruleset import Ruleset, make_ruleset
from houseway.training.drill import Drill, Field, grade
from houseway.training.learner import new_learner, next_drill
from houseway.training.modules import modules_of
from houseway.training.skills import LARGEST_SEED, SKILLS, make_drill, skills_of
from tests import ROOT

TCP, FACE_UP, BONUS, RUMMY = codes()
ENVY = ("payouts.envy", "envy.who", "envy.when")
House = tuple[str, dict[str, str], dict[str, str]]
HOUSES: tuple[House, ...] = (
    (TCP, {}, {}),
    (FACE_UP, {}, {}),
    (RUMMY, {}, {}),
    (BONUS, {}, {}),
    (
        TCP,
        {
            "award_profile": "game_manager",
            "two_adjacent_positions": "on",
            "settle_style": "lay_and_pay",
            "pair_plus_after_fold": "stays",
            "tie_rule": "win",
            "shuffler_fault_procedure": "seven_steps",
            "folded_hand_progressive": "eligible",
        },
        {"progressive": "2", "pair-plus": "B"},
    ),
    (
        FACE_UP,
        {"breakage": "exact", "ante_mandatory": "on", "void_progressive": "carry_to_next_round"},
        {"progressive": "ML01"},
    ),
    (
        RUMMY,
        {
            "profile": "wa_commercial",
            "date": "2024-02-02",
            "settle_order": "pair-plus,ante",
            "meter_pay_order": "internal_controls",
            "executive_threshold": "mega=5000,major=500,minor=100",
            "meter_seed": "mega=1000,major=500,minor=50",
            "percent_pay_scaling": "per_wager_unit",
            "shuffler_mode": "hand",
        },
        {"progressive": "ML03"},
    ),
    (
        BONUS,
        {
            "breakage": "down_to_chip",
            "smallest_chip": "5",
            "table_minimum": "10",
            "table_maximum": "200",
            "dealer_soft_17": "stand",
            "split_ace_ten": "blackjack",
            "dealer_natural": "no_peek_original_bets",
        },
        {"poker": "TSB-02", "hat-trick": "6"},
    ),
)
KNOWN = {clause.id for clause in clauses()}
SEEDS = range(4)
MANY = range(4, 24)
"""So many more are made in `make soak`."""
PAYOUTS = [code for code in SKILLS if code.startswith("payouts.")]


def rules(house: House) -> Ruleset:
    return make_ruleset(*house)


def named(house: House) -> str:
    return f"{house[0]}-{len(house[1])}"


def right_answer(field: Field) -> Any:
    """The answer as somebody gives it."""
    if isinstance(field.answer, tuple):
        return list(field.answer)
    if field.kind == "amount":
        assert isinstance(field.answer, int)
        return f"{field.answer // 100}.{field.answer % 100:02d}"
    return field.answer


def other_answer(field: Field) -> Any:
    """An answer that may be given and is not the right one."""
    values = [choice.value for choice in field.choices]
    match field.kind:
        case "amount":
            assert isinstance(field.answer, int)
            return f"{(field.answer + 100) // 100}.{field.answer % 100:02d}"
        case "number":
            return int(str(field.answer)) + 1
        case "choice":
            return next(value for value in values if value != field.answer)
        case "order":
            assert isinstance(field.answer, tuple)
            turned = list(reversed(field.answer))
            rest = [value for value in values if value not in field.answer]
            return turned if len(turned) > 1 else rest[:1]
        case "several":
            assert isinstance(field.answer, tuple)
            rest = [value for value in values if value not in field.answer]
            return [*field.answer, rest[0]] if rest else list(field.answer[:-1])
        case "chips":
            assert isinstance(field.answer, tuple)
            return [*field.answer, "1x1"]


def keys_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_in(inner)


@pytest.mark.clause("TSB-31", "TCP-27", "ACE-10")
@pytest.mark.parametrize("house", HOUSES, ids=named)
def test_every_skill_makes_drills_that_grade_themselves(house: House) -> None:
    check_skills(house, SEEDS)


@pytest.mark.soak
@pytest.mark.parametrize("house", HOUSES, ids=named)
def test_every_skill_makes_many_drills_that_grade_themselves(house: House) -> None:
    check_skills(house, MANY)


def check_skills(house: House, seeds: range) -> None:
    ruleset = rules(house)
    # Of players' decisions several may be right; they have tests of their own.
    for skill in (each for each in skills_of(ruleset) if each.track == "dealer"):
        seen = set()
        for seed in seeds:
            drill = make_drill(skill.code, seed, ruleset)
            seen.add(json.dumps(drill.to_json()))
            check(drill)
        # A skill with one question is no skill; a few have few.
        assert len(seen) > 1 or skill.code == "exceptions.required", skill.code


def check(drill: Drill) -> None:
    told = drill.to_json()
    assert not {"answer", "why", "clause", "costs", "right"} & set(keys_in(told)), drill.skill
    assert json.loads(json.dumps(told)) == told
    assert drill.question.endswith("?") or drill.question.endswith("."), drill.question
    given = {field.name: right_answer(field) for field in drill.fields}
    marks = grade(drill, json.loads(json.dumps(given)))
    assert marks.right, (drill.skill, drill.seed, given)
    for field, mark in zip(drill.fields, marks.marks, strict=True):
        where = (drill.skill, drill.seed, field.name)
        assert field.clause in KNOWN, where
        assert field.why.strip(), where
        assert "\n" not in field.why, where
        assert mark.given == mark.answer
        wrong = grade(drill, {**given, field.name: other_answer(field)})
        assert not wrong.right, where
        assert [m.name for m in wrong.marks if not m.right] == [field.name], where


@pytest.mark.parametrize("house", HOUSES, ids=named)
def test_pays_are_what_settling_says_of_the_cards_and_chips_on_the_screen(house: House) -> None:
    ruleset = rules(house)
    asked = 0
    for skill in PAYOUTS:
        if not SKILLS[skill].applies(ruleset):
            continue
        for seed in range(10):
            drill = make_drill(skill, seed, ruleset)
            told = json.loads(json.dumps(drill.to_json()))
            answers = {field.name: field.answer for field in drill.fields}
            assert ORACLES[skill](house, told, answers) == answers, (skill, seed)
            asked += 1
    assert asked >= 10 * 6


# What a screen is sent, read back. Nothing of the makers is used from here on.

Told = dict[str, Any]
Answers = dict[str, Any]


def hand(told: Told, label: str) -> list[str]:
    return list(next(h["cards"] for h in told["scene"]["hands"] if h["label"] == label))


def hands_labelled(told: Told, pattern: str) -> list[list[str]]:
    return [h["cards"] for h in told["scene"]["hands"] if re.fullmatch(pattern, h["label"])]


def wagers(told: Told) -> dict[str, int]:
    for stack in told["scene"]["stacks"]:
        assert sum(worth * count for worth, count in stack["chips"]) == stack["cents"]
        assert [worth for worth, _ in stack["chips"]] == sorted(
            (worth for worth, _ in stack["chips"]), reverse=True
        )
    found = {stack["spot"]: stack["cents"] for stack in told["scene"]["stacks"]}
    # Play is as much as the Ante, and lies there where it was made.
    assert found.pop("play", found.get("ante")) == found.get("ante")
    return found


def fact(told: Told, name: str) -> str:
    return str(dict(told["scene"]["facts"])[name])


def rest_of(*gone: list[str]) -> list[str]:
    used = {card for cards in gone for card in cards}
    return [card_text(card) for card in DECK if card_text(card) not in used]


def beside(bets: dict[str, int], *needed: str) -> dict[str, int]:
    """The bets with those that must stand beside them, at an amount that any house allows."""
    return dict.fromkeys(needed, 2000) | bets


def settled(house: House, **seat: Any) -> dict[str, Any]:
    """Lines by bet, or by bet and hand after a split."""
    found = settle(house[0], options=house[1], paytables=house[2], **seat)
    return {
        line.bet if line.hand is None else f"{line.bet}-{line.hand}": line for line in found.lines
    }


def becomes(line: Any) -> str:
    if line.net > 0:
        return "paid"
    if line.net == 0:
        return "returned"
    return "taken" if line.net == -line.wager else "half"


def three_card_line(house: House, told: Told, bet: str, **more: Any) -> Any:
    player = hand(told, "Player")
    labels = [held["label"] for held in told["scene"]["hands"]]
    dealer = hand(told, "Dealer") if "Dealer" in labels else rest_of(player)[:3]
    bets = beside(wagers(told), "ante")
    return settled(house, player=player, dealer=dealer, bets=bets, **more).get(bet)


def pays(bet: str) -> Any:
    def oracle(house: House, told: Told, _: Answers) -> Answers:
        line = three_card_line(house, told, bet)
        return {"pay": 0 if line is None else max(0, line.net)}

    return oracle


def rummy_play(house: House, told: Told, _: Answers) -> Answers:
    line = three_card_line(house, told, "play")
    return {"play": becomes(line), "amount": abs(line.net)}


def odds(house: House, told: Told, _: Answers) -> Answers:
    pay, word, per = re.fullmatch(r"([\d,]+) (to|for) ([\d,]+)", fact(told, "It pays")).groups()  # type: ignore[union-attr]
    (cents,) = wagers(told).values()
    exact = Fraction(int(pay.replace(",", "")), int(per.replace(",", ""))) * cents
    chip = parse_amount(house[1].get("smallest_chip", "1"))
    unit = chip if house[1].get("breakage") == "down_to_chip" else 1
    return {
        "pay": int(exact // unit) * unit,
        "wager": "kept" if word == "for" else "stays",
    }


DRAWS = {"hit": 1, "double": 1, "split": 2}


def bonus_lines(house: House, told: Told) -> dict[str, Any]:
    """A seat of Triple Shot Bonus from cards in the order they were dealt."""
    player, dealer = hand(told, "Player"), hand(told, "Dealer")
    text = dict(told["scene"]["facts"]).get("Decisions", "none")
    decisions = [] if text == "none" else text.split(", ")
    drawn = 2 + sum(DRAWS.get(decision, 0) for decision in decisions)
    rest = rest_of(player, dealer)
    player = [*player, *(rest.pop() for _ in range(2 - len(player)))]
    dealer = [*dealer, *(rest.pop() for _ in range(2 - len(dealer)))]
    deck = [player[0], dealer[0], player[1], dealer[1], *player[2:drawn], *dealer[2:]]
    deck += [*player[drawn:], *rest]
    bets = beside(wagers(told), "war", "blackjack", "poker")
    return settled(house, deck=deck, decisions=decisions, bets=bets)


def war(house: House, told: Told, _: Answers) -> Answers:
    line = bonus_lines(house, told)["war"]
    return {"war": becomes(line), "amount": abs(line.net)}


def blackjack(house: House, told: Told, _: Answers) -> Answers:
    found: Answers = {}
    for name, line in bonus_lines(house, told).items():
        if line.bet in ("blackjack", "insurance"):
            found |= {name: becomes(line), f"{name}-cents": abs(line.net)}
    return found


def hat_trick(house: House, told: Told, _: Answers) -> Answers:
    line = bonus_lines(house, told)["hat-trick"]
    return {"hat-trick": becomes(line), "amount": abs(line.net)}


def poker_net(house: House, told: Told) -> int:
    """Poker of six cards: with a dealer who has 20 and draws nothing, the deck is theirs."""
    six = hand(told, "Player")
    rest = rest_of(six)
    tens = [card for card in rest if card[0] in "TJQK"][:2]
    rest = [card for card in rest if card not in tens]
    bets = beside(wagers(told), "war", "blackjack", "poker")
    deck = [six[0], tens[0], six[1], tens[1], *six[2:], *rest]
    return max(0, int(settled(house, deck=deck, decisions=[], bets=bets)["poker"].net))


def poker(house: House, told: Told, _: Answers) -> Answers:
    return {"pay": poker_net(house, told)}


def meters(told: Told) -> dict[str, int]:
    found = {}
    for name, text in told["scene"]["facts"]:
        if name.endswith("eter"):
            found["single" if name == "Meter" else name.split()[0].lower()] = parse_amount(text)
    return found


def progressive(house: House, told: Told, _: Answers) -> Answers:
    community = hands_labelled(told, "Community")
    player = hand(told, "Player")
    dealer = rest_of(player, *community)[:3]
    bets = beside(wagers(told), "ante")
    more: dict[str, Any] = {"community": community[0]} if community else {}
    line = settled(house, player=player, dealer=dealer, bets=bets, meter=meters(told), **more)[
        "progressive"
    ]
    won = line.net + line.wager
    source = "meter" if "of the meter" in line.why or "% of" in line.why else "tray"
    return {"pay": won, "from": source if won else "none"}


def envy(house: House, told: Told, _: Answers) -> Answers:
    community = hands_labelled(told, "Community")
    more: dict[str, Any] = {"community": community[0]} if community else {}
    every = [held["cards"] for held in told["scene"]["hands"]]
    (own,) = hands_labelled(told, r"Position \d \(asked\)")
    found = settle(
        house[0],
        options=house[1],
        paytables=house[2],
        player=own,
        dealer=rest_of(*every)[:3],
        bets=beside(wagers(told), "ante"),
        meter=dict.fromkeys(LEVELS[house[2].get("progressive", "1")], 10_000_000),
        others=hands_labelled(told, r"Position \d"),
        folded_others=hands_labelled(told, r"Position \d \(folded\)"),
        own_others=hands_labelled(told, r"Position \d \(same player\)"),
        **more,
    )
    return {"pay": sum(line.net for line in found.lines if line.bet == "envy")}


LEVELS = {
    "1": ("single",),
    "2": ("single",),
    "ML01": ("mega", "major"),
    "ML03": ("mega", "major", "minor"),
}


def seat(house: House, told: Told, answers: Answers) -> Answers:
    if house[0] == BONUS:
        found = bonus_lines(house, told)
    else:
        found = settled(
            house,
            player=hand(told, "Player"),
            dealer=hand(told, "Dealer"),
            bets=wagers(told),
            decision=fact(told, "Decision"),
        )
    result = {name: becomes(line) for name, line in found.items()}
    if "ante-bonus" in answers:
        result.setdefault("ante-bonus", "none")
    nets = [line.net for line in found.values()]
    return {
        **result,
        "paid": sum(net for net in nets if net > 0),
        "taken": -sum(net for net in nets if net < 0),
    }


def chips(house: House, told: Told, answers: Answers) -> Answers:
    due = (
        poker_net(house, told)
        if house[0] == BONUS
        else max(0, three_card_line(house, told, "pair-plus").net)
    )
    assert parse_amount(fact(told, "You pay")) == due
    tray = [int(choice["value"]) for choice in told["fields"][0]["choices"]]
    assert tray == sorted(tray, reverse=True)
    pairs = (pile.split("x") for pile in answers["chips"])
    piles = [(int(worth), int(count)) for worth, count in pairs]
    assert sum(worth * count for worth, count in piles) == due
    # The largest first: what is left under a pile is less than its chip.
    left = due
    for worth in tray:
        count = dict(piles).get(worth, 0)
        left -= worth * count
        assert 0 <= left < worth
    return {"chips": tuple(f"{worth}x{count}" for worth, count in sorted(piles, reverse=True))}


ORACLES: dict[str, Any] = {
    "payouts.odds": odds,
    "payouts.pair-plus": pays("pair-plus"),
    "payouts.ante-bonus": pays("ante-bonus"),
    "payouts.six-card-bonus": pays("six-card-bonus"),
    "payouts.play": rummy_play,
    "payouts.war": war,
    "payouts.blackjack": blackjack,
    "payouts.poker": poker,
    "payouts.hat-trick": hat_trick,
    "payouts.progressive": progressive,
    "payouts.envy": envy,
    "payouts.seat": seat,
    "payouts.chips": chips,
}


def test_every_pay_has_an_oracle() -> None:
    assert set(ORACLES) == set(PAYOUTS)


@pytest.mark.parametrize(
    ("game", "option", "values", "skill"),
    [
        (TCP, "tie_rule", ("push", "lose", "win"), "payouts.seat"),
        (BONUS, "breakage", ("down_to_cent", "down_to_chip"), "payouts.war"),
        (TCP, "settle_order", ("source", "pair-plus,ante"), "order.wagers"),
        (TCP, "settle_style", ("pick_and_pay", "lay_and_pay"), "order.wagers"),
        (TCP, "pair_plus_after_fold", ("by_game", "stays"), "exceptions.fold"),
        (RUMMY, "pair_plus_after_fold", ("by_game", "forfeit"), "exceptions.fold"),
        (TCP, "two_adjacent_positions", ("off", "on"), "exceptions.positions"),
        (RUMMY, "ante_mandatory", ("off", "on"), "exceptions.required"),
        (RUMMY, "ace_in_runs", ("low", "wrap"), "hands.points"),
        (BONUS, "dealer_soft_17", ("hit", "stand"), "hands.dealer-draws"),
        (BONUS, "war_ace", ("high", "low"), "payouts.war"),
        (FACE_UP, "face_up_unqualified_play", ("compare", "win"), "exceptions.not-playing"),
        (TCP, "folded_hand_progressive", ("not_eligible", "eligible"), "exceptions.progressive"),
        (TCP, "envy_when_folded", ("paid", "not_paid"), "exceptions.progressive"),
        (TCP, "void_progressive", ("refund", "carry_to_next_round"), "irregularities.meter"),
        (TCP, "void_progressive", ("refund", "carry_to_next_round"), "irregularities.void"),
        (TCP, "shuffler_fault_procedure", ("guide", "seven_steps", "local"), "shuffler.first"),
        (TCP, "executive_threshold", ("1", "999999"), "keypad.card"),
        (TCP, "announcement_text", ("qualifying_rank", "source_text"), "words.dealer"),
        (TCP, "award_profile", ("nexus", "game_manager"), "keypad.sequence"),
        (TCP, "award_profile", ("nexus", "game_manager"), "keypad.start"),
    ],
)
def test_the_options_of_the_house_change_the_answers(
    game: str, option: str, values: tuple[str, ...], skill: str
) -> None:
    """The same skill and seed under each value: somewhere every two values differ."""
    made = {
        value: [make_drill(skill, seed, ruleset) for seed in range(60)]
        for value in values
        for ruleset in [make_ruleset(game, {option: value})]
    }
    answers = {value: [shown_answers(drill) for drill in made[value]] for value in values}
    for first, second in pairwise(values):
        assert answers[first] != answers[second]
        if skill.split(".")[0] in ("payouts", "exceptions", "hands"):
            # What lies on the table is the same; only what becomes of it differs.
            assert any(
                a.to_json()["scene"] == b.to_json()["scene"] and one != other
                for a, b, one, other in zip(
                    made[first], made[second], answers[first], answers[second], strict=True
                )
            )


def shown_answers(drill: Drill) -> list[str]:
    given = {field.name: right_answer(field) for field in drill.fields}
    return [mark.answer for mark in grade(drill, given).marks]


PROGRAM = """
import hashlib, json
from houseway.games import codes
from houseway.rules.ruleset import make_ruleset
from houseway.training.skills import make_drill, skills_of
found = hashlib.sha256()
for game in codes():
    rules = make_ruleset(game, {}, {} if game == 'triple-shot-bonus' else {'progressive': 'ML03'})
    for skill in skills_of(rules):
        for seed in (2**40,):
            drill = make_drill(skill.code, seed, rules)
            answers = [[f.name, f.answer, f.why, f.clause] for f in drill.fields]
            found.update(json.dumps([drill.to_json(), answers]).encode())
print(found.hexdigest())
"""


@pytest.mark.soak
def test_the_same_seed_is_the_same_drill_in_every_process() -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for hash_seed in ("0", "12345")
    ]
    found = {process.communicate()[0].strip() for process in started}
    assert all(process.returncode == 0 for process in started)
    assert len(found) == 1
    assert len(found.pop()) == len(hashlib.sha256().hexdigest())


def test_the_global_generator_is_neither_read_nor_moved() -> None:
    import random

    random.seed(7)
    before = random.getstate()
    ruleset = make_ruleset(TCP)
    first = [make_drill(skill.code, 5, ruleset).to_json() for skill in skills_of(ruleset)]
    assert random.getstate() == before
    random.seed(8)
    assert first == [make_drill(skill.code, 5, ruleset).to_json() for skill in skills_of(ruleset)]


@pytest.mark.parametrize(
    ("skill", "seed", "said"),
    [
        ("payouts.nothing", 1, "is unknown; known: payouts.odds"),
        ("", 1, "is unknown"),
        (None, 1, "is unknown"),
        (["payouts.odds"], 1, "is unknown"),
        ("x" * 500, 1, "is unknown"),
        ("payouts.odds", -1, "is not allowed; a whole number from 0"),
        ("payouts.odds", LARGEST_SEED + 1, "is not allowed"),
        ("payouts.odds", True, "is not allowed"),
        ("payouts.odds", 1.0, "is not allowed"),
        ("payouts.odds", "1", "is not allowed"),
        ("payouts.odds", None, "is not allowed"),
        ("payouts.war", 1, "is not for three-card-poker as this house plays it"),
        ("hands.points", 1, "is not for three-card-poker"),
    ],
)
def test_what_is_no_drill_is_refused(skill: Any, seed: Any, said: str) -> None:
    with pytest.raises(Refused, match=re.escape(said)) as refused:
        make_drill(skill, seed, make_ruleset(TCP))
    assert len(refused.value.message) < 2_000


@pytest.mark.parametrize(
    ("skill", "given", "said"),
    [
        ("payouts.pair-plus", {}, "has no answer yet"),
        ("payouts.pair-plus", {"pay": ""}, "has no answer yet"),
        ("payouts.pair-plus", {"pay": "ten"}, "is not an amount"),
        ("payouts.pair-plus", {"pay": "1.005"}, "fraction of a cent"),
        ("payouts.pair-plus", {"pay": "-5"}, "negative"),
        ("payouts.pair-plus", {"pay": "9" * 400}, "too large"),
        ("payouts.pair-plus", {"pay": "5", "tip": "5"}, "'tip' was not asked for"),
        ("hands.name", {"hand": "five_of_a_kind"}, "is not one of the choices"),
        ("hands.rank", {"order": ["A", "A"]}, "stands twice"),
        ("hands.rank", {"order": "A"}, "cannot be read"),
        ("hands.rank", {"order": [1, 2]}, "cannot be read"),
        ("payouts.chips", {"chips": ["100x0"]}, "cannot be read"),
        ("payouts.chips", {"chips": ["ten"]}, "cannot be read"),
        ("payouts.chips", {"chips": ["1" * 30 + "x1"]}, "cannot be read"),
        ("words.no-pair-plus", {"positions": []}, "has no answer yet"),
    ],
)
def test_what_is_no_answer_is_refused(skill: str, given: dict[str, Any], said: str) -> None:
    drill = make_drill(skill, 3, make_ruleset(TCP))
    with pytest.raises(Refused, match=re.escape(said)):
        grade(drill, given)


@pytest.mark.parametrize("game", [TCP, BONUS])
def test_what_these_rules_never_bring_about_is_not_drawn_for_without_end(game: str) -> None:
    """No pay at a table for ten thousand dollars a hand is small enough to be counted in chips."""
    high = make_ruleset(game, {"table_minimum": "10000"})
    with pytest.raises(Refused, match="there is nothing to ask of 'Paying in chips'"):
        make_drill("payouts.chips", 0, high)
    module = next(one for one in modules_of(high) if "payouts.chips" in one.skills)
    two, one = (replace(module, skills=("payouts.chips", "hands.name")[:most]) for most in (2, 1))
    # All else is asked still.
    learner = new_learner(1)
    for answered in range(6):
        asked = next_drill(replace(learner, answered=answered), [two], high)
        assert asked.skill == "hands.name"
    with pytest.raises(Refused, match="nothing to ask"):
        next_drill(learner, [one], high)


@pytest.mark.parametrize(
    "code",
    [
        "1:envy.akq_other_suit=none",
        "1:envy.akq_spades=none,envy.akq_other_suit=none,envy.straight=7",
        "ML03:envy.royal_flush=none,envy.straight_flush=none,envy.four_of_a_kind=7",
    ],
)
def test_envy_is_asked_of_whatever_hands_a_house_pays_it_for(code: str) -> None:
    rules = make_ruleset(TCP, {}, {"progressive": code})
    for skill in ENVY:
        for seed in range(20):
            assert make_drill(skill, seed, rules).fields


def test_where_there_is_no_envy_none_is_asked_for() -> None:
    none = "ML03:envy.royal_flush=none,envy.straight_flush=none"
    rules = make_ruleset(TCP, {}, {"progressive": none})
    assert not {*ENVY} & {skill.code for skill in skills_of(rules)}
    assert not {*ENVY} & {skill for module in modules_of(rules) for skill in module.skills}
    with pytest.raises(Refused, match="is not for three-card-poker as this house plays it"):
        make_drill("envy.who", 0, rules)


def test_a_number_is_a_whole_number() -> None:
    drill = make_drill("hands.points", 3, make_ruleset(RUMMY))
    for given in ("-1", "1.5", "x", "9" * 10, "٣"):
        with pytest.raises(Refused, match="is not a whole number"):
            grade(drill, {"points": given})
