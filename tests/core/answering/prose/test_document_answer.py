import pytest

from core.answering.prose.certainty import FOUND
from core.answering.prose.document_answer import DocumentAnswer, answer_from_document
from core.figures.records import Origin, TextEvidence
from core.language.detection import detect
from tests.core.answering.prose.made_texts import question

ORIGIN = Origin(1, "d1", "Survey of the Larkspur bridge", "larkspur.pdf")
PAGES = (
    "Report on the Larkspur bridge\n\nLocation: Harrow, Devon\n\nReference Number: LB4471\n\nSurveyor: Ines Toller\n\n"
    "Total Load Time:\n\nSpan: 41 metres\n\nWeather during the survey: Overcast and dry",
    "This survey is made for Devon between Toller Surveys Ltd. and Penrose Ferries Ltd., who share its cost.\n\n"
    "Reasons for closing the bridge\n\n1. The bearings are worn out.\n\n2. The railing is loose.\n\n"
    "A total of 38 bolts were replaced in the spring. In 1998 the railing was painted by 4 volunteers.\n\n"
    "The bridge has a single lane. Lorries of up to 12 tonnes may cross it unless the river is above the red mark.\n\n"
    "The council is entitled to a rebate, without limitation, if the works are late.",
)


async def ask(text: str) -> DocumentAnswer:
    passages = [TextEvidence(ORIGIN, f"p{page}", text, (), page + 1) for page, text in enumerate(PAGES)]
    return await answer_from_document(question(text, "en"), passages)


@pytest.mark.parametrize(
    ("text", "line", "page"),
    [
        ("Where does the bridge stand?", "Location: Harrow, Devon [1]", 1),
        ("What is the reference number?", "Reference Number: LB4471 [1]", 1),
        ("How many bolts were replaced in total?", "A total of 38 bolts were replaced in the spring. [1]", 2),
        ("How many lanes does the bridge have?", "1: The bridge has a single lane. [1]", 2),
        ("Was the weather wet or dry?", "Weather during the survey: Overcast and dry [1]", 1),
    ],
)
async def test_the_line_that_answers(text: str, line: str, page: int) -> None:
    answer = (await ask(text)).candidates[0].answer
    assert answer.line == line
    assert answer.cells[0].page == page


async def test_a_list_is_given_as_a_list_below_its_heading() -> None:
    answer = (await ask("What are the reasons for closing the bridge?")).candidates[0].answer
    assert answer.line.startswith("Reasons for closing the bridge: The bearings are worn out.; The railing is loose.")


async def test_those_who_are_named_together_answer_who_they_are() -> None:
    assert "Penrose Ferries Ltd." in (await ask("Who are the parties?")).candidates[0].answer.line


@pytest.mark.parametrize(
    "text",
    [
        "What was the total load time?",  # its label has no value
        "Which language do the passengers speak at home?",
        "Is the survey yearly, monthly or weekly?",
    ],
)
async def test_what_is_not_stated_gets_no_line(text: str) -> None:
    found = await ask(text)
    assert not found.bears
    assert not found.candidates


async def test_a_number_that_counts_other_things_is_never_certain() -> None:
    found = await ask("How many river ferries are replaced by lorries in spring?")
    assert all(candidate.sureness < FOUND for candidate in found.candidates)
    assert found.candidates


POLICY = (
    "# Garden rules\n## Dogs\nA member may bring a dog, with the approval of the gardener.\n"
    "## Validity\nThe rules apply from 1 May 2031 and were approved by Ines Toller, head of the club.",
    "Source: https://club.example/rules/3-garden-rules.pdf\n\nSecond gardener present: No\n\n"
    "Keep the shed | Set the dial to\n\nThe shed is kept at a temperature of 7°C in winter.",
)
GARDEN_HE = (
    "# נוהל הגינה\n## כלבים\nחבר רשאי להביא כלב, באישור הגנן הראשי.\n"
    "## תוקף\nהנוהל בתוקף מיום 1 במאי 2031 ואושר על ידי רינה טולר, ראש המועדון.",
)


@pytest.mark.parametrize(
    ("texts", "text", "held"),
    [
        (POLICY, "Who approved the garden rules?", "approved by Ines Toller"),
        (POLICY, "What temperature should the shed have?", "7°C"),
        (GARDEN_HE, "מי אישר את נוהל הגינה?", "רינה טולר"),
    ],
)
async def test_the_asked_kind_of_value_leads(texts: tuple[str, ...], text: str, held: str) -> None:
    passages = [TextEvidence(ORIGIN, f"p{page}", each, (), page + 1) for page, each in enumerate(texts)]
    found = await answer_from_document(question(text, detect(text)), passages)
    assert held in found.candidates[0].answer.line


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Who was the gardener?", "No"),
        ("How many garden rules are there?", "https"),
        ("What are the garden rules?", "Garden rules"),
    ],
)
async def test_furniture_never_leads(text: str, wrong: str) -> None:
    passages = [TextEvidence(ORIGIN, f"p{page}", each, (), page + 1) for page, each in enumerate(POLICY)]
    found = await answer_from_document(question(text, "en"), passages)
    assert all(wrong not in (each.answer.value, each.answer.line[:5]) for each in found.candidates[:1])
