"""A file has the same findings when it is linted alone (pre-commit, the editor) and when its whole project is.

The installed package chex stands for the others; benchmarks/single_file.py does all of the fixed packages.
"""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import pytest
from single_file import differences

PROJECT = {
    "pyproject.toml": "[project]\nname = 'agent'\n",
    "agent/__init__.py": "from agent.training import train\n",
    "agent/losses.py": (
        "import jax.numpy as jnp\n\n\n"
        "def clipped(x):\n    if x > 1:\n        return jnp.ones_like(x)\n    return x\n"  # traced only by training.py
    ),
    "agent/noise.py": "import jax\n\n\ndef noise(key):\n    return jax.random.normal(key)\n",
    "agent/training.py": (
        "import jax\n\nfrom .losses import clipped\nfrom .noise import noise\n\n\n"
        "@jax.jit\ndef train(x, key):\n    return clipped(x) + noise(key) + noise(key)\n"
    ),
    "scripts/run.py": "import jax\n\nfrom agent import train\n\nprint(train(1.0, jax.random.key(0)))\n",
}


def write(root: Path) -> list[Path]:
    for name, text in PROJECT.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return sorted(root.rglob("*.py"))


def test_a_helper_that_another_file_jits_is_known_to_be_traced_when_linted_alone(tmp_path: Path) -> None:
    assert list(differences(tmp_path, write(tmp_path))) == []


@pytest.fixture
def chex(tmp_path: Path) -> Path:
    """The sources of the installed chex, outside site-packages, which is excluded by default."""
    installed = Path(sysconfig.get_path("purelib")) / "chex"
    shutil.copytree(installed, tmp_path / "chex", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_every_file_of_a_real_package_alone(chex: Path) -> None:
    assert list(differences(chex, sorted(chex.rglob("*.py")), sample=2)) == []
