"""What tests of several folders share."""

from __future__ import annotations

import pathlib

import pytest

LONGEST = (
    "dynamic/test_cards.py",
    "robustness/test_meaning.py",
    "robustness/test_growth.py",
    "robustness/test_limits.py",
    "test_lowered_limits.py",
    "test_cards.py",
    "dynamic/test_command.py",
    "semantics/test_arrays.py",
    "dynamic/test_isolation.py",
    "test_programs.py",
    "dynamic/test_differential.py",
    "ecosystem/test_no_crash.py",
    "fixes/test_cards.py",
    "dynamic/test_record.py",
    "robustness/test_fuzz.py",
    "project/test_site.py",
    "ecosystem/test_fixes.py",
    "session/test_incremental.py",
    "command/test_pre_commit.py",
    "ecosystem/test_single_file.py",
)
"""Files that take longest, to be started first: a file runs in one process, and the other would wait for it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = pathlib.Path(__file__).parent
    turns = {here / name: turn for turn, name in enumerate(LONGEST)}
    items.sort(key=lambda item: turns.get(item.path, len(turns)))


@pytest.fixture(scope="session")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """JAX keeps what it compiles until this process ends, also where a test empties the caches in memory.

    Every program starts from empty caches, so that nothing of another is left, and most compile the same operations.
    """
    import jax
    from jax.experimental.compilation_cache import compilation_cache

    jax.config.update("jax_compilation_cache_dir", str(tmp_path_factory.mktemp("compiled")))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    compilation_cache.reset_cache()  # whether there is one is asked at the first compilation only
