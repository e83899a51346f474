"""Effects of settings for maintenance and for reports on the running workbench."""

from __future__ import annotations

import logging
from io import StringIO
from pathlib import Path

from command.log import log_to
from core.clock import HOUR
from core.memory.maintenance import archive
from core.memory.maintenance.backup import BackupSummary, summary_of
from core.operations.backup_folder import BackupFolder
from core.operations.doctor.machine import examine_machine
from core.operations.figures.daily import DailyFigures
from core.store.sqlite.truth import SqliteTruth
from tests.service.effects.experiment import Bench, changes


class Archives:
    """Fake backups: makes empty ones, dated with the current hour."""

    hour = 0.0

    def now(self) -> float:
        return 1_000_000.0 + self.hour * HOUR

    async def export_backup(self, user_id: str | None, path: Path) -> BackupSummary:
        manifest = archive.Manifest(format=archive.FORMAT, app="0", created_at=self.now(), user_id=user_id, members={})
        with path.open("wb") as file:
            archive.Writer(file).close(manifest)
        return summary_of(manifest)

    async def import_backup(self, user_id: str | None, path: Path, *, dry_run: bool = False) -> BackupSummary:
        raise NotImplementedError


@changes("backups.every_hours", "1", "3", backups__keep="9")
@changes("backups.keep", "1", "3", backups__every_hours="1")
async def what_backups_there_are_after_some_hours(bench: Bench) -> object:
    archives = Archives()
    folder = BackupFolder(bench.settings, archives, archives.now)
    for hour in range(5):
        archives.hour = float(hour)
        await folder.keep_up()
        await folder.settle()
    return len(await folder.all(None))


@changes("figures_days", "8", "30")
async def which_days_there_are_figures_of_after_twenty(bench: Bench) -> object:
    truth, day = SqliteTruth(bench.folder / "truth.sqlite"), 0
    await truth.start()
    daily = DailyFigures(truth, lambda: day * 24 * HOUR, bench.settings.figures_days)
    for day in range(20):
        await daily.note_bytes(day)
    await daily.compact()
    kept = await daily.last(100, None)
    await truth.stop()
    return len(kept)


@changes("log.file", "one.log", "other.log")
@changes("log.megabytes", "0.001", "1", log__file="server.log")
@changes("log.kept", "1", "2", log__file="server.log", log__megabytes="0.001")
async def which_files_a_server_writes_its_log_to(bench: Bench) -> object:
    root = logging.getLogger()
    bench.patch.setattr(root, "handlers", [*root.handlers])
    log_to(StringIO(), bench.settings)
    for number in range(100):
        logging.getLogger("test").error("the line %s of many", number)
    return sorted(each.name for each in bench.settings.folder.glob("*.log*"))


@changes("limits.disk_low_bytes", "0", str(2**60))
async def what_is_said_of_the_disk(bench: Bench) -> object:
    return [each.warning for each in examine_machine(bench.settings, serving=True) if each.check == "disk"]
