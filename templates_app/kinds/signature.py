"""Lines to sign on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from config.api.models import Field, StrictModel, WholeNumber
from templates_app.kinds.base import ImageSource, Text, Written
from templates_app.kinds.uses import image_uses, text_uses
from templates_app.resolved import ResolvedSignature, ResolvedSigner
from templates_app.scope import Scope
from templates_app.variables import Use


class Signer(StrictModel):
    """One who signs."""

    name: Text = Field(default="", description="Name below the line.", examples=["{{seller.name}}"])
    role: Text = Field(default="", description="Below the name.", examples=["Managing director"])
    image: ImageSource | None = Field(
        default=None, description="Image of the signature: an asset id, a data URI, or an expression."
    )
    date: Text = Field(default="", description="Place and date.", examples=["Vienna, {{signed|date}}"])


class SignatureSection(Written):
    """Lines to sign on, side by side, kept on one page."""

    kind_label: ClassVar[str] = "Signature"
    type: Literal["signature"]
    signers: Annotated[list[Signer], Field(min_length=1, max_length=20)] = Field(
        description="Those who sign: `name`, `role`, `image`, `date`."
    )
    columns: WholeNumber = Field(default=2, ge=1, le=4, description="Lines side by side.")
    height: float = Field(default=18, ge=5, le=100, description="Millimetres above each line.")

    def uses(self) -> Iterator[Use]:
        """Yield what names, roles and images read."""
        for signer in self.signers:
            yield from text_uses(signer.name, signer.role, signer.date)
            yield from image_uses(signer.image)

    def resolve(self, scope: Scope) -> ResolvedSignature:
        """Fill names and roles and load the images."""
        signers = [
            ResolvedSigner(
                scope.rich(signer.name),
                scope.rich(signer.role),
                scope.image(signer.image, f"signers[{index}].image") if signer.image else None,
                scope.rich(signer.date),
                scope.typed(signer.date),
            )
            for index, signer in enumerate(self.signers)
        ]
        return ResolvedSignature(signers, self.columns, self.height)
