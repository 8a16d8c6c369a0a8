"""`houseway settle`: settle one seat and say why."""

from typing import Annotated

from houseway.cli.arguments import (
    GameText,
    Json,
    OptionTexts,
    PaytableTexts,
    Repeated,
    fill_in,
    read_game,
)
from houseway.cli.output import (
    cards_rich,
    console,
    pairs,
    parse_meters,
    paytable_pairs,
    print_json,
    show_lines,
)
from houseway.house.money import parse_amount
from houseway.rules.seat import read_house
from houseway.rules.settlement import settle as settle_seat
from houseway.rules.wagers import check_bets


@fill_in
def settle(
    game: GameText = None,
    *,
    player: str | None = None,
    dealer: str | None = None,
    bet: Annotated[list[str], Repeated] = [],
    decision: str | None = None,
    community: str | None = None,
    meter: Annotated[list[str], Repeated] = [],
    other: Annotated[list[str], Repeated] = [],
    folded_other: Annotated[list[str], Repeated] = [],
    own_other: Annotated[list[str], Repeated] = [],
    deck: str | None = None,
    decisions: str | None = None,
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    json: Json = False,
) -> None:
    r"""Settle one seat: every bet in the order of reconciliation, with the reason.

    Any game takes --deck, or --player and --dealer where no decision takes cards. Examples:

    ```
    houseway settle {first} --player "Qs Qd 7h" \
      --dealer "Kh 9c 4d" {first_bets} --bet pair-plus=5
    houseway settle {second} --deck "Kh 6d 5c Ts 6s 9d 2h 3h Jc" \
      {second_bets}
    ```

    Parameters
    ----------
    player
        The player's three cards, such as "Qs Qd 7h".
    dealer
        The dealer's three cards.
    bet
        A bet, NAME=AMOUNT in dollars; may be given several times. `houseway games` names them.
    decision
        play or fold; play when there is an ante and nothing is said.
    community
        The two community cards of the five-card link.
    meter
        What stands on the meter in dollars: AMOUNT, or mega=AMOUNT, major=AMOUNT, minor=AMOUNT.
    other
        Another lit hand at the table, for envy; may be given several times.
    folded_other
        Another lit hand that was folded, for envy; may be given several times.
    own_other
        The player's own other hand, for envy; may be given several times.
    deck
        The cards of one seat and the dealer in the order in which the game deals them.
    decisions
        With --deck: every decision in order, with commas between.
    """
    found = read_game(game)
    options = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
    tables = paytable_pairs(paytable)
    # Options and paytables come before amounts, so the same mistake always gets the same answer.
    read_house(found, options, tables, community=community is not None)
    stakes = pairs(bet, "bet", "NAME=AMOUNT, such as ante=10")
    check_bets(found, stakes)
    result = settle_seat(
        found.code,
        player=player,
        dealer=dealer,
        bets={name: parse_amount(amount, f"wager on {name}") for name, amount in stakes.items()},
        decision=decision,
        deck=deck,
        decisions=decisions,
        community=community,
        meter=parse_meters(meter),
        others=other,
        folded_others=folded_other,
        own_others=own_other,
        paytables=tables,
        options=options,
    )
    if json:
        print_json(result.to_json())
        return
    screen = console()
    codes = [f"[dim]{bet} {code}[/dim]" for bet, code in result.paytables.items()]
    screen.print(f"[bold]{found.name}[/bold]", *codes)
    screen.print("player", cards_rich(result.player), "  dealer", cards_rich(result.dealer))
    show_lines(result.lines)
