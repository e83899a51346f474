"""Checks that updated, archived or deleted entries are never found again: ``python -m benchmarks.stale [--histories
1000]``.

Random histories of the memory bank are generated (hypothesis), each of a separate user in one workbench on a temporary
data directory. After every step the bank is searched for every text that an entry ever had. *found* counts outdated
texts that were returned; the maximum is zero. The number of current texts found is reported too, to show that the
search works.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from core.ids import new_id
from core.memory.items.records import NewMemory
from core.memory.memory import Memory
from core.memory.outcomes.scoring import quality
from core.memory.recall.records import MemoryQuery
from core.settings import Settings
from core.workbench import Workbench

SEED = 7
Deed = Literal["add", "edit", "archive", "restore", "delete", "undelete"]
Step = tuple[Deed, int]

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "edit", "edit", "archive", "restore", "delete", "undelete"]), st.integers(0, 5)
    ),
    min_size=3,
    max_size=10,
)
SUBJECTS = ("reservoir", "turbine", "hydrant", "aqueduct", "penstock", "sluice")


@dataclass
class History:
    """The history of an entry. ``said`` are all texts it ever had, the current one last; ``active``: whether it may be
    found."""

    memory: Memory
    user: str
    ids: list[str] = field(default_factory=list)
    said: dict[str, list[str]] = field(default_factory=dict)
    status: dict[str, str] = field(default_factory=dict)
    stale: int = 0
    fresh: int = 0

    async def run(self, steps: list[Step]) -> None:
        for number, (deed, place) in enumerate(steps):
            await self._do(deed, place, number)
            await self._look()

    async def _do(self, deed: Deed, place: int, number: int) -> None:
        bank = self.memory.bank
        if deed == "add" or not self.ids:
            text = f"The {SUBJECTS[place]} in sector {number} holds {100 + number} cubic metres."
            facts = NewMemory(tier="memory_bank", text=text, tags=["project"], summary=text, quality=quality(0.7, 0.7))
            stored = (await bank.add(self.user, facts)).item
            if stored.id not in self.said:
                self.ids.append(stored.id)
            self.said.setdefault(stored.id, []).append(stored.text)
            self.status[stored.id] = stored.status
            return
        chosen = self.ids[place % len(self.ids)]
        if deed == "edit" and self.status[chosen] == "active":
            text = f"The {SUBJECTS[place]} of sector {number} was emptied on day {number}."
            self.said[chosen].append((await bank.edit(self.user, chosen, text=text)).text)
        elif deed == "archive" and self.status[chosen] == "active":
            self.status[chosen] = (await bank.archive(self.user, chosen)).status
        elif deed == "restore" and self.status[chosen] == "archived":
            self.status[chosen] = (await bank.restore(self.user, chosen)).status
        elif deed == "delete" and self.status[chosen] != "deleted":
            self.status[chosen] = (await bank.delete(self.user, chosen)).status
        elif deed == "undelete" and self.status[chosen] == "deleted":
            self.status[chosen] = (await bank.undelete(self.user, chosen)).status

    async def _look(self) -> None:
        may_be_found = {texts[-1] for memory, texts in self.said.items() if self.status[memory] == "active"}
        for text in {text for texts in self.said.values() for text in texts}:
            query = MemoryQuery(self.user, text, tiers=["memory_bank"], limit=20, sort_by="relevance")
            found = {hit.text for hit in (await self.memory.search(query)).hits}
            self.stale += len(found - may_be_found)
            self.fresh += len(found & may_be_found)


def count(histories: int) -> tuple[int, int]:
    """Returns the outdated texts found, and the current texts found."""
    totals = [0, 0]
    with asyncio.Runner() as runner, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        workbench = Workbench(Settings(_env_file=None, home=Path(folder), dense_enabled=False))  # type: ignore[call-arg]
        runner.run(workbench.start())

        @seed(SEED)
        @settings(
            max_examples=histories,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(STEPS)
        def live(steps: list[Step]) -> None:
            history = History(workbench.memory, new_id("user"))
            runner.run(history.run(steps))
            totals[0] += history.stale
            totals[1] += history.fresh

        live()
        runner.run(workbench.stop())
    return totals[0], totals[1]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=int, default=1_000)
    options = parser.parse_args(arguments)
    stale, fresh = count(options.histories)
    print(f"{options.histories} histories: {stale} outdated texts found, {fresh} current texts found")
    return int(stale > 0 or fresh == 0)


if __name__ == "__main__":
    sys.exit(main())
