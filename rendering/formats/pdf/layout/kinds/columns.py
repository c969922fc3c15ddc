"""Sections side by side. Short ones stay together on a page; long ones go over pages, each for itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.measures import BLOCK_GAP, MM
from templates_app.resolved import ResolvedColumnOfSections, ResolvedColumns

KEPT: Final = 1 / 3  # of a page's height: what is lower moves to the next page as a whole
NARROWEST: Final = 4.0


def render(section: ResolvedColumns, flow: Flow) -> None:
    """Lay the columns out from the same height on, then go on below the longest."""
    if not section.columns:
        return
    gap = min(section.gap * MM, flow.width / (2 * len(section.columns)))
    widths = column_widths(section.columns, flow.width, gap)
    flow.gap(BLOCK_GAP)
    if flow.first_only:
        flow.need(_first_height(section, flow, widths))  # raises Begun
    before = flow.milestone()
    galleys = []
    for column, width in zip(section.columns, widths, strict=True):
        flow.open("Div")
        galley = flow.galley(width, column.sections, flow.height * KEPT)
        flow.close()
        if galley is None:
            break
        galleys.append(galley)
    lefts = [flow.left + sum(widths[:index]) + gap * index for index in range(len(widths))]
    if flow.typesetter.mirrored:
        ends = 2 * flow.left + flow.width
        lefts = [ends - left - width for left, width in zip(lefts, widths, strict=True)]
    if len(galleys) == len(widths):
        height = max(galley.used for galley in galleys)
        flow.need(height)
        for galley, left in zip(galleys, lefts, strict=True):
            galley.stretch(height)  # boxes beside each other end at the same height
            flow.place_galley(galley, left)
        flow.advance(height)
    else:
        flow.go_back_to(before)
        _over_pages(section, flow, list(zip(lefts, widths, strict=True)))
    flow.gap(BLOCK_GAP)


def _over_pages(section: ResolvedColumns, flow: Flow, places: Sequence[tuple[float, float]]) -> None:
    flow.need(_first_height(section, flow, [width for _, width in places]))
    flows = []
    for column, (left, width) in zip(section.columns, places, strict=True):
        flow.open("Div")
        beside = flow.beside(left, width)
        beside.draw(column.sections)
        beside.settle()
        flow.close()
        flows.append(beside)
    flow.join(flows)


def _first_height(section: ResolvedColumns, flow: Flow, widths: Sequence[float]) -> float:
    """Return the height that is needed so that all columns begin on the same page: two lines at least.

    It is found once, however deep the columns stand in others.
    """
    key, known = (id(section), flow.width), flow.context.first_heights
    if key not in known:
        height = flow.theme.size * flow.theme.leading * 2
        for column, width in zip(section.columns, widths, strict=True):
            height = max(height, flow.first_height(width, column.sections))
        known[key] = section, height  # the section lives on, so that its id stays its own
    return known[key][1]


def column_widths(columns: Sequence[ResolvedColumnOfSections], available: float, gap: float) -> list[float]:
    """Return the widths in points: given ones first, shares of what is left, all scaled down to fit."""
    room = available - gap * (len(columns) - 1)
    given = [_given(column.width, room) for column in columns]
    shares = [_share(column.width) for column in columns]
    fixed = sum(width for width in given if width is not None)
    open_shares = sum(share for share, width in zip(shares, given, strict=True) if width is None)
    if open_shares:
        free = max(room - fixed, room * 0.1)
        widths = [
            width if width is not None else free * share / open_shares
            for width, share in zip(given, shares, strict=True)
        ]
    else:
        widths = [width or 0.0 for width in given]
    total = sum(widths)
    if total > room:
        widths = [width * room / total for width in widths]
    return [max(width, min(NARROWEST, room / len(columns))) for width in widths]


def _given(width: float | str | None, room: float) -> float | None:
    if width is None or (isinstance(width, str) and width.endswith("*")):
        return None
    return float(width[:-1]) / 100 * room if isinstance(width, str) else width * MM


def _share(width: float | str | None) -> float:
    if isinstance(width, str) and width.endswith("*"):
        return float(width[:-1] or 1)
    return 1.0
