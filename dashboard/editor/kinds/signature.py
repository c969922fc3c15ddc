"""The editor's form of the kind `signature`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, ONE_LINE, SILENT, KindForm

FORM = KindForm(
    help="Lines to sign on.",
    group="Media",
    icon="signature",
    words="sign parties",
    starter={"signers": [{"name": "{{signer}}"}]},
    fields={
        "signers": SILENT | {"noun": "signer"},
        "signers.name": ONE_LINE,
        "signers.role": ONE_LINE,
        "signers.image": MORE,
        "signers.date": ONE_LINE,
        "height": MORE,
    },
)
