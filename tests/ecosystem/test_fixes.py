"""Every fix in installed code gives a file that parses, and fixing again changes nothing."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import fixes
import pytest


@pytest.mark.parametrize("part", ["blackjax/mcmc", "numpyro/contrib"])
def test_a_part_of_an_installed_library_is_fixed_once(part: str, tmp_path: Path) -> None:
    installed = Path(sysconfig.get_path("purelib")) / part
    shutil.copytree(installed, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    assert fixes.counts(fixes.fix(tmp_path))[0] > 0
    once = fixes.texts(tmp_path)
    assert [path for path, text in once.items() if not fixes.parses(text)] == []
    fixes.fix(tmp_path)
    assert fixes.texts(tmp_path) == once
