"""Paytables: what each hand is paid, as data with a source.

A paytable is known by its game, its bet and its code, because the sources use one code for
several tables ('TCP-01' on two games, '1' on three bets). The loader refuses a table it cannot
trust: a gap between paid hands, a hand twice or unknown, odds it cannot read.

A table of one's own is a known one with changes, and its code says which: 'A:flush=3,pair=none'
is table A with 3 to 1 for a flush and nothing for a pair. So it goes wherever a code goes: into a
settlement, a round file, a journal, a simulation or a command, and needs no file beside it.
"""

import tomllib
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from houseway.catalog import catalog_text
from houseway.hands import FiveCard, ProgressiveThree, ThreeCard
from houseway.money import (
    CENTS_PER_DOLLAR,
    ForOne,
    MeterLevel,
    MeterShare,
    Odds,
    ToOne,
    parse_amount,
    parse_odds,
)
from houseway.names import BETS, GAME_CODES, PROGRESSIVE_CODES, Bet
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_POINTS_PAID = 19
"""The dealer plays with at most 20, so 19 is the last score that can win (TSR-12)."""


class HatTrick(IntEnum):
    """What the Hat Trick looks at: whether any of the three legs was lost (TSB-21)."""

    A_LEG_LOST = 0
    NO_LEG_LOST = 1


HANDS: dict[str, type[IntEnum]] = {
    "three_card": ThreeCard,
    "five_card": FiveCard,
    "progressive_three": ProgressiveThree,
    "hat_trick": HatTrick,
}
RUMMY_POINTS = "rummy_points"
CHANGES = ":"
"""What stands between the code of a table and the changes made to it."""
NOT_PAID = "none"
ENVY = "envy."
MOST_PAY, MOST_PER = 100_000, 10
"""The largest pay of a changed row, and the largest number it may be paid for: 100,000 to 10."""
MOST_CHANGES = 400
"""How long the changes of a code may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayTable:
    """The pays of one bet. `rows` is what is printed, `pays` what is looked up."""

    game: str
    bet: Bet
    code: str
    hands: str
    source: tuple[str, ...]
    rows: tuple[tuple[str, Odds], ...]
    pays: "Mapping[int, Odds]"
    envy_cents: "Mapping[int, int]"
    envy_per_dollar: bool

    def __hash__(self) -> int:
        return hash((self.game, self.bet, self.code, self.rows))

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker in another process is sent paytables, and a mapping proxy cannot be.
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        plain = {"pays": dict(self.pays), "envy_cents": dict(self.envy_cents)}
        return _paytable, (values | plain,)

    def odds(self, hand: int) -> Odds | None:
        """What the hand is paid; None when the table does not pay it."""
        return self.pays.get(hand)

    @property
    def levels(self) -> tuple[MeterLevel, ...]:
        """The meters this table pays from, best hand first."""
        shares = [odds.level for _, odds in self.rows if isinstance(odds, MeterShare)]
        return tuple(dict.fromkeys(shares))

    @property
    def largest_fixed(self) -> Fraction:
        """The most that a unit wager gets back from no meter; 0 where every pay is a share."""
        fixed = (odds.net + 1 for _, odds in self.rows if not isinstance(odds, MeterShare))
        return max(fixed, default=Fraction(0))

    @property
    def community(self) -> bool:
        """True when two community cards are judged together with the player's own three."""
        return self.game == "five-card-link"

    def to_json(self) -> dict[str, Any]:
        """The table as plain data."""
        data: dict[str, Any] = {
            "bet": self.bet,
            "code": self.code,
            "source": list(self.source),
            "pays": [[hand, str(odds)] for hand, odds in self.rows],
        }
        if self.envy_cents:
            kind = HANDS[self.hands]
            data["envy"] = {
                "cents": {
                    kind(hand).name.lower(): cents for hand, cents in self.envy_cents.items()
                },
                "per_dollar": self.envy_per_dollar,
            }
        return data


def _paytable(values: dict[str, Any]) -> PayTable:
    """The paytable with these values; nobody can change its pays."""
    fixed = {name: MappingProxyType(values[name]) for name in ("pays", "envy_cents")}
    return PayTable(**values | fixed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Designator:
    """A printed code that stands for one paytable of each of several bets."""

    game: str
    code: str
    source: str
    paytables: "Mapping[Bet, str]"


@dataclass(frozen=True, slots=True)
class Library:
    """Every paytable and designator that was loaded, in the order of the file."""

    paytables: tuple[PayTable, ...]
    designators: tuple[Designator, ...]

    def of(self, game: str, bet: str) -> tuple[PayTable, ...]:
        """The paytables of one bet of a game; a game may play for any progressive."""
        own = bet != "progressive" or game in PROGRESSIVE_CODES
        owners = (game,) if own else PROGRESSIVE_CODES
        return tuple(pt for pt in self.paytables if pt.game in owners and pt.bet == bet)

    def get(self, game: str, bet: str, code: str) -> PayTable:
        """The paytable of that code, with the changes that it names.

        Refused with the known codes when there is none.
        """
        known = self.of(game, bet)
        code, changes, text = code.partition(CHANGES)
        for paytable in known:
            if paytable.code == code:
                return changed(paytable, text) if changes else paytable
        codes = listed(pt.code for pt in known)
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"paytable {code!r} of {game if game in PROGRESSIVE_CODES else bet} is unknown; "
            f"known: {codes}"
            if known
            else f"bet {bet!r} of {game} has no paytable to choose; "
            f"paytables are chosen for {listed(self.chosen_bets(game))}",
        )

    def usual(self, game: str) -> "dict[Bet, str]":
        """The usual paytable of each bet of a game: the one that stands first."""
        found: dict[Bet, str] = {}
        for paytable in self.paytables:
            if paytable.game == game:
                found.setdefault(paytable.bet, paytable.code)
        return found

    def chosen_bets(self, game: str) -> tuple[Bet, ...]:
        """The bets of a game that a paytable is chosen for."""
        own = dict.fromkeys(pt.bet for pt in self.paytables if pt.game == game)
        if game in GAME_CODES and game != "triple-shot-bonus":
            own["progressive"] = None
        return tuple(own)

    def designator(self, game: str, code: str) -> Designator:
        """The designator of that code; refused with the known ones when there is none."""
        known = [entry for entry in self.designators if entry.game == game]
        for entry in known:
            if entry.code == code:
                return entry
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"paytable {code!r} is unknown; known: {_span(entry.code for entry in known)}"
            if known
            else f"paytable {code!r} is unknown; choose one bet at a time, such as "
            f"{_example(game)}",
        )


@cache
def library() -> Library:
    """The paytables of the sources; nothing is taken from drawings of layouts (TCP-26).

    Three Card Poker (TCP-25), its 6 Card Bonus (SCB-04) and Face Up (FUP-10), Rummy (TSR-34..36),
    the sheets of Triple Shot Bonus (TSB-25) and the progressives (PGM-19, PNX-19, PML-12).
    """
    return read_library(catalog_text("paytables.toml"))


_Paid = TypeVar("_Paid")


@lru_cache(maxsize=4096)
def changed(base: PayTable, text: str) -> PayTable:
    """A paytable with some rows paid otherwise, from text such as 'flush=3,straight=9 to 2'.

    A whole number keeps the kind of the row: to 1 or for 1. 'none' takes a row away, 'envy.HAND'
    sets envy in dollars. The same table always gets the same code, and is `base` where nothing
    differs.
    """
    rows, envy = dict(base.rows), _envy(base)
    seen: set[str] = set()
    if len(text) > MOST_CHANGES:
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"the changes of paytable {base.code!r} are {len(text)} signs long; at most "
            f"{MOST_CHANGES} are allowed",
        )
    for part in text.split(","):
        hand, equals, pay = (piece.strip() for piece in part.partition("="))
        if not hand or not equals or not pay:
            raise Refused(
                Reason.UNKNOWN_PAYTABLE,
                f"change {part.strip()!r} of paytable {base.code!r} cannot be read; write a hand "
                f"and its pay, such as {base.rows[-1][0]}=2",
            )
        if hand in seen:
            raise Refused(Reason.GIVEN_TWICE, f"hand {hand!r} is changed twice; change it once")
        seen.add(hand)
        if hand.startswith(ENVY):
            of = hand.removeprefix(ENVY)
            _change(envy, of, None if pay == NOT_PAID else parse_amount(pay, f"envy of {of}"))
        else:
            _change(rows, hand, None if pay == NOT_PAID else _own_odds(base, hand, pay))
    return _rebuilt(base, rows, envy)


def changes_of(paytable: PayTable) -> tuple[PayTable, dict[str, str]]:
    """The known table behind a table, and what its code says of each hand that differs."""
    code, _, text = paytable.code.partition(CHANGES)
    base = library().get(paytable.game, paytable.bet, code)
    return base, dict(part.split("=") for part in text.split(",")) if text else {}


def _change(rows: dict[str, _Paid], hand: str, pay: _Paid | None) -> None:
    if pay is not None:
        rows[hand] = pay
    elif hand in rows:
        del rows[hand]
    else:
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"hand {hand!r} is not paid, so nothing is taken away; paid: {listed(rows)}",
        )


def _own_odds(base: PayTable, hand: str, text: str) -> Odds:
    """The pay of a changed row; a bare number keeps the kind of the row it stands for."""
    before = dict(base.rows).get(hand) or _usual(base)
    bare = text.isascii() and text.isdecimal() and not isinstance(before, MeterShare)
    per = f" {'for' if isinstance(before, ForOne) else 'to'} 1" if bare else ""
    try:
        odds = parse_odds(text + per)
    except ValueError:
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"pay {text!r} of {hand} cannot be read; write a whole number above 0, odds such as "
            f"'3 to 2' or '50 for 1', or {NOT_PAID!r}",
        ) from None
    if isinstance(odds, MeterShare):
        return odds
    if odds.numerator > MOST_PAY or odds.denominator > MOST_PER:
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"pay {text!r} of {hand} is too large; at most {MOST_PAY:,} is paid, for 1 to "
            f"{MOST_PER}",
        )
    # 6 to 2 is 3 to 1, and the same table has one code.
    share = Fraction(odds.numerator, odds.denominator)
    return replace(odds, numerator=share.numerator, denominator=share.denominator)


def _usual(base: PayTable) -> Odds:
    """A pay of the kind that a table makes, for hands that it has not paid."""
    fixed = (odds for _, odds in base.rows if not isinstance(odds, MeterShare))
    return next(fixed, ToOne(1))


def _rebuilt(base: PayTable, rows: "Mapping[str, Odds]", envy: "Mapping[str, int]") -> PayTable:
    """The table with these rows under the code that names what differs."""
    where = f"paytable {base.code!r} of {base.bet}"

    def place(hand: str) -> int:
        points = base.hands == RUMMY_POINTS
        return _first_point(hand, where) if points else -_hand(hand, base.hands, where)

    try:
        ordered = sorted(rows, key=place)
        entry = {
            "game": base.game,
            "bet": base.bet,
            "code": _code(base, {hand: rows[hand] for hand in ordered}, envy),
            "hands": base.hands,
            "source": [],
            "pays": [[hand, str(rows[hand])] for hand in ordered],
            "envy": {hand: _dollars(cents) for hand, cents in envy.items()}
            | {"per_dollar": base.envy_per_dollar},
        }
        made = _read_paytable(entry)
    except ValueError as error:
        raise Refused(Reason.UNKNOWN_PAYTABLE, str(error)) from None
    if made.levels != base.levels:
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"paytable {made.code!r} pays from {listed(made.levels) or 'no meter'}; it must pay "
            f"from {listed(base.levels) or 'no meter'} as {base.code!r} does",
        )
    return base if made.code == base.code else made


def _code(base: PayTable, rows: "Mapping[str, Odds]", envy: "Mapping[str, int]") -> str:
    """The one code of a table that differs from another in these rows."""
    before, before_envy = dict(base.rows), _envy(base)
    said = [
        f"{hand}={_short(odds, before.get(hand) or _usual(base))}"
        for hand, odds in rows.items()
        if odds != before.get(hand)
    ]
    said += [f"{hand}={NOT_PAID}" for hand in before if hand not in rows]
    said += [
        f"{ENVY}{hand}={_dollars(cents)}"
        for hand, cents in envy.items()
        if cents != before_envy.get(hand)
    ]
    said += [f"{ENVY}{hand}={NOT_PAID}" for hand in before_envy if hand not in envy]
    return f"{base.code}{CHANGES}{','.join(said)}" if said else base.code


def _short(odds: Odds, before: Odds | None) -> str:
    """A pay as it is written in a code: only the number where the kind is that of the row."""
    kind = ForOne if isinstance(before, ForOne) else ToOne
    if isinstance(odds, kind) and odds.denominator == 1 and not isinstance(before, MeterShare):
        return str(odds.numerator)
    return str(odds).replace(",", "")


def _envy(paytable: PayTable) -> dict[str, int]:
    """Envy in cents by the name of the hand."""
    if not paytable.envy_cents:
        return {}
    kind = HANDS[paytable.hands]
    return {kind(hand).name.lower(): cents for hand, cents in paytable.envy_cents.items()}


def _dollars(cents: int) -> str:
    """An amount as it is written in a code: 25 or 12.50."""
    dollars, rest = divmod(cents, CENTS_PER_DOLLAR)
    return f"{dollars}.{rest:02d}" if rest else str(dollars)


def read_library(text: str) -> Library:
    """The paytables that a TOML text holds; ValueError with one sentence on the first bad one."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"the paytable file cannot be read: {error}") from None
    paytables: list[PayTable] = []
    for entry in data.get("paytable", []):
        paytable = _read_paytable(entry)
        for other in paytables:
            if (other.game, other.bet, other.code) == (paytable.game, paytable.bet, paytable.code):
                raise ValueError(
                    f"paytable {paytable.code!r} of {paytable.bet} in {paytable.game} stands twice"
                )
        paytables.append(paytable)
    loaded = Library(tuple(paytables), ())
    designators = [_read_designator(entry, loaded) for entry in data.get("designator", [])]
    for number, designator in enumerate(designators):
        if any(
            (d.game, d.code) == (designator.game, designator.code) for d in designators[:number]
        ):
            raise ValueError(f"designator {designator.code!r} of {designator.game} stands twice")
    return Library(loaded.paytables, tuple(designators))


def _read_paytable(entry: dict[str, Any]) -> PayTable:
    needed = ("game", "bet", "code", "hands", "source", "pays")
    missing = [key for key in needed if key not in entry]
    if missing:
        raise ValueError(f"paytable {entry.get('code', '?')!r} has no {missing[0]!r}")
    game, bet, code, hands = (str(entry[key]) for key in needed[:4])
    where = f"paytable {code!r} of {bet} in {game}"
    if game not in (*GAME_CODES, *PROGRESSIVE_CODES):
        raise ValueError(
            f"{where}: game {game!r} is unknown; known: {listed((*GAME_CODES, *PROGRESSIVE_CODES))}"
        )
    if bet not in BETS:
        raise ValueError(f"{where}: bet {bet!r} is unknown; known: {listed(BETS)}")
    rows: list[tuple[str, Odds]] = []
    for hand, odds in entry["pays"]:
        if any(hand == other for other, _ in rows):
            raise ValueError(f"{where}: hand {hand!r} stands twice")
        try:
            rows.append((hand, parse_odds(odds)))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    envy = dict(entry.get("envy", {}))
    per_dollar = bool(envy.pop("per_dollar", False))
    paid = _points_paid if hands == RUMMY_POINTS else _hands_paid
    return PayTable(
        game=game,
        bet=bet,
        code=code,
        hands=hands,
        source=tuple(entry["source"]),
        rows=tuple(rows),
        pays=MappingProxyType(paid(rows, hands, where)),
        envy_cents=MappingProxyType(
            {_hand(name, hands, where): parse_amount(cents, "envy") for name, cents in envy.items()}
        ),
        envy_per_dollar=per_dollar,
    )


def _hand(name: str, hands: str, where: str) -> int:
    if hands not in HANDS:
        known = listed((*HANDS, RUMMY_POINTS))
        raise ValueError(f"{where}: hands {hands!r} is unknown; known: {known}")
    kind = HANDS[hands]
    if name.upper() not in kind.__members__ or name != name.lower() or not kind[name.upper()]:
        known = listed(member.name.lower() for member in reversed(kind) if member)
        raise ValueError(f"{where}: hand {name!r} is unknown; known: {known}")
    return kind[name.upper()]


def _hands_paid(rows: list[tuple[str, Odds]], hands: str, where: str) -> dict[int, Odds]:
    """Odds by hand; a hand between two paid ones must be paid as well."""
    pays = {_hand(name, hands, where): odds for name, odds in rows}
    if not pays:
        raise ValueError(f"{where}: no hand is paid")
    kind = HANDS[hands]
    if kind is ThreeCard and ThreeCard.STRAIGHT_FLUSH in pays:
        # A suited A-K-Q that is not named is paid as the straight flush it is.
        pays.setdefault(ThreeCard.MINI_ROYAL, pays[ThreeCard.STRAIGHT_FLUSH])
    for member in kind:
        if member > min(pays) and member not in pays:
            raise ValueError(
                f"{where}: hand {member.name.lower()!r} is missing though "
                f"{kind(min(pays)).name.lower()!r}, which is worse, is paid"
            )
    return pays


def _first_point(name: str, where: str) -> int:
    """The lowest score of a row such as '1-5'."""
    first, _, last = name.partition("-")
    spelled = (first + last).isascii() and first.isdecimal() and (last or first).isdecimal()
    if not spelled or len(name) > len("00-00"):
        raise ValueError(f"{where}: score {name[:20]!r} is unknown; write 0 or 1-5")
    return int(first)


def _points_paid(rows: list[tuple[str, Odds]], hands: str, where: str) -> dict[int, Odds]:
    """Odds by rummy score from rows such as '0', '1-5' and '6-19' (TSR-12)."""
    pays: dict[int, Odds] = {}
    for name, odds in rows:
        first, last = _first_point(name, where), name.rpartition("-")[2]
        for points in range(first, int(last) + 1):
            if points in pays:
                raise ValueError(f"{where}: score {points} stands twice, again in {name!r}")
            pays[points] = odds
    for points in range(MOST_POINTS_PAID + 1):
        if points not in pays:
            raise ValueError(f"{where}: {hands} {points} is missing; scores 0 to 19 can win")
    if max(pays) > MOST_POINTS_PAID:
        raise ValueError(f"{where}: score {max(pays)} can never win; scores 0 to 19 can")
    return pays


def _read_designator(entry: dict[str, Any], loaded: Library) -> Designator:
    for bet, code in entry["paytables"].items():
        try:
            loaded.get(entry["game"], bet, code)
        except Refused as refused:
            raise ValueError(f"designator {entry['code']!r}: {refused.message}") from None
    return Designator(
        game=entry["game"],
        code=entry["code"],
        source=entry["source"],
        paytables=MappingProxyType(entry["paytables"]),
    )


def _span(codes: "Iterable[str]") -> str:
    known = list(codes)
    return listed(known) if len(known) < 4 else f"{known[0]} … {known[-1]}"


def _example(game: str) -> str:
    bet, code = list(library().usual(game).items())[-1]
    return f"{bet}={code}"
