"""Views of administration and openings: what the server sends, as types."""

from typing import Literal

from typing_extensions import TypedDict

from houseway.floor.card_stock import Material, Size
from houseway.server.views.offers import BetOffer, Designator
from houseway.server.views.people import Level, Role


class AdminPerson(TypedDict):
    """A card with its holder."""

    card: str
    name: str
    person: str
    """The id of the human: the same on every card that one holds."""
    role: Role
    active: bool
    locked: bool
    failures: int
    second_factor: bool


class Reason(TypedDict):
    """Something that a jurisdiction does not allow: the clause that says so, and a sentence."""

    clause: str
    text: str


class PaperRecord(TypedDict):
    """A licence or an approval; `day` is "2024-01-31"."""

    reference: str
    day: str
    until: str
    """Its last day; empty where it has none."""


class RulesToCome(TypedDict):
    """The rules once waiting settings begin."""

    digest: str
    approved: PaperRecord | None


class OpeningRules(TypedDict):
    """The rules that a table plays."""

    revision: str
    digest: str
    approved: PaperRecord | None
    to_come: RulesToCome | None
    """The rules once settings that wait at its link begin; null where none wait."""


class CardStock(TypedDict):
    """The cards that lie at a table."""

    material: Material
    size: Size


class Opening(TypedDict):
    """A table as the one who opens it sees it."""

    table: str
    name: str
    profile: str
    """The jurisdiction that its rules name, such as "wa_commercial"; "none" for practice."""
    asked: bool
    """True where the register is asked before it opens."""
    opened_at: str | None
    contact: str | None
    """Whom to ask at the authority, by role; null for practice."""
    cards: CardStock | None
    """The cards that lie at it; null until they are changed for the first time."""
    equipment: list[str]
    """What stands at it, or stood there when it was open last."""
    missing: list[Reason]
    """What keeps it closed; at an open table, what is no longer as it was."""
    unfit: dict[str, list[Reason]]
    """Equipment on record that may not stand at it, by serial."""
    rules: OpeningRules
    """The rules that it plays now, with their approval where one is on record."""
    notices: list[str]
    """The sentences that must be posted at it today; the placard has them too."""
    placard: list[str]
    """What is posted at it."""


EquipmentKind = Literal["shuffler", "progressive", "layout"]


class DisplayRecord(TypedDict):
    """A progressive display, as it is declared."""

    name: str
    network: bool
    """True when it can be on a network, by wire or without."""
    input: bool
    """True when it takes input."""


class EquipmentRecord(TypedDict):
    """A piece of equipment as it is recorded: `record_equipment`."""

    serial: str
    kind: EquipmentKind
    model: str
    maker: str
    sold: str
    version: str
    """Such as "6.6 build 520"; may be empty."""
    parts: dict[str, str]
    """Versions by the name of a part."""
    display: DisplayRecord | None
    """Of a progressive system whose display is not one of its parts."""
    notes: str


class EquipmentRemark(TypedDict):
    """A reason against a piece of equipment."""

    text: str
    clauses: list[str]
    where: list[str]


class EquipmentView(EquipmentRecord):
    """A piece of equipment on record."""

    approval: str
    """The reference under which its model is approved; may be empty."""
    fault: str | None
    """Why it is out of service."""
    earlier: bool
    """True when an earlier program recorded it; it counts as it did then."""
    remarks: list[EquipmentRemark]
    """Reasons that keep it from tables, with the names of those; with jurisdictions where no
    table names one."""
    stands_at: list[str]
    """Open tables that it stands at."""


class ApprovedModel(TypedDict):
    """A row of the approved list."""

    kind: EquipmentKind
    maker: str
    model: str
    games: list[str]
    """Names of the games that it is approved for; empty for all."""
    reference: str
    day: str
    until: str
    """The last day; empty where it has none."""
    printed: bool
    """True when the letters print it; an administrator has recorded the others."""


class MakerView(TypedDict):
    """A maker with its licences."""

    maker: str
    state: PaperRecord | None
    tribe: PaperRecord | None


class PaperAskedBy(TypedDict):
    """A jurisdiction that asks for a paper."""

    profile: str
    clause: str


class PaperView(TypedDict):
    """A paper that a jurisdiction asks for."""

    paper: str
    text: str
    """What it is, in words."""
    asked_by: list[PaperAskedBy]
    asked: bool
    """True where a table of this floor plays under a jurisdiction that asks for it."""
    recorded: PaperRecord | None


class Register(TypedDict):
    """Papers, makers, equipment and approved models."""

    today: str
    """The day at the server, "2024-01-31": no paper is younger."""
    papers: list[PaperView]
    makers: list[MakerView]
    equipment: list[EquipmentView]
    kinds: list[EquipmentKind]
    parts: list[str]
    """Names of parts that approved sets have."""
    listed_kinds: list[EquipmentKind]
    """Kinds of which only approved models may stand at a table."""
    models: list[ApprovedModel]


class Openings(TypedDict):
    """GET /api/openings: for those who open tables."""

    tables: list[Opening]
    equipment: list[EquipmentView]


class AdminTable(Opening):
    """A table as it is set up."""

    game: str
    positions: int
    options: dict[str, str]
    paytables: dict[str, str]
    """Codes by bet, where they are not the usual ones."""
    deck: Literal["virtual", "physical"]
    link: str | None
    started: bool
    """True while a game of the progressive is under way."""


class SettingsView(TypedDict):
    """How a meter grows and starts again."""

    contribution_ppm: int
    """Parts per million of a wager."""
    reserve_ppm: int
    meter_seed_cents: int
    cap_cents: int | None


class AdminLevel(TypedDict):
    """A meter of a link as it is set."""

    level: Level
    shown_cents: int
    reserve_cents: int
    overflow_cents: int
    threshold_cents: int | None
    settings: SettingsView
    waiting: SettingsView | None


class AdminLink(TypedDict):
    """A link as it is set up."""

    link: str
    progressive: str
    """The progressive whose paytable it is."""
    name: str
    paytable: str
    all_from_meter: bool
    deposits: Literal["weekly", "not_asked"]
    deposited_at: str | None
    short_cents: int
    tables: list[str]
    closed: str
    seized_at: str | None
    levels: list[AdminLevel]
    """In the order of the paytable. `waiting` begins with the next whole award of the level."""


class LinkFigures(TypedDict):
    """Fractions of a $1 wager as text."""

    edge_at_seed: str
    edge_at_meter: str
    hold: str
    """What the house keeps in the long run."""


class LinkPrice(TypedDict):
    """The edge of a link before and after a change."""

    before: LinkFigures | None
    """Null for a link that is being made."""
    after: LinkFigures
    advice: list[Reason]


class AdminGame(TypedDict):
    """A game that a table may be made of."""

    code: str
    name: str
    progressive: bool
    progressive_reading: str | None
    """Says so where no source gives the game a progressive; null where one does."""
    paytables: list[BetOffer]
    designators: list[Designator]


class ProgressivePaytable(TypedDict):
    """A paytable of a progressive."""

    code: str
    levels: list[Level]
    preset: dict[str, SettingsView]


class AdminProgressive(TypedDict):
    """A progressive that a link may be made of."""

    code: str
    name: str
    paytables: list[ProgressivePaytable]


class AdminOption(TypedDict):
    """An option that a table may be made with."""

    name: str
    text: str
    values: list[str]
    described: str
    default: str
    games: list[str]


class ShiftView(TypedDict):
    """A part of the day."""

    name: str
    begins: str


class ClockAlarm(TypedDict):
    """A jump of the clock of the machine."""

    machine: str
    time: str
    closed: bool


class Clock(TypedDict):
    """How the floor divides its time."""

    time_zone: str
    day_begins: str
    shifts: list[ShiftView]
    day: str
    """The present gaming day, and the time on the wall."""
    local: str
    offset_seconds: int
    """How far the floor's time is ahead of the machine's clock."""
    alarms: list[ClockAlarm]
    """Jumps of the machine's clock that nobody has acknowledged."""
    zones: list[str]


class Administration(TypedDict):
    """Everything that an administrator sets up."""

    people: list[AdminPerson]
    tables: list[AdminTable]
    links: list[AdminLink]
    roles: list[Role]
    games: list[AdminGame]
    progressives: list[AdminProgressive]
    """Progressives with their paytables and the levels of each."""
    options: list[AdminOption]
    """The register of options that a table may be made with. `values` is empty where one is
    typed; `described` says what."""
    causes: dict[str, str]
    """Why a link may be closed, as words: {"fault": "something does not work as it should"}."""
    register: Register
    clock: Clock
