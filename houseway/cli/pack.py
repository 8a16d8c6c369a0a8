"""`houseway pack`: everything about a game that is handed to an authority."""

from pathlib import Path
from typing import Annotated

from rich.console import Console

from houseway.cli.arguments import (
    Flag,
    GameText,
    Given,
    Json,
    OptionTexts,
    PaytableTexts,
    Repeated,
    fill_in,
    given,
    read_game,
)
from houseway.cli.output import console, pairs, paytable_pairs, print_json, progress
from houseway.refusal import Reason, Refused

MOST_BYTES = 50_000_000
"""The largest file that closes an item."""


@fill_in
def pack(
    game: GameText = None,
    *,
    out: Annotated[str | None, Given] = None,
    item: Annotated[list[str], Repeated] = [],
    complete: Annotated[bool, Flag] = False,
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    json: Json = False,
) -> None:
    """A submission pack: rules, options, paytables, par sheets, strategy, cards and digests.

    Documents are there as PDF and as HTML. The manifest has the SHA-256 of every file and the
    command that makes the pack again; the same data give the same bytes. The checklist names what
    a tribal submission still needs; a file that is copied into the pack closes an item. Examples:

    `houseway pack {second} --out pack`

    `houseway pack {first} --paytable TCP-05 --option {first_option} --out pack
    --item makers=licences.pdf --item section-18=compact-answers.pdf`

    Parameters
    ----------
    out
        The folder: new, empty, or that of an earlier pack, which is then replaced.
    item
        Close an item of the checklist with a file, NAME=FILE; may be given several times.
    complete
        Refuse to write the pack while an item is open (CMP-06).
    """
    found = read_game(game)
    place = given(out, "out", "FOLDER")
    options = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
    named = pairs(item, "item", "NAME=FILE, such as makers=licences.pdf")
    chosen = paytable_pairs(paytable)
    waiting = Console(stderr=True)
    with progress(f"making the pack of {found.code}", extra="documents"):
        from houseway.documents.checklist import check_items, open_items
        from houseway.documents.submission import check_folder, make_pack, write_pack

        check_items(named, complete=complete)
        check_folder(place)
        items = {name: (Path(file).name, _read(name, file)) for name, file in named.items()}

        def watch(what: str) -> None:
            if waiting.is_terminal:
                waiting.print(what, style="dim")

        files = make_pack(found.code, options, chosen, items, watch)
        write_pack(place, files)
    still = open_items(items)
    if json:
        print_json({"game": found.code, "out": place, "files": sorted(files), "open": list(still)})
        return
    console().print(f"{len(files)} files written to {place}", markup=False)
    said = f"Open items: {', '.join(still)}" if still else "No item of the checklist is open"
    console().print(said, markup=False)


def _read(name: str, file: str) -> bytes:
    """The bytes of a file that closes an item."""
    place = Path(file)
    try:
        if place.is_dir():
            problem = "it is a folder"
        elif place.stat().st_size > MOST_BYTES:
            problem = f"it is larger than {MOST_BYTES:,} bytes"
        else:
            return place.read_bytes()
    except OSError as error:
        problem = str(error.strerror)
    except ValueError as error:
        problem = str(error)
    raise Refused(Reason.BAD_ARGUMENT, f"item {name!r} cannot be read from {file!r}: {problem}")
