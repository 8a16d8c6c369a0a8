"""Views of training: what the server sends, as types."""

from typing import Literal

from typing_extensions import TypedDict

from houseway.server.views.offers import HouseOption, OptionChoice, PaytableChoice
from houseway.server.views.seats import SettledLine

Track = Literal["dealer", "player"]


FieldKind = Literal["amount", "number", "choice", "order", "several", "chips"]


class TrainingChoice(TypedDict):
    """A choice of a field."""

    value: str
    label: str


class TrainingField(TypedDict):
    """Something that is asked."""

    name: str
    label: str
    kind: FieldKind
    choices: list[TrainingChoice]


class TrainingHand(TypedDict):
    """A hand on the felt."""

    label: str
    cards: list[str | None]
    """Null is a card face down."""


class TrainingStack(TypedDict):
    """Chips on a spot."""

    spot: str
    label: str
    cents: int
    chips: list[tuple[int, int]]
    """Cents on a chip, and how many of it."""
    position: int | None


class TrainingScene(TypedDict):
    """What is seen with a question."""

    hands: list[TrainingHand]
    stacks: list[TrainingStack]
    facts: list[tuple[str, str]]


class TrainingDrill(TypedDict):
    """A question."""

    skill: str
    seed: int
    question: str
    scene: TrainingScene
    fields: list[TrainingField]


class TrainingMark(TypedDict):
    """The mark of one field."""

    name: str
    right: bool
    given: str
    answer: str
    why: str
    clause: str | None
    cost: str | None


class TrainingGrade(TypedDict):
    """The grade of an answer."""

    right: bool
    marks: list[TrainingMark]
    costs: dict[str, dict[str, str]]
    """What each choice of a field costs against the best, in units, as fractions."""


class TrainingChapter(TypedDict):
    """Where something is told."""

    source: str
    name: str


class TrainingSkill(TypedDict):
    """A skill that is drilled."""

    code: str
    title: str


class TrainingModule(TypedDict):
    """A module with its skills."""

    code: str
    title: str
    track: Track
    about: str
    chapters: list[TrainingChapter]
    clauses: list[str]
    skills: list[TrainingSkill]


class TrainingHouse(TypedDict):
    """What a house decides."""

    paytables: list[PaytableChoice]
    options: list[HouseOption]


class TrainingGame(TypedDict):
    """A game that may be learned."""

    game: str
    name: str
    paytables: list[PaytableChoice]
    options: list[OptionChoice]
    house: TrainingHouse
    """What a house decides: all of it, for dealers."""
    modules: list[TrainingModule]


class TrainingTable(TypedDict):
    """A table of this floor, by whose rules a dealer may train."""

    table: str
    game: str


class TrainingSummary(TypedDict):
    """Somebody who learns a game: what a list shows of it."""

    learner: str
    name: str
    person: str | None
    track: Track
    game: str
    game_name: str
    own: list[str]
    """What it has of its own: options and paytables that are not the usual ones."""
    seed: int | None
    answered: int
    right: int
    exam: bool
    begun_at: str
    updated_at: str


class TrainingYou(TypedDict):
    """Who asks."""

    name: str
    card: str | None


class TrainingOffer(TypedDict):
    """GET /api/training; `token` goes with every change."""

    token: str
    games: list[TrainingGame]
    tables: list[TrainingTable]
    you: TrainingYou
    learners: list[TrainingSummary]


class TrainingSkillProgress(TypedDict):
    """How somebody stands in a skill."""

    code: str
    title: str
    module: str
    answered: int
    right: int
    accuracy: float | None
    """Shares from 0 to 1; null before the first answer."""
    recent: float | None
    timed: bool
    """True once accuracy allows to look at the time."""
    seconds: float | None
    """The usual time; null where it is not told."""
    goal_seconds: float | None


class TrainingWrong(TypedDict):
    """A field that was wrong."""

    given: str
    answer: str
    why: str
    clause: str | None


class TrainingMistake(TypedDict):
    """A drill that was missed."""

    skill: str
    title: str
    seed: int
    wrong: list[TrainingWrong]
    """The fields that were wrong the last time."""
    times: int
    waits: bool
    """True while it still comes again by itself."""


class TrainingAssigned(TypedDict):
    """A module that is assigned."""

    module: str
    title: str
    goal: int
    done: int
    by: str
    at: str


class TrainingGoal(TypedDict):
    """Right answers of this stretch."""

    of: int
    done: int


class HousePayRow(TypedDict):
    """A hand and its pay."""

    hand: str
    pays: str


class HousePay(TypedDict):
    """What a bet of the house pays."""

    bet: str
    paytable: str
    rows: list[HousePayRow]


class HouseChoice(TypedDict):
    """How a house has decided something that is left to it."""

    option: str
    text: str
    value: str
    usual: bool


class TrainingView(TrainingSummary):
    """GET /api/training/learners/{learner}, and the answer of every change of it."""

    options: dict[str, str]
    paytables: dict[str, str]
    pays: list[HousePay]
    house: list[HouseChoice]
    chosen: list[str]
    modules: list[TrainingModule]
    number: int
    """How many were answered before the drill that is asked."""
    figures: Literal["ready", "counting", "missing", "failed"]
    """Whether the exact figures behind the questions are at hand; there is no drill before."""
    drill: TrainingDrill | None
    again: bool
    """True where the drill was missed before and is asked again."""
    goal: TrainingGoal
    streak: int
    due: int
    skills: list[TrainingSkillProgress]
    weak: list[TrainingSkillProgress]
    mistakes: list[TrainingMistake]
    assigned: list[TrainingAssigned]


class TrainingAnswered(TypedDict):
    """The answer to an answer."""

    grade: TrainingGrade
    next: TrainingView


class TrainingModuleProgress(TypedDict):
    """How somebody stands in a module."""

    code: str
    title: str
    answered: int
    right: int
    accuracy: float | None


class TrainingModuleResult(TypedDict):
    """A module of an exam."""

    code: str
    title: str
    right: int
    asked: int


class TrainingResult(TypedDict):
    """What an exam came to, as a list shows it."""

    digest: str
    name: str
    passed: bool
    at: str
    right: int
    asked: int
    modules: list[TrainingModuleResult]


class TrainingPupil(TrainingSummary):
    """Somebody who learns, as those who teach see it."""

    streak: int
    modules: list[TrainingModuleProgress]
    weak: list[TrainingSkillProgress]
    assigned: list[TrainingAssigned]
    given_up: int
    """Exams that were begun and given up."""
    results: list[TrainingResult]


class TrainingPupilView(TrainingPupil):
    """GET /api/training/class/{learner}."""

    skills: list[TrainingSkillProgress]
    mistakes: list[TrainingMistake]
    chosen: list[str]
    options: dict[str, str]
    paytables: dict[str, str]


class TrainingPerson(TypedDict):
    """Somebody to whom something may be assigned."""

    card: str
    name: str
    role: str


class TrainingClass(TypedDict):
    """GET /api/training/class."""

    learners: list[TrainingPupil]
    games: list[TrainingGame]
    people: list[TrainingPerson]
    tables: list[TrainingTable]


class TrainingExam(TypedDict):
    """GET /api/training/learners/{learner}/exam, and the answer of every change of it."""

    learner: str
    name: str
    game: str
    game_name: str
    modules: list[TrainingModule]
    """The modules that may be examined."""
    pays: list[HousePay]
    """What the house pays; nothing while an exam is under way."""
    house: list[HouseChoice]
    examined: list[str]
    """The modules of the exam that is under way."""
    questions: int
    """Questions of the exam that is under way, and how many of them are answered; 0 without
    one."""
    answered: int
    needed: float
    """The share of right answers that it takes."""
    lengths: list[int]
    """How many questions may be asked for."""
    drill: TrainingDrill | None
    results: list[TrainingResult]


class LessonPays(TypedDict):
    """What a bet pays."""

    columns: list[str]
    rows: list[list[str]]


class LessonHand(TypedDict):
    """A hand of an example."""

    label: str
    cards: str


class LessonLine(SettledLine):
    """One bet of an example, settled."""

    name: str


class LessonExample(TypedDict):
    """A seat that was dealt and settled."""

    about: str
    hands: list[LessonHand]
    """Cards with blanks between: "Kh 9c 4d"."""
    lines: list[LessonLine]
    net: int


class LessonView(TypedDict):
    """A lesson with the questions at its end."""

    code: str
    title: str
    sentences: list[str]
    clauses: list[str]
    pays: LessonPays | None
    example: LessonExample | None
    checks: list[TrainingDrill]


class MeterPoint(TypedDict):
    """A meter of a lesson."""

    level: str
    name: str
    per_dollar_exact: str
    per_dollar: float
    """What each dollar on it gives back of a dollar wagered."""
    start_cents: int
    """What it starts again from; 0 where nothing is set."""
    fair_part_cents: int
    """Its part where all meters together make the wager fair."""
    most_cents: int
    """The end of the scale."""


class MeterPoints(TypedDict):
    """`meter_points(ruleset)`."""

    paytable: str
    wager_cents: int
    empty_exact: str
    empty: float
    """What a dollar costs with nothing on any meter."""
    envy: float
    """What each other lit hand gives back."""
    hit_frequency: float
    levels: list[MeterPoint]


class TrainingLessons(TypedDict):
    """GET /api/training/lessons/{game}."""

    game: str
    game_name: str
    options: dict[str, str]
    paytables: dict[str, str]
    figures: Literal["ready", "counting", "missing", "failed"]
    lessons: list[LessonView]
    meter: MeterPoints | None
    """What a meter is worth; null where the game has none."""


class LessonCheck(TypedDict):
    """A question to check what was read: whoever has both has the drill."""

    skill: str
    seed: int
