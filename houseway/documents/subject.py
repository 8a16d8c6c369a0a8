"""Subject: what a document is about: a game or progressive with the house's choices, priced."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from houseway.documents.words import command
from houseway.exact.pricing import par
from houseway.exact.sheet import ParSheet
from houseway.games import GAMES, game_of
from houseway.games.contract import Game
from houseway.games.library import paytable_of
from houseway.games.progressive import NAMES
from houseway.games.solvers import Showdown
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.names import PROGRESSIVE_CODES, Bet
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import make_ruleset, revision_of
from houseway.rules.seat import read_house

Pairs = tuple[tuple[str | None, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """A game or a progressive, with what was chosen and what that comes to."""

    code: str
    name: str
    game: Game
    """The game itself; of a progressive, a game that it is offered with."""
    options: Options
    tables: Mapping[Bet, PayTable]
    """The paytable in force for every bet; empty for a progressive."""
    sheet: ParSheet
    revision: str
    digest: str
    given_options: Mapping[str, str]
    given_paytables: Pairs
    author: str | None = None
    more: tuple[str, ...] = ()
    """What else was typed that the figures hang on."""

    @property
    def is_progressive(self) -> bool:
        """True for a progressive by itself."""
        return self.code in PROGRESSIVE_CODES

    @property
    def ante_play(self) -> Game | None:
        """The game when it is one of Ante and Play, else None."""
        return self.game if isinstance(self.game.solver, Showdown) else None

    def command(self, *parts: str, more: Iterable[str] = ()) -> str:
        """A command about this subject, as it is typed."""
        return command(
            *parts, paytables=self.given_paytables, options=self.given_options, more=more
        )


def make_subject(
    code: str,
    options: Mapping[str, str],
    paytables: Iterable[tuple[str | None, str]],
    *,
    sheet: ParSheet | None = None,
    author: str | None = None,
    more: Iterable[str] = (),
) -> Subject:
    """The subject of a document; refused where no table could be opened with such rules."""
    chosen = tuple(paytables)
    if author is not None and (
        not author.strip() or not author.isprintable() or len(author) > MOST_AUTHOR
    ):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"author {author[:40]!r} cannot be printed; write a name of 1 to {MOST_AUTHOR} signs",
        )
    if code in PROGRESSIVE_CODES:
        game: Game = next(game for game in GAMES if "progressive" in game.wagers)
        read, _ = read_house(game, options, None, community=False)
        tables: Mapping[Bet, PayTable] = {}
        revision, digest = revision_of(game.code, read), ""
    else:
        ruleset = make_ruleset(code, options, chosen)
        game, read, tables = ruleset.game, ruleset.options, ruleset.paytables
        revision, digest = ruleset.revision, ruleset.digest
    priced = sheet or par(code, options, chosen)
    return Subject(
        code=code,
        name=NAMES.get(code) or game_of(code).name,
        game=game,
        options=read,
        tables=tables,
        sheet=priced,
        revision=revision,
        digest=digest or _progressive_digest(code, priced, revision),
        given_options=dict(options),
        given_paytables=chosen,
        author=author,
        more=tuple(more),
    )


MOST_AUTHOR = 80


def _progressive_digest(code: str, sheet: ParSheet, revision: str) -> str:
    """Sixty-four hexadecimal digits over a progressive's paytables and options."""
    codes = [row.to_json()["paytable"] for row in sheet.progressives]
    data = {
        "progressive": code,
        "revision": revision,
        "options": sheet.options.chosen(),
        "paytables": [paytable_of(code, "progressive", found).to_json() for found in codes],
    }
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
