"""Tests the map (the local list of a portal's data sets): it is built page by page even if the portal miscounts, stored
on disk, loaded, and rebuilt when old."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.clock import DAY
from core.errors import PalimpsestError, explain
from core.tools.datagov import build as build_module
from core.tools.datagov import catalogue as catalogue_module
from core.tools.datagov.build import add_columns, build_catalogue, silent
from core.tools.datagov.catalogue import Catalogue
from core.tools.datagov.index import index_of
from core.tools.datagov.map_files import MapFiles
from core.tools.datagov.portal import Portal
from core.tools.datagov.records import ResourceMap
from core.tools.datagov.shipped import pack, unpack
from tests.servers.ckan import CkanServer, blocked, failing
from tests.servers.ckan_catalogue import made_datasets, made_map

PortalAt = Callable[..., Portal]
FEW = made_datasets()[:12]


def stored(known: ResourceMap) -> list[int | None]:
    return [one.rows for each in known.datasets for one in each.resources if one.stored]


async def test_every_page_is_asked_for_and_columns_are_looked_at(
    portal_at: PortalAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_module, "PAGE", 5)
    seen: list[tuple[int, int]] = []
    async with CkanServer(datasets=FEW) as server:
        built = await add_columns(
            await build_catalogue(portal_at(server.url), lambda: 7.0),
            portal_at(server.url),
            lambda done, of: seen.append((done, of)),
        )
        assert server.actions().count("package_search") == 4
    assert [each.id for each in built.datasets] == [each.id for each in FEW]
    assert (built.built_at, built.announced) == (7.0, 12)
    assert stored(built) == [each.count for each in FEW if each.stored]
    assert seen[-1] == (len(stored(built)), len(stored(built)))


@pytest.mark.parametrize("miscounts", [-10, 500])
async def test_a_wrong_count_loses_no_data_set(
    portal_at: PortalAt, monkeypatch: pytest.MonkeyPatch, miscounts: int
) -> None:
    monkeypatch.setattr(build_module, "PAGE", 5)
    async with CkanServer(datasets=FEW, miscounts=miscounts) as server:
        built = await build_catalogue(portal_at(server.url), lambda: 0.0)
    assert len(built.datasets) == 12
    assert built.announced == 12 + miscounts


async def test_what_has_not_changed_is_not_looked_at_again(portal_at: PortalAt) -> None:
    async with CkanServer(datasets=FEW) as server:
        portal = portal_at(server.url)
        before = await add_columns(await build_catalogue(portal, lambda: 0.0), portal)
        changed = before.datasets[0]
        one = changed.resources[0].model_copy(update={"changed": "2020-01-01"})
        older = [changed.model_copy(update={"resources": [one]}), *before.datasets[1:]]
        server.requests.clear()
        again = await add_columns(
            await build_catalogue(portal, lambda: 1.0, before.model_copy(update={"datasets": older})), portal
        )
        assert server.actions().count("datastore_search") == int(changed.resources[0].stored)
    assert again.datasets == before.datasets


async def test_columns_that_cannot_be_had_stay_unknown(portal_at: PortalAt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_module, "MOST_FAILURES", 2)
    async with CkanServer(datasets=FEW) as server:
        portal = portal_at(server.url)
        listed = await build_catalogue(portal, lambda: 0.0)
        server.moods = [failing(503)] * 100
        built = await build_module.add_columns(listed, portal)
    assert built.datasets == listed.datasets
    assert all(one.columns is None and one.has("phone") is None for each in built.datasets for one in each.resources)


async def test_a_blocked_portal_leaves_no_map(portal_at: PortalAt) -> None:
    async with CkanServer(moods=[blocked()] * 3) as server:
        with pytest.raises(PalimpsestError) as caught:
            await build_catalogue(portal_at(server.url), lambda: 0.0)
    assert caught.value.problem.category == "connection"


# -- on disk -----------------------------------------------------------------------------------


def test_a_map_is_the_same_after_it_was_kept(tmp_path: Path) -> None:
    known = made_map(built_at=5.0)
    files = MapFiles(tmp_path)
    assert files.load() is None
    files.save(known, index_of(known))
    assert files.load() == known
    files.save(known, index_of(known))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["map"]


def test_the_indexes_tell_files_columns_and_categories(tmp_path: Path) -> None:
    known = made_map()
    MapFiles(tmp_path).save(known, index_of(known))
    folder = tmp_path / "map"
    hospitals = next(each for each in made_datasets() if each.name == "hospitals")
    file = json.loads((folder / "_index.json").read_text("utf-8"))[hospitals.resource_id]
    assert file.startswith("healthcare/")
    told = json.loads((folder / file).read_text("utf-8"))
    assert {"name": "טלפון", "type": "text", "semantic": "phone"} in told["resources"][0]["fields"]
    assert "חולים" in told["keywords"]
    fields = json.loads((folder / "_field_index.json").read_text("utf-8"))
    assert (fields[hospitals.resource_id]["has_phone"], fields[hospitals.resource_id]["has_email"]) == (True, False)
    unknown = next(each for each in made_datasets() if not each.stored)
    assert unknown.resource_id not in fields
    categories = json.loads((folder / "_category_index.json").read_text("utf-8"))
    assert hospitals.id in categories["healthcare"]
    assert sum(map(len, categories.values())) == len(made_datasets())


def test_names_of_others_never_lead_out_of_the_folder(tmp_path: Path) -> None:
    known = made_map()
    hostile = known.datasets[0].model_copy(update={"name": "../../../etc/passwd", "id": "../x"})
    strange = known.model_copy(update={"datasets": [hostile]})
    MapFiles(tmp_path / "inner").save(strange, index_of(strange))
    assert [each.name for each in tmp_path.iterdir()] == ["inner"]


@pytest.mark.parametrize("broken", ["resources_map.json", "_index.json"])
def test_a_map_that_cannot_be_read_is_none(tmp_path: Path, broken: str) -> None:
    known = made_map()
    MapFiles(tmp_path).save(known, index_of(known))
    (tmp_path / "map" / broken).write_text("{", "utf-8")
    assert MapFiles(tmp_path).load() is None


def test_after_a_crash_between_two_renames_the_old_map_answers(tmp_path: Path) -> None:
    known = made_map()
    MapFiles(tmp_path).save(known, index_of(known))
    (tmp_path / "map").rename(tmp_path / "map.old")
    assert MapFiles(tmp_path).load() == known


# -- maintenance of the map --------------------------------------------------------------------


class Now:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


async def test_only_a_complete_map_answers(
    portal_at: PortalAt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue_module, "PATIENCE", 0.0)
    async with CkanServer(datasets=FEW) as server:
        catalogue = Catalogue(portal_at(server.url), MapFiles(tmp_path), Now(), days=7)
        await catalogue.start()
        assert server.requests == []
        with pytest.raises(PalimpsestError) as raised:
            await catalogue.current()
        assert explain(raised.value).what.en == "The catalogue of open data is being built."
        await catalogue.settled()
        assert len((await catalogue.current()).map.datasets) == 12
        assert catalogue.state.looked_at == catalogue.state.resources > 0
        await catalogue.stop()


async def test_a_build_that_fails_later_is_reported_by_the_next_question(
    portal_at: PortalAt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue_module, "PATIENCE", 0.0)
    async with CkanServer(datasets=FEW) as server:
        server.moods = [blocked()] * 50
        catalogue = Catalogue(portal_at(server.url), MapFiles(tmp_path), Now(), days=7)
        with pytest.raises(PalimpsestError, match="being built"):
            await catalogue.current()
        with pytest.raises(PalimpsestError):
            await catalogue.settled()
        with pytest.raises(PalimpsestError) as raised:
            await catalogue.current()
        assert "being built" not in str(raised.value)
        server.moods = []
        with pytest.raises(PalimpsestError, match="being built"):
            await catalogue.current()
        await catalogue.settled()
        assert len((await catalogue.current()).map.datasets) == 12
        await catalogue.stop()


async def test_a_shipped_map_answers_without_the_portal(portal_at: PortalAt, tmp_path: Path) -> None:
    file, now = tmp_path / "map.json.gz", Now()
    async with CkanServer(datasets=FEW) as server:
        made = await pack(portal_at(server.url), now, file, silent)
        server.requests.clear()
        catalogue = Catalogue(portal_at(server.url), MapFiles(tmp_path), now, days=7, shipped=file)
        await catalogue.start()
        assert (await catalogue.current()).map == made
        assert (server.requests, catalogue.state.looked_at) == ([], catalogue.state.resources)
        await catalogue.stop()
        file.write_bytes(b"no map")
        assert unpack(file) is None


async def test_an_old_map_answers_while_it_is_built_anew(portal_at: PortalAt, tmp_path: Path) -> None:
    now = Now()
    async with CkanServer(datasets=FEW) as server:
        catalogue = Catalogue(portal_at(server.url), MapFiles(tmp_path), now, days=7)
        await catalogue.build()
        first = now.seconds
        now.seconds += 6 * DAY
        assert not catalogue.state.old
        now.seconds += 2 * DAY
        assert catalogue.state.old
        assert (await catalogue.current()).map.built_at == first
        await catalogue.settled()
        assert (await catalogue.current()).map.built_at == now.seconds
        await catalogue.stop()

        again = Catalogue(portal_at(server.url), MapFiles(tmp_path), now, days=7)
        server.requests.clear()
        await again.start()
        assert (await again.current()).map.built_at == now.seconds
        assert server.requests == []
        await again.stop()


async def test_an_old_map_stays_where_the_portal_cannot_be_had(portal_at: PortalAt, tmp_path: Path) -> None:
    now = Now()
    async with CkanServer(datasets=FEW) as server:
        catalogue = Catalogue(portal_at(server.url), MapFiles(tmp_path), now, days=7)
        await catalogue.build()
        now.seconds += 8 * DAY
        server.moods = [blocked()] * 50
        before = (await catalogue.current()).map
        await catalogue.settled()
        assert (await catalogue.current()).map is before
        assert catalogue.state.old
        await catalogue.stop()


async def test_the_map_of_another_portal_is_not_loaded(portal_at: PortalAt, tmp_path: Path) -> None:
    known = made_map("http://another.test")
    MapFiles(tmp_path).save(known, index_of(known))
    async with CkanServer(datasets=FEW) as server:
        catalogue = Catalogue(portal_at(server.url), MapFiles(tmp_path), Now(), days=7)
        await catalogue.start()
        assert catalogue.state.built_at is None
        await catalogue.stop()
