"""Classes, icons and libraries that no page names any more. What is put together of parts counts as named."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import dashboard
from dashboard import vendor

HOME = Path(dashboard.__file__).parent
# By htmx, and by the alignment of a cell.
BUILT = {"htmx-request", "ed-center", "ed-right"}


@cache
def texts(*endings: str) -> str:
    """Return all files of the dashboard with these endings, without vendored ones."""
    files = (file for ending in endings for file in sorted(HOME.rglob(f"*.{ending}")))
    return "\n".join(file.read_text() for file in files if "vendor" not in file.parts)


def test_classes() -> None:
    styles = re.sub(r"/\*.*?\*/|url\([^)]*\)", "", texts("css"), flags=re.DOTALL)
    selectors = " ".join(re.findall(r"([^{};]+)\{", styles))
    classes = set(re.findall(r"\.([a-z][\w-]*)", selectors)) - BUILT
    pages = texts("html", "js", "py")
    named = set(re.findall(r"[\w-]+", pages))
    begun = tuple(set(re.findall(r"([\w-]{3,}-)(?:\$\{|\{[{%])", pages)))
    assert len(classes) > 300
    assert [name for name in sorted(classes - named) if not name.startswith(begun)] == []


def test_variables_of_styles() -> None:
    styles, scripts = texts("css"), texts("js")
    defined = set(re.findall(r"(--[\w-]+)\s*:", styles))
    used = set(re.findall(r"var\((--[\w-]+)", styles)) | set(re.findall(r"[\"'`(](--[\w-]+)", scripts))
    assert defined - used == set()


def test_icons() -> None:
    quoted = set(re.findall(r"[\"'`]([a-z0-9-]+)[\"'`]", texts("html", "js", "py")))
    assert {file.stem for file in (HOME / "icons").glob("*.svg")} - quoted == set()


def test_vendored_files() -> None:
    pages = texts("html", "js", "css")
    files = [f"vendor/{folder}/{name}" for folder, (_, names) in vendor.COPIED.items() for name in names]
    assert [file for file in files if file not in pages] == []
    stored = {file.parent.name for file in vendor.TARGET.rglob("LICENSE.txt")}
    assert stored == {*vendor.COPIED, "codemirror"}


def test_what_the_bundle_offers() -> None:
    offered = set(re.findall(r"\w+", " ".join(re.findall(r"\{([^}]*)\}", vendor.ENTRY))))
    taken = set(re.findall(r"\bcm\.(\w+)", texts("js")))
    taken |= set(re.findall(r"\w+", " ".join(re.findall(r"\{([^{}]*)\} = cm\b", texts("js")))))
    assert offered == taken
