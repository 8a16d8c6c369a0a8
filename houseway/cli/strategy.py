"""`houseway strategy`: the best way to play a game."""

import json as json_text
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.arguments import GameText, Json, OptionTexts, PaytableTexts, fill_in, read_game
from houseway.cli.output import console, pairs, paytable_pairs, print_json, progress
from houseway.refusal import Reason, Refused


@fill_in
def strategy(
    game: GameText = None,
    *,
    out: Annotated[str | None, Parameter(help="Write the whole strategy to this file.")] = None,
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    json: Json = False,
) -> None:
    """The optimal strategy: in words, and hand by hand as a file that a simulation reads.

    Example: `houseway strategy {second} --out strategy.json`
    """
    found = read_game(game)
    options = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
    with progress(f"solving {found.code}"):
        from houseway.exact.strategy import strategy_document

        document = strategy_document(found.code, options, paytable_pairs(paytable))
    if out is not None:
        try:
            Path(out).write_text(json_text.dumps(document, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise Refused(
                Reason.BAD_ARGUMENT, f"file {out!r} cannot be written: {error.strerror}"
            ) from None
    if json:
        print_json(document)
        return
    console().print(f"[bold]{found.name}[/bold]  optimal play")
    for line in document["summary"]:
        console().print(line, highlight=False, markup=False)
    if out is not None:
        console().print(f"{len(document['hands'])} hands written to {out}", markup=False)
