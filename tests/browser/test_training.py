"""Training in a browser, by keyboard alone: drills, mistakes, exams, those who teach, players."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from houseway.documents.certificate import certificate
from houseway.documents.print_sheet import pictures_of
from houseway.rules.ruleset import Ruleset, make_ruleset
from houseway.training.skills import LARGEST_SEED, make_drill, skills_of
from tests.browser.window import LONG_MS, PHONE, PICTURES, SCREENS, WIDE, Window
from tests.server.pupils import TCP, Pupil, right, wrong
from tests.server.serving import InThread, in_thread

KEYS = "1234567890"
SIZES = {"": WIDE, "-phone": PHONE}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor on which people learn."""
    folder = tmp_path_factory.mktemp("training")
    with in_thread(f"sqlite:///{folder / 'floor.sqlite'}") as made:
        yield made


@pytest.fixture(autouse=True)
def anew(floor: InThread) -> None:
    """Draw the same seeds in every test, whichever ran before."""
    floor.draw_anew()


class PupilWindow(Window):
    """A learner in front of a browser who touches keys and nothing else."""

    learner = ""

    def begin(self, query: str = "", name: str = "Kim", path: str = "/training") -> "PupilWindow":
        """Begin by the page on which it is chosen."""
        self.goto(f"{path}?{query}")
        self.page.get_by_label("Your name").fill(name)
        self.keys("Enter")
        self.page.wait_for_url("**/training/*")
        self.learner = self.page.url.rpartition("/")[2]
        expect(self.page.get_by_role("tab", name="Questions")).to_be_visible()
        return self

    def come_back_as(self, pupil: Pupil) -> None:
        """Go on as somebody who began over HTTP."""
        cookies = pupil.client.http.cookies.items()
        given = [{"name": name, "value": value, "url": self.address} for name, value in cookies]
        self.context.add_cookies(given)  # type: ignore[arg-type]
        self.learner = pupil.learner
        self.goto(f"/training/{self.learner}")

    def asked(self, what: str = "") -> Any:
        """What the server asks in this browser now."""
        path = f"/api/training/learners/{self.learner}{what}"
        return self.page.evaluate("path => fetch(path).then(answer => answer.json())", path)

    def enter(self, number: int, field: Any, given: Any) -> None:
        """Give the answer of a field with keys; it is gone to by Tab where it is not at hand."""
        self.tab_to(self.page.locator(".field-box").nth(number))
        values = [choice["value"] for choice in field["choices"]]
        match field["kind"]:
            case "amount" | "number":
                self.type(given)
            case "choice":
                self.choose(values.index(given))
            case "order" | "several":
                self.keys(*(KEYS[values.index(value)] for value in given))
            case "chips":
                for worth, count in (chip.split("x") for chip in given):
                    self.keys(*KEYS[values.index(worth)] * int(count))

    def choose(self, number: int) -> None:
        """Choose by its number; by the arrows where a list is longer than the keys."""
        if number < len(KEYS):
            self.keys(KEYS[number])
            return
        if not self.page.evaluate("document.activeElement.matches('input')"):
            self.keys("Tab")
        self.keys(*["ArrowDown"] * number)

    def fill(self, asked: Any, given: dict[str, Any]) -> None:
        """Answer every field with keys."""
        expect(self.page.get_by_role("heading", name=asked["drill"]["question"])).to_be_visible()
        for number, field in enumerate(asked["drill"]["fields"]):
            self.enter(number, field, given[field["name"]])

    def give(self, *, rightly: bool) -> Any:
        """Answer what is asked and read the grade; the drill that it was."""
        asked = self.asked()
        self.fill(asked, (right if rightly else wrong)(asked))
        self.keys("Enter")
        following = self.page.get_by_role("button", name="Next question")
        expect(following).to_be_focused()
        said = "Right." if rightly else "Not right."
        expect(self.page.locator("[aria-live=polite]")).to_contain_text(said)
        return asked["drill"]

    def go_on(self) -> None:
        """On to the next question."""
        self.keys("Enter")
        expect(self.page.get_by_role("button", name="Check")).to_be_visible()

    def hand_in(self) -> None:
        """Answer the open question of the exam rightly, past the page."""
        exam = self.asked("/exam")
        request = self.context.request
        token = request.get("/api/training").json()["token"]
        answer = request.post(
            f"/api/training/learners/{self.learner}/exam/answer",
            data={"number": exam["answered"] + 1, "given": right(exam)},
            headers={"x-houseway-token": token},
        )
        assert answer.status == 200, answer.text()

    def return_to_exam(self, number: int, look: str = "") -> None:
        """Come back to an exam that waits with a question."""
        self.goto(f"/training/{self.learner}/exam")
        told = f"{number - 1} of 10 questions are answered"
        expect(self.page.get_by_text(told)).to_be_visible()
        if look:
            self.check(look)
        self.focus(self.page.get_by_role("button", name="Go on"))
        self.keys("Enter")
        expect(self.page.get_by_text(f"Question {number} of 10")).to_be_visible()

    def figure(self, name: str) -> str:
        """A figure of the line above the question."""
        return self.page.locator(".figures div").filter(has_text=name).locator("dd").inner_text()


def test_what_was_missed_comes_back_and_is_then_right(browser: Browser, floor: InThread) -> None:
    """A session by keyboard alone, from the first page of the server."""
    window = PupilWindow(browser, floor)
    page = window.page
    window.goto("/sign-in")
    window.focus(page.get_by_role("link", name="Train as a dealer"))
    window.keys("Enter")
    window.heading("Dealer training")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    window.begin("rng_seed=11")
    # What the house pays lies beside it.
    window.focus(page.get_by_text("What this house pays"))
    window.keys("Enter")
    expect(page.get_by_role("table", name="Pair Plus A")).to_contain_text("40 to 1")
    missed = window.give(rightly=False)
    window.look("training-wrong")
    expect(page.locator(".field-box.wrong").first).to_contain_text("Right is")
    assert (window.figure("Streak"), window.figure("To come again")) == ("0", "1")
    # Loaded again in the middle, it is counted once and goes on with the next.
    window.reload()
    expect(page.get_by_role("button", name="Check")).to_be_visible()
    for number in range(3):
        if number:
            window.go_on()
        assert window.give(rightly=True) != missed
    window.go_on()
    expect(page.get_by_text("This one comes back")).to_be_visible()
    assert window.give(rightly=True) == missed
    assert window.figure("Streak") == "4"
    window.look("training-right")
    # What was missed stands among the mistakes and may be tried again at once.
    window.focus(page.get_by_role("tab", name="Questions"))
    window.keys("ArrowRight", "ArrowRight")
    retry = page.get_by_role("button", name="Try it now")
    window.focus(retry)
    window.keys("Enter")
    expect(page.get_by_role("heading", name=missed["question"])).to_be_visible()
    assert window.asked()["drill"] == missed
    # The same seed begins with the same question.
    window.begin("rng_seed=11")
    assert window.asked()["drill"] == missed
    window.close()


def test_a_field_without_an_answer_is_pointed_at_and_nothing_moves(
    browser: Browser, floor: InThread
) -> None:
    window = PupilWindow(browser, floor).begin("rng_seed=12")
    page = window.page
    button = page.get_by_role("button", name="Check")
    window.focus(button)
    window.keys("Enter")
    expect(page.locator(".missing")).to_contain_text("has no answer yet")
    assert page.evaluate("document.activeElement.closest('.field-box') !== null")
    asked = window.asked()
    window.fill(asked, right(asked))
    before = button.bounding_box()
    window.keys("Enter")
    after = page.get_by_role("button", name="Next question")
    expect(after).to_be_focused()
    box = after.bounding_box()
    assert before is not None
    assert box is not None
    assert abs(before["y"] - box["y"]) < 1
    window.close()


@pytest.mark.parametrize(
    ("by_keys", "left"),
    [
        pytest.param({1, 2, 10}, 2, id="some by keyboard"),
        # The others are asked and answered by the same screen.
        pytest.param({*range(1, 11)}, 5, id="all by keyboard", marks=pytest.mark.soak),
    ],
)
def test_an_exam_waits_and_ends_with_a_certificate(
    browser: Browser, floor: InThread, by_keys: set[int], left: int
) -> None:
    window = PupilWindow(browser, floor).begin("rng_seed=13", name="Sam Deal")
    page = window.page
    window.focus(page.get_by_role("link", name="Take the exam"))
    window.keys("Enter")
    window.heading("Exam: Three Card Poker")
    # Ten are too few for all modules: with more of them chosen it is the next that is enough.
    length = page.get_by_label("Questions")
    modules = page.get_by_role("group", name="What is examined").get_by_role("checkbox")
    for module in modules.all()[2:]:
        module.uncheck()
    length.select_option("10")
    for module in modules.all():
        module.check()
    expect(length).to_have_value("20")
    window.check("training-exam-begin")
    for module in modules.all()[2:]:
        module.uncheck()
    length.select_option("10")
    window.focus(page.get_by_role("button", name="Begin the exam"))
    window.keys("Enter")
    for number in range(1, 11):
        if number not in by_keys:
            window.hand_in()
            continue
        if number > 1 and number - 1 not in by_keys:
            window.return_to_exam(number)
        expect(page.get_by_text(f"Question {number} of 10")).to_be_visible()
        exam = window.asked("/exam")
        window.fill(exam, right(exam))
        if number == left:
            window.look("training-exam")
            # The browser goes in the middle; what was handed in is kept.
            page.close()
            page = window.page = window.another(floor.address)
            window.return_to_exam(number, look="training-exam-waits")
            window.fill(exam, right(exam))
        expect(page.locator("strong.right, strong.wrong")).to_have_count(0)
        window.keys("Enter")
    expect(page.get_by_role("heading", name="You have passed.")).to_be_focused()
    window.check("training-exam-passed")
    address = page.get_by_role("link", name="Certificate as PDF").first.get_attribute("href")
    printed = page.request.get(str(address))
    assert printed.body().startswith(b"%PDF")
    [kept] = floor.room.training.learners.results([window.learner])
    assert kept.digest in str(address)
    if PICTURES.asked:
        [picture] = pictures_of(certificate(kept.state["certificate"]))
        (SCREENS / "training-certificate.png").write_bytes(picture)
    window.close()


def test_the_keypad_of_another_system_is_chosen_and_trained(
    browser: Browser, floor: InThread
) -> None:
    """A dealer trains by what a house decides; the same may be handed on as an address."""
    window = PupilWindow(browser, floor)
    page = window.page
    window.goto("/training?rng_seed=18&module=progressive")
    window.focus(page.get_by_text("All other options of a house"))
    window.keys("Enter")
    window.focus(page.get_by_label("award_profile"))
    window.keys("ArrowDown")
    expect(page.get_by_label("award_profile")).to_have_value("game_manager")
    window.focus(page.get_by_label("settle_style"))
    window.keys("ArrowDown")
    expect(page.get_by_text("All other options of a house, 2 changed")).to_be_visible()
    window.check("training-house")
    page.get_by_label("Your name").fill("Kim")
    window.keys("Enter")
    page.wait_for_url("**/training/*")
    window.focus(page.get_by_text("What this house pays"))
    window.keys("Enter")
    system = page.get_by_role("row", name="Which progressive system's procedure is followed")
    expect(system).to_contain_text("game manager")
    expect(page.get_by_text("own", exact=True)).to_have_count(2)
    window.check("training-house-plays")
    window.goto("/training?option=award_profile=game_manager&paytable=pair-plus=A:flush=3")
    expect(page.get_by_label("award_profile")).to_have_value("game_manager")
    expect(page.get_by_label("Paytable of Pair Plus")).to_have_value("A:flush=3")
    expect(page.get_by_text("award profile game manager, settle style lay and pay")).to_be_visible()
    window.close()


def test_those_who_teach_see_who_learns_and_assign(browser: Browser, floor: InThread) -> None:
    by_http = Pupil(floor)
    by_http.begin(name="Lou", rng_seed=14)
    by_http.wrong()
    by_http.right()
    trainer = Window(browser, floor).sign_in("t1")
    page = trainer.page
    trainer.focus(page.get_by_role("link", name="Learners"))
    trainer.keys("Enter")
    trainer.heading("Learners")
    row = page.get_by_role("row").filter(has_text="Lou")
    expect(row).to_contain_text("50%")
    trainer.focus(row.get_by_role("button", name="Look"))
    trainer.keys("Enter")
    expect(page.get_by_role("heading", name="Lou, Three Card Poker")).to_be_focused()
    page.get_by_label("Right answers").fill("9")
    trainer.keys("Enter")
    expect(page.get_by_text("is assigned to Lou")).to_be_visible()
    trainer.check("training-instructor")
    trainer.close()
    pupil = PupilWindow(browser, floor)
    pupil.come_back_as(by_http)
    expect(pupil.page.get_by_role("list", name="Assigned to you")).to_contain_text("0 of 9 right")
    pupil.close()


def test_a_player_is_told_what_each_choice_costs(browser: Browser, floor: InThread) -> None:
    query = "rng_seed=15&module=player-decisions-exact"
    window = PupilWindow(browser, floor).begin(query, path="/learn")
    # The figures behind it are counted first.
    expect(window.page.get_by_role("button", name="Check")).to_be_visible(timeout=LONG_MS)
    expect(window.page.get_by_text("help is free and private")).to_be_visible()
    window.give(rightly=False)
    expect(window.page.locator(".costs")).to_contain_text("best")
    window.check("training-player")
    window.close()


def test_lessons_are_read_at_ones_own_pace(browser: Browser, floor: InThread) -> None:
    window = PupilWindow(browser, floor)
    page = window.page
    window.goto("/learn")
    window.focus(page.get_by_role("link", name="Lessons: Triple Shot Rummy"))
    window.keys("Enter")
    window.heading("Lessons: Triple Shot Rummy")
    # The figures in them are counted first.
    begin = page.get_by_role("button", name="Ask me")
    expect(begin).to_be_visible(timeout=LONG_MS)
    window.check("training-lesson")
    window.focus(begin)
    window.keys("Enter")
    expect(page.get_by_role("button", name="Check")).to_be_visible()
    lessons = page.evaluate("fetch('/api/training/lessons/triple-shot-rummy').then(a => a.json())")
    asked = {**lessons, "drill": lessons["lessons"][0]["checks"][0]}
    window.fill(asked, right(asked))
    window.keys("Enter")
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    window.focus(page.get_by_role("button", name="Next lesson"))
    window.keys("Enter")
    expect(page.get_by_role("heading", name=lessons["lessons"][1]["title"])).to_be_focused()
    expect(page.get_by_role("heading", name="What a meter is worth")).to_be_visible()
    window.close()


def test_training_is_within_everybodys_reach(browser: Browser, floor: InThread) -> None:
    window = PupilWindow(browser, floor)
    page = window.page
    window.goto("/learn")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    window.check("training-choose")
    window.begin("rng_seed=16")
    window.give(rightly=False)
    window.check_sizes("training-graded", SIZES)
    for tab in ("Progress", "Mistakes"):
        page.get_by_role("tab", name=tab).click()
        window.check(f"training-{tab.lower()}")
    window.close()


@pytest.mark.parametrize("game", [pytest.param(TCP, marks=pytest.mark.soak), "triple-shot-bonus"])
def test_every_kind_of_question_is_answered_by_keyboard(
    browser: Browser, floor: InThread, game: str
) -> None:
    """Amounts, choices, orders, several and chips, each within everybody's reach."""
    window = PupilWindow(browser, floor).begin(f"game={game}&rng_seed=17")
    bonus = make_ruleset("triple-shot-bonus")
    # A list of eleven is of this game alone.
    asked_of = one_of_each_kind() if game == TCP else {"choice-11": far_choice(bonus, 11)}
    for kind, (skill, seed) in asked_of.items():
        found = floor.room.training.any(window.learner)
        asked = {**found.state, "again": [skill, seed]}
        assert floor.room.training.learners.keep(found, asked, found.name)
        window.reload()
        expect(window.page.get_by_role("button", name="Check")).to_be_visible()
        window.give(rightly=True)
        window.check(f"training-kind-{kind}")
    window.close()


def one_of_each_kind() -> dict[str, tuple[str, int]]:
    """A drill for each kind of field, by its skill and seed."""
    rules = make_ruleset("three-card-poker")
    found: dict[str, tuple[str, int]] = {}
    for skill in skills_of(rules):
        if skill.track == "dealer":
            for field in make_drill(skill.code, 1, rules).fields:
                found.setdefault(field.kind, (skill.code, 1))
    assert set(found) >= {"amount", "choice", "order", "several", "chips"}
    return found | {"choice-10": far_choice(rules, 10)}


def far_choice(rules: Ruleset, place: int) -> tuple[str, int]:
    """A drill whose answer stands so far down in a list."""
    skill = "hands.best-five"
    for seed in range(LARGEST_SEED):
        fields = make_drill(skill, seed, rules).fields
        lists = (([choice.value for choice in field.choices], field.answer) for field in fields)
        if any(answer in values and values.index(answer) == place - 1 for values, answer in lists):
            return skill, seed
    raise AssertionError(place)
