"""The extension for VS Code: its settings are the server's, and it can be type-checked, built and packaged."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from jaxlint.server.options import Options, parse_options

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
OWN = {"command", "trace.server"}
"""Settings that the extension itself reads."""


@pytest.fixture
def settings() -> dict[str, Any]:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    properties = package["contributes"]["configuration"]["properties"]
    return {name.removeprefix("jaxlint."): value for name, value in properties.items()}


def test_the_servers_settings_are_offered_with_its_defaults(settings: dict[str, Any]) -> None:
    told = {name: value["default"] for name, value in settings.items() if name not in OWN}
    assert parse_options(told) == Options()
    documented = re.findall(r"^\| `(\w+)` \|", (EXTENSION.parents[1] / "docs" / "editors.md").read_text(), re.MULTILINE)
    assert set(told) == set(documented)


def test_what_vs_code_sends_is_understood(settings: dict[str, Any]) -> None:
    sent: dict[str, Any] = {name: value["default"] for name, value in settings.items() if "." not in name}
    sent["trace"] = {"server": "off"}  # it sends the whole section, names with dots as objects
    assert parse_options(sent) == Options()


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (EXTENSION / "package-lock.json").read_text(encoding="utf-8")


@pytest.mark.skipif("JAXLINT_NPM" not in os.environ, reason="takes a minute and npm's registry: set JAXLINT_NPM=1")
def test_it_is_checked_built_and_packaged(tmp_path: Path) -> None:
    left_out = shutil.ignore_patterns("node_modules", "dist", "*.vsix")
    copy = shutil.copytree(EXTENSION, tmp_path / "vscode", ignore=left_out)
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "package"]):
        run = subprocess.run(command, cwd=copy, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
    (packaged,) = copy.glob("jaxlint-*.vsix")
    with zipfile.ZipFile(packaged) as package:
        names = set(package.namelist())
        assert {"extension/package.json", "extension/readme.md", "extension/dist/extension.js"} <= names
        assert not any("node_modules" in name or name.endswith(".ts") for name in names)
        assert b"jaxlint-sharp-bits[lsp]" in package.read("extension/dist/extension.js")
