"""Which jax a program says it runs with."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.settings.jax_version import JaxVersions, declared_jax

LOCK = """version = 1

[[package]]
name = "jaxlib"
version = "0.6.1"

[[package]]
name = "jax"
version = "0.6.0"
source = { registry = "r" }

[package.optional-dependencies]
cuda = [{ name = "jaxlib" }]

[[package]]
name = "optax"
dependencies = [
    { name = "jax" },
]
"""

DECLARATIONS: dict[str, tuple[str, str, JaxVersions]] = {
    "lower bound": ("pyproject.toml", '[project]\ndependencies = ["jax>=0.4.30"]', JaxVersions((0, 4, 30))),
    "without the lowest": ("requirements.txt", "jax>0.4.24\n", JaxVersions((0, 4, 25))),
    "without one that is excluded": (
        "requirements.txt",
        "jax>=0.4.30,!=0.4.30,<0.6\n",
        JaxVersions((0, 4, 31), (0, 6)),
    ),
    "without a series": ("requirements.txt", "jax!=0.5.*,>=0.5,!=0.6.0\n", JaxVersions((0, 6, 1))),
    "with an excluded one further up": ("requirements.txt", "jax>=0.4.30,!=0.4.36\n", JaxVersions((0, 4, 30))),
    "beside a package that may ask for more": (
        "requirements.txt",
        "jax>=0.4.30\nflax>=0.10\n",
        JaxVersions((0, 4, 30), raised=True),
    ),
    "beside a flax that ends": ("requirements.txt", "jax\nflax>=0.8,<0.12\n", JaxVersions(flax=(0, 12))),
    "beside flax in a lock file": (
        "uv.lock",
        '[[package]]\nname = "flax"\nversion = "0.10.4"\n\n[[package]]\nname = "jax"\nversion = "0.7.2"\n',
        JaxVersions((0, 7, 2), (0, 7, 2), flax=(0, 10, 4)),
    ),
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
    "poetry": ("pyproject.toml", '[tool.poetry.dependencies]\njax = "^0.4.20"', JaxVersions((0, 4, 20), (0, 5))),
    "setup.cfg": ("setup.cfg", "[options]\ninstall_requires =\n    jax>=0.3\n", JaxVersions((0, 3))),
    "setup.py": ("setup.py", "setup(install_requires=['jax>=0.2.1'])\n", JaxVersions((0, 2, 1))),
    "uv.lock": ("uv.lock", '[[package]]\nname = "jax"\nversion = "0.6.2"', JaxVersions((0, 6, 2), (0, 6, 2))),
    "a lock of many packages": ("uv.lock", LOCK, JaxVersions((0, 6, 0), (0, 6, 0))),
    "another requirements file": ("requirements-dev.txt", "jax~=0.4.1\n", JaxVersions((0, 4, 1), (0, 5))),
    "a compatible release of two parts": ("requirements.txt", "jax~=0.4\n", JaxVersions((0, 4), (1,))),
    "a series and a bound below its end": (
        "requirements.txt",
        "jax~=0.4.1,<0.4.9\n",
        JaxVersions((0, 4, 1), (0, 4, 9)),
    ),
    "poetry's tilde": ("pyproject.toml", '[tool.poetry.dependencies]\njax = "~0.4"', JaxVersions((0, 4), (0, 5))),
    "poetry's caret behind two zeros": (
        "pyproject.toml",
        '[tool.poetry.dependencies]\njax = "^0.0.3"',
        JaxVersions((0, 0, 3), (0, 0, 4)),
    ),
    "a requirements file of an image": (
        "docker_requirements.txt",
        "jax==0.3.10\n",
        JaxVersions((0, 3, 10), (0, 3, 10)),
    ),
    "without a version": ("requirements.txt", "jax\njaxlib>=0.4.1\njaxtyping==0.2\n", JaxVersions()),
    "a pinned jaxlib": ("requirements.txt", "jax\njaxlib==0.4.1\n", JaxVersions(None, (0, 5), implied=True)),
    "an early jaxlib": ("requirements.txt", "jaxlib==0.1.67+cuda110\n", JaxVersions(None, (0, 3), implied=True)),
    "a jaxlib of any series": ("requirements.txt", "jaxlib~=0.4\n", JaxVersions()),
    "a NumPy that the next jax does not take": (
        "requirements.txt",
        "dm-haiku==0.0.4\nnumpy~=1.19.2\n",
        JaxVersions(None, (0, 4, 31), implied=True),
    ),
    "a NumPy that any later jax takes": ("requirements.txt", "flax\nnumpy~=2.0\n", JaxVersions()),
    "a NumPy of which one part is open": (
        "requirements.txt",
        "flax\nnumpy~=1.19\n",
        JaxVersions(None, (0, 10, 2), implied=True),
    ),
    "a NumPy for an old Python": ("requirements.txt", 'jax\nnumpy==1.19.5; python_version < "3.8"\n', JaxVersions()),
    "a NumPy of a project without jax": ("requirements.txt", "torch\nnumpy==1.19.5\n", JaxVersions()),
    "a NumPy beside a lower bound": (
        "pyproject.toml",
        '[project]\ndependencies = ["jax>=0.3", "scipy==1.10.1"]',
        JaxVersions((0, 3), (0, 5), implied=True),
    ),
    "a NumPy that the lower bound contradicts": (
        "pyproject.toml",
        '[project]\ndependencies = ["jax>=0.6", "scipy==1.10.1"]',
        JaxVersions((0, 6)),
    ),
    "conda": (
        "environment.yml",
        "dependencies:\n  - conda-forge::jax=0.4.13=py_0\n",
        JaxVersions((0, 4, 13), (0, 4, 13)),
    ),
    "pip in conda": (
        "environment.yaml",
        "dependencies:\n  - pip:\n    - 'jax[cuda12]==0.4.30'  # GPU\n",
        JaxVersions((0, 4, 30), (0, 4, 30)),
    ),
    "conda's Python": (
        "environment.yml",
        "dependencies:\n  - python=3.9\n  - pip:\n    - jax\n",
        JaxVersions(None, (0, 4, 31), implied=True),
    ),
    "an image": (
        "Dockerfile",
        "FROM python:3.10\nRUN pip install --upgrade pip && \\\n    pip install 'jax[cuda]==0.4.30' -f links.html\n",
        JaxVersions((0, 4, 30), (0, 4, 30)),
    ),
    "instructions": (
        "README.md",
        "Run `pip install jax==0.3.10 optax`, or with jax==0.4.1 at your own risk.\n",
        JaxVersions((0, 3, 10), (0, 3, 10)),
    ),
    "a word on a version": ("README.md", "Tested with jax==0.3.10.\n", JaxVersions()),
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


def test_instructions_count_where_no_package_mentions_jax(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("pip install jax==0.4.13\n")
    (tmp_path / "requirements.txt").write_text("numpy\n")
    assert declared_jax(str(tmp_path)) == JaxVersions((0, 4, 13), (0, 4, 13))
    (tmp_path / "requirements.txt").write_text("numpy\njax\n")
    assert declared_jax(str(tmp_path)) == JaxVersions()


def test_the_setting_wins(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("jax==0.6.0\n")
    assert declared_jax(str(tmp_path), "0.4.30") == JaxVersions((0, 4, 30), (0, 4, 30))
    assert declared_jax(str(tmp_path), ">=0.5") == JaxVersions((0, 5))
