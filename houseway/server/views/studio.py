"""Views of the studio: what the server sends, as types."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from houseway.server.views.offers import BetOffer, Designator, HouseOption


class Exact(TypedDict):
    """A figure as the fraction it is, and as a decimal."""

    exact: str
    value: float


class VariantView(TypedDict):
    """A variant as it is worked on."""

    format: str
    name: str
    game: str
    options: dict[str, str]
    paytables: dict[str, str]
    """Codes by bet; a code may carry changes, as `A:flush=3`."""
    note: str


class RevisionOffer(TypedDict):
    """A revision of the rules."""

    date: str
    text: str
    profile: str | None


class GameOffer(TypedDict):
    """A game that may be changed."""

    game: str
    name: str
    revisions: list[RevisionOffer]
    options: list[HouseOption]
    paytables: list[BetOffer]
    designators: list[Designator]


class SectionTitle(TypedDict):
    """A part of the par sheet."""

    section: str
    title: str


class StudioOffer(TypedDict):
    """What may be chosen in the studio."""

    token: str
    games: list[GameOffer]
    sections: list[SectionTitle]
    exports: list[str]


class PayRow(TypedDict):
    """A hand with its pay and what it contributes."""

    hand: str
    label: str
    pays: str
    number: str | None
    kind: Literal["to", "for", "share"]
    probability: Exact | None
    one_in: float | None
    contribution: Exact | None


class Outcome(TypedDict):
    """An outcome of a bet."""

    event: str
    cases: str
    """A whole number as text: it may be past what a browser counts."""
    probability: Exact
    net: Exact
    contribution: Exact


class PaytableCode(TypedDict):
    """A paytable by its code."""

    bet: str
    code: str


class ConfidenceBand(TypedDict):
    """Between which results most runs lie."""

    low: float
    high: float


BetFigures = TypedDict(
    "BetFigures",
    {
        "bet": str,
        "name": str,
        "paytable": PaytableCode | None,
        "cases": str,
        "house_edge": Exact,
        "element_of_risk": Exact,
        "wagered": Exact,
        "return": Exact,
        "hit_frequency": Exact,
        "push_frequency": Exact,
        "one_in": Exact | None,
        "variance": Exact,
        "standard_deviation": float,
        "volatility_index": dict[str, float],
        "confidence_level": float,
        "confidence_bands": dict[str, ConfidenceBand],
        "pays": list[PayRow],
        "outcomes": list[Outcome],
    },
)
"""Every figure of a bet."""


class LevelFigures(TypedDict):
    """The figures of a meter."""

    level: str
    cents: int
    adds: Exact
    fair: Exact


class MeterEdge(TypedDict):
    """The edge with so much on the meter."""

    dollars: float
    edge: float


class ProgressiveFigures(TypedDict):
    """Every figure of a progressive."""

    standard_deviation: float
    volatility_index: dict[str, float]
    code: str
    fixed_return: Exact
    hit_frequency: Exact
    house_edge: Exact
    envy: Exact
    others: int
    folded_hands: str
    levels: list[LevelFigures]
    line: list[MeterEdge]
    pays: list[PayRow]


class Joint(TypedDict):
    """Bets that share cards, together and multiplied."""

    joint: Exact
    product: Exact
    house_edge: Exact
    multiplied_edge: Exact
    pairs: dict[str, Exact]
    words: str


class Board(TypedDict):
    """Every figure of a draft."""

    variant: VariantView
    name: str
    revision: str
    digest: str
    options: dict[str, str]
    command: str
    bets: list[BetFigures]
    progressive: ProgressiveFigures | None
    joint: Joint | None
    together: Exact | None
    done: bool


class Solution(TypedDict):
    """Pays that come near a target."""

    paytable: str
    pays: dict[str, str]
    house_edge: Exact
    hit_frequency: Exact
    standard_deviation: float | None


class Cell(TypedDict):
    """A figure of two drafts."""

    bet: str
    name: str
    figure: str
    left: Exact | float
    right: Exact | float
    changed: bool


class ComparisonPay(TypedDict):
    """A pay of two drafts."""

    bet: str
    name: str
    hand: str
    label: str
    left: str | None
    right: str | None
    changed: bool


class ComparisonOption(TypedDict):
    """An option of two drafts."""

    option: str
    left: str | None
    right: str | None
    changed: bool


class Comparison(TypedDict):
    """Two drafts side by side."""

    names: tuple[str, str]
    revisions: tuple[str, str]
    digests: tuple[str, str]
    differences: list[str]
    figures: list[Cell]
    pays: list[ComparisonPay]
    options: list[ComparisonOption]


class DealtBet(TypedDict):
    """A bet as it was dealt."""

    bet: str
    name: str
    estimate: float
    low: float
    high: float
    exact: float
    inside: bool


class Dealt(TypedDict):
    """How far a simulation is."""

    rounds: int
    of: int
    rate: int
    seed: NotRequired[int]
    bets: NotRequired[list[DealtBet]]


class TableBlock(TypedDict):
    """A table of a sheet."""

    kind: Literal["table"]
    caption: str
    columns: list[str]
    rows: list[list[str]]
    right: list[str]


class HeadingBlock(TypedDict):
    """A heading."""

    kind: Literal["heading"]
    text: str
    level: int


class TextBlock(TypedDict):
    """A paragraph."""

    kind: Literal["text"]
    text: str


class FactsBlock(TypedDict):
    """Names with what they are."""

    kind: Literal["facts"]
    rows: list[tuple[str, str]]


class ChartBlock(TypedDict):
    """A drawing, and the same as a table."""

    kind: Literal["chart"]
    svg: str
    alt: str
    table: TableBlock


class SignatureBlock(TypedDict):
    """Lines to sign on."""

    kind: Literal["signatures"]
    roles: list[str]


Block = HeadingBlock | TextBlock | FactsBlock | ChartBlock | SignatureBlock | TableBlock


class Section(TypedDict):
    """A part of the par sheet."""

    name: str
    title: str
    blocks: list[Block]


class TaskView(TypedDict):
    """How far something is that takes time; `known` is what is known so far."""

    task: int
    version: int
    """Goes up with what is known."""
    done: bool


class Doing(TypedDict):
    """What is being done meanwhile."""

    doing: str


class BoardTask(TaskView):
    """The pricing of a draft."""

    known: Board | None


class SectionTask(TaskView):
    """The making of a section."""

    known: Section | Doing | None


class ComparisonTask(TaskView):
    """The comparing of two drafts."""

    known: Comparison | Doing | None


class SolveTask(TaskView):
    """The search for pays."""

    known: list[Solution] | Doing | None


class SimulationTask(TaskView):
    """A simulation."""

    known: Dealt | None


class MadeFile(TypedDict):
    """A file that is made."""

    name: str


class ExportTask(TaskView):
    """The making of a file."""

    known: MadeFile | Doing | None


Task = BoardTask | SectionTask | ComparisonTask | SolveTask | SimulationTask | ExportTask
