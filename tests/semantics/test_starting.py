"""What starts JAX's backend, and what is read then."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import jax
import jaxlib.xla_client
import pytest

from jaxlint.semantics.starting import FORKING, FORKING_BY_DEFAULT, OPTIONS, REFUSED, STARTING, VARIABLES

SOURCE = inspect.getsource(jax._src.xla_bridge) + inspect.getsource(jaxlib.xla_client)


def run(*lines: str, with_errors: bool = True) -> str:
    """What a program prints, in a process of its own, errors and warnings as well."""
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    script = "\n".join(("import os, jax", "from jax._src import xla_bridge", *lines))
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr * with_errors


def test_they_start_it() -> None:
    calls = [f"{name}({'1.0' if name.endswith('put') else ''})" for name in sorted(STARTING)]
    lines = [f"{call}; print(xla_bridge.backends_are_initialized()); clear()" for call in calls]
    told = run("from jax.extend.backend import clear_backends as clear", *lines, with_errors=False).split()
    assert told == ["True"] * len(calls)


@pytest.mark.parametrize(
    "call", ["jax.ShapeDtypeStruct((2,), 'float32')", "jax.numpy.finfo('float32')", "jax.jit(abs)"]
)
def test_these_do_not(call: str) -> None:
    assert run(call, "print(xla_bridge.backends_are_initialized())").split() == ["False"]


@pytest.mark.parametrize("name", sorted(OPTIONS | VARIABLES - {"XLA_FLAGS"}))
def test_it_is_read_where_the_backend_starts(name: str) -> None:
    names = (name, name.removeprefix("jax_"))
    assert any(one in SOURCE for one in names)


def test_later_it_has_no_effect() -> None:
    flags = "os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=4'"
    assert run(flags, "print(jax.device_count())").split() == ["4"]
    assert run("jax.devices()", flags, "print(jax.device_count())").split() == ["1"]
    assert run("jax.devices()", "jax.config.update('jax_platforms', 'tpu')", "print(len(jax.devices()))").split() == [
        "1"
    ]


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_or_it_is_refused(name: str) -> None:
    call = f"{name}('localhost:1', 1, 0)" if name.startswith("jax.") else f"jax.config.update({name!r}, 2)"
    assert "RuntimeError" in run("jax.devices()", call)


@pytest.mark.parametrize("name", sorted(FORKING | FORKING_BY_DEFAULT))
def test_there_is_such_a_function(name: str) -> None:
    parts = name.split(".")
    found = __import__(parts[0])
    for number, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            __import__(".".join(parts[:number]))
        found = getattr(found() if inspect.isclass(found) else found, part)
    assert callable(found)


def test_a_copy_is_warned_of() -> None:
    copying = "os.fork() or os._exit(0)"
    assert "likely lead to a deadlock" in run("jax.devices()", copying)
    assert "deadlock" not in run(copying)
