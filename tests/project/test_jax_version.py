"""Which jax a program says it runs with."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.project.jax_version import JaxVersions, declared_jax

DECLARATIONS: dict[str, tuple[str, str, JaxVersions]] = {
    "lower bound": ("pyproject.toml", '[project]\ndependencies = ["jax>=0.4.30"]', JaxVersions((0, 4, 30))),
    "range": (
        "pyproject.toml",
        '[project]\ndependencies = ["numpy", "jax[cuda12] >=0.4.30, <0.6"]',
        JaxVersions((0, 4, 30), (0, 6)),
    ),
    "pin": ("requirements.txt", "numpy\njax==0.4.13  # old\n", JaxVersions((0, 4, 13), (0, 4, 13))),
    "extra": (
        "pyproject.toml",
        '[project.optional-dependencies]\ngpu = ["jax==0.5.0"]',
        JaxVersions((0, 5, 0), (0, 5, 0)),
    ),
    "dependency group": ("pyproject.toml", '[dependency-groups]\ndev = ["jax<0.7"]', JaxVersions(None, (0, 7))),
    "poetry": ("pyproject.toml", '[tool.poetry.dependencies]\njax = "^0.4.20"', JaxVersions((0, 4, 20))),
    "setup.cfg": ("setup.cfg", "[options]\ninstall_requires =\n    jax>=0.3\n", JaxVersions((0, 3))),
    "setup.py": ("setup.py", "setup(install_requires=['jax>=0.2.1'])\n", JaxVersions((0, 2, 1))),
    "uv.lock": ("uv.lock", '[[package]]\nname = "jax"\nversion = "0.6.2"', JaxVersions((0, 6, 2), (0, 6, 2))),
    "another requirements file": ("requirements-dev.txt", "jax~=0.4.1\n", JaxVersions((0, 4, 1))),
    "a requirements file of an image": (
        "docker_requirements.txt",
        "jax==0.3.10\n",
        JaxVersions((0, 3, 10), (0, 3, 10)),
    ),
    "without a version": ("requirements.txt", "jax\njaxlib==0.4.1\njaxtyping>=0.2\n", JaxVersions()),
    "nothing": ("pyproject.toml", "[project]\nname = 'x'\n", JaxVersions()),
    "broken file": ("pyproject.toml", "[project\n", JaxVersions()),
}


@pytest.mark.parametrize(("name", "text", "expected"), DECLARATIONS.values(), ids=DECLARATIONS)
def test_declared(tmp_path: Path, name: str, text: str, expected: JaxVersions) -> None:
    (tmp_path / name).write_text(text)
    assert declared_jax(str(tmp_path)) == expected


def test_the_widest_range_counts_when_files_differ(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["jax>=0.4.1"]')
    (tmp_path / "requirements.txt").write_text("jax==0.6.0\n")
    assert declared_jax(str(tmp_path)) == JaxVersions((0, 4, 1))


def test_the_setting_wins(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("jax==0.6.0\n")
    assert declared_jax(str(tmp_path), "0.4.30") == JaxVersions((0, 4, 30), (0, 4, 30))
    assert declared_jax(str(tmp_path), ">=0.5") == JaxVersions((0, 5))
