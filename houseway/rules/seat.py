"""Seat: what one seat is given, read and checked before any rule looks at it.

Whatever a person may plausibly hand over is either understood or refused with a sentence; it is
here that the words of the outside become cards, cents and codes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from houseway.cards import cards_text, check_distinct, parse_cards
from houseway.games.contract import DEALER, NO_CARDS, SEATS, Ask, Game, Hand, Seen
from houseway.games.library import paytables_of
from houseway.games.play import known_action
from houseway.games.progressive import LINK, LitHands, by_system
from houseway.house.money import METER_LEVELS, MeterLevel, check_amount
from houseway.house.options import Chosen, Options, check_profile
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed
from houseway.rules.wagers import choose_paytables, read_options

Cards = str | Sequence[int] | Sequence[str]
Pairs = Sequence[tuple[str | None, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """The cards of a game of two hands as one seat sees them settled."""

    player: tuple[int, ...]
    dealer: tuple[int, ...]
    community: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    folded_others: tuple[tuple[int, ...], ...]
    own_others: tuple[tuple[int, ...], ...]

    def seen(self, decisions: tuple[str, ...]) -> Seen:
        """The seat as the rules see it."""
        return Seen(
            own=self.player,
            dealer=self.dealer,
            table={LINK: self.community} if self.community else NO_CARDS,
            hands=(Hand(self.player, decisions),),
            actions=decisions,
        )

    @property
    def lit(self) -> LitHands:
        """The other hands with a progressive wager."""
        return LitHands(self.others, self.folded_others, self.own_others)


def read_house(
    game: Game,
    options: Options | Mapping[str, str] | None,
    paytables: str | Mapping[str, str] | Pairs | None,
    *,
    community: bool,
) -> tuple[Chosen, dict[Bet, PayTable]]:
    """The options and the paytable of every bet.

    Where community cards lie on the table and no progressive was chosen, it is the link's.
    """
    chosen: list[tuple[str | None, str]] = []
    if isinstance(options, Options):
        check_profile(options)
        read = options if isinstance(options, game.options) else options.into(game.options)
    else:
        read, chosen = read_options(_texts(options or {}, "options"), game.options())
    chosen += paytable_pairs(paytables)
    if (
        community
        and "progressive" in game.wagers
        and not any(b == "progressive" for b, _ in chosen)
    ):
        known = paytables_of(game.code, "progressive")
        chosen.append(("progressive", next(table.code for table in known if table.community)))
    return read, choose_paytables(game, chosen)


def paytable_pairs(given: Any) -> list[tuple[str | None, str]]:
    """Paytables as (bet, code), or (None, code) for a designator, however they are given."""
    if given is None:
        return []
    if isinstance(given, str):
        return [(None, given)]
    if isinstance(given, Mapping):
        return list(_texts(given, "paytables").items())
    if isinstance(given, Sequence) and not isinstance(given, bytes):
        pairs = [(None, entry) if isinstance(entry, str) else entry for entry in given]
        if all(
            isinstance(pair, tuple)
            and len(pair) == 2
            and isinstance(pair[0], str | None)
            and isinstance(pair[1], str)
            for pair in pairs
        ):
            return pairs
    raise Refused(
        Reason.BAD_ARGUMENT,
        f"paytables {given!r} cannot be read; give a designator, or codes by bet such as "
        "{'pair-plus': 'B'}",
    )


def _texts(given: Any, what: str) -> dict[str, str]:
    """Names and values as text; whole numbers are taken for their digits."""
    if not isinstance(given, Mapping):
        raise Refused(Reason.BAD_ARGUMENT, f"{what} {given!r} cannot be read; give values by name")
    for name, value in given.items():
        plain = isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
        if not isinstance(name, str) or not plain:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"{what} {name!r}: {value!r} cannot be read; names and values are text",
            )
    return {name: str(value) for name, value in given.items()}


def read_bets(given: Any) -> Mapping[str, int]:
    """The bets as a mapping; whether they may be made is not looked at here."""
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"bets {given!r} cannot be read; give cents by bet such as {{'ante': 1000}}",
        )
    return given


def read_cards(given: Any, name: str, *, packs: int = 1) -> tuple[int, ...]:
    """Cards given as text, as texts or as ints; refused when they are none or stand too often."""
    if isinstance(given, str):
        cards = parse_cards(given)
    elif isinstance(given, Sequence) and not isinstance(given, bytes | bytearray):
        if all(isinstance(card, str) for card in given):
            cards = tuple(card for text in given for card in parse_cards(text))
        else:
            cards = tuple(given)
    else:
        raise Refused(
            Reason.UNKNOWN_CARD,
            f"{name} cards {given!r} cannot be read; give text such as 'Kh 9c 4d' or a list",
        )
    check_distinct(cards, packs=packs)
    return cards


def read_hands(
    game: Game,
    *,
    player: Any,
    dealer: Any,
    community: Any,
    others: Any,
    folded_others: Any,
    own_others: Any,
) -> Hands:
    """The hands of a game of two hands; refused when one has too few or too many cards."""
    own = game.cards_of(SEATS)

    def hand(name: str, cards: Any, size: int) -> tuple[int, ...]:
        if cards is None:
            raise Refused(
                Reason.TOO_FEW_CARDS, f"no {name} cards are given; {game.name} needs {size}"
            )
        found = read_cards(cards, name)
        if len(found) != size:
            few = len(found) < size
            raise Refused(
                Reason.TOO_FEW_CARDS if few else Reason.TOO_MANY_CARDS,
                f"{name} cards '{cards_text(found)}' are {len(found)}; exactly {size} are needed",
            )
        return found

    hands = Hands(
        player=hand("player", player, own),
        dealer=hand("dealer", dealer, game.cards_of(DEALER)),
        community=() if community is None else hand("community", community, 2),
        others=tuple(hand("other", cards, own) for cards in _several(others)),
        folded_others=tuple(hand("folded other", cards, own) for cards in _several(folded_others)),
        own_others=tuple(hand("own other", cards, own) for cards in _several(own_others)),
    )
    table = [*hands.player, *hands.dealer, *hands.community]
    further = hands.others + hands.folded_others + hands.own_others
    check_distinct(table + [card for cards in further for card in cards])
    return hands


def _several(given: Any) -> Iterable[Any]:
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        return given
    raise Refused(
        Reason.BAD_ARGUMENT,
        f"other hands {given!r} cannot be read; give a list of hands such as ['As Ks Qs']",
    )


def read_decision(game: Game, wagers: Mapping[Bet, int], decision: Any) -> tuple[str, ...]:
    """The decision of a seat that has a bet to decide about; the usual one if none is said."""
    [asked] = (step for step in game.script if isinstance(step, Ask))
    due = not asked.needs or asked.needs in wagers
    if decision is None:
        return (asked.usual,) if due else ()
    known_action(game, decision)
    if not due:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"decision {decision!r} is not allowed: without an {asked.needs} there is nothing to "
            "decide",
            asked.clause,
        )
    return (decision,)


def read_decisions(given: Any) -> list[str]:
    """The decisions of a Blackjack hand as a list; which of them are known is the game's matter."""
    if given is None:
        return []
    if isinstance(given, str):
        return [word.strip() for word in given.split(",")] if given.strip() else []
    if isinstance(given, Sequence) and not isinstance(given, bytes):
        return list(given)
    raise Refused(
        Reason.UNKNOWN_DECISION,
        f"decisions {given!r} cannot be read; give a list such as ['hit', 'stand']",
    )


def check_community(
    hands: Hands, wagers: Mapping[Bet, int], tables: Mapping[Bet, PayTable]
) -> None:
    """Refuse a link without its two community cards, and such cards where nothing sees them."""
    paytable = tables.get("progressive")
    if paytable is None:
        if hands.community:
            raise Refused(
                Reason.TOO_MANY_CARDS,
                f"community cards '{cards_text(hands.community)}' are given, and no bet sees them",
            )
        return
    if "progressive" in wagers and paytable.community and not hands.community:
        raise Refused(
            Reason.TOO_FEW_CARDS,
            f"no community cards are given; progressive {paytable.code!r} needs 2",
            "PML-02",
        )
    if hands.community and not paytable.community:
        raise Refused(
            Reason.TOO_MANY_CARDS,
            f"community cards '{cards_text(hands.community)}' are given, but progressive "
            f"{paytable.code!r} is judged on three cards; they belong to 01, ML01 and ML03",
            "PML-02",
        )


def read_meters(given: Any, paytable: PayTable | None, options: Options) -> dict[MeterLevel, int]:
    """What stands on each meter in cents, by level."""
    if given is None:
        return {}
    if paytable is None:
        raise Refused(Reason.UNKNOWN_METER, f"meter {given!r} is given, and no bet is paid from it")
    clause = by_system(paytable, options, "PGM-19", "PNX-19", "PML-12")
    if not isinstance(given, Mapping):
        if paytable.levels != ("single",):
            raise Refused(
                Reason.UNKNOWN_METER,
                f"meter {given!r} names no level; progressive {paytable.code!r} pays from "
                f"{listed(paytable.levels)}, so write {paytable.levels[0]}=AMOUNT",
                clause,
            )
        return {"single": check_amount(given, "meter", zero=True)}
    meters: dict[MeterLevel, int] = {}
    for name, cents in given.items():
        level = next((level for level in METER_LEVELS if level == name), None)
        if level is None or level not in paytable.levels:
            single = paytable.levels == ("single",)
            allowed = "one amount without a level" if single else listed(paytable.levels)
            raise Refused(
                Reason.UNKNOWN_METER,
                f"meter {name!r} is unknown to progressive {paytable.code!r}; allowed: {allowed}",
                clause,
            )
        meters[level] = check_amount(cents, f"meter {name}", zero=True)
    return meters


def refuse_extra(game: Game, given: Mapping[str, object], instead: str) -> None:
    """Refuse what belongs to another kind of game."""
    for name, value in given.items():
        if value is not None:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"{name} {value!r} does not belong to {game.code}; {instead}",
            )
