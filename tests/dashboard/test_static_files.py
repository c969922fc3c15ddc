"""Modules of the editor under hashed names, and what is vendored."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from config.static_files import StaticFiles
from dashboard import vendor

STATIC = Path(vendor.__file__).parent / "static"
IMPORT = re.compile(r"""(?:from|import)\s*["'](\.[^"']+)["']""")


def test_modules_import_each_other_by_hashed_names(tmp_path: Path) -> None:
    shutil.copytree(STATIC / "dashboard" / "editor", tmp_path / "dashboard" / "editor")
    names = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    storage = StaticFiles(location=tmp_path, base_url="/static/")
    source = FileSystemStorage(location=STATIC)
    results = {name: made for name, made, _ in storage.post_process({name: (source, name) for name in names})}
    assert not [made for made in results.values() if isinstance(made, Exception)]
    imports = 0
    for name in names:
        if name.endswith(".js"):
            module = tmp_path / storage.stored_name(name)
            for target in IMPORT.findall(module.read_text()):
                assert re.search(r"\.[0-9a-f]{12}\.js$", target), (name, target)
                assert (module.parent / target).is_file(), (name, target)
                imports += 1
            # Nothing but addresses differs.
            plain = re.sub(r"\.[0-9a-f]{12}\.js", ".js", module.read_text())
            assert re.sub(r"\s|/|\.", "", plain) == re.sub(r"\s|/|\.", "", (STATIC / name).read_text()), name
    assert imports > 50


def test_vendored_files_are_complete() -> None:
    versions = json.loads((vendor.TARGET / "versions.json").read_text())
    assert {package for package, _ in vendor.COPIED.values()} <= set(versions)
    for name, (package, files) in vendor.COPIED.items():
        licence = (vendor.TARGET / name / "LICENSE.txt").read_text()
        assert f"{package} {versions[package]}" in licence
        assert len(licence) > 400
        assert all(finders.find(f"dashboard/vendor/{name}/{file}") for file in files)
    bundled = (vendor.TARGET / "codemirror" / "LICENSE.txt").read_text()
    assert all(f"{package} {versions[package]}" in bundled for package in vendor.CODEMIRROR)
