"""Refusals: the one way in which this house says no.

A refusal is for what a person did: it carries a reason from a closed list, the clause that
forbids the act where there is one, and one sentence that quotes the value and says what is
allowed. Nothing has changed when it is raised.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Reason(StrEnum):
    """Why something is refused, in order of precedence: the first that applies is given."""

    BAD_ARGUMENT = "bad_argument"
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_OPTION = "unknown_option"
    UNKNOWN_VALUE = "unknown_value"
    MISSING_DATE = "missing_date"
    UNKNOWN_DATE = "unknown_date"
    UNKNOWN_BET = "unknown_bet"
    UNKNOWN_PAYTABLE = "unknown_paytable"
    GIVEN_TWICE = "given_twice"
    NOT_AN_AMOUNT = "not_an_amount"
    NEGATIVE_AMOUNT = "negative_amount"
    ZERO_AMOUNT = "zero_amount"
    FRACTION_OF_A_CENT = "fraction_of_a_cent"
    AMOUNT_TOO_LARGE = "amount_too_large"
    MISSING_BET = "missing_bet"
    BASE_WAGER_REQUIRED = "base_wager_required"
    ANTE_MANDATORY = "ante_mandatory"
    NOT_A_BET = "not_a_bet"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    ABOVE_LIMIT = "above_limit"
    TOO_MANY_GAMES = "too_many_games"
    BREAKAGE = "breakage"
    UNKNOWN_CARD = "unknown_card"
    CARD_TWICE = "card_twice"
    TOO_FEW_CARDS = "too_few_cards"
    TOO_MANY_CARDS = "too_many_cards"
    UNKNOWN_DECISION = "unknown_decision"
    DECISION_NOT_ALLOWED = "decision_not_allowed"
    MISSING_METER = "missing_meter"
    UNKNOWN_METER = "unknown_meter"
    UNKNOWN_CLAUSE = "unknown_clause"
    NOT_APPROVED = "not_approved"
    BAD_DECK = "bad_deck"
    BAD_GAME = "bad_game"
    BAD_RECORD = "bad_record"
    STALE_ROUND = "stale_round"
    IRREGULARITY_OPEN = "irregularity_open"
    WRONG_PHASE = "wrong_phase"
    WRONG_POSITION = "wrong_position"
    OUT_OF_ORDER = "out_of_order"
    NOT_DONE_YET = "not_done_yet"
    STALE_VERSION = "stale_version"
    KEY_USED = "key_used"
    JOURNAL_UNAVAILABLE = "journal_unavailable"


class Refused(Exception):  # noqa: N818 - "refused" is the word the floor uses
    """What a person asked for is not done; nothing has changed."""

    def __init__(self, reason: Reason, message: str, clause: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.clause = clause

    def to_json(self) -> dict[str, object]:
        """The error document of the command line."""
        return {
            "error": {"reason": self.reason.value, "clause": self.clause, "message": self.message}
        }


def listed(values: "Iterable[object]") -> str:
    """Text of the allowed values, for the end of a sentence: 'A, B, C'."""
    return ", ".join(str(value) for value in values)
