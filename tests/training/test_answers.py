"""Answers that are no pays, found again the long way from what a screen is sent."""

import json
import re
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from houseway import settle
from houseway.training.skills import make_drill
from tests.oracles import five_cards, three_cards
from tests.training.test_drills import (
    BONUS,
    FACE_UP,
    HOUSES,
    RUMMY,
    TCP,
    House,
    Told,
    beside,
    hand,
    hands_labelled,
    named,
    rest_of,
    rules,
)

SEEDS = range(40)
THREE_CARD = [house for house in HOUSES if house[0] != BONUS]


def drills(house: House, skill: str, seeds: range = SEEDS) -> list[tuple[Told, dict[str, Any]]]:
    ruleset = rules(house)
    found = []
    for seed in seeds:
        drill = make_drill(skill, seed, ruleset)
        answers = {field.name: field.answer for field in drill.fields}
        found.append((json.loads(json.dumps(drill.to_json())), answers))
    return found


def facts(told: Told) -> dict[str, str]:
    return dict(told["scene"]["facts"])


def numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


def strength(house: House, cards: list[str]) -> tuple[int, ...]:
    """What compares, the higher the better: poker strength, or points turned round."""
    if house[0] == RUMMY:
        return (-three_cards.rummy_points(cards),)
    return three_cards.strength(cards)


@pytest.mark.clause("TCP-02", "TCP-03", "TSR-04")
@pytest.mark.parametrize("house", THREE_CARD[:3], ids=named)
def test_hands_are_named_compared_and_put_in_order(house: House) -> None:
    for told, answers in drills(house, "hands.name"):
        found = three_cards.category(hand(told, "Player"))
        # No table of these houses has a row for a suited A-K-Q, so it is a straight flush.
        assert answers == {"hand": "straight_flush" if found == "mini_royal" else found}
    for told, answers in drills(house, "hands.compare"):
        player, dealer = (strength(house, hand(told, who)) for who in ("Player", "Dealer"))
        wins = "tie" if player == dealer else "player" if player > dealer else "dealer"
        assert answers == {"better": wins}
    for told, answers in drills(house, "hands.rank"):
        held = {name: strength(house, hand(told, f"Hand {name}")) for name in "ABCD"}
        assert answers == {"order": tuple(sorted(held, key=held.__getitem__, reverse=True))}


@pytest.mark.clause("TCP-04", "TSR-03", "TSR-05")
def test_dealers_play_and_points_are_counted() -> None:
    for house in THREE_CARD[:3]:
        for told, answers in drills(house, "hands.qualifies"):
            cards = hand(told, "Dealer")
            plays = (
                three_cards.rummy_points(cards) <= 20
                if house[0] == RUMMY
                else three_cards.dealer_qualifies(cards)
            )
            assert answers == {"plays": "yes" if plays else "no"}
        for told, answers in drills(house, "words.dealer"):
            said = {c["value"]: c["label"] for c in told["fields"][1]["choices"]}[answers["say"]]
            assert ("doesn't" in said) is (answers["plays"] == "no")
    for told, answers in drills((RUMMY, {}, {}), "hands.points"):
        assert answers == {"points": three_cards.rummy_points(hand(told, "Player"))}
    wrapped: House = (RUMMY, {"ace_in_runs": "wrap"}, {})
    for told, answers in drills(wrapped, "hands.points"):
        points = three_cards.rummy_points(hand(told, "Player"), ace_in_runs="wrap")
        assert answers == {"points": points}


FIVE = {"low_pair": "pair", "jacks_or_better": "pair", "royal_flush": "straight_flush"}


@pytest.mark.clause("TSB-18", "SCB-02")
def test_the_best_five_of_six_leave_out_the_right_card() -> None:
    for house in HOUSES[:4]:
        for told, answers in drills(house, "hands.best-five", range(20)):
            six = [card for held in told["scene"]["hands"] for card in held["cards"]]
            best = max(combinations(six, 5), key=lambda five: five_cards.strength5(list(five)))
            assert {answers["out"]} == set(six) - set(best)
            kind = five_cards.category5(list(best))
            found = answers["hand"]
            assert FIVE.get(kind, kind) == FIVE.get(found, found)


def test_blackjack_totals_are_added_up() -> None:
    for told, answers in drills((BONUS, {}, {}), "hands.total"):
        cards = hand(told, "Player")
        points = sum(1 if c[0] == "A" else 10 if c[0] in "TJQK" else int(c[0]) for c in cards)
        soft = any(c[0] == "A" for c in cards) and points + 10 <= 21
        assert answers["total"] == points + 10 * soft
        if points > 21:
            assert answers["status"] == "bust"
        elif len(cards) == 2 and answers["total"] == 21:
            assert answers["status"] == "natural"
        elif len(cards) == 6:
            assert answers["status"] == "six_cards"
        else:
            assert answers["status"] == "open"


@pytest.mark.clause("ACE-03", "PML-09")
@pytest.mark.parametrize("source", ["next_packet", "flushed"])
def test_a_link_that_is_lit_may_need_a_packet_more(source: str) -> None:
    house: House = (FACE_UP, {"community_source": source}, {"progressive": "ML01"})
    lit = 0
    for told, answers in drills(house, "shuffler.packets"):
        linked = "The link is lit at" in facts(told)
        lit += linked
        more = 2 if linked and source == "next_packet" else 1
        assert answers == {"size": 3, "packets": len(numbers(facts(told)["Bets at"])) + more}
    assert 0 < lit < len(SEEDS)


@pytest.mark.clause("TSR-24", "TSR-28", "TCP-18", "TCP-22", "TSB-05", "TSB-07")
@pytest.mark.parametrize("house", HOUSES[:4], ids=named)
def test_cards_go_left_to_right_and_chips_right_to_left(house: House) -> None:
    for told, answers in drills(house, "order.deal", range(12)):
        positions = sorted(numbers(facts(told)["Bets at"]))
        assert answers == {"order": (*map(str, positions), "0")}
    for told, answers in drills(house, "order.settle", range(12)):
        labels = [h["label"] for h in told["scene"]["hands"] if h["label"].startswith("Position")]
        positions = sorted((numbers(label)[0] for label in labels), reverse=True)
        assert answers == {"order": tuple(map(str, positions))}


@pytest.mark.clause("TSR-29", "TCP-22", "TSB-21")
def test_wagers_are_settled_from_the_back_to_the_front() -> None:
    printed = {
        TCP: ("play", "ante-bonus", "ante", "pair-plus", "six-card-bonus"),
        FACE_UP: ("play", "ante", "pair-plus", "six-card-bonus"),
        RUMMY: ("play", "ante", "pair-plus", "six-card-bonus"),
        BONUS: ("war", "blackjack", "poker", "hat-trick"),
    }
    for game, order in printed.items():
        for told, answers in drills((game, {}, {}), "order.wagers", range(12)):
            made = {stack["spot"] for stack in told["scene"]["stacks"]} | {"play", "ante-bonus"}
            assert answers["order"] == tuple(bet for bet in order if bet in made)


@pytest.mark.clause("TSR-23", "TCP-17")
def test_those_without_pair_plus_are_named() -> None:
    for house in THREE_CARD[:3]:
        for told, answers in drills(house, "words.no-pair-plus"):
            without = [name for name, bets in facts(told).items() if "Pair Plus" not in bets]
            wanted = tuple(name.split()[1] for name in without) or ("nobody",)
            assert answers == {"positions": wanted}


@pytest.mark.clause("PGM-04", "PGM-10", "PNX-11", "PML-05", "PML-11", "PRC-05")
@pytest.mark.parametrize(
    "house",
    [
        (TCP, {}, {}),
        (TCP, {"award_profile": "game_manager"}, {}),
        (TCP, {}, {"progressive": "01"}),
        (RUMMY, {}, {"progressive": "ML01"}),
        (FACE_UP, {"meter_seed": "mega=1000,major=500,minor=50"}, {"progressive": "ML03"}),
    ],
    ids=str,
)
def test_meters_are_paid_from_the_right_and_start_again_from_seed_and_reserve(
    house: House,
) -> None:
    """Each hand settled on what the one before it left, with fractions of a cent kept."""
    several = 0
    for told, answers in drills(house, "keypad.meters", range(25)):
        known = facts(told)
        levels = [name for name in known if name.endswith("eter")]
        meter = {level(name): dollars(known[name]) for name in levels}
        seed = {each: dollars(known[f"Seed{of(each)}"]) for each in meter}
        reserve = {each: dollars(known[f"Reserve{of(each)}"]) for each in meter}
        wager = int(dollars(known["Each progressive wager"]) * 100)
        community = hands_labelled(told, "Community")
        held = {
            numbers(h["label"])[0]: h["cards"]
            for h in told["scene"]["hands"]
            if h["label"].startswith("Position")
        }
        order = sorted(held, reverse=True)
        wanted: dict[str, Any] = {"order": tuple(map(str, order))} if len(order) > 1 else {}
        several += len(order) > 1
        hit = set()
        for position in order:
            cards = held[position]
            line = settle(
                house[0],
                options=house[1],
                paytables=house[2],
                player=cards,
                dealer=rest_of(cards, *community)[:3],
                bets=beside({"progressive": wager}, "ante"),
                meter={each: int(amount * 100) for each, amount in meter.items()},
                **({"community": community[0]} if community else {}),  # type: ignore[arg-type]
            ).lines[-1]
            share, whose = re.search(r"([\d.]+)% of (the meter|\w+)", line.why).groups()  # type: ignore[union-attr]
            each = "single" if whose == "the meter" else whose.lower()
            paid = line.net + line.wager
            wanted[f"pay-{position}"] = paid
            meter[each] -= Fraction(paid, 100)
            if share == "100":
                meter[each] += seed[each] + reserve[each]
                reserve[each] = Fraction(0)
            hit.add(each)
        wanted |= {f"after-{each}": int(meter[each] * 100) for each in hit}
        assert answers == wanted
    assert several > 0 or "progressive" not in house[2]


def dollars(text: str) -> Fraction:
    return Fraction(text.replace("$", "").replace(",", ""))


def level(name: str) -> str:
    return "single" if name == "Meter" else name.split()[0].lower()


def of(each: str) -> str:
    return "" if each == "single" else f" of {each.title()}"


@pytest.mark.clause("PGM-11", "PGM-13", "PGM-14", "PNX-12", "PNX-14", "PML-11", "PML-14")
@pytest.mark.parametrize(
    ("options", "code", "steps"),
    [
        ({"award_profile": "game_manager"}, "1", ("hand", "call", "jph", "jpot", "run")),
        ({"award_profile": "nexus"}, "1", ("spot", "hand", "call", "confirm")),
        ({"award_profile": "multi_link"}, "ML01", ("spot", "hand", "call", "confirm")),
    ],
)
def test_each_system_has_its_own_keys(
    options: dict[str, str], code: str, steps: tuple[str, ...]
) -> None:
    house = (TCP, options, {"progressive": code})
    for _, answers in drills(house, "keypad.sequence", range(6)):
        assert answers == {"order": steps}
    start = "COIN IN" if options["award_profile"] == "game_manager" else "START GAME"
    for told, answers in drills(house, "keypad.start", range(6)):
        assert answers["key"] == start
        assert sorted(map(int, answers["taken"])) == numbers(facts(told)["Lit"])
    again = "hand" if options["award_profile"] == "game_manager" else "spot-hand"
    for told, answers in drills(house, "keypad.back-out", range(12)):
        recorded = "the record is made" in told["question"]
        assert answers == {"way": "adjust" if recorded else again}


@pytest.mark.clause("PNX-14", "PGM-13")
def test_the_amount_decides_whose_card_is_enough() -> None:
    for house in THREE_CARD:
        for told, answers in drills(house, "keypad.card", range(12)):
            known = facts(told)
            # Game Manager knows the supervisor's key only, whatever the amount.
            limit = known.get("An executive is needed from")
            assert (limit is None) == (known["System"] == "Game Manager")
            large = limit is not None and dollars(known["The award"]) >= dollars(limit)
            assert answers == {"role": "executive" if large else "supervisor"}


@pytest.mark.clause("TSR-31", "TCP-23")
def test_one_wrong_number_of_cards_makes_all_hands_void() -> None:
    for house in HOUSES[:4]:
        for told, answers in drills(house, "irregularities.count", range(20)):
            wrong = [
                h["label"]
                for h in told["scene"]["hands"]
                if len(h["cards"]) != (1 if house[0] == BONUS else 3)
            ]
            place = "none" if not wrong else "0" if "dealer" in wrong[0] else wrong[0].split()[1]
            assert answers == {"place": place, "follows": "void" if wrong else "on"}


@pytest.mark.clause("TSR-31", "TCP-23")
@pytest.mark.parametrize("option", ["refund", "carry_to_next_round"])
def test_a_void_round_gives_back_what_lies_there_and_what_was_taken_in(option: str) -> None:
    lit = 0
    for game in (TCP, FACE_UP, RUMMY, BONUS):
        house: House = (game, {} if game == BONUS else {"void_progressive": option}, {})
        for told, answers in drills(house, "irregularities.void", range(20)):
            (position,) = numbers(told["question"])
            back = sum(s["cents"] for s in told["scene"]["stacks"] if s["position"] == position)
            taken = re.search(
                rf"position {position} (\$[\d.,]+\d)", facts(told).get("Progressive bets", "")
            )
            wanted: dict[str, Any] = {"back": back}
            if taken:
                lit += 1
                carried = option == "carry_to_next_round"
                wanted["progressive"] = "carried" if carried else "back"
                wanted["back"] += 0 if carried else int(dollars(taken[1]) * 100)
            assert answers == wanted
    assert lit > 5


@pytest.mark.clause("PGM-18", "PNX-18", "PML-16")
def test_envy_is_paid_when_every_hand_is_settled() -> None:
    for house in THREE_CARD:
        for told, answers in drills(house, "envy.when", range(10)):
            known = facts(told)
            playing = re.findall(r"position (\d):", known["Decisions"])
            through = re.findall(r"\d", known["Settled already"])
            assert answers == {"may": "yes" if playing == through else "no"}


@pytest.mark.clause("PGM-17", "PNX-17", "PML-16", "PML-17")
def test_envy_goes_to_every_other_lit_position() -> None:
    houses: tuple[House, ...] = ((TCP, {}, {}), (RUMMY, {}, {"progressive": "01"}))
    for house in houses:
        for told, answers in drills(house, "envy.who", range(15)):
            known = facts(told)
            winner = numbers(known["The hand"])[-1]
            lit = [p for p in numbers(known["Lit"]) if p != winner]
            assert sorted(map(int, answers["positions"])) == lit


@pytest.mark.clause("TSR-15", "TCP-13", "TSR-16", "SCB-03")
def test_a_fold_costs_pair_plus_in_three_card_poker_alone() -> None:
    for game in (TCP, FACE_UP, RUMMY):
        for told, answers in drills((game, {}, {}), "exceptions.fold", range(20)):
            made = [stack["spot"] for stack in told["scene"]["stacks"]]
            keep = {"six-card-bonus"} if game == TCP else {"six-card-bonus", "pair-plus"}
            stays = tuple(bet for bet in made if bet in keep)
            assert answers == {
                "stay": stays or ("none",),
                "cards": "tucked" if stays else "taken",
            }


@pytest.mark.clause("TSR-25", "TCP-18", "TSB-08", "FUP-03")
@pytest.mark.parametrize("house", HOUSES[:4], ids=named)
def test_a_card_face_down_is_its_players_alone(house: House) -> None:
    for told, answers in drills(house, "protection.cards", range(20)):
        number, place = re.match(
            r"Card (\d) of (the dealer|position \d)", told["question"]
        ).groups()  # type: ignore[union-attr]
        label = "Dealer" if place == "the dealer" else place.capitalize()
        cards = next(h["cards"] for h in told["scene"]["hands"] if h["label"].startswith(label))
        choices = {choice["value"] for choice in told["fields"][0]["choices"]}
        up = cards[int(number) - 1] is not None
        own = {"own"} if label != "Dealer" else {"nobody"}
        assert set(answers["see"]) == (choices - {"nobody"} if up else own)


@pytest.mark.clause("TSR-25", "TCP-18")
@pytest.mark.parametrize("house", [HOUSES[0], HOUSES[2], HOUSES[3]], ids=named)
def test_exactly_one_pay_is_wrong(house: House) -> None:
    """Each position settled by itself: one was paid something else, and that is named."""
    bet = "poker" if house[0] == BONUS else "pair-plus"
    for told, answers in drills(house, "protection.mispay", range(20)):
        due = {}
        for stack in told["scene"]["stacks"]:
            (cards,) = hands_labelled(told, f"Position {stack['position']}")
            due[stack["position"]] = net_of(house, bet, cards, stack["cents"])
        paid = {
            numbers(name)[0]: int(dollars(text) * 100)
            for name, text in facts(told).items()
            if name.startswith("Paid")
        }
        wrong = [position for position in due if due[position] != paid[position]]
        assert wrong == [int(answers["position"])]
        assert answers["due"] == due[wrong[0]]


def net_of(house: House, bet: str, cards: list[str], cents: int) -> int:
    rest = rest_of(cards)
    if bet == "pair-plus":
        bets = beside({bet: cents}, "ante")
        found = settle(house[0], player=cards, dealer=rest[:3], bets=bets)
    else:
        tens = [card for card in rest if card[0] in "TJQK"][:2]
        others = [card for card in rest if card not in tens]
        deck = [cards[0], tens[0], cards[1], tens[1], *cards[2:], *others]
        bets = beside({bet: cents}, "war", "blackjack", "poker")
        found = settle(house[0], deck=deck, decisions=[], bets=bets)
    return max(0, next(line.net for line in found.lines if line.bet == bet))


def test_no_choice_is_as_right_as_the_answer() -> None:
    """A place is dealt to in one way only, and open betting has one sentence to end it."""
    for seed in range(60):
        (field,) = make_drill("order.next", seed, rules(HOUSES[3])).fields
        deals = [c.label.split()[2] for c in field.choices if c.label.startswith("Deal position")]
        right = next(c.label for c in field.choices if c.value == field.answer)
        if right.startswith("Deal position"):
            assert deals.count(right.split()[2]) == 1, seed
        for house in HOUSES[:4]:
            (field,) = make_drill("words.now", seed, rules(house)).fields
            right = next(c.label for c in field.choices if c.value == field.answer)
            if right.startswith("No more bets"):
                assert "Place your bets." not in {c.label for c in field.choices}, seed


@pytest.mark.clause("TCP-02")
def test_a_suited_ace_king_queen_has_a_name_of_its_own_where_it_is_paid_so() -> None:
    for code, known in (("A", False), ("A:mini_royal=50", True)):
        seen = 0
        for told, answers in drills((TCP, {}, {"pair-plus": code}), "hands.name"):
            choices = {choice["value"] for choice in told["fields"][0]["choices"]}
            assert ("mini_royal" in choices) == known
            (cards,) = (held["cards"] for held in told["scene"]["hands"])
            if {card[0] for card in cards} == {*"AKQ"} and len({card[1] for card in cards}) == 1:
                assert answers["hand"] == ("mini_royal" if known else "straight_flush")
                seen += 1
        assert seen


@pytest.mark.clause("TSB-14")
def test_insurance_lies_on_the_table_where_it_is_asked_for() -> None:
    house, seen = rules(HOUSES[3]), 0
    for seed in range(80):
        drill = make_drill("payouts.blackjack", seed, house)
        asked = any(field.name == "insurance" for field in drill.fields)
        assert asked == ("Insurance" in dict(drill.scene.facts))
        seen += asked
    assert seen
