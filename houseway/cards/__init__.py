"""Cards: a card is an int from 0 to 51, rank * 4 + suit.

Ranks run from 0 (the deuce) to 12 (the Ace), suits from 0 to 3 in the order clubs, diamonds,
hearts, spades. Text is read in any case, with blanks or commas between the cards, and the ten
may be written T or 10; it is printed as 'Kh' or, for people, 'King of hearts'.
"""

import re
from typing import TYPE_CHECKING

from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_SIZE = 52
DECK = tuple(range(DECK_SIZE))
UNKNOWN = -1
"""A card that nobody has seen."""
HIDDEN = "??"
"""How such a card is written."""

DEUCE, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

RANK_WORDS = (
    *("Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"),
    *("Ten", "Jack", "Queen", "King", "Ace"),
)
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")

_CARD = re.compile(r"(10|[2-9TJQKA])([CDHS])")


def rank_of(card: int) -> int:
    """The rank, 0 (deuce) to 12 (Ace)."""
    return card >> 2


def suit_of(card: int) -> int:
    """The suit, 0 to 3: clubs, diamonds, hearts, spades."""
    return card & 3


def make_card(rank: int, suit: int) -> int:
    """The card of that rank and suit."""
    return rank * 4 + suit


def card_text(card: int) -> str:
    """The card in two characters: 'Kh', or '??' for one that nobody has seen."""
    if card == UNKNOWN:
        return HIDDEN
    return RANKS[card >> 2] + SUITS[card & 3]


_PLAIN = {card_text(card): card for card in range(DECK_SIZE)}


def cards_text(cards: "Iterable[int]") -> str:
    """The cards with blanks between: 'Kh 9c 4d'."""
    return " ".join(card_text(card) for card in cards)


def card_words(card: int) -> str:
    """The card as a person says it: 'King of hearts'."""
    return f"{RANK_WORDS[card >> 2]} of {SUIT_WORDS[card & 3]}"


def rank_plural(rank: int) -> str:
    """Several of a rank as a person says it: 'Sixes', 'Kings'."""
    word = RANK_WORDS[rank]
    return word + ("es" if word.endswith("x") else "s")


def parse_card(text: str) -> int:
    """The card that the text names; refused when it names none."""
    match = _CARD.fullmatch(text.strip().upper()) if text.isascii() else None
    if match is None:
        raise _unknown(text.strip())
    rank = "T" if match[1] == "10" else match[1]
    return make_card(RANKS.index(rank), SUITS.index(match[2].lower()))


def parse_cards(text: str) -> tuple[int, ...]:
    """The cards that the text names, in its order; blanks, commas or nothing between them."""
    try:
        # A deck that we have written ourselves, which is read with every shuffle.
        return tuple(map(_PLAIN.__getitem__, text.split()))
    except KeyError:
        pass
    cards: list[int] = []
    for token in re.split(r"[\s,]+", text.strip()):
        spelled = token.upper()
        if not token.isascii() or "".join(match[0] for match in _CARD.finditer(spelled)) != spelled:
            raise _unknown(token)
        cards.extend(parse_card(match[0]) for match in _CARD.finditer(spelled))
    return tuple(cards)


def check_distinct(cards: "Sequence[int]", clause: str | None = None, *, packs: int = 1) -> None:
    """Refuse what is no card and a card that stands more often than a deck of these packs has it.

    Our own games are dealt from one pack, which holds each card once (TSR-01, TCP-01, TSB-01).
    """
    seen: dict[int, int] = {}
    for card in cards:
        if isinstance(card, bool) or not isinstance(card, int) or not 0 <= card < DECK_SIZE:
            raise Refused(
                Reason.UNKNOWN_CARD, f"card {card!r} is unknown; cards are numbered 0 to 51", clause
            )
        seen[card] = seen.get(card, 0) + 1
        if seen[card] > packs:
            raise Refused(
                Reason.CARD_TWICE,
                f"card '{card_text(card)}' is given {times(packs + 1)}; a deck holds each card "
                f"{times(packs)}",
                clause,
            )


def times(number: int) -> str:
    """Returns how often, in words: 'once', 'twice', '6 times'."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _unknown(text: str) -> Refused:
    return Refused(
        Reason.UNKNOWN_CARD,
        f"card {text!r} is unknown; a card is a rank (2-9, T or 10, J, Q, K, A) and a suit "
        "(c, d, h, s), such as Kh",
    )
