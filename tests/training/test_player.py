"""Players' training: decisions by second opinions, prices by the sheet, lessons settled anew."""

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from houseway.cards import ACE, DECK, card_text, parse_cards, rank_of
from houseway.catalog.register import clause
from houseway.exact.pricing import par
from houseway.games import codes
from houseway.games.solvers import Showdown
from houseway.house.money import dollars_text
from houseway.live import commands as c
from houseway.live.phases import Phase
from houseway.live.procedure import carry_on
from houseway.live.round import act
from houseway.live.shuffler import Shuffle
from houseway.live.state import Round, open_round
from houseway.practice.coach import basic, decision_values
from houseway.refusal import Refused
from houseway.rules.ruleset import Ruleset, make_ruleset
from houseway.rules.settlement import settle
from houseway.server.preparing import make_lessons
from houseway.training.drill import Drill, grade
from houseway.training.lessons import lessons_of
from houseway.training.meters import meter_points
from houseway.training.modules import modules_of
from houseway.training.skills import SKILLS, make_drill, skills_of
from tests.oracles.exact_blackjack import Oracle, mean, total
from tests.oracles.settle import settle_three_card
from tests.oracles.three_cards import category, dealer_qualifies, rummy_points, strength

POKER, FACE_UP, BONUS, RUMMY = codes()
THREE_CARD = (POKER, FACE_UP, RUMMY)
SEEDS = range(20)
Scene = dict[str, Any]


@cache
def rules_of(game: str, *chosen: tuple[str, str]) -> Ruleset:
    return make_ruleset(game, dict(chosen))


def decision_skills(ruleset: Ruleset) -> list[str]:
    return [skill.code for skill in skills_of(ruleset) if skill.code.startswith("decisions.")]


def scene_of(drill: Drill) -> Scene:
    """The scene as it goes to a browser: everything that a test may look at."""
    found: Scene = json.loads(json.dumps(drill.to_json()))["scene"]
    return found


def seen(scene: Scene, label: str) -> list[int]:
    held = next(hand for hand in scene["hands"] if hand["label"] == label)
    return [parse_cards(card)[0] for card in held["cards"] if card is not None]


def reopened(ruleset: Ruleset, scene: Scene) -> Round:
    """A live round of its own with what the scene shows; what it hides is any other cards."""
    own, up = seen(scene, "Your hand"), seen(scene, "Dealer")
    wagers = {stack["spot"]: stack["cents"] for stack in scene["stacks"]}
    free = [card for card in DECK if card not in (*own, *up)]
    if isinstance(ruleset.game.solver, Showdown):
        hidden = free[: 3 - len(up)]
        deck = [*own, *hidden, *up]
    else:
        wagers |= dict.fromkeys(("war", "poker"), wagers["blackjack"])
        # A hole card that makes no blackjack, or the round would be over.
        hole = next(card for card in free if 2 <= rank_of(card) <= 6)
        deck = [own[0], up[0], own[1], hole, *own[2:]]
    deck += [card for card in DECK if card not in deck]
    table = open_round(ruleset, positions=1)
    table, _ = act(table, c.PlaceBets(1, tuple(wagers.items())))
    size = ruleset.game.packet
    table, _ = act(table, c.LoadShuffle(Shuffle("again", tuple(deck), size)))
    return carry_on(table)


def decided(table: Round, cards: int) -> Round:
    """The round when the hand has so many cards and insurance is past."""
    if table.offer:
        table, _ = act(table, c.CloseOffer("insurance"))
        table = carry_on(table)
    while len(table.seat(1).cards) < cards:
        table, _ = act(table, c.Decide(1, "hit"))
    return table


def values_again(ruleset: Ruleset, drill: Drill) -> tuple[Round, dict[str, Fraction]]:
    scene = scene_of(drill)
    table = reopened(ruleset, scene)
    choices = {choice.value for choice in drill.fields[0].choices}
    if "insurance" in choices:
        return table, {**decision_values(table, 1), "no-insurance": Fraction(0)}
    if not isinstance(ruleset.game.solver, Showdown):
        table = decided(table, len(seen(scene, "Your hand")))
    return table, decision_values(table, 1)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (POKER, ()),
        (POKER, (("pair_plus_after_fold", "stays"), ("tie_rule", "lose"))),
        (FACE_UP, (("face_up_unqualified_play", "win"),)),
        (RUMMY, (("pair_plus_after_fold", "forfeit"), ("ace_in_runs", "wrap"))),
        (BONUS, (("dealer_soft_17", "stand"), ("dealer_natural", "no_peek_all_bets"))),
    ],
)
@pytest.mark.clause("TCP-05", "TCP-13", "TSR-26", "FUP-04", "TSB-09", "TSB-10", "TSB-14")
def test_a_round_of_its_own_gives_every_choice_the_same_cost(
    game: str, options: tuple[tuple[str, str], ...]
) -> None:
    """The scene is dealt anew at a live table, with other hidden cards, and priced there."""
    ruleset = rules_of(game, *options)
    for code in decision_skills(ruleset):
        for seed in SEEDS[:8]:
            drill = make_drill(code, seed, ruleset)
            (field,) = drill.fields
            table, values = values_again(ruleset, drill)
            assert table.phase is Phase.DECISIONS
            assert {choice.value for choice in field.choices} == set(values), (code, seed)
            best = max(values.values())
            assert field.costs == {name: best - value for name, value in values.items()}
            assert min(field.costs.values()) == 0
            if code.endswith("-simple"):
                assert field.answer == basic(table, 1)
            else:
                assert values[str(field.answer)] == best


def test_grading_counts_what_a_choice_costs_and_takes_equals() -> None:
    for game in (POKER, BONUS):
        ruleset = rules_of(game)
        for code in decision_skills(ruleset):
            for seed in range(6):
                drill = make_drill(code, seed, ruleset)
                (field,) = drill.fields
                assert field.costs is not None
                for choice in field.choices:
                    cost = field.costs[choice.value]
                    mark = grade(drill, {"decision": choice.value})
                    assert mark.cost == cost >= 0
                    # Whoever plays best is never wrong, even where the rule of thumb differs.
                    assert mark.right == (cost == 0 or choice.value == field.answer)


def test_close_hands_come_often_and_common_ones_too() -> None:
    ruleset = rules_of(POKER)
    margins = []
    for seed in range(200):
        (field,) = make_drill("decisions.ante-exact", seed, ruleset).fields
        assert field.costs is not None
        margins.append(max(field.costs.values()))
    assert 70 <= sum(margin < Fraction(3, 10) for margin in margins) <= 170
    assert sum(margin > 1 for margin in margins) >= 20
    mean_cost = sum(margins, Fraction(0)) / len(margins)
    # The wrong choice of a hand as it comes costs more than an Ante on average; of close ones less.
    assert Fraction(1, 4) < mean_cost < Fraction(5, 4)


def played_value(game: str, own: list[int], up: list[int]) -> Fraction:
    """What playing is worth, settled against every hand of the dealer by the second opinion."""
    free = [card for card in DECK if card not in (*own, *up)]
    won = cases = 0
    for hidden in combinations(free, 3 - len(up)):
        lines = settle_three_card(
            game,
            player=[card_text(card) for card in own],
            dealer=[card_text(card) for card in (*hidden, *up)],
            bets={"ante": 100},
            decision="play",
        )
        won += sum(line[3] for line in lines)
        cases += 1
    return Fraction(won, cases * 100)


@pytest.mark.parametrize(("game", "hands"), [(FACE_UP, 8), (POKER, 1), (RUMMY, 1)])
def test_costs_are_those_of_settling_every_hand_of_the_dealer(game: str, hands: int) -> None:
    ruleset, found = rules_of(game), 0
    for seed in range(100):
        drill = make_drill("decisions.ante-exact", seed, ruleset)
        scene = scene_of(drill)
        if len(scene["stacks"]) > 1:
            continue
        play = played_value(game, seen(scene, "Your hand"), seen(scene, "Dealer"))
        best = max(play, Fraction(-1))
        assert drill.fields[0].costs == {"play": best - play, "fold": best + 1}
        found += 1
        if found == hands:
            return


@pytest.mark.clause("TSB-09")
def test_blackjack_costs_are_those_of_card_by_card() -> None:
    """Two cards, by a second opinion that carries a belief about the hole card along."""
    ruleset, found = rules_of(BONUS), 0
    for seed in range(200):
        drill = make_drill("decisions.blackjack-exact", seed, ruleset)
        scene = scene_of(drill)
        points = points_of(seen(scene, "Your hand"))
        (up,) = points_of(seen(scene, "Dealer"))
        if sum(points) < 13 or 1 in points:
            # Low hands take the second opinion seconds.
            continue
        oracle, cards = Oracle(up), tuple(sorted(points))
        laws = oracle.laws(cards, oracle.belief(cards))
        values = {name: mean(law) for name, law in laws.items()}
        best = max(values.values())
        assert drill.fields[0].costs == {name: best - value for name, value in values.items()}
        found += 1
        if found == 8:
            return
    pytest.fail("too few hands")


@pytest.mark.clause("TSB-14")
def test_insurance_is_counted_by_the_tens_that_are_left() -> None:
    ruleset = rules_of(BONUS)
    for seed in SEEDS:
        drill = make_drill("decisions.insurance", seed, ruleset)
        scene = scene_of(drill)
        held = sum(8 <= rank_of(card) < ACE for card in seen(scene, "Your hand"))
        loses = Fraction(49 - 3 * (16 - held), 2 * 49)
        assert drill.fields[0].costs == {"insurance": loses, "no-insurance": 0}


def test_all_skills_of_players_are_made_alike_twice_and_stand_in_a_module() -> None:
    for game in codes():
        ruleset = rules_of(game)
        own = [skill.code for skill in skills_of(ruleset) if skill.track == "player"]
        taught = {code for module in modules_of(ruleset) for code in module.skills}
        assert set(own) <= taught
        for code in own:
            for seed in range(3):
                drill = make_drill(code, seed, ruleset)
                assert drill == make_drill(code, seed, ruleset)
                json.dumps(drill.to_json())
                for field in drill.fields:
                    assert field.why
                    assert field.clause is None or clause(field.clause)
    assert {skill.track for skill in SKILLS.values()} == {"dealer", "player"}


# Rules.


@pytest.mark.clause("TCP-02", "TCP-04", "TSR-04", "TSR-05", "FUP-07")
def test_questions_on_hands_are_answered_by_the_second_opinion() -> None:
    for game in THREE_CARD:
        ruleset = rules_of(game)
        for seed in SEEDS:
            drill = make_drill("rules.dealer", seed, ruleset)
            hand = texts(scene_of(drill), "Dealer")
            plays = rummy_points(hand) <= 20 if game == RUMMY else dealer_qualifies(hand)
            assert drill.fields[0].answer == ("yes" if plays else "no"), hand
            drill = make_drill("rules.hand", seed, ruleset)
            hand, answer = texts(scene_of(drill), "Your hand"), drill.fields[0].answer
            if game == RUMMY:
                assert answer == rummy_points(hand)
            else:
                # No table here has a row for a suited A-K-Q, so it is a straight flush.
                found = category(hand)
                assert answer == ("straight_flush" if found == "mini_royal" else found)
            drill = make_drill("rules.better", seed, ruleset)
            own, other = (texts(scene_of(drill), label) for label in ("Your hand", "Dealer"))
            if game == RUMMY:
                order = rummy_points(other) - rummy_points(own)
            else:
                order = (strength(own) > strength(other)) - (strength(own) < strength(other))
            assert drill.fields[0].answer == ("2" if order > 0 else "0" if order else "1")


@pytest.mark.clause("TSB-06", "TSB-09", "TSB-12")
def test_questions_on_cards_of_triple_shot_bonus() -> None:
    for soft_17 in ("hit", "stand"):
        ruleset = rules_of(BONUS, ("dealer_soft_17", soft_17))
        for seed in SEEDS:
            drill = make_drill("rules.draws", seed, ruleset)
            points = points_of(seen(scene_of(drill), "Dealer"))
            soft = total(points) != sum(points)
            draws = total(points) < 17 or (total(points) == 17 and soft and soft_17 == "hit")
            assert drill.fields[0].answer == ("yes" if draws else "no"), points
    ruleset = rules_of(BONUS)
    for seed in SEEDS:
        drill = make_drill("rules.total", seed, ruleset)
        assert drill.fields[0].answer == total(points_of(seen(scene_of(drill), "Your hand")))
        drill = make_drill("rules.war", seed, ruleset)
        ranks = [rank_of(*seen(scene_of(drill), label)) for label in ("You", "Dealer")]
        order = (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])
        assert drill.fields[0].answer == str(order + 1)


def texts(scene: Scene, label: str) -> list[str]:
    return [card_text(card) for card in seen(scene, label)]


def points_of(cards: list[int]) -> tuple[int, ...]:
    return tuple(min(rank_of(card) + 2, 10) if rank_of(card) < ACE else 1 for card in cards)


# Prices.


@cache
def sheet(game: str, **meter: int) -> dict[str, Any]:
    ruleset = rules_of(game)
    chosen: dict[str, str] = {bet: table.code for bet, table in ruleset.paytables.items()}
    found = par(game, None, chosen, meter=meter or None)
    data: dict[str, Any] = json.loads(json.dumps(found.to_json()))
    return data


def row(game: str, bet: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in sheet(game)["bets"] if each["bet"] == bet)
    return found


def cents(edge: Fraction) -> str:
    text = f"{abs(float(edge)) * 100:.2f} cents"
    return f"a gain of {text}" if edge < 0 else text


def answer_label(drill: Drill) -> str:
    field = drill.fields[0]
    return next(choice.label for choice in field.choices if choice.value == field.answer)


NAMES = {
    "Ante": "ante",
    "Pair Plus": "pair-plus",
    "6 Card Bonus": "six-card-bonus",
    "War": "war",
    "Blackjack": "blackjack",
    "Poker": "poker",
    "Hat Trick": "hat-trick",
}


def named(question: str) -> str:
    return next(bet for name, bet in NAMES.items() if f" {name} " in question)


@pytest.mark.parametrize("game", codes())
@pytest.mark.clause("TCP-25", "TSR-37", "FUP-10", "TSB-26")
def test_prices_are_those_of_the_sheet(game: str) -> None:
    ruleset = rules_of(game)
    every = [each for each in par(game).to_json()["bets"] if "house_edge" in each]
    for seed in SEEDS:
        cheapest = make_drill("prices.cheapest", seed, ruleset).fields[0]
        assert cheapest.costs is not None
        if cheapest.name == "bet":
            edges = {bet: Fraction(row(game, bet)["house_edge"]) for bet in cheapest.costs}
        else:
            question = make_drill("prices.cheapest", seed, ruleset).question
            bet = next(bet for name, bet in NAMES.items() if f"pay {name} by" in question)
            edges = {r["paytable"]: Fraction(r["house_edge"]) for r in every if r["bet"] == bet}
            edges = {code: edges[code] for code in cheapest.costs}
        assert edges[str(cheapest.answer)] == min(edges.values())

        cost = make_drill("prices.cost", seed, ruleset)
        edge = Fraction(row(game, named(cost.question))["house_edge"])
        assert answer_label(cost) == cents(edge)
        assert len({choice.label for choice in cost.fields[0].choices}) >= 3

        often = make_drill("prices.how-often", seed, ruleset)
        found = row(game, named(often.question))
        share = Fraction(found["hit_frequency"])
        if " pay " in often.question:
            pays = often.question.split(" pay ")[1].rstrip("?").replace(",", "")
            net = Fraction(*(int(part) for part in pays.split(" to ")))
            share = Fraction(dict(found["distribution"])[str(net)])
        rounds = float(1 / share)
        told = f"{rounds:.1f}" if rounds < 100 else f"{rounds:,.0f}"
        assert answer_label(often) == f"once in {told} rounds"


@pytest.mark.parametrize("game", [POKER, BONUS])
def test_an_hour_costs_what_the_whole_game_says(game: str) -> None:
    ruleset = rules_of(game)
    for seed in range(1):
        drill = make_drill("prices.hour", seed, ruleset)
        scene = scene_of(drill)
        wagers = {stack["spot"]: stack["cents"] for stack in scene["stacks"]}
        pace = int(dict(scene["facts"])["Rounds an hour"])
        chosen: dict[str, str] = {bet: table.code for bet, table in ruleset.paytables.items()}
        whole = par(game, None, chosen, bets=wagers).to_json()["whole_game"]["house_edge"]
        hour = Fraction(whole) * sum(wagers.values()) * pace
        told = dollars_text(abs(round(hour)))
        assert answer_label(drill) == (f"a gain of {told}" if hour < 0 else told)


@pytest.mark.clause("TSB-26")
def test_bets_that_hang_together_are_not_multiplied() -> None:
    ruleset = rules_of(BONUS)
    joint = sheet(BONUS)["joint"]
    asked = {
        "War and Blackjack": "war_and_blackjack",
        "War and Poker": "war_and_poker",
        "Blackjack and Poker": "blackjack_and_poker",
        "War and Blackjack and Poker": "hat_trick_probability",
    }
    met = set()
    for seed in SEEDS:
        drill = make_drill("prices.joint", seed, ruleset)
        legs = drill.question.removeprefix("How often is none of ").removesuffix(" lost?")
        assert answer_label(drill) == f"{float(Fraction(joint[asked[legs]])):.3%}"
        if asked[legs] == "hat_trick_probability":
            product = f"{float(Fraction(joint['product_of_marginals'])):.3%}"
            assert product in drill.fields[0].why
            assert product in {choice.label for choice in drill.fields[0].choices}
        met.add(legs)
    assert met == set(asked)


def test_to_one_and_for_one() -> None:
    ruleset = rules_of(POKER)
    met = set()
    for seed in SEEDS:
        drill = make_drill("prices.to-or-for", seed, ruleset)
        to, for_, more = drill.fields
        wager = scene_of(drill)["stacks"][0]["cents"]
        on_top, with_it = (
            int(field.label.removeprefix("Ahead with ").split(" ")[0].replace(",", ""))
            for field in (to, for_)
        )
        assert (to.answer, for_.answer) == (on_top * wager, (with_it - 1) * wager)
        assert more.answer == (
            "to" if on_top >= with_it else "same" if on_top + 1 == with_it else "for"
        )
        met.add(more.answer)
    assert met == {"to", "same", "for"}


# Meters.


@cache
def progressive_figures(game: str, *chosen: tuple[str, str]) -> dict[str, Any]:
    ruleset = rules_of(game, *chosen)
    code = ruleset.paytables["progressive"].code
    found: dict[str, Any] = par(game, ruleset.options, {"progressive": code}).to_json()["bets"][-1]
    if ruleset.options.folded_hand_progressive == "not_eligible":
        found = found["if_folded_not_eligible"][game]
    return found


def edge_at(game: str, meters: Mapping[str, Fraction], *chosen: tuple[str, str]) -> Fraction:
    """The edge of a dollar, from the figures of the sheet for a table where a fold gives it up."""
    found = progressive_figures(game, *chosen)
    edge = 1 - Fraction(found["fixed_return"])
    for level, amount in meters.items():
        edge -= Fraction(found["meter_coefficients"][level]) * amount
    return edge


def amount(text: str) -> Fraction:
    return Fraction(text.replace("$", "").replace(",", ""))


METERS = [
    (POKER, ()),
    (RUMMY, (("folded_hand_progressive", "eligible"), ("progressive_paytable", "2"))),
    (FACE_UP, (("progressive_paytable", "ML03"),)),
]


@pytest.mark.parametrize(("game", "chosen"), METERS)
@pytest.mark.clause("PGM-19", "PNX-19", "PML-12")
def test_meters_are_worth_what_the_sheet_says(
    game: str, chosen: tuple[tuple[str, str], ...]
) -> None:
    ruleset = rules_of(game, *chosen)
    levels: dict[str, str] = {
        level: "Meter" if level == "single" else f"{level.title()} meter"
        for level in ruleset.paytables["progressive"].levels
    }
    first = next(iter(levels))
    met = set()
    for seed in range(25):
        drill = make_drill("meters.better", seed, ruleset)
        facts = dict(scene_of(drill)["facts"])
        meters = {level: amount(facts[name]) for level, name in levels.items()}
        edge = edge_at(game, meters, *chosen)
        assert drill.fields[0].answer == ("worse" if edge > 0 else "better" if edge else "even")
        met.add(drill.fields[0].answer)
        drill = make_drill("meters.cost", seed, ruleset)
        facts = dict(scene_of(drill)["facts"])
        meters = {level: amount(facts[name]) for level, name in levels.items()}
        assert answer_label(drill) == cents(edge_at(game, meters, *chosen))
        drill = make_drill("meters.fair", seed, ruleset)
        facts = dict(scene_of(drill)["facts"])
        others = {level: amount(facts[name]) for level, name in levels.items() if level != first}
        fair = {**others, first: amount(answer_label(drill))}
        # The label is rounded to a cent.
        assert abs(edge_at(game, fair, *chosen)) < Fraction(1, 10**6)
    assert met == {"worse", "better"}


@pytest.mark.parametrize(("game", "chosen"), METERS)
@pytest.mark.clause("PGM-17", "PNX-17", "PML-13")
def test_what_a_screen_multiplies_is_the_edge_of_the_sheet(
    game: str, chosen: tuple[tuple[str, str], ...]
) -> None:
    ruleset = rules_of(game, *chosen)
    points = json.loads(json.dumps(meter_points(ruleset)))
    for dollars in (0, 777, 25_000):
        meters = {each["level"]: Fraction(dollars) for each in points["levels"]}
        told = points["empty"] - sum(each["per_dollar"] * dollars for each in points["levels"])
        assert told == pytest.approx(float(edge_at(game, meters, *chosen)), abs=1e-12)
    fair = {e["level"]: Fraction(e["fair_part_cents"], 100) for e in points["levels"]}
    assert abs(edge_at(game, fair, *chosen)) < Fraction(1, 10**5)
    for seed in range(5):
        drill = make_drill("meters.envy", seed, ruleset)
        others = int(drill.question.split(": ")[1].split(".")[0])
        assert answer_label(drill) == f"{points['envy'] * others * 100:.3f} cents"
    assert meter_points(rules_of(BONUS)) is None


# Lessons.


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (POKER, ()),
        (FACE_UP, (("progressive_paytable", "01"),)),
        (RUMMY, ()),
        (BONUS, ()),
    ],
)
@pytest.mark.clause("CMP-18", "TCP-22", "TSR-29", "TSB-21", "FUP-06")
def test_examples_are_settled_from_what_the_lesson_says(
    game: str, options: tuple[tuple[str, str], ...]
) -> None:
    ruleset = rules_of(game, *options)
    lessons = lessons_of(ruleset)
    codes = [lesson.code for lesson in lessons]
    assert len(set(codes)) == len(codes) >= 9
    assert codes[0] == "hands"
    assert codes[-1] == "responsible"
    examples = 0
    for lesson in lessons:
        data = json.loads(json.dumps(lesson.to_json()))
        assert data["sentences"]
        assert all(text.endswith(".") for text in data["sentences"]), data["sentences"]
        assert data["clauses"]
        for known in data["clauses"]:
            assert clause(known)
        for check in data["checks"]:
            made = make_drill(check["skill"], check["seed"], ruleset)
            assert SKILLS[made.skill].track == "player"
        if data["example"] is None:
            continue
        examples += 1
        seat = dict(data["example"]["seat"])
        again = settle(seat.pop("game"), **seat).to_json()
        lines = [
            {k: v for k, v in each.items() if k != "name"} for each in data["example"]["lines"]
        ]
        assert lines == again["lines"]
        assert data["example"]["net"] == again["net"]
        assert data["example"]["hands"][1]["cards"] == again["dealer"]
    assert examples >= 7


def told(game: str, *options: tuple[str, str]) -> dict[str, str]:
    """What each lesson says, its table and settled lines too."""
    return {
        lesson.code: json.dumps(lesson.to_json(), sort_keys=True)
        for lesson in lessons_of(rules_of(game, *options))
    }


@pytest.mark.parametrize(
    ("game", "option", "changes"),
    [
        (POKER, ("tie_rule", "lose"), {"settling"}),
        (POKER, ("pair_plus_after_fold", "stays"), {"decision", "pair-plus"}),
        (POKER, ("award_profile", "game_manager"), {"progressive"}),
        (POKER, ("folded_hand_progressive", "eligible"), {"progressive"}),
        (POKER, ("ante_mandatory", "on"), {"bets"}),
        (POKER, ("table_minimum", "ante=15"), {"bets"}),
    ],
)
def test_lessons_follow_the_options(game: str, option: tuple[str, str], changes: set[str]) -> None:
    usual, other = told(game), told(game, option)
    assert set(usual) == set(other)
    # Examples carry all options, so only what is said is compared.
    said = {
        code
        for code in usual
        if json.loads(usual[code])["sentences"] != json.loads(other[code])["sentences"]
        or json.loads(usual[code])["pays"] != json.loads(other[code])["pays"]
    }
    assert changes <= said
    assert "hands" not in said


def test_the_help_line_and_the_honest_price_are_said() -> None:
    lessons = {lesson.code: lesson for lesson in lessons_of(rules_of(POKER))}
    assert "help" in " ".join(lessons["responsible"].sentences)
    edge = Fraction(row(POKER, "pair-plus")["house_edge"])
    assert cents(edge) in " ".join(lessons["pair-plus"].sentences)


def test_where_the_fixed_pays_give_back_more_than_the_wager_no_meter_is_fair() -> None:
    rules = make_ruleset(POKER, {}, {"progressive": "1:straight_flush=9999"})
    with pytest.raises(Refused, match="costs nothing with empty meters"):
        make_drill("meters.fair", 0, rules)
    assert make_drill("meters.better", 0, rules).fields[0].answer == "better"
    [lesson] = (one for one in make_lessons(rules) if one["code"] == "progressive")
    assert {check["skill"] for check in lesson["checks"]} == {"meters.better", "meters.envy"}


def test_a_lesson_is_told_without_an_example_that_hardly_ever_comes() -> None:
    """Of a progressive that pays a royal flush and nothing else none is dealt in a lifetime."""
    others = [
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
        "straight",
        "three_of_a_kind",
    ]
    code = f"01:{','.join(f'{hand}=none' for hand in others)}"
    lessons = lessons_of(make_ruleset(POKER, {}, {"progressive": code}))
    [lesson] = (one for one in lessons if one.code == "progressive")
    assert lesson.example is None
    assert lesson.to_json()["example"] is None
