"""What tests of several folders share."""

from __future__ import annotations

import gc
import importlib.metadata
import os
import pathlib

import pytest


def _quick_to_compile() -> str:
    """The flag with which XLA takes half the time for small programs, for the release that is known to have it: XLA
    ends the process at a flag that it does not know."""
    return "--xla_cpu_use_fusion_emitters=false" if importlib.metadata.version("jaxlib").startswith("0.10.") else ""


os.environ |= {
    "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",  # what is compiled runs once, on a few numbers
    "JAX_TRACEBACK_FILTERING": "off",  # for each frame that JAX takes out it asks the disk about many folders
    "XLA_FLAGS": f"{_quick_to_compile()} {os.environ.get('XLA_FLAGS', '')}".strip(),
}
"""For JAX here and in the processes that tests start: it reads them when it is imported."""

gc.disable()  # until there are tests to run

LONGEST = (
    "dynamic/test_cards.py",
    "dynamic/test_command.py",
    "robustness/test_growth.py",
    "robustness/test_meaning.py",
    "test_cards.py",
    "test_programs.py",
    "robustness/test_limits.py",
    "dynamic/test_record.py",
    "dynamic/test_differential.py",
    "dynamic/test_isolation.py",
    "test_lowered_limits.py",
    "ecosystem/test_no_crash.py",
    "ecosystem/test_fixes.py",
    "session/test_incremental.py",
    "session/test_notebook_edits.py",
    "robustness/test_argument_forms.py",
    "test_avals.py",
    "fixes/test_cards.py",
    "project/test_playground.py",
    "robustness/test_fuzz.py",
    "project/test_site.py",
    "semantics/test_arrays.py",
    "command/test_pre_commit.py",
    "ecosystem/test_single_file.py",
)
"""Files that take longest, to be started first: a file runs in one process, and the other would wait for it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = pathlib.Path(__file__).parent
    turns = {here / name: turn for turn, name in enumerate(LONGEST)}
    items.sort(key=lambda item: turns.get(item.path, len(turns)))


def pytest_collection_finish() -> None:
    """Thousands of tests and the libraries that they import are no garbage: the collector need not look at them."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def compilations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables with which JAX keeps what it compiles, for this run of the tests in all of its processes."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    return {
        "JAX_COMPILATION_CACHE_DIR": str(folder / "compiled"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


@pytest.fixture(scope="session")
def compiled_once(compilations: dict[str, str]) -> None:
    """What JAX has compiled is there when it is wanted again, also where a test empties the caches in memory.

    Every program starts from empty caches, so that nothing of another is left, and most compile the same operations.
    """
    import jax
    from jax.experimental.compilation_cache import compilation_cache

    for name, value in compilations.items():
        jax.config.update(name.lower(), value if name.endswith("DIR") else int(value))
    compilation_cache.reset_cache()  # whether there is one is asked at the first compilation only
