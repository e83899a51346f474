"""Handlers of the actions, one module for each area of the pages."""

from __future__ import annotations

from core.workbench import Workbench
from pages.actions import Handlers
from pages.auth import Identity
from pages.handlers.accounts import PeopleDesk
from pages.handlers.attachments import AttachmentShelf
from pages.handlers.books import BookShelf
from pages.handlers.chat import Chat
from pages.handlers.concepts import Concepts
from pages.handlers.conversations import ConversationList
from pages.handlers.data_viewer import DataViewer
from pages.handlers.datasets import DataDesk
from pages.handlers.feedback import Feedback
from pages.handlers.frame import Header
from pages.handlers.keys import KeyRing
from pages.handlers.knowledge import Explorer
from pages.handlers.library import Shelf
from pages.handlers.memory import MemoryPage
from pages.handlers.memory_access import MemoryAccess
from pages.handlers.memory_bank import BankPage
from pages.handlers.memory_tools import MemoryToolset
from pages.handlers.offers import OfferCards
from pages.handlers.open_data import OpenDataDesk
from pages.handlers.operations import OperationsDesk
from pages.handlers.orders import Orders
from pages.handlers.passages import Passages
from pages.handlers.personality import Templates
from pages.handlers.runs import Runs
from pages.handlers.sets import SetShelf
from pages.handlers.settings import SettingsPage
from pages.handlers.system import SystemPage
from pages.handlers.tool_servers import ToolServerShelf
from pages.handlers.tools import ToolDesk
from pages.handlers.web_pages import WebPageShelf
from pages.knowledge.timeline import TimelineDesk

KINDS: tuple[type[Handlers], ...] = (
    ConversationList,
    Chat,
    Runs,
    Orders,
    Passages,
    DataDesk,
    DataViewer,
    AttachmentShelf,
    Feedback,
    OfferCards,
    Shelf,
    WebPageShelf,
    SetShelf,
    BookShelf,
    Explorer,
    Concepts,
    TimelineDesk,
    MemoryPage,
    BankPage,
    MemoryAccess,
    MemoryToolset,
    Templates,
    OpenDataDesk,
    ToolServerShelf,
    KeyRing,
    Header,
    OperationsDesk,
    PeopleDesk,
    SettingsPage,
    SystemPage,
    ToolDesk,
)


def all_handlers(workbench: Workbench, identity: Identity) -> list[Handlers]:
    """Creates one handler of each kind, all for the same workbench."""
    return [kind(workbench, identity) for kind in KINDS]
