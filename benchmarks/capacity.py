"""Calculates the resources for many users from measurements of one passage and one user, as in ``docs/capacity.md``.

    python -m benchmarks.capacity

All values are extrapolated linearly from the constants below; each constant says where it was measured.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

ROW = 4_730
"""Bytes of a passage in the record store, including its indexes: measured with a million copies of the samples'
passages (``benchmarks.growth``)."""
PERSON = 930_000 + 90_000
"""Bytes of one person with 46 small documents and three questions, without passages: records, and agent checkpoints."""
VECTOR, QUANTISED = 384 * 4, 384
TERMS = 51 * 8
"""Bytes of records and agent checkpoints of one user with 46 small documents and three questions; passages are not
included."""
GRAPH = int(16 * 2 * 4 * 1.2)
"""Bytes of a point's links in the graph of the vector index: twice ``payload_m`` links of four bytes at the lowest
level, and a fifth more for the levels above."""
PAYLOAD = 250
ENGLISH = 3.3
"""Passages per second that one core embeds (``benchmarks.embedding_speed``: 6.58 on two cores)."""
QUESTION = 0.42
"""Processor seconds of a question answered by quotation (``benchmarks.people``)."""
A_DAY, IN_PEAK_HOUR = 20, 0.2
"""Assumed: the number of questions that a user asks on a working day, and the share of them in the busiest hour."""
SPARE = 2
"""Assumed: processors to provide, as a multiple of the busiest hour's average need."""
WARM = 0.2
"""Assumed: the share of the records that is read so often that it should be kept in memory."""
CORES, MEMORY = 8, 48e9
"""Cores of one machine, and how many of its 64 GB of memory a database may use."""
COPIES_OF_TRUTH, COPIES_OF_INDEX = 3, 2
SIZES = ((10_000_000, 10_000), (100_000_000, 100_000), (1_000_000_000, 1_000_000))


@dataclass(frozen=True)
class Need:
    """The resources needed for a number of passages and users; bytes are the sum of all copies."""

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
        """Returns the bytes of index memory: quantised vectors, graphs, terms and half of the payload; the full vectors
        are on disk."""
        return COPIES_OF_INDEX * self.passages * (QUANTISED + 2 * TERMS + GRAPH + PAYLOAD / 2)

    @property
    def questions(self) -> float:
        """Returns questions per second in the busiest hour."""
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
