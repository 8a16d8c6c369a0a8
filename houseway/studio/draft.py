"""Draft: a variant as the subject of a document, priced once while it is worked on."""

from functools import lru_cache

from houseway.documents.subject import Subject, make_subject
from houseway.exact.sheet import ParSheet
from houseway.rules.variant import Variant

KEPT = 8
"""Drafts whose whole sheet is kept at hand."""


def subject_of(variant: Variant, *, priced: bool = True, author: str | None = None) -> Subject:
    """The variant as what a par sheet is about, every bet under the one paytable in force.

    Unpriced it has an empty sheet, for what needs no figure.
    """
    ruleset = variant.ruleset()
    pairs = tuple((bet, table.code) for bet, table in ruleset.paytables.items())
    options = tuple(variant.options.items())
    if not priced:
        empty = ParSheet(game=variant.game, options=ruleset.options, strategy="optimal", rows=())
        return make_subject(variant.game, dict(options), pairs, sheet=empty, author=author)
    known = _priced(variant.game, options, pairs)
    return make_subject(variant.game, dict(options), pairs, sheet=known.sheet, author=author)


@lru_cache(maxsize=KEPT)
def _priced(
    game: str, options: tuple[tuple[str, str], ...], pairs: tuple[tuple[str | None, str], ...]
) -> Subject:
    return make_subject(game, dict(options), pairs)
