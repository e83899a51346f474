"""Tests sets of documents: created, filled, renamed, deleted and restored, mentioned in questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.library.sets import NAME_CHARACTERS
from tests.service.house import CONTRACT, HEBREW, POLICY, Answer, House

OLD = "# Old travel policy\n\nA night in a hotel in Haifa is reimbursed up to 480 shekels.\n"
HOTEL = "What is reimbursed for a night in a hotel in Haifa?"


async def act(house: House, action: str, question: str) -> Answer:
    asked = await house.workbench.ask("ada", question, action=action)  # type: ignore[arg-type]
    return Answer(asked, await house.entries("ada", asked.run_id))


async def test_made_filled_renamed_deleted_and_brought_back(house: House) -> None:
    sets = house.workbench.sets
    policy, contract = await house.read("policy.md", POLICY), await house.read("contract.md", CONTRACT)
    made = await sets.create("ada", '  The "audit"\nfile ', [policy.id, policy.id])
    assert (made.name, made.document_ids) == ("The 'audit' file", [policy.id])
    filled = await sets.fill("ada", made.id, add=[contract.id, policy.id])
    assert filled.document_ids == [policy.id, contract.id]
    assert (await sets.fill("ada", made.id, remove=[policy.id])).document_ids == [contract.id]
    assert (await sets.rename("ada", made.id, "תיק הביקורת")).name == "תיק הביקורת"
    await sets.delete("ada", made.id)
    assert await sets.all("ada") == []
    assert (await sets.undelete("ada", made.id)).document_ids == [contract.id]
    await sets.delete("ada", made.id)
    assert await sets.compact(-1) == 1
    with pytest.raises(PalimpsestError):
        await sets.undelete("ada", made.id)


async def test_names_are_short_and_tell_sets_apart(house: House) -> None:
    sets = house.workbench.sets
    first = await sets.create("ada", "Leases")
    second = await sets.create("ada", "Policies")
    for name in ("", "  ", "leases", "x" * (NAME_CHARACTERS + 1)):
        with pytest.raises(PalimpsestError) as caught:
            await sets.create("ada", name)
        assert caught.value.problem.category == "validation"
        with pytest.raises(PalimpsestError):
            await sets.rename("ada", second.id, name)
    assert (await sets.rename("ada", first.id, "LEASES")).name == "LEASES"
    await sets.create("bob", "Leases")
    await sets.delete("ada", first.id)
    await sets.create("ada", "Leases")
    with pytest.raises(PalimpsestError):
        await sets.undelete("ada", first.id)


async def test_nobody_else_sees_or_changes_them(house: House) -> None:
    sets = house.workbench.sets
    document = await house.read("policy.md", POLICY)
    made = await sets.create("ada", "Mine", [document.id])
    assert await sets.all("bob") == []
    for attempt in (
        sets.rename("bob", made.id, "His"),
        sets.fill("bob", made.id, remove=[document.id]),
        sets.delete("bob", made.id),
        sets.undelete("bob", made.id),
        sets.create("bob", "His", [document.id]),
    ):
        with pytest.raises(PalimpsestError) as caught:
            await attempt
        assert caught.value.problem.category == "not_found"
    assert (await sets.all("ada"))[0].document_ids == [document.id]


async def test_a_deleted_document_drops_out_and_comes_back(house: House) -> None:
    sets = house.workbench.sets
    document = await house.read("policy.md", POLICY)
    await sets.create("ada", "Travel", [document.id])
    await house.workbench.library.delete("ada", document.id)
    assert (await sets.all("ada"))[0].document_ids == []
    await house.workbench.library.undelete("ada", document.id)
    assert (await sets.all("ada"))[0].document_ids == [document.id]


async def test_an_attachment_must_be_published_first(house: House) -> None:
    thread = await house.workbench.conversations.start("ada", "Thread")
    attached = await house.read("policy.md", POLICY, scope=thread.id)
    with pytest.raises(PalimpsestError) as caught:
        await house.workbench.sets.create("ada", "Travel", [attached.id])
    assert "published" in caught.value.problem.remedy.en


async def test_a_mentioned_set_is_searched_and_nothing_else(house: House) -> None:
    old = await house.read("old.md", OLD)
    await house.read("policy.md", POLICY)
    await house.workbench.sets.create("ada", "Archive", [old.id])
    assert {each.filename for each in (await house.ask(HOTEL)).view.sources} == {"old.md", "policy.md"}
    for mention in ('@"Archive"', "@Archive", '@set:"Archive"'):
        answer = await house.ask(f"{mention} {HOTEL}")
        assert {each.filename for each in answer.view.sources} == {"old.md"}, mention


async def test_all_mentioned_sets_expand(house: House) -> None:
    ids = [(await house.read(f"{n}.md", text)).id for n, text in enumerate((POLICY, CONTRACT, HEBREW, OLD))]
    await house.workbench.sets.create("ada", "First", ids[:2])
    await house.workbench.sets.create("ada", "שני", ids[1:3])
    answer = await act(house, "summarize", 'Summarize @"First" and @"שני"')
    assert {each.document_id for each in answer.view.sources} == set(ids[:3])
    compared = await act(house, "compare", 'Compare @"First"')
    assert {each.document_id for each in compared.view.sources} == set(ids[:2])


async def test_an_empty_set_is_said(house: House) -> None:
    await house.read("policy.md", POLICY)
    await house.workbench.sets.create("ada", "Nothing yet")
    alone = await house.ask(f'@"Nothing yet" {HOTEL}')
    assert alone.view.response.kind == "told"
    assert "“Nothing yet” is empty" in alone.view.response.text
    beside = await house.ask(f'@"Nothing yet" @"Travel policy" {HOTEL}')
    assert "“Nothing yet” is empty" in beside.notices
    assert {each.filename for each in beside.view.sources} == {"policy.md"}


async def test_two_hundred_documents_in_a_set(house: House) -> None:
    policy, old = await house.read("policy.md", POLICY), await house.read("old.md", OLD)
    many = [policy.model_copy(update={"id": f"doc_{number:032x}", "sha256": str(number)}) for number in range(199)]
    for each in many:
        await house.workbench._catalogue.add(each)
    made = await house.workbench.sets.create("ada", "Everything", [policy.id, *(each.id for each in many)])
    assert len(made.document_ids) == 200
    answer = await house.ask(f'@"Everything" {HOTEL}')
    assert {each.document_id for each in answer.view.sources} == {policy.id}
    off = await house.ask('@"Everything" Who painted the ceiling of the Sistine Chapel?')
    assert not off.view.sources, "a large set says where to look and does not speak for every passage"
    assert old.id not in made.document_ids


async def test_a_backup_brings_sets_back_with_their_documents(house: House, tmp_path: Path) -> None:
    document = await house.read("policy.md", POLICY)
    made = await house.workbench.sets.create("ada", "Travel", [document.id])
    await house.workbench.memory.export_backup("ada", tmp_path / "ada.zip")
    await house.workbench.sets.delete("ada", made.id)
    await house.workbench.sets.compact(-1)
    await house.workbench.memory.import_backup("ada", tmp_path / "ada.zip")
    assert [(each.name, each.document_ids) for each in await house.workbench.sets.all("ada")] == [
        ("Travel", [document.id])
    ]
