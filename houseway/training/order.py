"""Order: who comes first, which wager, and what is done next."""

from random import Random

from houseway.cards.hands import ThreeCard
from houseway.live import commands as c
from houseway.live.commands import DEALER, Command
from houseway.live.guard import place_words
from houseway.live.phases import Phase
from houseway.live.round import refusal
from houseway.live.state import Round
from houseway.live.words import prompt
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.felt import (
    bet_choices,
    places,
    plain_words,
    position_choices,
    sentence,
    settled,
    some_tray,
    some_wagers,
    stacks,
    with_play,
)
from houseway.training.marks import choice_field, known_clause, yes_field
from houseway.training.packs import any_three, some_three
from houseway.training.rounds import (
    command_words,
    next_commands,
    round_scene,
    some_positions,
    some_round,
    some_state,
    states,
    texts_as_choices,
)
from houseway.training.seats import some_bonus_seat
from houseway.training.skill import Question, Skill, three_card

STYLES = (
    Choice("pick_and_pay", "pick the cards up into the work area, then pay or take"),
    Choice("lay_and_pay", "lay the cards out at the spot, then pay or take"),
)


def deal(rng: Random, ruleset: Ruleset) -> Question:
    """To whom cards go, one after the other."""
    positions = some_positions(rng, 3, 5)
    every = states(rng, some_round(rng, ruleset, positions=positions))
    first = next(at for at, table in enumerate(every) if table.phase is Phase.DEALING)
    waits = [table.waiting for table in every[first : first + len(positions)]]
    # The first place has its cards by then: it is the one that no longer waits.
    order = [place for place in (*positions, DEALER) if place not in waits[0]] + list(waits[0])
    choices = tuple(Choice(str(place), place_words(place).capitalize()) for place in sorted(order))
    return Question(
        question="Bets lie on these positions. In which order do the cards go out?",
        scene=Scene(facts=(("Bets at", places(positions)),)),
        fields=(
            Field(
                name="order",
                label="Cards go to",
                kind="order",
                answer=tuple(map(str, order)),
                why="From the dealer's left to right, and the dealer last.",
                clause=ruleset.game.clause("deliver"),
                choices=tuple(rng.sample(choices, len(choices))),
            ),
        ),
    )


def settle(rng: Random, ruleset: Ruleset) -> Question:
    """Whose hand is settled first, and so on."""
    table = _to_be_settled(rng, ruleset)
    while len(table.waiting) < 2:
        table = _to_be_settled(rng, ruleset)
    choices = position_choices(table.to_settle)
    return Question(
        question="These hands are to be settled. In which order?",
        scene=round_scene(rng, table, chips=False),
        fields=(
            Field(
                name="order",
                label="Settled in this order",
                kind="order",
                answer=tuple(map(str, table.to_settle)),
                why="From the dealer's right, which is the highest position, to the left.",
                clause=ruleset.game.clause("reconcile", table.stage),
                choices=tuple(rng.sample(choices, len(choices))),
            ),
        ),
    )


def _to_be_settled(rng: Random, ruleset: Ruleset) -> Round:
    """A round whose hands begin to be settled; where all have folded none may be left."""
    begun = some_round(rng, ruleset, positions=some_positions(rng, 3, 5))
    return next(table for table in states(rng, begun) if table.phase is Phase.RECONCILE)


def wagers(rng: Random, ruleset: Ruleset) -> Question:
    """In which order the wagers of one seat are settled, and how the cards are handled."""
    tray = some_tray(rng, ruleset.options)
    if three_card(ruleset):
        made = some_wagers(rng, ruleset, "ante", "pair-plus", also=0.6)
        made.pop("progressive", None)
        # Where there is an Ante Bonus the hand has it, so that its place is asked for too.
        paid = ruleset.paytables.get("ante-bonus", ruleset.paytables["pair-plus"]).pays
        player = some_three(rng, (), tuple(ThreeCard(hand) for hand in paid))
        dealer = any_three(rng, player)
        seat = settled(ruleset, player=player, dealer=dealer, bets=made)
        hands = (Held("Player", player), Held("Dealer", dealer))
        order = [line.bet for line in seat.lines]
        made = with_play(made, seat)
    else:
        made = some_wagers(rng, ruleset, "hat-trick")
        played = some_bonus_seat(rng, ruleset, made)
        hands = (Held("Player", played.seat.player), Held("Dealer", played.seat.dealer))
        order = list(dict.fromkeys(line.bet for line in played.seat.lines))
    where = _wagers_clause(ruleset)
    source = "" if not ruleset.options.settle_order else " This house has its own order."
    fields = [
        Field(
            name="order",
            label="Settled in this order",
            kind="order",
            answer=tuple(order),
            why=f"From the back to the front of the layout.{source}"
            if three_card(ruleset)
            else "The games are played in succession, and the Hat Trick last.",
            clause=where,
            choices=bet_choices(rng.sample(order, len(order))),
        )
    ]
    if three_card(ruleset):
        style = ruleset.options.settle_style
        fields.append(
            choice_field(
                "style",
                "How are the cards handled here?",
                style,
                STYLES,
                "It is the house's procedure; the amounts are the same either way.",
                "TSR-30" if ruleset.game.code == "triple-shot-rummy" else "TCP-22",
            )
        )
    return Question(
        question="You settle this seat. Which wager first, and which after it?",
        scene=Scene(hands=hands, stacks=stacks(made, tray)),
        fields=tuple(fields),
    )


def _wagers_clause(ruleset: Ruleset) -> str:
    if not three_card(ruleset):
        return "TSB-21"
    return "TSR-29" if ruleset.game.code == "triple-shot-rummy" else "TCP-22"


def following(rng: Random, ruleset: Ruleset) -> Question:
    """What is done next in a round that is under way."""
    table, every = some_state(rng, ruleset)
    found = prompt(table)
    done = plain_words(found.do)
    others = [plain_words(prompt(at).do) for at in every]
    if table.phase is Phase.DEALING:
        # A first card to a place and a second one are told apart by no one who is asked now.
        others = [text for text in others if text.split()[:3] != done.split()[:3]]
    answer, choices = texts_as_choices(rng, done, others)
    return Question(
        question="What do you do next?",
        scene=round_scene(rng, table),
        fields=(
            choice_field(
                "do",
                "You do",
                answer,
                choices,
                f"Next: {done}",
                known_clause(found.clause, ruleset.game.clause("reconcile")),
            ),
        ),
    )


def allowed(rng: Random, ruleset: Ruleset) -> Question:
    """Whether a step may be done now."""
    table, _ = some_state(rng, ruleset)
    right = next_commands(rng, table)[0]
    wrong = [
        command
        for command in _candidates(table)
        if refusal(table, command) is not None and command != right
    ]
    # What the meters are is not asked here, so a start without them is no start out of order.
    command = (
        right if rng.random() < 0.4 and not isinstance(right, c.StartGame) else rng.choice(wrong)
    )
    refused = refusal(table, command)
    why = "It is what comes next." if refused is None else sentence(refused.message)
    steps = {c.Reconcile: "reconcile", c.Deliver: "deliver", c.Reveal: "reveal", c.Decide: "decide"}
    where = ruleset.game.clause(steps.get(type(command), "reconcile"), table.stage)
    return Question(
        question=f"You want to {command_words(command, table)} now. May you?",
        scene=round_scene(rng, table),
        fields=(
            yes_field(
                "may",
                "May it be done now?",
                refused is None,
                why,
                known_clause(refused.clause if refused else None, prompt(table).clause, where),
            ),
        ),
    )


def _candidates(table: Round) -> list[Command]:
    """Steps that a round has at one time or another."""
    found: list[Command] = [c.NoMoreBets(), c.Reveal(), c.CloseRound()]
    found += [c.Deliver(place) for place in (*table.playing, DEALER)]
    found += [c.Reconcile(place) for place in table.playing]
    if three_card(table.ruleset):
        found += [c.CollectForfeits()]
        found += [c.StartGame()] if not table.lit() or table.started else []
        found += [c.Decide(place, "play") for place in table.playing]
        found += [c.PayEnvy()] if table.lit() else []
    else:
        found += [c.Decide(p, d) for p in table.playing for d in ("hit", "double", "split")]
    return found


SKILLS = (
    Skill(code="order.deal", title="Order of the deal", make=deal),
    Skill(code="order.settle", title="Whose hand is settled first", make=settle),
    Skill(code="order.wagers", title="Which wager first", make=wagers),
    Skill(code="order.next", title="What is done next", make=following),
    Skill(code="order.allowed", title="May it be done now", make=allowed),
)
