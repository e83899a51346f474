"""Builds a document's section tree: blocks and bookmarks → paragraphs with section paths, and an outline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.language.vocabulary import pattern_of
from core.library.chunking.paragraphs import Paragraph, paragraphs
from core.library.extracted import Block, Bookmark
from core.library.structure.headings import heads_of
from core.library.structure.records import Outline, Section
from core.library.structure.roles import title_role, under_title, with_roles
from core.library.structure.titles import TitleCandidate
from core.library.structure.tree import Node, tree_of
from core.store.items import SectionRole

_REFERENCES = pattern_of("library/structure.sections.references")


@dataclass(frozen=True)
class Structure:
    """A document's structure. ``paragraphs[i].place`` is an index into ``sections``; ``parents`` has each section's
    parent (-1: none)."""

    paragraphs: list[Paragraph]
    sections: list[Section]
    parents: list[int]

    def outline(self, page_labels: Sequence[str | None] = ()) -> Outline:
        return Outline(sections=self.sections, page_labels=list(page_labels))

    def around(self, place: int) -> list[int]:
        """The sections that contain section ``place``, outermost first, ending with itself."""
        chain = [place] if place >= 0 else []
        while chain and self.parents[chain[-1]] >= 0:
            chain.append(self.parents[chain[-1]])
        return chain[::-1]


def structure_of(blocks: Sequence[Block], bookmarks: Sequence[Bookmark] = ()) -> Structure:
    """Every paragraph with its section and role, and the sections in reading order."""
    found = with_roles(paragraphs(blocks))
    heads = heads_of(found, bookmarks)
    nodes = tree_of(heads)
    paths = _paths(nodes)
    placed = _with_sections(found, nodes, paths, heads)
    placed = under_title(placed, {node.place: node.head.title for node in nodes})
    sections = _sections(placed, nodes, paths)
    return Structure([_as_citation(each) for each in placed], sections, [node.parent for node in nodes])


def _paths(nodes: Sequence[Node]) -> list[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = []
    for node in nodes:
        around = paths[node.parent] if node.parent >= 0 else ()
        paths.append((*around, node.head.title))
    return paths


def _with_sections(
    found: Sequence[Paragraph],
    nodes: Sequence[Node],
    paths: Sequence[tuple[str, ...]],
    heads: Mapping[int, TitleCandidate],
) -> list[Paragraph]:
    """Paragraphs with section and path; those that only looked like headings become normal paragraphs again."""
    begins = {node.place: number for number, node in enumerate(nodes)}
    lines = {place + line for place, head in heads.items() for line in range(head.lines)}
    placed: list[Paragraph] = []
    now = -1
    for place, paragraph in enumerate(found):
        now = begins.get(place, now)
        kind = paragraph.kind
        if place in lines:
            kind = "heading"
        elif kind == "heading" and (place not in heads or heads[place].lines == 0):
            kind = "paragraph"
        path = paths[now] if now >= 0 else ()
        placed.append(replace(paragraph, kind=kind, place=now, path=path, guessed=False))
    return placed


def _sections(found: Sequence[Paragraph], nodes: Sequence[Node], paths: Sequence[tuple[str, ...]]) -> list[Section]:
    roles = _roles(found, nodes)
    last = found[-1].end if found else 0
    ends = [last] * len(nodes)
    open_: list[int] = []
    for number, node in enumerate(nodes):
        while open_ and open_[-1] != node.parent:
            ends[open_.pop()] = found[node.place].start
        open_.append(number)
    return [
        Section(
            title=node.head.title,
            level=node.level,
            path=list(paths[number]),
            role=roles[number],
            page=found[node.place].page,
            start=found[node.place].start,
            end=ends[number],
        )
        for number, node in enumerate(nodes)
    ]


def _roles(found: Sequence[Paragraph], nodes: Sequence[Node]) -> list[SectionRole]:
    """Each section's role from its title if the text agrees, otherwise the role of the section's first text."""
    held: list[list[SectionRole]] = [[] for _ in nodes]
    for paragraph in found:
        if paragraph.place >= 0 and paragraph.kind != "heading":
            held[paragraph.place].append(paragraph.role)
    named = [title_role(node.head.title) for node in nodes]
    return [name if name in roles or not roles else roles[0] for name, roles in zip(named, held, strict=True)]


def _as_citation(paragraph: Paragraph) -> Paragraph:
    """Paragraphs in the section "References" become citations."""
    if paragraph.kind in ("paragraph", "list") and _REFERENCES.match(paragraph.section or ""):
        return replace(paragraph, kind="citation")
    return paragraph
