"""Asks about a spreadsheet in a library that also holds reports."""

from __future__ import annotations

from tests.service.house import CONTRACT, POLICY, House

SALES = "Branch,Product,Day,Price,Quantity\n" + "".join(
    f"{('Haifa', 'Eilat', 'Acre')[n % 3]},{('Tea', 'Coffee')[n % 2]},2024-0{1 + n % 6}-11,{n}.50,{n % 7}\n"
    for n in range(1, 61)
)


async def test_what_is_not_in_a_named_file_is_said_although_there_are_reports(house: House) -> None:
    await house.read("branch_tea.csv", SALES)
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    named = await house.ask("What was the total profit in branch_tea.csv?")
    assert named.view.response
    assert "no column for “profit”" in named.view.response.text
    value = await house.ask("What was the quantity of Tea in the Nablus branch in 2024?")
    assert value.view.response
    assert "Acre" in value.view.response.text
    report = await house.ask("What is the profit limit for a night in a hotel?")
    assert report.view.response
    assert "no column" not in report.view.response.text


async def test_a_question_back_about_a_named_file_is_asked_although_there_are_reports(house: House) -> None:
    await house.read("branch_tea.csv", SALES)
    await house.read("policy.md", POLICY)
    asked = await house.ask("Which product is the best in the branch tea file?")
    assert asked.pending.kind == "column_choice"


async def test_a_follow_up_after_a_report_does_not_change_the_query_before(house: House) -> None:
    await house.read("branch_tea.csv", SALES)
    await house.read("policy.md", POLICY)
    first = await house.ask("Quantity by branch")
    conversation = first.asked.conversation.id
    assert first.view.response
    assert first.view.response.answer
    assert first.view.response.answer.data
    await house.ask("What is dinner reimbursed at?", conversation_id=conversation)
    last = await house.ask("and in Haifa?", conversation_id=conversation)
    assert last.view.response
    assert last.view.response.answer is None or last.view.response.answer.data is None


async def test_a_file_that_could_not_be_read_is_named_and_not_used(house: House) -> None:
    await house.read("branch_tea.csv", SALES)
    await house.problem("broken_orders.xlsx", b"PK\x03\x04 no workbook")
    broken = await house.ask("What is the total quantity in broken_orders.xlsx?")
    assert broken.view.response
    assert broken.view.response.text.startswith("broken_orders.xlsx could not be read")
    other = await house.ask("What is the total quantity?")
    assert other.view.response
    assert other.view.response.answer
    assert other.view.response.answer.data
