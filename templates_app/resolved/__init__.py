"""Resolved documents: what is left of a template once data has filled it. Plain values, no format.

Renderers read these and nothing else, from here: the modules part them by subject. Lengths are
millimetres, font sizes points, colours `#rrggbb`.
"""

from templates_app.resolved.document import (
    PAGE_COUNT,
    PAGE_NUMBER,
    Protection,
    ResolvedBand,
    ResolvedDocument,
    ResolvedPage,
    Watermark,
)
from templates_app.resolved.look import FontFamily, HeadingLook, ImageFile, Rich, Span, Theme, plain
from templates_app.resolved.sections import (
    ROUND_CHARTS,
    Align,
    ChartType,
    Frame,
    ResolvedBarcode,
    ResolvedBox,
    ResolvedChart,
    ResolvedColumnOfSections,
    ResolvedColumns,
    ResolvedContents,
    ResolvedDivider,
    ResolvedGroup,
    ResolvedHeading,
    ResolvedImage,
    ResolvedItem,
    ResolvedKeyValue,
    ResolvedLanguage,
    ResolvedList,
    ResolvedPageBreak,
    ResolvedPair,
    ResolvedPlace,
    ResolvedSection,
    ResolvedSignature,
    ResolvedSigner,
    ResolvedSpacer,
    ResolvedText,
    Series,
    TextAlign,
    every_section,
)
from templates_app.resolved.tables import (
    Cell,
    CellAlign,
    CellStyle,
    ConditionalStyle,
    Display,
    Overflow,
    ResolvedColumn,
    ResolvedGroupOfRows,
    ResolvedTable,
    SheetOptions,
)
