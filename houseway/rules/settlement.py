"""Settlement: one seat, settled, every line with its reason.

This is the typed call behind `houseway settle`. It adds nothing to the rules: it checks what it
is given and asks `lines` for each bet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from houseway.cards import cards_text
from houseway.games import game_of
from houseway.games.contract import Game
from houseway.games.play import play_out
from houseway.games.progressive import LitHands
from houseway.games.registry import shown_options
from houseway.house.money import MeterLevel
from houseway.house.options import Options
from houseway.names import Bet
from houseway.refusal import Reason, Refused
from houseway.rules import lines as settled
from houseway.rules.lines import Line
from houseway.rules.seat import (
    Cards,
    Pairs,
    check_community,
    read_bets,
    read_cards,
    read_decision,
    read_decisions,
    read_hands,
    read_house,
    read_meters,
    refuse_extra,
)
from houseway.rules.wagers import check_wagers

NO_METERS: Mapping[MeterLevel, int] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """A seat, settled: its lines in order of reconciliation."""

    game: str
    paytables: Mapping[Bet, str]
    options: Options
    lines: tuple[Line, ...]
    player: tuple[int, ...]
    dealer: tuple[int, ...]

    @property
    def net(self) -> int:
        """What the player gains in all, in cents."""
        return sum(line.net for line in self.lines)

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway settle --json`."""
        return {
            "game": self.game,
            "paytables": dict(self.paytables),
            "options": shown_options(self.game, self.options),
            "player": cards_text(self.player),
            "dealer": cards_text(self.dealer),
            "lines": [line.to_json() for line in self.lines],
            "net": self.net,
        }


def settle(
    game: str | Game,
    *,
    bets: Mapping[str, int],
    player: Cards | None = None,
    dealer: Cards | None = None,
    decision: str | None = None,
    deck: Cards | None = None,
    decisions: str | Sequence[str] | None = None,
    community: Cards | None = None,
    meter: int | Mapping[str, int] | None = None,
    others: Sequence[Cards] = (),
    folded_others: Sequence[Cards] = (),
    own_others: Sequence[Cards] = (),
    paytables: str | Mapping[str, str] | Pairs | None = None,
    options: Options | Mapping[str, str] | None = None,
) -> Settlement:
    """Settle one seat and say why each bet was paid or taken.

    Bets and meters are in cents, cards are text or ints from 0 to 51. Any game is settled from a
    `deck`, in the order its script deals to one seat, with `decisions`; a game of two hands and one
    decision also from `player`, `dealer` and one `decision`.
    `paytables` maps bets to codes, or is a designator such as 'TCP-05' on its own.
    `others` are other lit hands at the table, `folded_others` lit hands that were folded and
    `own_others` the player's own other hands, all for envy; `meter` is what stands on the
    meter when this hand is paid.

    >>> from houseway.games import GAMES
    >>> result = settle(
    ...     GAMES[0].code, player="Qs Qd 7h", dealer="Kh 9c 4d", bets={"ante": 1000}
    ... )
    >>> [(line.bet, line.net) for line in result.lines], result.net
    ([('play', 1000), ('ante', 1000)], 2000)
    """
    found = game_of(game)
    chosen, tables = read_house(found, options, paytables, community=community is not None)
    wagers = check_wagers(found, read_bets(bets), tables, chosen)
    order = settled.settling_order(found, chosen)
    extra: dict[str, object] = {"player": player, "dealer": dealer, "decision": decision}
    if found.by_deck:
        extra |= {"meter": meter, "community": community}
        extra["other"] = others or folded_others or own_others or None
    if deck is None and not found.by_deck:
        refuse_extra(found, {"decisions": decisions}, "it takes one decision beside its hands")
        decided = None
    else:
        refuse_extra(found, extra, "it takes a deck in dealing order and a list of decisions")
        if deck is None:
            raise Refused(
                Reason.TOO_FEW_CARDS,
                f"no deck is given; {found.name} needs the cards in dealing order",
            )
        whole = found.deck(chosen).packs
        cards = read_cards(deck, "deck", packs=whole)
        seen = play_out(found, cards, read_decisions(decisions), wagers, chosen)
        player, dealer, decided = seen.own, seen.dealer, seen.actions
    lit, meters = LitHands(), NO_METERS
    if not found.by_deck:
        hands = read_hands(
            found,
            player=player,
            dealer=dealer,
            community=community,
            others=others,
            folded_others=folded_others,
            own_others=own_others,
        )
        check_community(hands, wagers, tables)
        if decided is None:
            decided = read_decision(found, wagers, decision)
        seen, lit = hands.seen(decided), hands.lit
        meters = read_meters(meter, tables.get("progressive"), chosen)
    lines = settled.seat_lines(found, seen, wagers, tables, chosen, meters=meters)
    if left := [bet for bet in wagers if all(line.bet != bet for line in lines)]:
        raise Refused(
            Reason.BAD_GAME,
            f"the verdicts of {found.code} leave bet {left[0]!r} open; every bet that was made is "
            "decided in the end",
        )
    lines += settled.envy(found, seen, lit, wagers, tables, chosen)
    return Settlement(
        game=found.code,
        paytables={bet: tables[bet].code for bet in tables if bet in wagers or made_of(found, bet)},
        options=chosen,
        lines=settled.in_order(lines, order),
        player=seen.own,
        dealer=seen.dealer,
    )


def made_of(game: Game, code: str) -> bool:
    """True for a bet that a player does not place apart; its paytable is always named."""
    bet = game.bet(code)
    return bet is not None and bool(bet.not_made)
