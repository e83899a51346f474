"""Calculates the resources for many users from measurements of one passage and one person: ``docs/capacity.md``.

    python -m benchmarks.capacity

All values are extrapolated linearly from the constants below; each constant says where it was measured.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

ROW = 4_730
"""Bytes of a passage in the record store with its indexes: measured at a million of the samples'
(``benchmarks.growth``)."""
PERSON = 930_000 + 90_000
"""Bytes of one person with 46 small documents and three questions, without passages: records, and agent checkpoints."""
VECTOR, QUANTISED = 384 * 4, 384
TERMS = 51 * 8
"""Bytes of one sparse vector: 51 terms in an average passage of the samples, a number and a weight each; stored once
with the point and once in the inverted index."""
GRAPH = int(16 * 2 * 4 * 1.2)
"""Bytes of a point's graph links: twice ``payload_m`` of four bytes at the lowest level, and a fifth more for the
levels above."""
PAYLOAD = 250
ENGLISH = 3.3
"""Passages a second that one core embeds (``benchmarks.embedding_speed``: 6.58 on two)."""
QUESTION = 0.42
"""Processor seconds of a question answered by quotation (``benchmarks.people``)."""
A_DAY, IN_PEAK_HOUR = 20, 0.2
"""Assumed: one person's questions on a working day, and the share of them in the busiest hour."""
SPARE = 2
"""Assumed: processors to provide, as a multiple of the busiest hour's average need."""
WARM = 0.2
"""Assumed: share of the records that is read often enough to be kept in memory."""
CORES, MEMORY = 8, 48e9
"""Cores of one machine, and the memory that a database may use of its 64 GB."""
COPIES_OF_TRUTH, COPIES_OF_INDEX = 3, 2
SIZES = ((10_000_000, 10_000), (100_000_000, 100_000), (1_000_000_000, 1_000_000))


@dataclass(frozen=True)
class Need:
    """The resources for so many passages and people; bytes are of all copies together."""

    passages: int
    people: int

    @property
    def truth(self) -> float:
        return COPIES_OF_TRUTH * (self.passages * ROW + self.people * PERSON)

    @property
    def index_disk(self) -> float:
        return COPIES_OF_INDEX * self.passages * (VECTOR + QUANTISED + 2 * TERMS + GRAPH + PAYLOAD)

    @property
    def index_memory(self) -> float:
        """Returns bytes with quantised vectors, graphs, terms and half of the payload in memory, and full vectors on
        disk."""
        return COPIES_OF_INDEX * self.passages * (QUANTISED + 2 * TERMS + GRAPH + PAYLOAD / 2)

    @property
    def questions(self) -> float:
        """Returns questions a second in the busiest hour."""
        return self.people * A_DAY * IN_PEAK_HOUR / 3600

    @property
    def cores(self) -> float:
        return SPARE * self.questions * QUESTION

    @property
    def embedding(self) -> float:
        """Returns the core days for embedding everything once."""
        return self.passages / ENGLISH / 86_400

    @property
    def machines(self) -> tuple[int, int, int]:
        """Returns the number of machines for MongoDB, Qdrant and ``serve``."""
        shards = math.ceil(self.truth / COPIES_OF_TRUTH * WARM / MEMORY)
        return (
            COPIES_OF_TRUTH * shards,
            max(COPIES_OF_INDEX, math.ceil(self.index_memory / MEMORY)),
            max(2, math.ceil(self.cores / CORES)),
        )


def main() -> int:
    for passages, people in SIZES:
        need = Need(passages, people)
        mongodb, qdrant, serve = need.machines
        print(f"{passages:,} passages of {people:,} people")
        print(f"  truth {need.truth / 1e9:,.0f} GB on {mongodb} machines")
        held = f"{need.index_memory / 1e9:,.0f} GB in memory"
        print(f"  index {need.index_disk / 1e9:,.0f} GB, {held}, on {qdrant} machines")
        print(f"  {need.questions:,.0f} questions a second, {need.cores:,.0f} cores, on {serve} machines")
        print(f"  embedding once: {need.embedding:,.0f} core days")
    return 0


if __name__ == "__main__":
    sys.exit(main())
