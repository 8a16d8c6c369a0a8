"""Command line: one thin function per command, each loaded only when it is called for."""

import os
import sys
from typing import TYPE_CHECKING

from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import App, CycloptsError

COMMANDS = {
    "games": "The games, their bets and paytables, and the list of 66 they come from.",
    "rules": "The rules in force, clause by clause, with options and their values.",
    "settle": "Settle one seat, with the reason for every line.",
    "par": "The par sheet of a game: every figure of every bet as a fraction.",
    "pack": "A submission pack: rules, par sheets, strategy, cards and a manifest of digests.",
    "hold": "The hold that a model expects of a mix of wagers, a pace and a buy-in.",
    "verify": "Every printed figure of the sources against the exact one.",
    "strategy": "The best way to play a game, in words and as a file.",
    "solve": "Pays that bring a bet to a target edge.",
    "trace": "Every clause with the code that carries it out and the tests that show it.",
    "simulate": "A game dealt by the million, every bet beside its exact value.",
    "witness": "Every bet of every game, dealt and held against its exact figure.",
    "session": "A player's bankroll and a table's shift, played many thousand times.",
    "rng": "Raw words and dealt cards of the generators, for outside test batteries.",
    "meter-lab": "How a progressive grows, when it hits, and whether it can run dry.",
    "play": "A practice table in the terminal, with a coach.",
    "deal": "Deal whole rounds by the procedures and write each as a file.",
    "replay": "Do a recorded round again and hold it against its file.",
    "audit": "Whether a journal holds, read with code of its own.",
    "record": "Records of a floor for people: win pages, slips, meters and what explains them.",
    "export": "Reports of a journal as CSV, Parquet or JSON lines.",
    "backup": "A whole journal in one file, also while it is written to.",
    "restore": "A journal made again from its backup, and audited.",
    "serve": "A card room in the browser: dealers, supervisors and signs.",
    "recover": "A new PIN for a card that is locked, from the machine itself.",
    "demo": "Deal and settle one round of every game.",
}


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run a command and return its exit code: 0 done, 1 it does not hold, 2 refused."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return _output_lost(error)


def _run(tokens: list[str]) -> int:
    from houseway.cli import output

    output.prepare()
    if tokens in (["games"], ["games", "--json"]):
        # The first thing people type answers before an argument parser could be loaded.
        from houseway.cli.listing import list_games

        list_games(as_json="--json" in tokens)
        sys.stdout.flush()
        return 0
    return _parse_and_run(tokens)


def _parse_and_run(tokens: list[str]) -> int:
    from cyclopts import CycloptsError

    from houseway.cli import output

    as_json = any(token == "--json" or token.startswith("--json=") for token in tokens)
    try:
        for token in tokens:
            if not _is_an_argument(token):
                raise Refused(
                    Reason.BAD_ARGUMENT,
                    f"{token[:40]!r} has a zero byte or half a character; leave it out",
                )
        if len(tokens) > 1 and tokens[1].endswith(".json"):
            from houseway.cli.variant_file import expanded

            tokens = expanded(tokens)
        code = make_app(tokens)(tokens, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except Refused as refused:
        output.print_refusal(refused, as_json=as_json)
        return 2
    except CycloptsError as error:
        wrong = Refused(Reason.BAD_ARGUMENT, _sentence(error, tokens))
        output.print_refusal(wrong, as_json=as_json)
        return 2
    return code if isinstance(code, int) else 0


def _is_an_argument(token: str) -> bool:
    """True for what a file may be named; anything else each system complains of in its own way."""
    try:
        return b"\0" not in os.fsencode(token)
    except UnicodeEncodeError:
        return False


def make_app(tokens: "Sequence[str]" = ()) -> "App":
    """The command-line application with its commands still unloaded.

    A command that is called shows the help of its own function; in the list of commands each has
    one line, so that none needs to be loaded for it.
    """
    from cyclopts import App

    from houseway import __version__

    app = App(
        name="houseway",
        help="House-banked casino table games: rules, settlement and proof from one definition.",
        version=f"houseway {__version__}",
        help_format="markdown",
        result_action="return_value",
    )
    for name, text in COMMANDS.items():
        described = {} if name in tokens[:1] else {"help": text}
        module = name.replace("-", "_")
        app.command(f"houseway.cli.{module}:{module}", name=name, **described)
    return app


def _sentence(error: "CycloptsError", tokens: list[str]) -> str:
    """What was wrong with the arguments, in one sentence that says what is allowed."""
    from cyclopts import (
        RepeatArgumentError,
        UnknownCommandError,
        UnknownOptionError,
        UnusedCliTokensError,
    )

    command = next((token for token in tokens if token in COMMANDS), None)
    see = f"see houseway {command} --help" if command else f"commands: {', '.join(COMMANDS)}"
    if isinstance(error, UnusedCliTokensError):
        left = ", ".join(repr(token) for token in error.unused_tokens or ())
        return f"{left} is not understood here; put cards and lists in quotes, and {see}"
    if isinstance(error, UnknownOptionError):
        known = ", ".join(argument.name for argument in error.argument_collection)
        return f"{error.token.keyword or error.token.value!r} is unknown here; known: {known}"
    if isinstance(error, UnknownCommandError):
        known = ", ".join(name for name in error.app or () if not name.startswith("-"))
        return f"command {(error.unused_tokens or [''])[0]!r} is unknown; known: {known}"
    text = " ".join(str(error).split()).rstrip(".")
    if isinstance(error, RepeatArgumentError):
        return f"{text}; give it once"
    return f"{text}; {see}"


def _output_lost(error: OSError) -> int:
    """Nobody reads on, or nothing more can be written: stop without a word too many."""
    # What is still buffered has nowhere to go, and must not fail again at exit.
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123
    if isinstance(error, BrokenPipeError):
        return 0
    print(f"houseway: the output cannot be written: {error.strerror}", file=sys.stderr)
    return 2
