"""Effects of settings for reading and chunking files, and for a model's descriptions of them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pptx
from langchain_core.messages import BaseMessage

import core.library.contextual.annotation
from core.library import reader
from core.library.chunking.chunks import Chunk
from core.library.extract import ocr
from core.library.reading import Progress, Readers, Reading, ReadOrder, Recognise, reader_settings
from core.library.record_tables.large_files import LargeFile
from core.library.records import Document, Metadata
from core.library.viewing.viewer import Viewer
from core.models.chat import Purpose
from core.settings import Settings
from core.store.items import MemoryItem
from tests.service.effects.experiment import AT_ONCE, LONG, Bench, attempt, changes, never, waits
from tests.service.effects.workbench import opened
from tests.service.house import House
from tests.service.scanning import scan

DOCUMENT = f"doc_{1:032x}"
WORDS = "The Jordan rises on Mount Hermon and ends in the Dead Sea, says the survey of rivers. "
SAMPLE = Path(__file__).parents[3] / "sample_docs" / "pelagit-metering-contract.pdf"


def read(bench: Bench, path: Path) -> Reading:
    bench.patch.setattr(reader, "_tell", lambda *_: None)
    return reader.read(ReadOrder(path=path, filename=path.name, result=path, settings=reader_settings(bench.settings)))


def text_file(bench: Bench, words: str = WORDS * 12) -> Path:
    path = bench.folder / "rivers.txt"
    path.write_text(words, encoding="utf-8")
    return path


def slides(bench: Bench, count: int) -> Path:
    path, deck = bench.folder / "rivers.pptx", pptx.Presentation()
    for number in range(count):
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = f"River {number}"
    deck.save(path)
    return path


# -- reading -----------------------------------------------------------------------------------


@changes("limits.file_bytes", "100", "100000")
@changes("limits.extracted_characters", "100", "100000")
@changes("chunking.max_tokens", "60", "500", chunking__overlap_tokens="0")
@changes("chunking.overlap_tokens", "0", "25", chunking__max_tokens="60")
async def what_is_taken_from_a_text(bench: Bench) -> object:
    try:
        return [chunk.text for chunk in read(bench, text_file(bench)).chunks]
    except Exception as error:
        return type(error)


@changes("reading.hidden", "false", "true")
async def whether_a_hidden_slide_is_read(bench: Bench) -> object:
    path = slides(bench, 2)
    deck = pptx.Presentation(path)
    deck.slides[1]._element.set("show", "0")
    deck.save(path)
    return [chunk.text for chunk in read(bench, path).chunks]


@changes("reading.encoding", "cp1250", "cp1255")
async def what_an_encoding_makes_of_a_text(bench: Bench) -> object:
    path = text_file(bench, "")
    path.write_bytes("Řízení se řídí českým právem.".encode("cp1250"))
    return [chunk.text for chunk in read(bench, path).chunks]


def survey(bench: Bench, rows: int = 300) -> Path:
    path = bench.folder / "survey.csv"
    lines = [f"{n},{n % 7},The water of reservoir {n} was clear and cold last week" for n in range(rows)]
    path.write_text("\n".join(["Number,Marks,Comment", *lines]), encoding="utf-8")
    return path


@changes("limits.table_file_bytes", "100", "1000000")
async def whether_a_table_is_read(bench: Bench) -> object:
    async def reading() -> None:
        read(bench, survey(bench))

    return await attempt(reading())


@changes("limits.table_vectors", "0", "100")
async def how_many_rows_are_found_by_meaning(bench: Bench) -> object:
    return read(bench, survey(bench)).without_vectors


@changes("limits.table_rows", "100", "1000")
async def how_many_rows_are_read(bench: Bench) -> object:
    file = LargeFile(survey(bench), "survey.csv", "csv", bench.settings, lambda *_: None)
    return len("".join(piece.text for piece in file.pieces() if isinstance(piece, Chunk)))


@changes("limits.document_pages", "1", "10")
async def how_much_is_taken_from_three_slides(bench: Bench) -> object:
    return [chunk.text for chunk in read(bench, slides(bench, 3)).chunks]


@changes("limits.unpacked_bytes", "1000", "1000000")
async def whether_a_file_that_unpacks_is_read(bench: Bench) -> object:
    async def reading() -> None:
        read(bench, slides(bench, 1))

    return await attempt(reading())


in_a_process = Readers.read_file


async def read_alone(path: Path, filename: str, settings: Settings, progress: Progress) -> Reading:
    readers = Readers()
    try:
        return await in_a_process(readers, path, filename, settings, progress)
    finally:
        await readers.stop()


@changes("deadlines.extraction", AT_ONCE, LONG)
async def whether_a_reader_is_given_the_time_to_start(bench: Bench) -> object:
    return await attempt(read_alone(text_file(bench), "rivers.txt", bench.settings, lambda *_: None))


@changes("deadlines.extraction_processor", "1", "600", deadlines__extraction_processor_megabyte="0")
@changes("deadlines.extraction_processor_megabyte", "0", "1000", deadlines__extraction_processor="1")
async def whether_a_reader_may_work_as_long_as_it_takes(bench: Bench) -> object:
    """A second of work is not enough for a long text."""
    long = text_file(bench, WORDS * 20_000)
    return await attempt(read_alone(long, "rivers.txt", bench.settings, lambda *_: None))


@changes("jobs.ocr_processes", "1", "3")
async def how_many_scanned_pages_are_recognised_at_once(bench: Bench) -> object:
    asked: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def recognise(*given: object) -> None:
        (pages,) = (argument for argument in given if isinstance(argument, Recognise))
        asked.set_result(pages.at_once)

    async with opened(bench) as house:
        bench.patch.setattr(ocr, "_installed", lambda: ("eng",))
        bench.patch.setattr(Readers, "recognise", recognise)
        await house.give("scan.pdf", scan(1))
        return await asked


# -- viewing -----------------------------------------------------------------------------------


def viewer_of(bench: Bench, path: Path) -> Viewer:
    fields = {"user_id": "ada", "filename": path.name, "mime": "application/pdf", "size": 1, "sha256": "s"}
    document = Document(**fields, _id=DOCUMENT, metadata=Metadata(title="Rivers"), added_at=0.0, updated_at=0.0)  # type: ignore[arg-type]

    async def readable(*_: object) -> Document:
        return document

    async def known(ids: Sequence[str]) -> set[str]:
        return set(ids)

    @asynccontextmanager
    async def stored(*_: object) -> AsyncGenerator[Path]:
        yield path

    catalogue = SimpleNamespace(readable=readable, known=known)
    return Viewer(catalogue, None, None, SimpleNamespace(open=stored), bench.settings)  # type: ignore[arg-type]


@changes("deadlines.view", AT_ONCE, LONG)
async def whether_drawing_is_given_the_time_to_start(bench: Bench) -> object:
    viewer = viewer_of(bench, SAMPLE)
    ending = await attempt(viewer.picture("ada", DOCUMENT, 1, 320))
    await viewer.stop()
    return ending


@changes("limits.picture_bytes", "10", "1000")
async def whether_a_picture_of_a_hundred_bytes_is_kept(bench: Bench) -> object:
    picture = bench.settings.folder / "pages" / DOCUMENT / "1-320.webp"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"x" * 100)
    await viewer_of(bench, picture).tidy()
    return picture.exists()


# -- a model's description of a document -------------------------------------------------------

UNTITLED = "it rained for most of the year, these lines were collected by the Ardal Weather Circle on 3 March 2022.\n"
ANSWER = {"title": "it rained for most of the year", "kind": "memo", "organisations": ["Ardal Weather Circle"]}


class Saying:
    """A model that gives passages' context and documents' details, or hangs."""

    asked = 0
    silent: Purpose | None = None

    def __init__(self, _: object, __: object, purpose: Purpose) -> None:
        self._purpose = purpose
        self.id = "openai:scripted"

    def in_form(self, _: object) -> Saying:
        return self

    async def ready(self) -> None: ...

    async def window(self) -> int:
        return 32_768

    async def pieces(self, messages: Sequence[BaseMessage]) -> AsyncGenerator[str, None]:
        if Saying.silent == self._purpose:
            await never()
        if self._purpose == "metadata":
            yield json.dumps(ANSWER)
            return
        Saying.asked += 1
        numbers = re.findall(r"^\[(\d+)\]", str(messages[-1].content), re.MULTILINE)
        yield json.dumps({number: f"It stands in the survey of rivers, part {number}. " * 5 for number in numbers})


async def read_with_model(bench: Bench, house: House, text: str, scope: str = "library") -> list[str]:
    """Returns the details that are known about the passages and their document."""
    document = await house.read("rivers.txt", text, scope=scope)
    items = map(MemoryItem.model_validate, await house.items("ada", document.id))
    return [document.metadata.model_dump_json(), *(item.embedding.prefix or "" for item in items)]


def say(bench: Bench, silent: Purpose | None = None) -> None:
    bench.patch.setattr(core.library.contextual.annotation, "PurposeModel", Saying)
    bench.patch.setattr(Saying, "asked", 0)
    bench.patch.setattr(Saying, "silent", silent)


@changes("prefix.enabled", "true", "false", model="openai:m")
@changes("prefix.characters", "60", "300", model="openai:m")
@changes("prefix.passages", "0", "100", model="openai:m")
@changes("metadata.enabled", "true", "false", model="openai:m")
async def what_is_known_of_a_document(bench: Bench) -> object:
    say(bench)
    async with opened(bench, dense=True) as house:
        return await read_with_model(bench, house, UNTITLED)


@changes("deadlines.prefix", AT_ONCE, LONG, model="openai:m", prefix__document_seconds=LONG)
@changes("prefix.document_seconds", AT_ONCE, LONG, model="openai:m", deadlines__prefix=LONG)
async def whether_a_silent_model_of_passages_is_waited_for(bench: Bench) -> object:
    say(bench, "contexts")
    async with opened(bench, dense=True) as house:
        return await waits(read_with_model(bench, house, UNTITLED))


@changes("deadlines.metadata", AT_ONCE, LONG, model="openai:m")
async def whether_a_silent_model_of_documents_is_waited_for(bench: Bench) -> object:
    say(bench, "metadata")
    async with opened(bench, dense=True) as house:
        return await waits(read_with_model(bench, house, UNTITLED))


@changes("prefix.cache_days", "1", "30", model="openai:m")
async def how_often_a_model_is_asked_of_a_text_that_comes_again_after_three_days(bench: Bench) -> object:
    say(bench)
    now = 1_000_000.0
    async with opened(bench, lambda: now, dense=True) as house:
        await read_with_model(bench, house, UNTITLED)
        now += 3 * 86_400
        await read_with_model(bench, house, UNTITLED, scope="conv_1")
    return Saying.asked
