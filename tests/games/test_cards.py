"""Cards: every parse has a print and a round trip over the whole deck."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import (
    DECK,
    RANKS,
    SUITS,
    card_text,
    card_words,
    cards_text,
    check_distinct,
    make_card,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from houseway.refusal import Reason, Refused


@pytest.mark.clause("TSR-01", "TCP-01")
def test_the_deck_has_52_distinct_cards() -> None:
    assert len({card_text(card) for card in DECK}) == 52
    assert {card_text(card) for card in DECK} == {rank + suit for rank in RANKS for suit in SUITS}


def test_every_card_is_read_as_it_is_printed_in_any_case() -> None:
    for card in DECK:
        text = card_text(card)
        assert make_card(rank_of(card), suit_of(card)) == card
        spellings = {text, text.upper(), text.lower(), text.swapcase(), f" {text} "}
        if text[0] == "T":
            spellings |= {f"10{text[1]}", f"10{text[1].upper()}"}
        assert {parse_card(spelling) for spelling in spellings} == {card}
    assert len({card_words(card) for card in DECK}) == 52


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=8), st.sampled_from([" ", ",", ", "]))
def test_several_cards_are_read_in_order(cards: list[int], between: str) -> None:
    assert parse_cards(between.join(map(card_text, cards))) == tuple(cards)
    assert parse_cards(cards_text(cards)) == tuple(cards)
    assert parse_cards("".join(map(card_text, cards))) == tuple(cards)
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["1h", "Kx", "K", "h", "Kh Qz", "11h", "Kh 9", "k♥", "0d"])
def test_what_is_no_card_is_quoted(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_cards(text)
    assert refused.value.reason is Reason.UNKNOWN_CARD
    assert repr(text.split()[-1]) in refused.value.message


def test_a_card_twice_is_refused() -> None:
    with pytest.raises(Refused, match="card 'Kh' is given twice"):
        check_distinct(parse_cards("Kh 9c kh"))
    with pytest.raises(Refused, match="cards are numbered 0 to 51"):
        check_distinct([3, 52])
