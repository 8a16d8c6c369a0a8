"""Keypad: the keys of the progressive, in the order and with the cards that its system asks for.

The three systems are one machine with three profiles; which keys work when is the floor's model.
"""

from random import Random
from typing import TYPE_CHECKING, Any

from houseway.cards import ACE, KING, QUEEN, make_card
from houseway.floor import accounts
from houseway.floor.camera import ON_CAMERA, large_pays
from houseway.floor.profile import GAME_MANAGER, LINK, NEXUS
from houseway.games.progressive import (
    by_system,
    folded_player_earns_envy,
    judge,
    own_other_hand_earns_envy,
)
from houseway.house.meters import MICROCENTS
from houseway.house.money import MeterShare, Odds, dollars_text
from houseway.house.paytables import PayTable
from houseway.live import commands as c
from houseway.live.phases import Phase
from houseway.live.progressive import claimed, unpaid_envy
from houseway.live.round import act, refusal
from houseway.live.state import Round, open_round
from houseway.live.text import command_text
from houseway.refusal import Refused
from houseway.rules.ruleset import Ruleset
from houseway.training.console import LINK as LINK_NAME
from houseway.training.console import Console, some_console
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.felt import (
    FEW,
    places,
    position_choices,
    sentence,
    some_wager,
    some_wagers,
)
from houseway.training.marks import choice_field, known_clause, yes_field
from houseway.training.packs import Three
from houseway.training.rounds import round_scene, some_positions, stacked, states
from houseway.training.seats import meter_facts, some_triggers, suited_board
from houseway.training.skill import Question, Skill, has_envy, three_card

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS = tuple(
    dict.fromkeys(
        key for profile in (GAME_MANAGER, NEXUS, LINK) for key in (profile.start, profile.end)
    )
)
ROLES = (
    Choice("dealer", "the dealer's"),
    Choice("supervisor", "a supervisor's"),
    Choice("executive", "an executive's"),
)
STEPS = {
    "spot": "choose the spot",
    "hand": "press the hand",
    "call": "call a supervisor",
    "jph": "the key is turned to JPH",
    "jpot": "J-POT is pressed",
    "run": "the key is turned back to RUN",
    "confirm": "confirm is pressed and a card is swiped",
}
"""What may be done from a win to its record, in the order of the procedures."""


def _facts(console: Console) -> list[tuple[str, str]]:
    names = meter_facts(dict.fromkeys(console.paytable.levels, 0))
    amounts = [
        accounts.meter_of(console.state, LINK_NAME, level).amount
        for level in console.paytable.levels
    ]
    shown = [(name, exact_text(units)) for name, units in zip(names, amounts, strict=True)]
    return [("System", console.profile.name), *shown]


def exact_text(units: int) -> str:
    """Millionths of a cent in dollars, with what is held below a cent where something is."""
    part = f"{units % MICROCENTS:06d}".rstrip("0")
    return f"{dollars_text(units // MICROCENTS)}{part}"


def _hand_name(hand: int, paytable: PayTable) -> str:
    return paytable.name_of(hand)


def _spaced(name: str) -> str:
    return name.replace("_", " ").replace("akq", "A-K-Q")


def meter_hand(paytable: PayTable, *, whole: bool = True) -> int:
    """A hand that is paid a share of a meter: the whole of one, or the least share."""
    shares = {h: odds for h, odds in paytable.pays.items() if isinstance(odds, MeterShare)}
    pick = max if whole else min
    return pick(shares, key=lambda hand: (shares[hand].share, hand))


def _won(rng: Random, ruleset: Ruleset) -> tuple[Console, int, str, tuple[int, ...]]:
    """A console with every hand settled, and one position that holds a hand of a meter."""
    console = some_console(rng, ruleset)
    positions = some_positions(rng, 2, 5)
    winner = rng.choice(positions)
    wager = some_wager(rng, ruleset, "progressive", (1,))
    console.bet(rng, dict.fromkeys(positions, wager))
    console.start()
    hand = meter_hand(console.paytable, whole=rng.random() < 0.7)
    community, cards = _cards_of(rng, console.paytable, hand)
    console.deal(stacked(rng, ruleset, positions, {winner: cards}, community))
    return console, winner, _hand_name(hand, console.paytable), positions


def _cards_of(rng: Random, paytable: PayTable, hand: int) -> tuple[tuple[int, ...], Three]:
    """Community cards, where the table has them, and three cards that make a hand."""
    if paytable.community:
        community, threes = suited_board(rng, paytable, {hand}, 1)
        return community, threes[0]
    paid = [three for three in map(_top, range(4)) if judge(three, (), paytable) == hand]
    return (), rng.choice(paid)


def start(rng: Random, ruleset: Ruleset) -> Question:
    """Which key takes the progressive wagers, and whose are then taken in."""
    console = some_console(rng, ruleset)
    lit = some_positions(rng, 1, 5)
    every = sorted({*lit, *some_positions(rng, 2, 4)})
    wagers = {position: some_wager(rng, ruleset, "progressive", FEW) for position in lit}
    console.bet(rng, wagers)
    taken = console.start()
    key = console.profile.start
    return Question(
        question="All have bet, and no card is out. Which key do you press, and from which "
        "positions do you take in the progressive bets then?",
        scene=Scene(
            facts=(
                ("System", console.profile.name),
                ("Bets at", places(every)),
                ("Lit", places(lit)),
            )
        ),
        fields=(
            choice_field(
                "key",
                "The key",
                key,
                [Choice(each, each) for each in rng.sample(KEYS, len(KEYS))],
                f"On {console.profile.name} it is {key}; it counts the lit wagers once.",
                console.profile.start_clause,
            ),
            Field(
                name="taken",
                label="Progressive bets are taken in from",
                kind="several",
                answer=tuple(map(str, taken)),
                why="From every lit position, and from no other.",
                clause=console.profile.start_clause,
                choices=position_choices(every),
            ),
        ),
    )


def lights(rng: Random, ruleset: Ruleset) -> Question:
    """Whether a progressive wager may still be put on the sensor."""
    console = some_console(rng, ruleset)
    first, second = rng.sample(range(1, 8), 2)
    wager = some_wager(rng, ruleset, "progressive", (1,))
    base, started = rng.random() < 0.6, rng.random() < 0.4
    bets = some_wagers(rng, ruleset, "ante") if base else {}
    chip = c.PlaceBets(second, (*bets.items(), ("progressive", wager)))
    if started:
        console.bet(rng, {first: wager})
        console.start()
    else:
        console.press("dealer", "open_round")
    refused = console.refusal("dealer", "round", text=command_text(chip))
    why = "Betting is open and a base wager lies there." if refused is None else _said(refused)
    return Question(
        question=f"Position {second} puts a chip on the progressive sensor. Does it count?",
        scene=Scene(
            facts=(
                ("System", console.profile.name),
                (console.profile.start, "was pressed" if started else "was not pressed yet"),
                (f"Base wager of position {second}", "there" if base else "none"),
            )
        ),
        fields=(
            yes_field(
                "counts",
                "The wager counts",
                refused is None,
                why,
                known_clause(refused.clause if refused else None, console.profile.start_clause),
            ),
        ),
    )


def _said(refused: Refused) -> str:
    """A refusal as a sentence, with the words of the table for its names."""
    text = refused.message.replace("at T ", "at the table ").replace("at T;", "at the table;")
    return sentence(text.replace(" of T ", " of the table "))


def sequence(rng: Random, ruleset: Ruleset) -> Question:
    """Every step from a winning hand to its record, in order."""
    console, position, hand, _ = _won(rng, ruleset)
    profile = console.profile
    presses: dict[str, Callable[[], Any]] = {
        "hand": lambda: console.choose(position),
        "call": lambda: console.press("dealer", "call_supervisor"),
        "jph": lambda: console.press("executive", "turn_key", to="jph"),
        "jpot": lambda: console.press("executive", "press_jackpot", position=position),
        "run": lambda: console.press("executive", "turn_key", to="run"),
        "confirm": lambda: console.press("executive", "confirm_award", position=position),
    }
    # The display asks for the spot before the hand; the round is told both at once.
    done = ["spot"] if profile.spot_first else []
    for step, press in presses.items():
        try:
            press()
        except Refused:
            # This system has no such key.
            continue
        done.append(step)
    [award] = console.table.awards
    assert award.status == "confirmed", award
    steps = rng.sample(list(STEPS.items()), len(STEPS))
    named = f"position {position} holds {_spaced(hand)}"
    return Question(
        question=f"Under {console.profile.name}, {named}. Put the steps to the record of the win "
        "in order; leave out what this system does not have.",
        scene=Scene(facts=tuple(_facts(console)[:1])),
        fields=(
            Field(
                name="order",
                label="Steps",
                kind="order",
                answer=tuple(done),
                why=", then ".join(STEPS[step] for step in done) + ".",
                clause=console.profile.confirm_clause,
                choices=tuple(Choice(value, text) for value, text in steps),
            ),
        ),
    )


def whose_card(rng: Random, ruleset: Ruleset) -> Question:
    """Whose card is enough to confirm an award."""
    console, position, _, _ = _won(rng, ruleset)
    facts = _facts(console)
    amount = console.choose(position)
    console.press("dealer", "call_supervisor")
    command = "confirm_award"
    if console.profile.confirms == "key":
        command = "press_jackpot"
        console.press("executive", "turn_key", to="jph")
    refusals = {
        role.value: console.refusal(role.value, command, position=position) for role in ROLES
    }
    enough = next(role for role, refused in refusals.items() if refused is None)
    [claim] = console.link.pending
    level = next(each for each in console.paytable.levels if each == claim.level)
    threshold = console.link.thresholds[level]
    side = "not below" if amount >= threshold else "below"
    why = f"{dollars_text(amount)} is {side} {dollars_text(threshold)}"
    limits = [("An executive is needed from", dollars_text(threshold))]
    if console.profile.confirms == "key":
        why, limits = f"{console.profile.name} knows the supervisor's key only", []
    what = "swiped at confirm" if command == "confirm_award" else "behind the key and J-POT"
    return Question(
        question=f"An award of {dollars_text(amount)} waits at position {position}. Whose card "
        f"is needed at least, {what}?",
        scene=Scene(
            facts=(
                *facts,
                *limits,
                ("The award", dollars_text(amount)),
            )
        ),
        fields=(
            choice_field(
                "role",
                "It takes",
                enough,
                ROLES,
                f"{why}, and whoever chose the hand never confirms it.",
                console.profile.confirm_clause,
            ),
        ),
    )


def ending(rng: Random, ruleset: Ruleset) -> Question:
    """Whether the round may be ended at the keypad now."""
    console, position, _, positions = _won(rng, ruleset)
    profile = console.profile
    told = ["no winning hand is chosen"]
    stage = rng.randrange(5)
    if stage >= 1:
        console.choose(position)
        told = [f"the hand of position {position} is chosen"]
        console.press("dealer", "call_supervisor")
    if stage >= 2:
        if profile.confirms == "key" and stage == 2:
            console.press("executive", "turn_key", to="jph")
            console.press("executive", "press_jackpot", position=position)
            told.append("J-POT was pressed and the key is at JPH")
        else:
            console.confirm(position)
            told.append("the award is confirmed")
    if stage >= 4:
        told.append("envy is paid, and the prize is not handed over yet")
        _pay_envy(console)
    refused = console.refusal("dealer", "round", text="close")
    return Question(
        question=f"You want to press {profile.end}. Does it work now?",
        scene=Scene(
            facts=(
                ("System", profile.name),
                ("Lit", places(positions)),
                ("So far", "; ".join(told)),
            )
        ),
        fields=(
            yes_field(
                "works",
                f"{profile.end} works",
                refused is None,
                "Nothing is open, so the keypad is ready for the next round."
                if refused is None
                else _said(refused),
                known_clause(refused.clause if refused else None, profile.end_clause),
            ),
        ),
    )


def _pay_envy(console: Console) -> None:
    """Pay envy where some is due, a large one after surveillance has seen it."""
    for pay in large_pays(console.table):
        console.press(
            "surveillance",
            "check_on_camera",
            position=pay.position,
            seen=dict.fromkeys(ON_CAMERA, True),
            **{"from": pay.of},
        )
    if unpaid_envy(console.round):
        console.say("pay envy")


def back_out(rng: Random, ruleset: Ruleset) -> Question:
    """How a hand that was chosen by mistake is taken back."""
    console, position, _, _ = _won(rng, ruleset)
    profile = console.profile
    console.choose(position)
    recorded = rng.random() < 0.5
    if recorded:
        console.press("dealer", "call_supervisor")
        console.confirm(position)
    refused = console.refusal("dealer", "round", text=console.press_text(position))
    again = "spot-hand" if profile.spot_first else "hand"
    answer = again if refused is None else "adjust"
    what = "the record is made" if recorded else "nothing is recorded yet"
    return Question(
        question=f"The hand of position {position} was chosen by mistake, and {what}. "
        "How is it taken back?",
        scene=Scene(facts=(("System", profile.name),)),
        fields=(
            choice_field(
                "way",
                "You",
                answer,
                (
                    Choice("hand", "press the hand again"),
                    Choice("spot-hand", "choose the spot and press the hand again"),
                    Choice("end", f"press {profile.end}"),
                    Choice("adjust", "have it adjusted by hand, with two people who sign"),
                ),
                "The same keys again take it back while nothing is recorded."
                if refused is None
                else _said(refused),
                profile.hand_clause if refused is None else profile.adjust_clause,
            ),
        ),
    )


def meters(rng: Random, ruleset: Ruleset) -> Question:
    """Who is paid first from the meters, how much, and what the meters show afterwards."""
    console = some_console(rng, ruleset)
    community, hands = _winners(rng, console.paytable)
    positions = sorted(rng.sample(range(1, 8), len(hands)))
    wager = some_wager(rng, ruleset, "progressive", (1, 1, 2, 5))
    held = dict(zip(positions, hands, strict=True))
    console.bet(rng, dict.fromkeys(positions, wager))
    console.start()
    facts = _facts(console)
    facts += _restart_facts(console)
    if console.round.pay_order:
        facts.append(("Internal controls pay in the order", places(console.round.pay_order)))
    console.deal(stacked(rng, ruleset, positions, held, community))
    for position in positions:
        console.choose(position)
    console.press("dealer", "call_supervisor")
    order, fields = [], []
    profile = console.profile
    while waiting := claimed(console.round):
        claim = next(one for one in console.link.pending if one.position == waiting[0])
        order.append(str(claim.position))
        before = console.meter_cents(claim.level)
        console.confirm(claim.position)
        share = "the whole meter" if claim.whole else "a share of it"
        fields.append(
            Field(
                name=f"pay-{claim.position}",
                label=f"Position {claim.position} is paid",
                kind="amount",
                answer=claim.amount_cents,
                why=f"The hand, {_spaced(claim.hand)}, takes {share}, which stands at "
                f"{dollars_text(before)} then.",
                clause=profile.order_clause,
            )
        )
    levels = [level for level in console.paytable.levels if _was_hit(console, level)]
    for level in levels:
        named = next(iter(meter_facts({level: 0})))
        fields.append(
            Field(
                name=f"after-{level}",
                label=f"{named} shows in the end",
                kind="amount",
                answer=console.meter_cents(level),
                why="A whole award starts it again from its seed and the reserve; a share is "
                "only taken off.",
                clause=known_clause("PML-05" if community else "PGM-04"),
            )
        )
    if len(order) > 1:
        fields.insert(
            0,
            Field(
                name="order",
                label="Paid in this order",
                kind="order",
                answer=tuple(order),
                why=_order_words(ruleset),
                clause=profile.order_clause,
                choices=position_choices(sorted(map(int, order))),
            ),
        )
    shown = [Held(f"Position {place}", cards) for place, cards in held.items()]
    if community:
        shown.append(Held("Community", community))
    return Question(
        question="These hands win from the meter. What is paid, and what does it show afterwards?",
        scene=Scene(
            hands=tuple(shown), facts=(*facts, ("Each progressive wager", dollars_text(wager)))
        ),
        fields=tuple(fields),
    )


def _order_words(ruleset: Ruleset) -> str:
    if ruleset.options.meter_pay_order == "right_to_left":
        return "The far right is paid first, each from what the one before left."
    return "By the house's internal controls, each from what the one before left."


def _was_hit(console: Console, level: str) -> bool:
    return any(award.level == level for award in console.table.awards)


def _restart_facts(console: Console) -> list[tuple[str, str]]:
    link = console.link
    found = []
    for level in console.paytable.levels:
        name = "" if level == "single" else f" of {level.title()}"
        reserve = accounts.meter_of(console.state, LINK_NAME, level).reserve
        found += [
            (f"Seed{name}", dollars_text(link.settings[level].meter_seed_cents)),
            (f"Reserve{name}", exact_text(reserve)),
        ]
    return found


def _winners(rng: Random, paytable: PayTable) -> tuple[tuple[int, ...], list[Three]]:
    """Community cards where the table has them, and hands apart that a meter pays."""
    if paytable.community:
        shares = {h for h, odds in paytable.pays.items() if isinstance(odds, MeterShare)}
        return suited_board(rng, paytable, shares, 2)
    tops = [_top(suit) for suit in range(4)]
    paid = [hand for hand in tops if isinstance(_odds(hand, paytable), MeterShare)]
    return (), [rng.choice(paid)]


def _odds(hand: Three, paytable: PayTable) -> Odds | None:
    return paytable.odds(judge(hand, (), paytable))


def _top(suit: int) -> Three:
    return make_card(ACE, suit), make_card(KING, suit), make_card(QUEEN, suit)


def envy_rules(rng: Random, ruleset: Ruleset) -> Question:
    """Who is paid envy when one position triggers it."""
    console = some_console(rng, ruleset)
    positions = some_positions(rng, 3, 5)
    wager = some_wager(rng, ruleset, "progressive", (1,))
    winner = rng.choice(positions)
    players = {position: f"player {position}" for position in positions}
    beside = [p for p in positions if abs(p - winner) == 1]
    two = beside and ruleset.options.two_adjacent_positions == "on" and rng.random() < 0.6
    if two:
        players[beside[0]] = players[winner]
    unlit = [p for p in range(1, 8) if p not in positions][:1]
    console.bet(rng, dict.fromkeys(positions, wager), players)
    console.start()
    folded = [p for p in positions if p != winner and rng.random() < 0.25]
    community, [cards, *_] = some_triggers(rng, console.paytable)
    hand = judge(cards, community, console.paytable)
    console.deal(stacked(rng, ruleset, positions, {winner: cards}, community), folded)
    due = {envy.position for envy in unpaid_envy(console.round) if envy.of == winner}
    paid = tuple(str(position) for position in sorted(due))
    facts = [
        ("System", console.profile.name),
        ("Lit", places(positions)),
        ("Not lit, but with an Ante", places(unlit)),
        ("The hand", f"{_spaced(_hand_name(hand, console.paytable))} at position {winner}"),
    ]
    if folded:
        facts.append(("Folded", places(folded)))
    if two:
        facts.append(("One player holds", f"positions {winner} and {beside[0]}"))
    nobody = Choice("nobody", "Nobody")
    why = "Every other lit position at this table; the winner has the prize and no envy."
    if folded:
        still = folded_player_earns_envy(ruleset.options)
        why += f" A player who folded {'still gets it' if still else 'gets none'} here."
    if two:
        own = own_other_hand_earns_envy(console.paytable, ruleset.options)
        why += f" The winner's own other position {'is paid too' if own else 'gets none'} here."
    return Question(
        question="One hand triggers envy. Which positions are paid some?",
        scene=Scene(facts=tuple(facts)),
        fields=(
            Field(
                name="positions",
                label="Envy goes to",
                kind="several",
                answer=paid or ("nobody",),
                why=why,
                clause=console.profile.envy_clause,
                choices=(*position_choices(sorted([*positions, *unlit])), nobody),
            ),
        ),
    )


def envy_when(rng: Random, ruleset: Ruleset) -> Question:
    """Whether envy may be paid now, in a round in which some is due."""
    table, trigger = _round_with_envy(rng, ruleset)
    refused = refusal(table, c.PayEnvy())
    paytable = ruleset.paytables["progressive"]
    why = (
        "Every hand is settled, so envy is paid now, before the round ends."
        if refused is None
        else "Envy is paid once every hand is settled, at the end of the round."
    )
    return Question(
        question=f"Position {trigger} holds a hand that pays envy to the others. May you pay it "
        "now?",
        scene=round_scene(rng, table, chips=False),
        fields=(
            yes_field(
                "may",
                "Envy may be paid now",
                refused is None,
                why,
                by_system(paytable, ruleset.options, "PGM-18", "PNX-18", "PML-16"),
            ),
        ),
    )


def _round_with_envy(rng: Random, ruleset: Ruleset) -> tuple[Round, int]:
    """A round while or after hands are settled, in which one position triggers envy."""
    paytable = ruleset.paytables["progressive"]
    positions = some_positions(rng, 2, 4)
    trigger = rng.choice(positions)
    community, hands = some_triggers(rng, paytable)
    table = open_round(ruleset)
    for position in positions:
        wagers = some_wagers(rng, ruleset, "ante", "progressive")
        table, _ = act(table, c.PlaceBets(position, tuple(wagers.items()), f"player {position}"))
    made = stacked(rng, ruleset, positions, {trigger: hands[0]}, community)
    table, _ = act(table, c.LoadShuffle(made))
    found = [
        state
        for state in states(rng, table, folds=0.0)
        if state.phase is Phase.RECONCILE and not _envy_is_paid(state)
    ]
    # The one moment at which it is paid is asked for as often as all others.
    return (found[-1] if rng.random() < 0.5 else rng.choice(found)), trigger


def _envy_is_paid(table: Round) -> bool:
    return any(line.bet == "envy" for seat in table.seats for line in seat.lines)


SKILLS = (
    Skill(code="keypad.start", title="Starting the game", make=start, applies=three_card),
    Skill(code="keypad.lights", title="Which wagers count", make=lights, applies=three_card),
    Skill(code="keypad.sequence", title="From win to record", make=sequence, applies=three_card),
    Skill(code="keypad.card", title="Whose card", make=whose_card, applies=three_card),
    Skill(code="keypad.meters", title="Meter pays in order", make=meters, applies=three_card),
    Skill(code="keypad.end", title="Ending the game", make=ending, applies=three_card),
    Skill(code="keypad.back-out", title="Taking it back", make=back_out, applies=three_card),
    Skill(code="envy.who", title="Who is paid envy", make=envy_rules, applies=has_envy),
    Skill(code="envy.when", title="When envy is paid", make=envy_when, applies=has_envy),
)
