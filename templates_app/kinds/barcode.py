"""Bar codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from config.api.models import Field
from templates_app.barcodes import ErrorCorrection, Symbology, check_barcode
from templates_app.kinds.base import Section
from templates_app.kinds.uses import text_uses
from templates_app.resolved import PAGE_COUNT, PAGE_NUMBER, Align, ResolvedBarcode
from templates_app.scope import ResolveError, Scope
from templates_app.variables import Use

# What a header names is a number on every page.
_ON_A_PAGE = str.maketrans({PAGE_NUMBER: "1", PAGE_COUNT: "1"})


class BarcodeSection(Section):
    """A bar code; without a value it is left out."""

    kind_label: ClassVar[str] = "Bar code"
    type: Literal["barcode"]
    value: Annotated[str, Field(min_length=1, max_length=10_000)] = Field(
        description="What it holds.", examples=["{{tracking_number}}"]
    )
    symbology: Symbology = Field(default="qr", description="Kind of code.")
    width: float | None = Field(
        default=None,
        ge=3,
        le=500,
        description="Millimetres, with the white around the code; without one, as its kind commonly is.",
    )
    height: float | None = Field(
        default=None,
        ge=3,
        le=500,
        description="Millimetres, with the white around the code; without one, as its kind commonly is.",
    )
    align: Align = Field(default="left", description="Place on the line.")
    text: bool = Field(default=True, description="Print the value below a code of bars.")
    error_correction: ErrorCorrection = Field(
        default="M", description="How much of a QR code may be damaged, from L (7%) to H (30%)."
    )

    def uses(self) -> Iterator[Use]:
        """Yield what the value reads."""
        return text_uses(self.value)

    def resolve(self, scope: Scope) -> ResolvedBarcode | None:
        """Fill the value and check that its symbology can hold it; raises ResolveError."""
        value = scope.text(self.value).strip()
        if not value:
            return None
        shown = value.translate(_ON_A_PAGE) if scope.for_bands else value
        try:
            check_barcode(self.symbology, shown, self.error_correction)
        except ValueError as error:
            raise ResolveError({scope.origin(self.value, "value"): str(error)}) from None
        return ResolvedBarcode(
            self.symbology, value, self.width, self.height, self.align, self.text, self.error_correction
        )
