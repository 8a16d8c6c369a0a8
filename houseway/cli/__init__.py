"""Command line: one thin function per command, each loaded only when it is called for."""

import sys
from typing import TYPE_CHECKING

from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import App

COMMANDS = ("games", "rules", "settle", "trace", "demo")


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run a command and return its exit code: 0 done, 1 it does not hold, 2 refused."""
    from cyclopts import CycloptsError

    tokens = list(sys.argv[1:] if argv is None else argv)
    as_json = any(token.split("=")[0] == "--json" for token in tokens)
    try:
        code = make_app()(tokens, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except Refused as refused:
        return _refuse(refused, as_json)
    except CycloptsError as error:
        sentence = " ".join(str(error).split())
        return _refuse(Refused(Reason.BAD_ARGUMENT, sentence), as_json)
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is still buffered has nowhere to go.
        sys.stdout = None
        return 0
    except KeyboardInterrupt:
        return 130
    return code if isinstance(code, int) else 0


def make_app() -> "App":
    """The command-line application with its commands still unloaded."""
    from cyclopts import App

    from houseway import __version__

    app = App(
        name="houseway",
        help="House-banked casino table games: rules, settlement and proof from one definition.",
        version=f"houseway {__version__}",
        help_format="markdown",
        result_action="return_value",
    )
    for name in COMMANDS:
        app.command(f"houseway.cli.{name}:{name}", name=name)
    return app


def _refuse(refused: Refused, as_json: bool) -> int:
    from houseway.cli import output

    if as_json:
        output.print_json(refused.to_json())
    else:
        clause = f" [{refused.clause}]" if refused.clause else ""
        print(f"houseway: {refused.message}{clause}", file=sys.stderr)
    return 2
