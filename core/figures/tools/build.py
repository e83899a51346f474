"""Makes the two figure tools for the registry."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.stored.records import FigureLookup
from core.figures.tools.calculating import Calculating, CalculationCall
from core.figures.tools.looking_up import FigureCall, LookingUp
from core.library.library import Library
from core.tools.definition_files import definition_of
from core.tools.tool import RunTool, Tool


def figure_tools(library: Library, figures: FigureLookup) -> Sequence[Tool]:
    """``look_up_figures`` and ``calculate`` over the figures of ``library``."""
    return [
        RunTool(definition_of("look_up_figures"), FigureCall, LookingUp(library, figures).call),
        RunTool(definition_of("calculate"), CalculationCall, Calculating(figures).call),
    ]
