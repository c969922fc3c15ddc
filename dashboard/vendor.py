"""Renews the libraries of the pages from npm: `make vendor`. Who only runs the service needs no npm.

Each library is a folder in `static/dashboard/vendor/` with the files that pages load and its licence. What
npm installed is in `versions.json` beside them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

TARGET: Final = Path(__file__).parent / "static" / "dashboard" / "vendor"
# Folder -> npm package, and its files by the name that pages know them by.
COPIED: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "htmx": ("htmx.org", {"htmx.min.js": "dist/htmx.min.js"}),
    "sortable": ("sortablejs", {"sortable.esm.js": "modular/sortable.core.esm.js"}),
    # The build for browsers that are not of this month.
    "pdfjs": (
        "pdfjs-dist",
        {"pdf.min.js": "legacy/build/pdf.min.mjs", "pdf.worker.min.js": "legacy/build/pdf.worker.min.mjs"},
    ),
    "inter": (
        "@fontsource-variable/inter",
        {
            "inter-latin.woff2": "files/inter-latin-wght-normal.woff2",
            "inter-latin-ext.woff2": "files/inter-latin-ext-wght-normal.woff2",
        },
    ),
    "uplot": ("uplot", {"uplot.esm.js": "dist/uPlot.esm.js", "uplot.min.css": "dist/uPlot.min.css"}),
}
# The icons that pages use; a new one is a name for which `dashboard/icons` has an empty file.
ICONS: Final = (Path(__file__).parent / "icons", "lucide-static")
CODEMIRROR: Final = (
    "@codemirror/state",
    "@codemirror/view",
    "@codemirror/commands",
    "@codemirror/language",
    "@codemirror/lang-json",
    "@codemirror/autocomplete",
    "@codemirror/lint",
    "@codemirror/search",
    "@lezer/highlight",
)
# What the bundle offers: no more than the editor takes, so that the rest is shaken off.
ENTRY: Final = """
export {EditorState} from "@codemirror/state";
export {EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, drawSelection} from "@codemirror/view";
export {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
export {HighlightStyle, syntaxHighlighting, syntaxTree, bracketMatching, foldGutter, foldKeymap,
  indentOnInput, indentUnit} from "@codemirror/language";
export {json, jsonParseLinter} from "@codemirror/lang-json";
export {closeBrackets, closeBracketsKeymap} from "@codemirror/autocomplete";
export {linter, lintGutter, lintKeymap, setDiagnostics} from "@codemirror/lint";
export {highlightSelectionMatches, searchKeymap} from "@codemirror/search";
export {tags} from "@lezer/highlight";
"""


MIT: Final = """MIT License

Copyright (c) {author} and contributors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def renew() -> None:
    """Install the newest releases in a temporary folder, and replace the vendored files by theirs."""
    packages = [package for package, _ in COPIED.values()] + list(CODEMIRROR) + [ICONS[1]]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _run(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", *packages, "esbuild")
        modules = folder / "node_modules"
        shutil.rmtree(TARGET, ignore_errors=True)
        for name, (package, files) in COPIED.items():
            (TARGET / name).mkdir(parents=True)
            for local, source in files.items():
                _copy(modules / package / source, TARGET / name / local)
            _licences(modules, [package], TARGET / name)
        for icon in ICONS[0].glob("*.svg"):
            shutil.copyfile(modules / ICONS[1] / "icons" / icon.name, icon)
        _bundle(folder, modules)
        versions = {package: _version(modules, package) for package in sorted(packages)}
    (TARGET / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")


def _bundle(folder: Path, modules: Path) -> None:
    """Make one module of CodeMirror's packages."""
    target = TARGET / "codemirror"
    target.mkdir()
    (folder / "entry.js").write_text(ENTRY)
    bundled = ["--bundle", "--format=esm", "--minify", "--legal-comments=none", "--target=es2022"]
    outfile, meta = target / "codemirror.js", folder / "meta.json"
    # The binary of the platform itself: its package's install script did not run.
    (esbuild,) = modules.glob("@esbuild/*/bin/esbuild")
    _run(folder, str(esbuild), "entry.js", *bundled, f"--outfile={outfile}", f"--metafile={meta}")
    inputs = json.loads(meta.read_text())["inputs"]
    used = {
        _package(name.removeprefix("node_modules/")) for name in inputs if name.startswith("node_modules/")
    }
    _licences(modules, sorted(used), target)


def _package(path: str) -> str:
    """Return the package that a file in node_modules belongs to."""
    return "/".join(path.split("/")[: 2 if path.startswith("@") else 1])


def _copy(source: Path, target: Path) -> None:
    """Copy a file; a script without the address of its source map, which is not vendored."""
    if source.suffix not in {".js", ".mjs"}:
        shutil.copyfile(source, target)
        return
    # Only real ends of lines: minified code holds other signs that Python would part lines at.
    lines = source.read_text().rstrip("\n").split("\n")
    kept = [line for line in lines if not line.startswith("//# sourceMappingURL=")]
    target.write_text("\n".join(kept) + "\n")


def _licences(modules: Path, packages: list[str], target: Path) -> None:
    """Write the licences of `packages` into one file."""
    texts = []
    for package in packages:
        files = sorted((modules / package).glob("LICEN[CS]E*"))
        text = files[0].read_text() if files else _declared(_manifest(modules, package))
        texts.append(f"{package} {_version(modules, package)}\n\n{text.strip()}\n")
    (target / "LICENSE.txt").write_text("\n\n".join(texts))


def _declared(manifest: dict[str, Any]) -> str:
    """Return the licence of a package that has no file of it and says in package.json which one it is."""
    if manifest["license"] != "MIT":
        raise SystemExit(f"{manifest['name']} has no licence file: say in {__file__} what it is")
    author = manifest.get("author", "")
    return MIT.format(
        author=(author.get("name", "") if isinstance(author, dict) else author) or manifest["name"]
    )


def _manifest(modules: Path, package: str) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((modules / package / "package.json").read_text())
    return manifest


def _version(modules: Path, package: str) -> str:
    return str(_manifest(modules, package)["version"])


def _run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603 (our own command)


if __name__ == "__main__":
    renew()
