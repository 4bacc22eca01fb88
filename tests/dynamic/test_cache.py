"""Results kept between runs: what is read is what was written, or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.dynamic.cache import Cache
from jaxlint.dynamic.launch import Options
from jaxlint.dynamic.observations import Job, Origin, Outcome, Result, Traced

OPTIONS = Options()
RESULTS = [
    Result("lib", "", Outcome.DONE, traced=[Traced("lib", "", Origin.IMPORT, "import lib")]),
    Result("lib", "step", Outcome.DONE, traced=[Traced("lib", "step", Origin.CALL_SITE, "step(3)")]),
]


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(str(tmp_path / "cache"), "jax 0.10.2")


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "lib.py").write_text("")
    return Job("lib", str(tmp_path / "lib.py"), (), ("step",), (), (str(tmp_path / "lib.py"),))


def kept(cache: Cache) -> Path:
    (file,) = Path(cache.folder, "dynamic").iterdir()
    return file


def test_what_is_written_is_read(cache: Cache, job: Job) -> None:
    assert cache.read(job, OPTIONS) is None
    cache.write(job, OPTIONS, RESULTS)
    assert cache.read(job, OPTIONS) == RESULTS


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:100],
        lambda data: data[: data.rindex(b"\n", 0, -1) + 1],  # one result less
        lambda data: data.replace(b"step(3)", b"step(4)"),
        lambda data: data + data,
        lambda data: b"\xff" + data,
        lambda data: b"[" * 100_000,
        lambda data: b"\n" * 3,
    ],
)
def test_a_damaged_file_is_no_cache_and_is_written_anew(
    cache: Cache, job: Job, damage: Callable[[bytes], bytes]
) -> None:
    cache.write(job, OPTIONS, RESULTS)
    data = kept(cache).read_bytes()
    kept(cache).write_bytes(damage(data))
    assert cache.read(job, OPTIONS) is None
    cache.write(job, OPTIONS, RESULTS)
    assert kept(cache).read_bytes() == data


@pytest.mark.parametrize("damage", [b"", b"[]\n", b"{}", b'"conversions"', b"\xff"])
def test_what_jax_lacks_is_asked_for_again_where_the_file_is_damaged(cache: Cache, damage: bytes) -> None:
    assert cache.missing(OPTIONS, lambda _: ("leaks",)) == ("leaks",)
    assert cache.missing(OPTIONS, lambda _: ()) == ("leaks",)
    kept(cache).write_bytes(damage)
    assert cache.missing(OPTIONS, lambda _: ("jaxprs",)) == ("jaxprs",)
    assert cache.missing(OPTIONS, lambda _: ()) == ("jaxprs",)


def test_that_nothing_lacks_is_kept_too(cache: Cache) -> None:
    assert cache.missing(OPTIONS, lambda _: ()) == ()
    assert cache.missing(OPTIONS, lambda _: ("leaks",)) == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes with names")
def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(cache: Cache, job: Job) -> None:
    cache.write(job, OPTIONS, RESULTS)
    path = kept(cache)
    path.unlink()
    os.mkfifo(path)
    assert cache.read(job, OPTIONS) is None


def test_results_that_lack_one_or_ran_out_of_time_are_not_kept(cache: Cache, job: Job) -> None:
    cache.write(job, OPTIONS, RESULTS[:1])
    cache.write(job, OPTIONS, [RESULTS[0], Result("lib", "step", Outcome.TIMED_OUT)])
    assert cache.read(job, OPTIONS) is None
