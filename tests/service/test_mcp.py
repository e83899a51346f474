"""Tests the workbench as an MCP server with the official client, in both versions of the protocol."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from mcp import Client, MCPError
from mcp.client.session import ClientRequestContext
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from core.events import RunCompleted
from pages.mcp import resources
from tests.service.conftest import Open
from tests.service.house import CONTRACT, HEBREW, POLICY, House, until
from tests.service.programs import ERAS, data, program, told

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"
RATES = "# Rates\n\n| City | Rate |\n|---|---|\n| Haifa | 560 |\n| Eilat | 640 |\n"
TOOLS = {
    "ask", "answer", "summarize", "compare", "audit", "search", "read_passage", "list_tables", "read_table",
    "list_documents", "add_document", "get_context_insights", "search_memory", "record_response",
    "add_to_memory_bank", "update_memory", "archive_memory", "explore_concept", "find_path", "record_feedback",
    "look_up_figures", "calculate", "query_data", "search_passages", "read_page",
}  # fmt: skip
WRITES = {
    "ask", "answer", "summarize", "compare", "audit", "add_document", "record_response", "record_feedback",
    "add_to_memory_bank", "update_memory", "archive_memory",
}  # fmt: skip
TAKES_AWAY = {"update_memory", "archive_memory", "record_feedback"}
Asked = list[ElicitRequestFormParams]


def person(*answers: Callable[[ElicitRequestFormParams], ElicitResult]) -> tuple[Any, Asked]:
    """Simulates a user who fills in forms with ``answers``, one after the other; also returns the questions that the
    user got."""
    asked: Asked = []

    async def fill_in(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        asked.append(params)
        return answers[len(asked) - 1](params)

    return fill_in, asked


def picks(label: str) -> Callable[[ElicitRequestFormParams], ElicitResult]:
    """Makes an answer that chooses the option with this name, in a form that allows one choice or several."""

    def fill_in(form: ElicitRequestFormParams) -> ElicitResult:
        properties = form.requested_schema["properties"]
        if "choices" in properties:
            options = properties["choices"]["items"]["anyOf"]
            ids = [each["const"] for each in options if label in each["title"]]
            return ElicitResult(action="accept", content={"choices": ids})
        choice = properties["choice"]
        ids = [id for id, name in zip(choice["enum"], choice["enumNames"], strict=True) if label in name]
        return ElicitResult(action="accept", content={"choice": ids[0]})

    return fill_in


async def ambiguous(house: House) -> None:
    """Stores two documents; "the policy" may mean either."""
    await house.read("travel-policy.md", POLICY)
    await house.read("leave-policy.md", "# Leave policy\n\nEverybody has twenty days of leave a year.\n")


# -- offered tools -----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ERAS)
async def test_every_tool_is_listed_with_what_it_takes_gives_and_does(house: House, mode: str) -> None:
    async with program(house, mode=mode) as client:
        listed = {each.name: each for each in (await client.list_tools()).tools}
    assert set(listed) == TOOLS
    for each in house.workbench.tools.for_programs():
        if each.name != "list_documents":
            assert listed[each.name].description == each.description
            assert listed[each.name].input_schema["properties"].items() >= each.arguments["properties"].items()
    for name, tool in listed.items():
        assert tool.description, name
        assert tool.title, name
        for schema in (tool.input_schema, tool.output_schema):
            assert schema, name
            assert schema["type"] == "object", name
            jsonschema.Draft202012Validator.check_schema(schema)
        assert not {"ui", "program"} & set(tool.input_schema["properties"]), name
        about = tool.annotations
        assert about, name
        assert about.read_only_hint is (name not in WRITES), name
        assert about.destructive_hint is (name in TAKES_AWAY), name


async def test_names_for_people_are_in_their_language(house: House) -> None:
    async with program(house, language="he") as client:
        tools = (await client.list_tools()).tools
        prompts = (await client.list_prompts()).prompts
        refused = await client.call_tool("read_passage", {"item_id": "mem_" + "0" * 32})
    assert next(each.title for each in tools if each.name == "ask") == "לשאול שאלה"
    assert {each.name for each in prompts} == {"ask", "summarize", "compare", "audit"}
    assert "תשובה מן המסמכים" in str(prompts[0].description)
    assert refused.is_error
    assert "המסמך" in told(refused)


async def test_what_does_not_fit_is_named(house: House) -> None:
    async with program(house) as client:
        refused = await client.call_tool("search", {"limit": 1_000})
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("no_such_tool")
    assert refused.is_error
    assert "query: Field required" in told(refused)
    assert "limit: Input should be less than or equal to 50" in told(refused)


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ERAS)
async def test_an_answer_comes_with_its_sources_and_its_progress(house: House, mode: str) -> None:
    await house.read("policy.md", POLICY)
    steps: list[tuple[float, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, message))

    async with program(house, mode=mode) as client:
        result = await client.call_tool("ask", {"question": QUESTION}, progress_callback=note)
        given = data(result)
        passage = given["sources"][0]["passages"][0]["item_id"]
        read = data(await client.call_tool("read_passage", {"item_id": passage}))
    assert given["outcome"] == "answered"
    assert "560 shekels" in given["text"]
    assert "560 shekels" in told(result)
    assert "[1] " in told(result)
    assert given["sources"][0]["document_id"] in told(result)
    assert "560 shekels" in read["text"]
    counts = [count for count, _ in steps]
    assert counts == sorted(set(counts))
    assert "Searching your documents" in {words for _, words in steps}


async def test_the_three_orders_name_documents_by_title_or_id(house: House) -> None:
    policy, contract = await house.read("policy.md", POLICY), await house.read("contract.md", CONTRACT)
    async with program(house) as client:
        summary = data(await client.call_tool("summarize", {"documents": ["Travel policy"]}))
        compared = data(await client.call_tool("compare", {"documents": [policy.id, "contract.md"], "about": "limits"}))
        text = "A night in a hotel in Haifa is reimbursed up to 900 shekels, and dinner is always free for everybody."
        audited = data(await client.call_tool("audit", {"text": text, "documents": [policy.id]}))
        gone = await client.call_tool("summarize", {"documents": ["doc_" + "0" * 32]})
    actions = {}
    for name, given in (("summarize", summary), ("compare", compared), ("audit", audited)):
        entries = await house.workbench.ledger.entries("ada", given["run_id"])
        actions[name] = next(entry.event.action for entry in entries if entry.event.type == "response")
        assert given["outcome"] == "answered", name
        assert given["text"], name
    assert actions == {"summarize": "summarize", "compare": "compare", "audit": "audit"}
    assert {each["document_id"] for each in compared["sources"]} == {policy.id, contract.id}
    assert {each["document_id"] for each in summary["sources"]} == {policy.id}
    assert "900" in audited["text"]
    assert gone.is_error
    assert contract.id not in told(gone)


async def test_a_text_that_no_question_has_room_for_is_audited_as_an_attachment(house: House) -> None:
    policy = await house.read("policy.md", POLICY)
    text = "\n\n".join(f"{n}. A night in a hotel in Haifa is reimbursed up to {900 + n} shekels." for n in range(200))
    async with program(house) as client:
        given = data(await client.call_tool("audit", {"text": text, "documents": [policy.id]}))
    attached = await house.workbench.library.attached("ada", given["conversation_id"])
    assert len(text) > house.workbench.settings.limits.question_characters
    assert [each.filename for each in attached] == ["Text to check.txt"]
    assert given["outcome"] == "answered"
    assert "900" in given["text"]


@pytest.mark.parametrize("mode", ERAS)
async def test_what_a_run_asks_back_is_put_to_the_person(house: House, mode: str) -> None:
    await ambiguous(house)
    fill_in, asked = person(picks("Leave"))
    async with program(house, mode=mode, elicitation_callback=fill_in) as client:
        given = data(await client.call_tool("summarize", {"documents": ["the policy"]}))
    assert len(asked) == 1
    assert "Which document" in asked[0].message
    assert given["outcome"] == "answered"
    assert "twenty days" in given["text"]
    assert "shekels" not in given["text"]


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_who_closes_the_form_ends_the_run(house: House, mode: str, action: Any) -> None:
    await ambiguous(house)
    fill_in, asked = person(lambda _: ElicitResult(action=action))
    async with program(house, mode=mode, elicitation_callback=fill_in) as client:
        given = data(await client.call_tool("summarize", {"documents": ["the policy"]}))
    assert len(asked) == 1
    assert given["outcome"] == "cancelled"
    assert given["interrupt"] is None


@pytest.mark.parametrize("mode", ERAS)
async def test_without_forms_the_question_comes_back_and_the_tool_answers_it(house: House, mode: str) -> None:
    await ambiguous(house)
    async with program(house, mode=mode) as client:
        result = await client.call_tool("summarize", {"documents": ["the policy"]})
        asked = data(result)
        choices = {each["label"]: each["id"] for each in asked["interrupt"]["choices"]}
        leave = next(id for label, id in choices.items() if "Leave" in label)
        reply = {"run_id": asked["run_id"], "interrupt_id": asked["interrupt"]["interrupt_id"]}
        wrong = await client.call_tool("answer", {**reply, "choice_ids": ["doc_" + "0" * 32]})
        given = data(await client.call_tool("answer", {**reply, "choice_ids": [leave]}))
        late = await client.call_tool("answer", {**reply, "choice_ids": [leave]})
    assert asked["outcome"] is None
    assert leave in told(result)
    assert asked["interrupt"]["interrupt_id"] in told(result)
    assert wrong.is_error
    assert given["outcome"] == "answered"
    assert "twenty days" in given["text"]
    assert late.is_error


@pytest.mark.parametrize("mode", ERAS)
async def test_a_call_that_is_given_up_ends_its_run(house: House, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.read("policy.md", POLICY)
    begun = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr("core.models.extractive.ExtractiveAnswerer.answer", never)
    async with program(house, mode=mode) as client:
        call = asyncio.create_task(client.call_tool("ask", {"question": QUESTION}))
        await begun.wait()
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        found = await house.workbench.conversations.search("ada", "")
        (run_id,) = await house.workbench.conversations.runs_of(found[0].conversation)

        async def ended() -> bool:
            entries = await house.workbench.ledger.entries("ada", run_id)
            return any(isinstance(each.event, RunCompleted) for each in entries)

        await until(ended, "the end of the run")
        still_there = data(await client.call_tool("list_documents"))
    entries = await house.workbench.ledger.entries("ada", run_id)
    assert [each.event.outcome for each in entries if isinstance(each.event, RunCompleted)] == ["cancelled"]
    assert still_there["total"] == 1


async def test_a_call_that_is_given_up_at_its_question_ends_its_run(house: House) -> None:
    await ambiguous(house)
    asked = asyncio.Event()

    async def never(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        asked.set()
        await asyncio.Event().wait()
        return ElicitResult(action="cancel")

    async with program(house, mode="legacy", elicitation_callback=never) as client:
        call = asyncio.create_task(client.call_tool("summarize", {"documents": ["the policy"]}))
        await asked.wait()
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        conversation = (await house.workbench.conversations.search("ada", ""))[0].conversation

        async def free() -> bool:
            return await house.workbench.ledger.active("ada", conversation.id) is None

        await until(free, "the end of the run")


# -- conversations -----------------------------------------------------------------------------


async def test_calls_without_a_conversation_are_parted_by_pause_and_subject(open_house: Open) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    groups = house.workbench.program_tools.calls
    async with program(house) as client, program(house, "bob") as bobs:

        async def asked(question: str, program: Client = client, **given: str) -> str:
            return str(data(await program.call_tool("ask", {"question": question, **given}))["conversation_id"])

        first = await asked(QUESTION)
        assert await asked("And for dinner?") == first
        contract = await asked("What notice must Pelagit give of a price rise?")
        assert contract != first
        assert await asked(QUESTION, bobs) not in (first, contract)
        assert await asked("And for dinner?", conversation_id=first) == first
        groups._clock = lambda: 10_000_000_000.0
        assert await asked("What notice must Pelagit give of a price rise?") not in (first, contract)


async def test_a_question_beside_one_that_is_being_answered_begins_a_conversation(house: House) -> None:
    await house.read("policy.md", POLICY)
    async with program(house) as client:
        both = await asyncio.gather(*(client.call_tool("ask", {"question": QUESTION}) for _ in range(2)))
    given = [data(each) for each in both]
    assert [each["outcome"] for each in given] == ["answered", "answered"]


async def test_an_outcome_scores_what_was_shown_since_the_one_before(house: House) -> None:
    memory = house.workbench.memory
    async with program(house) as client:
        for fact in ("Lodging in Haifa is arranged by Noa.", "Pumps in Eilat are serviced by Dan."):
            data(await client.call_tool("ask", {"question": fact}))
        await memory.settle()
        lodging = data(await client.call_tool("search_memory", {"query": "Who arranges lodging in Haifa?"}))
        data(await client.call_tool("record_response", {"key_takeaway": "Noa arranges it.", "outcome": "worked"}))
        pumps = data(await client.call_tool("search_memory", {"query": "Who services the pumps in Eilat?"}))
        failed = data(
            await client.call_tool("record_response", {"key_takeaway": "Not Dan any more.", "outcome": "failed"})
        )
        nothing = data(await client.call_tool("record_response", {"key_takeaway": "Nothing was shown."}))
    shown = {each["memory_id"] for each in pumps["hits"]}
    assert {each["memory_id"] for each in failed["moved"]} <= shown
    assert nothing["moved"] == []
    assert [each["position"] for each in lodging["hits"]] == list(range(1, len(lodging["hits"]) + 1))


# -- documents, graph, memory ------------------------------------------------------------------


async def test_documents_are_added_listed_searched_and_their_tables_read(house: House) -> None:
    async with program(house) as client:
        added = data(await client.call_tool("add_document", {"name": "rates.md", "text": RATES}))
        encoded = base64.b64encode(HEBREW.encode()).decode()
        hebrew = data(await client.call_tool("add_document", {"name": "nohal.md", "base64": encoded}))
        again = data(await client.call_tool("add_document", {"name": "rates.md", "text": RATES}))
        other = data(await client.call_tool("add_document", {"name": "rates.md", "text": RATES + "\nMore.\n"}))
        empty = await client.call_tool("add_document", {"name": "empty.md"})
        for document in (added["document"], hebrew["document"]):
            await house.settled(await house.workbench.library.get("ada", document["id"]))
        listed = data(await client.call_tool("list_documents"))
        some = data(await client.call_tool("list_documents", {"search": "rates", "limit": 1}))
        none = await client.call_tool("list_documents", {"company": "Nobody Ltd"})
        kind = some["documents"][0]["kind"]
        of_kind = data(await client.call_tool("list_documents", {"kind": kind}))
        found = data(await client.call_tool("search", {"query": "rate in Eilat"}))
        for name in ("search", "search_passages", "search_memory"):
            short = data(await client.call_tool(name, {"q": "rate in Eilat"}))
            assert short == data(await client.call_tool(name, {"query": "rate in Eilat"})), name
        tables = data(await client.call_tool("list_tables", {"document_id": added["document"]["id"]}))
        table = data(await client.call_tool("read_table", {"document": "rates", "table": "1", "rows": 1}))
        older = data(await client.call_tool("read_table", {"document_id": added["document"]["id"], "number": 0}))
        rest = data(await client.call_tool("read_table", {"document": "rates", "table": "1", "first": 2, "rows": 1}))
    assert (added["status"], again["status"], other["status"]) == ("accepted", "duplicate", "namesake")
    assert empty.is_error
    assert "no content" in told(empty)
    assert {each["filename"] for each in listed["documents"]} == {"rates.md", "nohal.md"}
    assert listed["total"] == 2
    assert [each["filename"] for each in some["documents"]] == ["rates.md"]
    assert "rates.md" in [each["filename"] for each in of_kind["documents"]]
    assert none.is_error
    assert "Nobody Ltd" in told(none)
    assert "640" in found["passages"][0]["text"]
    assert [(each["number"], each["rows"], each["columns"]) for each in tables["tables"]] == [(0, 2, 1)]
    assert table["text"].endswith("Haifa | 560\n(rows 1-1 of 2)")
    assert older["text"].endswith("Haifa | 560\nEilat | 640")
    assert rest["text"].endswith("Eilat | 640\n(rows 2-2 of 2)")
    assert {each["document_id"] for each in older["sources"]} == {added["document"]["id"]}
    assert not list(house.workbench.settings.folder.glob("uploads/*/*/file"))


async def test_figures_are_looked_up_and_calculated_with(house: House) -> None:
    await house.read("rates.md", RATES)
    async with program(house) as client:
        found = data(await client.call_tool("look_up_figures", {"measure": "Haifa"}))
        key = re.search(r"f1 \(figure (\S+)\) \[1\] Haifa .*560", found["text"])
        assert key, found["text"]
        values = [{"name": "rate", "figure": key[1], "source": 1}]
        result = await client.call_tool("calculate", {"expression": "rate * 2", "values": values})
        refused = await client.call_tool("calculate", {"expression": "rate"})
    assert "560" in found["sources"][0]["passages"][0]["text"]
    assert "rate * 2 = 560 * 2 = 1,120" in told(result)
    assert refused.is_error
    assert "no value rate" in told(refused)


async def test_rows_of_a_spreadsheet_are_queried(house: House) -> None:
    await house.read("rates.csv", "City,Rate\nHaifa,560\nEilat,640\nHaifa,40\n")
    query = {"dataset": "rates", "group": [{"column": "City"}], "measures": [{"function": "sum", "column": "Rate"}]}
    async with program(house) as client:
        schema = told(await client.call_tool("query_data", {}))
        result = data(await client.call_tool("query_data", {"query": query}))
    assert "- Rate: number; 40 to 640" in schema
    assert "Haifa | 600" in result["sources"][0]["passages"][0]["text"]


async def test_facts_are_kept_corrected_and_put_away(house: House) -> None:
    async with program(house) as client:
        stored = data(
            await client.call_tool("add_to_memory_bank", {"content": "I work at Narkis Valley.", "tags": ["identity"]})
        )
        insights = data(await client.call_tool("get_context_insights", {"query": "Where do I work?"}))
        changed = data(
            await client.call_tool(
                "update_memory", {"memory_id": stored["item"]["id"], "new_content": "I work at Pelagit."}
            )
        )
        archived = data(await client.call_tool("archive_memory", {"memory_id": stored["item"]["id"]}))
        gone = await client.call_tool("archive_memory", {"memory_id": "mem_" + "0" * 32})
    assert stored["what"] == "new"
    assert "context_type" in insights
    assert changed["text"] == "I work at Pelagit."
    assert archived["status"] == "archived"
    assert gone.is_error


async def test_the_graph_is_asked_by_names(house: House) -> None:
    await house.read("staff.md", "# Staff\n\nMs. Noa Levi of Pelagit Ltd pays 7431 shekels in Haifa.\n")
    await house.read("plant.md", "# Plant\n\nThe plant of Pelagit Ltd stands in Eilat.\n")
    await house.workbench.memory.settle()
    async with program(house) as client:
        told_of = data(await client.call_tool("explore_concept", {"name": "pelagit ltd"}))
        path = data(await client.call_tool("find_path", {"a": "Noa Levi", "b": "Eilat"}))
        unknown = await client.call_tool("explore_concept", {"name": "Zebrafish"})
    assert told_of["name"] == "Pelagit Ltd"
    assert {each["title"] for each in told_of["documents"]} == {"Staff", "Plant"}
    assert path["found"]
    assert [each["a"] for each in path["steps"]] == ["Noa Levi", "Pelagit Ltd"]
    assert path["steps"][-1]["b"] == "Eilat"
    assert "stands in Eilat" in path["steps"][-1]["evidence"][0]["text"]
    assert unknown.is_error
    assert "Zebrafish" in told(unknown)


async def test_feedback_moves_what_an_answer_rested_on(house: House) -> None:
    await house.read("policy.md", POLICY)
    async with program(house) as client:
        given = data(await client.call_tool("ask", {"question": QUESTION}))
        said = {"message_id": given["message_id"], "outcome": "failed", "reason": "outdated"}
        effect = data(await client.call_tool("record_feedback", said))
    record = await house.workbench.memory.answer("ada", given["message_id"])
    assert record
    assert record.outcome == "failed"
    assert effect["outcome"] == "failed"
    assert effect["effect"]["moved"]


# -- resources and prompts ---------------------------------------------------------------------


async def test_documents_and_memories_are_read_by_their_addresses(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = await house.read("policy.md", POLICY)
    fact = await house.workbench.memory.bank.remember("ada", "I live in Haifa.", tags=["identity"])
    async with program(house) as client:
        listed = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        texts = {each.uri: (await client.read_resource(each.uri)).contents[0] for each in listed}
        for uri in ("palimpsest://documents/doc_" + "0" * 32, "palimpsest://secrets/1", f"file://{document.id}"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
        monkeypatch.setattr(resources, "PART", 40)
        part = (await client.read_resource(listed[0].uri)).contents[0].text  # type: ignore[union-attr]
        assert f"palimpsest://documents/{document.id}/parts/2" in part
        pieces = [(await client.read_resource(f"{listed[0].uri}/parts/{n}")).contents[0].text for n in (1, 2)]  # type: ignore[union-attr]
        with pytest.raises(MCPError):
            await client.read_resource(f"{listed[0].uri}/parts/99")
    assert [each.uri for each in listed] == [
        f"palimpsest://documents/{document.id}",
        f"palimpsest://memories/{fact.item.id}",
    ]
    assert {each.uri_template for each in templates} == {
        "palimpsest://documents/{document_id}",
        "palimpsest://documents/{document_id}/parts/{part}",
        "palimpsest://memories/{memory_id}",
    }
    assert "560 shekels" in texts[listed[0].uri].text  # type: ignore[union-attr]
    assert texts[listed[1].uri].text == "I live in Haifa."  # type: ignore[union-attr]
    assert pieces[0] != pieces[1]


async def test_resources_come_by_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PAGE", 2)
    for number in range(3):
        await house.workbench.memory.bank.remember("ada", f"Fact number {number} is about river {number}.")
    async with program(house) as client:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        with pytest.raises(MCPError):
            await client.list_resources(cursor="somewhere")
    uris = [each.uri for page in (first, second) for each in page.resources]
    assert (len(first.resources), len(set(uris)), second.next_cursor) == (2, 3, None)


async def test_a_prompt_is_a_message_to_the_model(house: House) -> None:
    async with program(house, language="he") as client:
        given = await client.get_prompt("audit", {"text": "סעיף ראשון", "documents": "נוהל נסיעות"})
        with pytest.raises(MCPError, match="documents"):
            await client.get_prompt("audit", {"text": "סעיף ראשון"})
        with pytest.raises(MCPError, match="Unknown prompt"):
            await client.get_prompt("nothing")
    text = str(getattr(given.messages[0].content, "text", ""))
    assert "audit" in text
    assert "סעיף ראשון" in text
    assert "נוהל נסיעות" in text


# -- two people --------------------------------------------------------------------------------

SECRET = "Zebrafish"
CANARY = f"# {SECRET} contract\n\n{SECRET} Ltd pays 7431 shekels to Noa Levi in Haifa.\n\n" + RATES.replace(
    "Haifa", f"{SECRET} bay"
)


async def test_nothing_of_one_person_is_seen_by_another_through_any_tool(house: House) -> None:
    document = await house.read("secret.md", CANARY)
    await ambiguous(house)
    fact = await house.workbench.memory.bank.remember("ada", f"My project is called {SECRET}.", tags=["project"])
    await house.workbench.memory.settle()
    async with program(house) as adas:
        answer = data(await adas.call_tool("ask", {"question": f"What does {SECRET} pay?"}))
        waiting = data(await adas.call_tool("summarize", {"documents": ["the policy"]}))
        assert SECRET in answer["text"]
    item = answer["sources"][0]["passages"][0]["item_id"]
    reply = {"run_id": waiting["run_id"], "interrupt_id": waiting["interrupt"]["interrupt_id"]}
    calls: dict[str, dict[str, Any]] = {
        "ask": {"question": f"What does {SECRET} pay?", "conversation_id": answer["conversation_id"]},
        "answer": {**reply, "choice_ids": [waiting["interrupt"]["choices"][0]["id"]]},
        "summarize": {"documents": [document.id]},
        "compare": {"documents": [document.id, "secret.md"]},
        "audit": {"text": "Everything is paid for by us at all times.", "documents": [document.id]},
        "search": {"query": "who pays shekels to Noa Levi"},
        "read_passage": {"item_id": item},
        "list_tables": {"document_id": document.id},
        "read_table": {"document_id": document.id, "number": 0},
        "list_documents": {},
        "add_document": {"name": "secret.md", "text": "# Pumps\n\nOurs are serviced in spring.\n"},
        "get_context_insights": {"query": "the name of my project"},
        "search_memory": {"query": "the name of my project"},
        "record_response": {"key_takeaway": "Nothing.", "outcome": "failed", "related": [fact.item.id]},
        "add_to_memory_bank": {"content": "My project has no name yet."},
        "update_memory": {"memory_id": fact.item.id, "new_content": "My project is called nothing."},
        "archive_memory": {"memory_id": fact.item.id},
        "explore_concept": {"name": "Noa Levi"},
        "find_path": {"a": "Noa Levi", "b": "Haifa"},
        "record_feedback": {"message_id": answer["message_id"], "outcome": "failed"},
        "look_up_figures": {"measure": "shekels", "documents": [document.id]},
        "calculate": {"expression": "a", "values": [{"name": "a", "figure": f"{document.id}/0/0/0"}]},
        "query_data": {"query": {"dataset": document.id, "measures": [{"function": "count"}]}},
        "search_passages": {"query": "who pays shekels to Noa Levi"},
        "read_page": {"document": document.id, "page": 1},
    }
    refused = {
        "ask", "answer", "summarize", "compare", "audit", "read_passage", "list_tables", "read_table",
        "update_memory", "archive_memory", "explore_concept", "find_path", "record_feedback",
        "look_up_figures", "calculate", "query_data", "read_page",
    }  # fmt: skip
    assert set(calls) == TOOLS
    async with program(house, "bob") as bobs:
        for name, given in calls.items():
            result = await bobs.call_tool(name, given)
            assert result.is_error is (name in refused), (name, told(result))
            assert SECRET not in told(result), name
            assert SECRET not in str(result.structured_content), name
        listed = (await bobs.list_resources()).resources
        assert SECRET not in str(listed)
        for uri in (f"palimpsest://documents/{document.id}", f"palimpsest://memories/{fact.item.id}"):
            with pytest.raises(MCPError) as caught:
                await bobs.read_resource(uri)
            assert SECRET not in str(caught.value)
        words = await bobs.call_tool("ask", {"question": f"What does {SECRET} pay?"})
        assert "7431" not in told(words)
    kept = (await house.workbench.memory.items("ada", [fact.item.id]))[0]
    assert (kept.text, kept.status, kept.stats.uses) == (f"My project is called {SECRET}.", "active", 0)
    record = await house.workbench.memory.answer("ada", answer["message_id"])
    assert record
    assert record.outcome is None
    assert await house.workbench.ledger.pending("ada", waiting["run_id"])
