"""Par sheet: everything a reviewer asks of the mathematics of a game, in twenty numbered parts.

The parts are the same for every game and for the progressives; where one has nothing to say it
says so. Every figure is counted anew from the rules that pay people, and the foot has the command.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from houseway import __version__
from houseway.catalog.register import clauses
from houseway.documents.bet_figures import (
    confidence,
    element_of_risk,
    hit_frequency,
    house_edge,
    return_to_player,
    variance,
    volatility,
)
from houseway.documents.cross_check import ROUNDS as ROUNDS_DEALT
from houseway.documents.cross_check import SEED, cross_check
from houseway.documents.document import (
    Block,
    Document,
    Facts,
    Footer,
    Heading,
    Signatures,
    Table,
    Text,
    figures_table,
    named_figures,
)
from houseway.documents.meter_figures import (
    eligible_rows,
    outcome_table,
    progressive_blocks,
)
from houseway.documents.outcomes import outcome_blocks, outcomes_of
from houseway.documents.printed_claims import claims_compared
from houseway.documents.sensitivity import sensitivities
from houseway.documents.strategy_card import strategy_blocks
from houseway.documents.study import Study, study_of
from houseway.documents.subject import Subject
from houseway.documents.terms import assumptions, spaced
from houseway.documents.whole_game import expected_hold, liability, together
from houseway.documents.words import bet_name, percent
from houseway.games.progressive import NAMES
from houseway.games.registry import shown_options
from houseway.sim.witness import CONFIDENCE


def par_sheet(subject: Subject) -> Document:
    """The whole sheet of a game or a progressive."""
    study = study_of(subject)
    blocks: list[Block] = []
    for place, (title, part) in enumerate(PARTS.items(), start=1):
        blocks.append(Heading(text=f"{place} {title}"))
        blocks += part(study)
    return Document(
        title=f"Par sheet: {subject.name}",
        revision=f"revision {subject.revision}, digest {subject.digest[:16]}",
        blocks=tuple(blocks),
        footer=Footer(command=reproduce(subject), digest=subject.digest),
    )


def reproduce(subject: Subject) -> str:
    """The one command that makes the sheet again."""
    author = ("--author", subject.author) if subject.author else ()
    files = ("--pdf", f"par-{subject.code}.pdf", "--html", f"par-{subject.code}.html")
    return subject.command("par", subject.code, more=(*subject.more, *author, *files))


def _what_it_is_of(study: Study) -> Iterator[Block]:
    subject = study.subject
    if subject.is_progressive:
        codes = [row.to_json()["paytable"] for row in subject.sheet.progressives]
        paytables = f"{', '.join(codes)}"
        shown: Mapping[str, str] = {
            name: value
            for name, value in subject.game.shown_options(subject.options).items()
            if any(name in clause.options for clause in clauses() if subject.code in clause.games)
        }
    else:
        named = [bet_name(bet, table.code) for bet, table in subject.tables.items()]
        paytables = ", ".join(named)
        shown = shown_options(subject.code, subject.options)
    yield Facts(
        rows=(
            ("Game", f"{subject.name} ({subject.code})"),
            ("Revision", subject.revision),
            ("Digest", subject.digest),
            ("Paytables in force", paytables),
            ("Date", f"of the rules: {subject.revision}; of the sheet: as signed in part 20"),
            ("Author", subject.author or f"houseway {__version__}"),
            ("Command", reproduce(subject)),
        )
    )
    if not subject.is_progressive:
        yield Text(
            text="The digest is of the paytables in force. Where no paytable was chosen for a bet "
            "the sheet shows every one of its."
        )
    yield Table(caption="Options in force", columns=("option", "value"), rows=tuple(shown.items()))


def _rules(study: Study) -> Iterator[Block]:
    subject = study.subject
    yield Table(
        caption="The rules, clause by clause, in our own words",
        columns=("clause", "rule"),
        rows=tuple(
            (clause.id, clause.text) for clause in clauses() if subject.code in clause.games
        ),
    )


def _assumptions(study: Study) -> Iterator[Block]:
    subject = study.subject
    said = assumptions(
        subject.game, subject.options, subject.tables, progressive=subject.is_progressive
    )
    for sentence in said:
        yield Text(text=sentence)


def _outcomes(study: Study) -> Iterator[Block]:
    subject = study.subject
    yield Text(text="A pay is what a unit gains; a contribution is its probability times it.")
    if subject.is_progressive:
        for found in eligible_rows(subject):
            yield outcome_table(found)
        return
    for name, row in study.rows:
        outcomes = outcomes_of(row, subject.game, subject.tables, subject.options)
        yield from outcome_blocks(name, outcomes)


def _strategy(study: Study) -> Iterator[Block]:
    subject = study.subject
    if subject.is_progressive:
        yield Text(text="A progressive by itself asks for no decision.")
        yield Text(
            text="Where a fold gives it up, a meter can be worth playing a hand for that the Ante "
            "alone would fold: houseway par GAME --meter AMOUNT --bet ante=… --bet progressive=… "
            "names those hands."
        )
        return
    yield from strategy_blocks(subject)
    simple = []
    for name, row in study.rows:
        extra: Any = row.extra
        found = dict(extra.get("simple_strategies", {}))
        if "printed_chart" in extra:
            found["printed_chart"] = extra["printed_chart"]
        simple += [
            (f"{name}: {spaced(way)}", percent(plain["house_edge"]), percent(plain["cost"]))
            for way, plain in found.items()
        ]
    yield figures_table(
        "What simple strategies cost", ("house edge", "cost"), simple, first="strategy"
    )
    if subject.sheet.joint_optimum:
        yield named_figures("Played with the Hat Trick in mind", subject.sheet.joint_optimum)


def _sensitivity(study: Study) -> Iterator[Block]:
    subject = study.subject
    if subject.is_progressive:
        now = subject.options.folded_hand_progressive
        yield Text(text=f"The option that touches the figures is folded_hand_progressive = {now}.")
        yield figures_table(
            "Hit frequency of a wager by what a fold does",
            ("folded hands win too", "folded hands do not win"),
            (
                (
                    f"Progressive {document['paytable']}, {NAMES.get(game, game)}",
                    percent(Fraction(document["hit_frequency"]), 6),
                    percent(Fraction(figures["hit_frequency"]), 6),
                )
                for document in (row.to_json() for row in subject.sheet.progressives)
                for game, figures in document["if_folded_not_eligible"].items()
            ),
        )
        return
    yield sensitivities(subject)
    if subject.ante_play is None:
        yield Text(
            text="The Hat Trick under another option is priced by houseway par "
            f"{subject.code} --option NAME=VALUE."
        )


def _progressive(study: Study) -> Iterator[Block]:
    subject = study.subject
    if not subject.sheet.progressives:
        yield Text(text="No progressive is offered with this game.")
        return
    yield from progressive_blocks(subject)


def _cross_check(study: Study) -> Iterator[Block]:
    subject = study.subject
    checked = cross_check(subject)
    verdict = "PASS" if all(found.passes for found in checked) else "FAIL"
    yield Facts(
        rows=(
            ("Dealt", f"{ROUNDS_DEALT:,} rounds of {subject.game.name}, one seat, best play"),
            ("Seed", str(SEED)),
            ("Judged", f"all together: chance alone stays within in {CONFIDENCE:.1%} of such runs"),
            ("Result", verdict),
        )
    )
    yield figures_table(
        "What was dealt against what was counted",
        ("estimate", "exact", "band", "verdict"),
        (
            (
                found.figure,
                percent(found.estimate),
                percent(found.exact),
                f"{percent(found.low)} to {percent(found.high)}",
                "pass" if found.passes else "FAIL",
            )
            for found in checked
        ),
        first="figure",
    )


def _signatures(_study: Study) -> Iterator[Block]:
    yield Signatures(roles=("Prepared by", "Checked by", "Approved by", "For the authority"))


PARTS: dict[str, Callable[[Study], Iterator[Block]]] = {
    "What this sheet is of": _what_it_is_of,
    "Rules": _rules,
    "Assumptions": _assumptions,
    "Outcomes": _outcomes,
    "House edge": house_edge,
    "Average wager and element of risk": element_of_risk,
    "Return to player": return_to_player,
    "Hit frequency": hit_frequency,
    "Variance": variance,
    "Volatility index": volatility,
    "Confidence bands": confidence,
    "Strategy": _strategy,
    "Rule and option sensitivities": _sensitivity,
    "Progressive": _progressive,
    "All bets together": together,
    "Expected hold (a model)": expected_hold,
    "Maximum liability and aggregate limit": liability,
    "Simulation cross-check": _cross_check,
    "Printed claims compared": claims_compared,
    "Signatures": _signatures,
}
