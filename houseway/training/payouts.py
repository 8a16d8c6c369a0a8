"""Payouts: what a wager is paid, what is taken, and in which chips.

Every answer is a line of a seat that was settled with the cards and wagers of the question.
"""

from random import Random

from houseway.cards import ACE, DECK, TEN, make_card, rank_of
from houseway.cards.hands import FiveCard, ThreeCard
from houseway.documents.terms import spaced
from houseway.games.base import net_cents, wins
from houseway.games.progressive import by_system, envy_clause, judge, own_other_hand_earns_envy
from houseway.house.money import ForOne, MeterShare, dollars_text
from houseway.names import Bet, bet_name
from houseway.rules.lines import Line
from houseway.rules.ruleset import Ruleset
from houseway.rules.settlement import Settlement
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.felt import (
    FEW,
    ODD_NUMBERS,
    chips_answer,
    settled,
    some_tray,
    some_wager,
    some_wagers,
    stacks,
    tray_text,
    with_play,
)
from houseway.training.marks import (
    BECOMES,
    NOT_PAID,
    amount_field,
    becomes,
    becomes_field,
    choice_field,
    line_name,
)
from houseway.training.packs import Three, any_three, some_six, some_three
from houseway.training.seats import (
    Played,
    meter_facts,
    poker_deck,
    shuffled,
    some_bonus_seat,
    some_meters,
    some_progressive_hand,
    some_triggers,
    tied_hands,
    unpaid_hand,
)
from houseway.training.skill import Question, Skill, has_envy, of_games, three_card

PAID = tuple(category for category in ThreeCard if category != ThreeCard.HIGH_CARD)
MISSES = 0.12
"""How often a hand is dealt that is not paid: nothing is an answer too."""
TIES = 0.12
"""How often a whole seat ties with the dealer, which houses settle in different ways."""
LARGEST_IN_CHIPS = 500_000
DECISIONS = "Decisions"
STAYS = (
    Choice("stays", "the wager stays the player's"),
    Choice("kept", "the wager is not given back"),
)


def paid(line: Line) -> int:
    """What is handed over on top of a wager that stays the player's; nothing where it lost."""
    return max(line.net, 0)


def pay_field(line: Line, label: str = "") -> Field:
    """How much is paid on a bet."""
    return Field(
        name="pay",
        label=label or f"You pay on {bet_name(line.bet)}",
        kind="amount",
        answer=paid(line),
        why=line.why,
        clause=line.clause,
    )


def line_of(seat: Settlement, bet: Bet) -> Line:
    """The line of a bet that is certainly there."""
    return next(line for line in seat.lines if line.bet == bet)


def pair_plus(rng: Random, ruleset: Ruleset) -> Question:
    """What Pair Plus pays, whatever the dealer holds."""
    categories = PAID if rng.random() > MISSES else (ThreeCard.HIGH_CARD,)
    player = some_three(rng, (), categories)
    wagers = some_wagers(rng, ruleset, "pair-plus")
    seat = settled(ruleset, player=player, dealer=any_three(rng, player), bets=wagers)
    line = line_of(seat, "pair-plus")
    return Question(
        question="The hand has come to the work area. What do you pay on Pair Plus?",
        scene=Scene(
            hands=(Held("Player", player),),
            stacks=stacks({"pair-plus": line.wager}, some_tray(rng, ruleset.options)),
        ),
        fields=(pay_field(line),),
    )


def six_card_bonus(rng: Random, ruleset: Ruleset) -> Question:
    """What the 6 Card Bonus pays on the player's and the dealer's cards."""
    categories = [FiveCard(hand) for hand in ruleset.paytables["six-card-bonus"].pays]
    category = rng.choice(categories) if rng.random() > MISSES else FiveCard.TWO_PAIR
    six = some_six(rng, category)
    wagers = some_wagers(rng, ruleset, "six-card-bonus", "ante")
    seat = settled(ruleset, player=six[:3], dealer=six[3:], bets=wagers)
    line = line_of(seat, "six-card-bonus")
    return Question(
        question="Your hand lies open beside the player's. What do you pay on the 6 Card Bonus?",
        scene=Scene(
            hands=(Held("Player", six[:3]), Held("Dealer", six[3:])),
            stacks=stacks({"six-card-bonus": line.wager}, some_tray(rng, ruleset.options)),
        ),
        fields=(pay_field(line),),
    )


def ante_bonus(rng: Random, ruleset: Ruleset) -> Question:
    """What the Ante Bonus pays on a hand that was played, won or lost."""
    tops = tuple(ThreeCard(hand) for hand in ruleset.paytables["ante-bonus"].pays)
    below = tuple(category for category in ThreeCard if category not in tops)
    player = some_three(rng, (), tops if rng.random() > 2 * MISSES else below)
    dealer = some_three(rng, player) if rng.random() < 0.5 else any_three(rng, player)
    wagers = some_wagers(rng, ruleset, "ante")
    seat = settled(ruleset, player=player, dealer=dealer, bets=wagers)
    found = [line for line in seat.lines if line.bet == "ante-bonus"]
    field = (
        pay_field(found[0])
        if found
        else Field(
            name="pay",
            label="You pay on Ante Bonus",
            kind="amount",
            answer=0,
            why="The hand is none of those that the Ante Bonus pays.",
            clause="TCP-10",
        )
    )
    return Question(
        question="The player has made Play. What do you pay as Ante Bonus?",
        scene=Scene(
            hands=(Held("Player", player), Held("Dealer", dealer)),
            stacks=stacks(with_play(wagers, seat), some_tray(rng, ruleset.options)),
        ),
        fields=(field,),
    )


def rummy_play(rng: Random, ruleset: Ruleset) -> Question:
    """What becomes of Play in Triple Shot Rummy, and how much it is paid."""
    wagers = some_wagers(rng, ruleset, "ante")
    wanted = rng.random() < 0.7
    while True:
        player = some_three(rng) if rng.random() < 0.5 else any_three(rng)
        dealer = any_three(rng, player)
        seat = settled(ruleset, player=player, dealer=dealer, bets=wagers)
        line = line_of(seat, "play")
        if (line.net > 0) == wanted:
            break
    return Question(
        question="The player has made Play. What becomes of Play, and how much changes hands?",
        scene=Scene(
            hands=(Held("Player", player), Held("Dealer", dealer)),
            stacks=stacks(with_play(wagers, seat), some_tray(rng, ruleset.options)),
        ),
        fields=(becomes_field(line), amount_field(line, ruleset.options)),
    )


def odds(rng: Random, ruleset: Ruleset) -> Question:
    """What a row of the paytable comes to, on top of the wager or with it."""
    rows = [
        (bet, hand, pays)
        for bet, table in ruleset.paytables.items()
        for hand, pays in table.rows
        if not isinstance(pays, MeterShare)
    ]
    # Rows for 1 are few, and the ones that are misread.
    for_one = [row for row in rows if isinstance(row[2], ForOne)]
    bet, hand, pays = rng.choice(for_one if for_one and rng.random() < 0.5 else rows)
    spot = bet if bet in ruleset.game.wagers else "ante"
    cents = some_wager(rng, ruleset, spot, FEW if bet == "progressive" else ODD_NUMBERS)
    options = ruleset.options
    clause = _odds_clause(ruleset, bet)
    net = net_cents(wins(pays, clause, ""), cents, options.breakage, options.smallest_chip)
    kept = isinstance(pays, ForOne)
    given = net + cents if kept else net
    why = (
        f"{pays} has the wager in it: {dollars_text(given)} is all that the player gets."
        if kept
        else f"{pays} is on top of the wager, which stays the player's."
    )
    named = f"{bet_name(bet)}, {spaced(hand)}"
    return Question(
        question=f"The paytable says {pays}. How much do you hand over, and what of the wager?",
        scene=Scene(
            stacks=stacks({bet: cents}, some_tray(rng, options)),
            facts=(("Row of the paytable", named), ("It pays", str(pays))),
        ),
        fields=(
            Field(
                name="pay",
                label="You hand over",
                kind="amount",
                answer=given,
                why=why,
                clause=clause,
            ),
            choice_field(
                "wager", "The wager itself", "kept" if kept else "stays", STAYS, why, clause
            ),
        ),
    )


def _odds_clause(ruleset: Ruleset, bet: Bet) -> str:
    if bet == "progressive":
        return by_system(
            ruleset.paytables["progressive"], ruleset.options, "PGM-19", "PNX-19", "PML-13"
        )
    fixed: dict[Bet, str] = {
        "play": "TSR-12",
        "ante-bonus": "TCP-10",
        "poker": "TSB-18",
        "hat-trick": "TSB-21",
        "six-card-bonus": "SCB-02",
    }
    return fixed.get(bet, "TSR-13" if ruleset.game.code == "triple-shot-rummy" else "TCP-11")


def war(rng: Random, ruleset: Ruleset) -> Question:
    """What War comes to between the first two cards; ties often, since they cost half."""
    wagers = some_wagers(rng, ruleset)
    deck = shuffled(rng)
    if rng.random() < 0.5:
        same = [card for card in DECK if rank_of(card) == rank_of(deck[0]) and card != deck[0]]
        deck = shuffled(rng, (deck[0], rng.choice(same)))
    seat = settled(ruleset, deck=deck, decisions=(), bets=wagers)
    line = line_of(seat, "war")
    return Question(
        question="One card each, face up. What becomes of War, and how much changes hands?",
        scene=Scene(
            hands=(Held("Player", (deck[0],)), Held("Dealer", (deck[1],))),
            stacks=stacks({"war": line.wager}, some_tray(rng, ruleset.options)),
        ),
        fields=(becomes_field(line), amount_field(line, ruleset.options)),
    )


def blackjack(rng: Random, ruleset: Ruleset) -> Question:
    """What Blackjack and insurance come to."""
    wagers = some_wagers(rng, ruleset)
    first: tuple[int, ...] = ()
    ace, ten = _some_of_rank(rng, (ACE,)), _some_of_rank(rng, range(TEN, ACE))
    insured = False
    match rng.randrange(4):
        case 0:
            other = rng.choice([card for card in DECK if card not in (ace, ten)])
            first = (ace, other, ten) if rng.random() < 0.5 else (ten, other, ace)
        case 1:
            player, hole = rng.sample([card for card in DECK if card != ace], 2)
            first = (player, ace, *rng.sample([c for c in DECK if c not in (ace, player)], 1))
            insured = hole % 2 == 0 and wagers["blackjack"] >= 2 * ruleset.options.smallest_chip
    played = some_bonus_seat(rng, ruleset, wagers, first=first, insured=insured)
    found = [line for line in played.seat.lines if line.bet in ("blackjack", "insurance")]
    # It lies on no spot that is shown, so what was put up is told.
    insurance = [
        ("Insurance", dollars_text(line.wager)) for line in found if line.bet == "insurance"
    ]
    fields = []
    for line in found:
        fields += [
            becomes_field(line),
            amount_field(line, ruleset.options, f"{line_name(line)}-cents"),
        ]
    return Question(
        question="The hands are over. What becomes of each wager, and how much changes hands?",
        scene=Scene(
            hands=(Held("Player", played.blackjack_cards), Held("Dealer", played.seat.dealer)),
            stacks=stacks({"blackjack": wagers["blackjack"]}, some_tray(rng, ruleset.options)),
            facts=((DECISIONS, played.decisions_text()), *insurance),
        ),
        fields=tuple(fields),
    )


def _some_of_rank(rng: Random, ranks: "range | tuple[int, ...]") -> int:
    return make_card(rng.choice(ranks), rng.randrange(4))


def poker(rng: Random, ruleset: Ruleset) -> Question:
    """What Poker pays on six cards."""
    categories = [FiveCard(hand) for hand in ruleset.paytables["poker"].pays]
    unpaid = [category for category in FiveCard if category not in categories]
    category = rng.choice(categories if rng.random() > MISSES else unpaid)
    six = some_six(rng, category)
    wagers = some_wagers(rng, ruleset)
    deck = poker_deck(rng, six, ruleset.options)
    line = line_of(settled(ruleset, deck=deck, decisions=(), bets=wagers), "poker")
    return Question(
        question="Six cards lie there. What do you pay on Poker?",
        scene=Scene(
            hands=(Held("Player", six),),
            stacks=stacks({"poker": line.wager}, some_tray(rng, ruleset.options)),
        ),
        fields=(pay_field(line),),
    )


def hat_trick(rng: Random, ruleset: Ruleset) -> Question:
    """Whether the Hat Trick stands after all three games, split Aces among them."""
    wagers = some_wagers(rng, ruleset, "hat-trick")
    wins_it, split = rng.random() < 0.5, rng.random() < 0.5
    played = _hat_trick_seat(rng, ruleset, wagers, split)
    for _ in range(60):
        if (line_of(played.seat, "hat-trick").net > 0) == wins_it:
            break
        played = _hat_trick_seat(rng, ruleset, wagers, split)
    line = line_of(played.seat, "hat-trick")
    return Question(
        question="All three games are over. What becomes of the Hat Trick, and how much is it?",
        scene=Scene(
            hands=(Held("Player", played.seat.player), Held("Dealer", played.seat.dealer)),
            stacks=stacks({"hat-trick": line.wager}, some_tray(rng, ruleset.options)),
            facts=((DECISIONS, played.decisions_text()),),
        ),
        fields=(becomes_field(line), amount_field(line, ruleset.options)),
    )


def _hat_trick_seat(rng: Random, ruleset: Ruleset, wagers: "dict[Bet, int]", split: bool) -> Played:
    if not split:
        return some_bonus_seat(rng, ruleset, wagers)
    aces = rng.sample([make_card(ACE, suit) for suit in range(4)], 2)
    up = rng.choice([card for card in DECK if rank_of(card) < TEN])
    return some_bonus_seat(rng, ruleset, wagers, first=(aces[0], up, aces[1]))


def progressive(rng: Random, ruleset: Ruleset) -> Question:
    """What a progressive wager wins: from the meter or from the tray, with or without the wager."""
    paytable, options = ruleset.paytables["progressive"], ruleset.options
    draw = some_progressive_hand if rng.random() > MISSES else unpaid_hand
    player, community = draw(rng, paytable)
    dealer = any_three(rng, (*player, *community))
    wagers = some_wagers(rng, ruleset, "ante", "progressive")
    meters = some_meters(rng, paytable)
    seat = settled(
        ruleset,
        player=player,
        dealer=dealer,
        bets=wagers,
        meter=meters,
        community=community or None,
    )
    line = line_of(seat, "progressive")
    won = line.net + line.wager
    share = isinstance(paytable.odds(judge(player, community, paytable)), MeterShare)
    source = "meter" if share else "tray" if won else "none"
    from_clause = by_system(
        paytable,
        options,
        "PGM-08" if share else "PGM-09",
        "PNX-10",
        "PML-12",
    )
    hands = [Held("Player", player)]
    if community:
        hands.append(Held("Community", community))
    facts = tuple((name, dollars_text(cents)) for name, cents in meter_facts(meters).items())
    return Question(
        question="The progressive wager was taken in at the start. What does the player get now?",
        scene=Scene(
            hands=tuple(hands),
            stacks=stacks({"progressive": line.wager}, some_tray(rng, options)),
            facts=facts,
        ),
        fields=(
            Field(
                name="pay",
                label="The player gets",
                kind="amount",
                answer=won,
                why=line.why,
                clause=line.clause,
            ),
            choice_field(
                "from",
                "It comes",
                source,
                (
                    Choice("meter", "from the meter"),
                    Choice("tray", "from the tray"),
                    Choice("none", "from nowhere: nothing is won"),
                ),
                "Shares are paid from the meter, fixed pays from the tray.",
                from_clause,
            ),
        ),
    )


def envy(rng: Random, ruleset: Ruleset) -> Question:
    """What envy one position gets in all, for all the hands that trigger it."""
    paytable, options = ruleset.paytables["progressive"], ruleset.options
    community, triggers = some_triggers(rng, paytable)
    gone = {*community, *(card for hand in triggers for card in hand)}
    hands: list[Three] = list(triggers)
    for _ in range(rng.randint(1, 3)):
        hand = any_three(rng, gone)
        hands.append(hand)
        gone |= {*hand}
    rng.shuffle(hands)
    receiver = rng.randrange(len(hands))
    own = any_three(rng, gone) if rng.random() < 0.5 else hands.pop(receiver)
    dealer = any_three(rng, gone | {*own})
    others, folded, mine = [], [], []
    held = []
    two_hands = options.two_adjacent_positions == "on" and rng.random() < 0.5
    for place, hand in enumerate(hands):
        note = ""
        if two_hands and place == receiver:
            note = " (same player)"
            mine.append(hand)
        elif rng.random() < 0.2:
            note = " (folded)"
            folded.append(hand)
        else:
            others.append(hand)
        number = place + 1 if place < receiver else place + 2
        held.append(Held(f"Position {number}{note}", hand))
    wagers = some_wagers(rng, ruleset, "ante", "progressive")
    meters = some_meters(rng, paytable)
    seat = settled(
        ruleset,
        player=own,
        dealer=dealer,
        bets=wagers,
        meter=meters,
        community=community or None,
        others=others,
        folded_others=folded,
        own_others=mine,
    )
    found = [line for line in seat.lines if line.bet == "envy"]
    why = " ".join(line.why for line in found) or "None of these hands pays envy to this position."
    if mine and not own_other_hand_earns_envy(paytable, options):
        why += " A player's own other hand earns none here."
    if folded and options.folded_hand_progressive != "eligible":
        why += " A folded hand triggers none here."
    label = f"Position {receiver + 1}"
    if community:
        held.append(Held("Community", community))
    clause = envy_clause(paytable, options)
    return Question(
        question=f"All these positions are lit. What envy does {label.lower()} get in all?",
        scene=Scene(
            hands=(Held(f"{label} (asked)", own), *held),
            stacks=stacks({"progressive": wagers["progressive"]}, some_tray(rng, options)),
        ),
        fields=(
            Field(
                name="pay",
                label=f"Envy to {label.lower()}",
                kind="amount",
                answer=sum(line.net for line in found),
                why=why,
                clause=clause,
            ),
        ),
    )


def seat(rng: Random, ruleset: Ruleset) -> Question:
    """Every wager of a seat: which are paid, taken or given back, and the sums."""
    if three_card(ruleset):
        found, scene = _three_card_seat(rng, ruleset)
    else:
        found, scene = _bonus_seat(rng, ruleset)
    fields = [becomes_field(line) for line in found if line.stake]
    if ruleset.game.code == "three-card-poker" and any(line.bet == "play" for line in found):
        fields.append(_ante_bonus_field(found))
    won = [line for line in found if line.net > 0]
    lost = [line for line in found if line.net < 0]
    for name, label, lines in (
        ("paid", "You pay in all", won),
        ("taken", "You take in all", lost),
    ):
        parts = " and ".join(
            f"{dollars_text(abs(line.net))} on {bet_name(line.bet)}" for line in lines
        )
        fields.append(
            Field(
                name=name,
                label=label,
                kind="amount",
                answer=sum(abs(line.net) for line in lines),
                why=f"That is {parts}." if parts else "No wager is.",
                clause=(lines or found)[0].clause,
            )
        )
    return Question(
        question="Settle this seat: what becomes of each wager, and what do you pay and take?",
        scene=scene,
        fields=tuple(fields),
    )


def _ante_bonus_field(found: list[Line]) -> Field:
    bonus = [line for line in found if line.bet == "ante-bonus"]
    why = bonus[0].why if bonus else "The hand is none of those that the Ante Bonus pays."
    return choice_field(
        "ante-bonus",
        "What becomes of Ante Bonus?",
        becomes(bonus[0]) if bonus else "none",
        (*BECOMES, NOT_PAID),
        why,
        "TCP-10",
    )


def _three_card_seat(rng: Random, ruleset: Ruleset) -> tuple[list[Line], Scene]:
    wagers = some_wagers(rng, ruleset, "ante", also=0.6)
    wagers.pop("progressive", None)
    player = some_three(rng) if rng.random() < 0.7 else any_three(rng)
    dealer = any_three(rng, player)
    if rng.random() < TIES:
        player, dealer = tied_hands(rng, ruleset.game, ruleset.options)
    folds = rng.random() < 0.2
    decision = "fold" if folds else "play"
    seat = settled(ruleset, player=player, dealer=dealer, bets=wagers, decision=decision)
    return list(seat.lines), Scene(
        hands=(Held("Player", player), Held("Dealer", dealer)),
        stacks=stacks(with_play(wagers, seat), some_tray(rng, ruleset.options)),
        facts=(("Decision", decision),),
    )


def _bonus_seat(rng: Random, ruleset: Ruleset) -> tuple[list[Line], Scene]:
    wagers = some_wagers(rng, ruleset, "hat-trick")
    played = some_bonus_seat(rng, ruleset, wagers)
    return list(played.seat.lines), Scene(
        hands=(Held("Player", played.seat.player), Held("Dealer", played.seat.dealer)),
        stacks=stacks(wagers, some_tray(rng, ruleset.options)),
        facts=((DECISIONS, played.decisions_text()),),
    )


def chips(rng: Random, ruleset: Ruleset) -> Question:
    """A pay in chips, the largest first."""
    while True:
        made = (pair_plus if three_card(ruleset) else poker)(rng, ruleset)
        cents = made.fields[0].answer
        assert isinstance(cents, int)
        if 0 < cents <= LARGEST_IN_CHIPS and cents % ruleset.options.smallest_chip == 0:
            break
    tray = some_tray(rng, ruleset.options)
    bet = made.scene.stacks[0]
    return Question(
        question=f"You pay {dollars_text(cents)} on {bet.label}. Which chips, the largest first?",
        scene=Scene(
            hands=made.scene.hands,
            stacks=stacks({_bet(ruleset, bet.spot): bet.cents}, tray),
            facts=(("Chips in the tray", tray_text(tray)), ("You pay", dollars_text(cents))),
        ),
        fields=(
            Field(
                name="chips",
                label="Chips",
                kind="chips",
                answer=chips_answer(cents, tray),
                why="As many of the largest as fit, then of the next, so that the eye can follow.",
                clause=made.fields[0].clause,
                choices=tuple(Choice(str(worth), dollars_text(worth)) for worth in tray),
            ),
        ),
    )


def _bet(ruleset: Ruleset, spot: str) -> Bet:
    return next(bet for bet in ruleset.game.wagers if bet == spot)


_BONUS = of_games("triple-shot-bonus")
SKILLS = (
    Skill(code="payouts.odds", title="To 1 and for 1", make=odds),
    Skill(code="payouts.pair-plus", title="Pair Plus", make=pair_plus, applies=three_card),
    Skill(
        code="payouts.ante-bonus",
        title="Ante Bonus",
        make=ante_bonus,
        applies=of_games("three-card-poker"),
    ),
    Skill(
        code="payouts.play",
        title="Play by score",
        make=rummy_play,
        applies=of_games("triple-shot-rummy"),
    ),
    Skill(
        code="payouts.six-card-bonus",
        title="6 Card Bonus",
        make=six_card_bonus,
        applies=three_card,
    ),
    Skill(code="payouts.war", title="War and the half loss", make=war, applies=_BONUS),
    Skill(code="payouts.blackjack", title="Blackjack", make=blackjack, applies=_BONUS),
    Skill(code="payouts.poker", title="Poker", make=poker, applies=_BONUS),
    Skill(code="payouts.hat-trick", title="Hat Trick", make=hat_trick, applies=_BONUS),
    Skill(code="payouts.progressive", title="Progressive", make=progressive, applies=three_card),
    Skill(code="payouts.envy", title="Envy totals", make=envy, applies=has_envy),
    Skill(code="payouts.seat", title="A whole seat", make=seat),
    Skill(code="payouts.chips", title="Paying in chips", make=chips),
)
