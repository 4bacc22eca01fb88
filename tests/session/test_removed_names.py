"""Removed names after an edit elsewhere in the module: what shadows an import or decides about it counts."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration

USER = """import jax
import jax.numpy as jnp
from jax.lax import tie_in as tie

def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)

def clipped(x):
    return jnp.clip(x, a_min=0), tie(x, x)
"""
REMOVED = [("JAX801", 3), ("JAX801", 6), ("JAX801", 9)]

# What is added in front of the program, and how many removed names are found then.
EDITS = {
    "a function of another name": ("def jitted(x):\n    return jnp.sum(x)\n", 3),
    "a function of the import's name": ("def jax():\n    return 1\n", 2),
    "a class of the import's name": ("class jnp:\n    pass\n", 2),
    "an import of something else": ("import optax\n", 3),
    "an import that is there twice": ("from jax.lax import tie_in as tie\n", 4),
    "an import that is there twice under two names": ("import numpy\nimport numpy\nimport numpy as jnp\n", 2),
    "an import under the same name": ("import numpy as jnp\n", 2),
    "a function that imports": ("def late():\n    from jax import linear_util\n", 4),
    "a name for the same module": ("jnp = jax.numpy\n", 2),
    "a patch": ("jax.tree_map = jax.tree.map\n", 2),
    "a question that decides nothing here": ("import sys\nif hasattr(jax, 'tree'):\n    sys.exc_info()\n", 3),
    "a question that ends the program": ("import sys\nif hasattr(jax, 'tree'):\n    sys.exit()\n", 0),
    "another use": ("def more(tree):\n    return jax.tree_leaves(tree)\n", 4),
    "a use in a decorator": ("@jax.tree_util.Partial\n@jax.xla_computation\ndef more(x):\n    return x\n", 4),
}


@pytest.mark.parametrize(("added", "left"), EDITS.values(), ids=list(EDITS))
def test_removed_names_are_those_of_the_whole_module(added: str, left: int, tmp_path: Path) -> None:
    path = tmp_path / "user.py"
    path.write_text(USER)
    session = Session(Configuration(str(tmp_path)))
    assert _removed(session, path) == REMOVED

    session.change(str(path), added + "\n" + USER)
    found = _removed(session, path)
    assert found == _removed(_fresh(path, added + "\n" + USER), path)
    assert len(found) == left

    session.change(str(path), USER)
    assert _removed(session, path) == REMOVED


def _fresh(path: Path, text: str) -> Session:
    session = Session(Configuration(str(path.parent)))
    session.open(str(path), text)
    return session


def _removed(session: Session, path: Path) -> list[tuple[str, int]]:
    found = session.findings(str(path))
    return [(finding.code, finding.location.line) for finding in found if finding.code in ("JAX801", "JAX802")]


def test_what_others_hang_on_shared_nodes_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As the library `executing` does, with which IPython shows tracebacks: `ast.Load()` is one node for all trees.
    theirs = ast.parse("y")
    (shared,) = {type(node.ctx): node.ctx for node in ast.walk(ast.parse("x")) if isinstance(node, ast.Name)}.values()
    monkeypatch.setattr(shared, "parent", theirs.body[0], raising=False)
    path = tmp_path / "user.py"
    path.write_text(USER)
    session = Session(Configuration(str(tmp_path)))
    session.findings(str(path))
    session.change(str(path), "import numpy\n" + USER)
    assert _removed(session, path) == [(code, line + 1) for code, line in REMOVED]
    assert theirs.body[0].lineno == 1
