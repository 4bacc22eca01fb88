"""The examples of rule cards under the oracle: what a card says is raised is observed, and good examples are silent.

The inputs are those of the checks: each call that a check makes of a jitted function of the example is traced again by
the oracle, with its arrays as abstract arguments.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from jaxlint.dynamic import oracle, probes
from jaxlint.dynamic.observations import Observation, Origin, Traced
from tests import cards_support

RAISING = {"JAX201", "JAX202", "JAX203", "JAX204", "JAX207", "JAX211", "JAX213", "JAX214", "JAX221", "JAX222", "JAX223"}
SILENT = {"JAX201", "JAX202", "JAX204"}  # the checks of the others compile for most of a minute


def blocks(kind: str, names: set[str]) -> list[cards_support.Block]:
    cards = [card for card in cards_support.cards() if str(card) in names]
    return [block for card in cards for block in card.blocks if block.check and block.kind == kind]


def observed(block: cards_support.Block, folder: Path) -> list[Observation]:
    """What the oracle sees while the check runs, and in the calls that the check makes."""
    main = block.write(folder)
    files = [str(folder / path) for path in block.files]
    probes.install(files, [])
    module = importlib.import_module(".".join(main.relative_to(folder).with_suffix("").parts))
    calls: list[tuple[Any, Any, Any]] = []

    def noting(function: Any) -> Any:
        def called(*args: Any, **kwargs: Any) -> Any:
            calls.append((function, args, kwargs))
            return function(*args, **kwargs)

        return called

    names = {
        name: noting(value)
        for name, value in vars(module).items()
        if isinstance(value, type(jax.jit(len))) and value.__module__ == module.__name__
    }
    namespace = {**vars(module), **cards_support._helpers(block, folder), **names}
    online = Traced("", "", Origin.RECORDED, "")
    with oracle.online(files, online):
        exec(compile(block.check, f"{block}", "exec"), namespace)
    seen = list(online.observations)
    for function, args, kwargs in calls:
        args, kwargs = jax.tree.map(abstract, (args, kwargs))
        where = {"module": "", "qualname": "", "origin": Origin.RECORDED, "inputs": "", "sources": files}
        seen += oracle.observe(function, args, kwargs, limits=oracle.Limits(trace_again=False), **where).observations
    return seen


def abstract(value: Any) -> Any:
    if isinstance(value, (jax.Array, np.ndarray)):
        return jax.ShapeDtypeStruct(value.shape, value.dtype)
    return value


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path.resolve()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield folder
    probes.uninstall()
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(folder)):
            del sys.modules[name]
    jax.clear_caches()


@pytest.mark.parametrize("block", blocks("bad", RAISING), ids=str)
def test_what_is_raised_is_observed(block: cards_support.Block, folder: Path) -> None:
    seen = {(each.at.path, each.at.line) for each in observed(block, folder)}
    expected = {(str(folder / path), line) for path, line, _ in block.expected}
    assert expected <= seen


@pytest.mark.parametrize("block", blocks("good", SILENT), ids=str)
def test_good_examples_are_silent(block: cards_support.Block, folder: Path) -> None:
    if "raises" in block.check:
        pytest.skip("the check makes the example raise")
    assert [each for each in observed(block, folder) if each.exception] == []
