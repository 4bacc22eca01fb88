"""What is shown below which cell, in a shell of IPython's in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.notebook import client
from jaxlint.notebook.extension import _LOADED, Extension
from tests.notebook.conftest import Shell

IMPORTS = "import jax\nimport jax.numpy as jnp"
BRANCH = "def relu(x):\n    if x > 0:\n        return x\n    return 0.0"


def firsts(texts: list[str]) -> list[str]:
    """The rule and the place of the first finding of each text."""
    return [f"{text.split()[0]} {text.splitlines()[1].partition('--> ')[2]}" for text in texts]


def extension(shell: Shell) -> Extension:
    return _LOADED[id(shell.shell)]


def test_what_a_later_cell_makes_true_is_shown_below_it(shell: Shell) -> None:
    assert shell.run(IMPORTS) == []
    assert shell.run("%load_ext jaxlint") == []
    assert shell.run(BRANCH) == []
    assert firsts(shell.run("fast = jax.jit(relu)")) == ["JAX201 Cell In[3], line 2"]
    assert shell.run("y = 1") == []
    assert firsts(shell.run("fast(1.0)")) == ["JAX201 Cell In[3], line 2"]  # the exception went through that line


def test_cells_before_the_extension_are_known_and_not_told(shell: Shell) -> None:
    shell.run(f"{IMPORTS}\nkey = jax.random.key(0)\nx = [jax.random.normal(key), jax.random.normal(key)]")
    shell.run("x = = 1")
    shell.run("%load_ext jaxlint")
    assert shell.run("a = jnp.zeros(3)") == []
    assert firsts(shell.run("a[0] = 1")) == ["JAX301 Cell In[5], line 1"]


def test_a_cell_run_again_is_checked_again(shell: Shell) -> None:
    shell.run("%load_ext jaxlint")
    assert len(shell.run(f"{IMPORTS}\na = jnp.zeros(3)\na[0] = 1")) == 1
    assert firsts(shell.run(f"{IMPORTS}\na = jnp.zeros(3)\na[0] = 1")) == ["JAX301 Cell In[3], line 4"]
    assert shell.run(f"{IMPORTS}\na = jnp.zeros(3)\na = a.at[0].set(1)") == []
    assert shell.run("import numpy as np\na = np.zeros(3)") == []
    assert shell.run("a[0] = 1") == []


def test_switched_off_and_on(shell: Shell) -> None:
    shell.run("%load_ext jaxlint")
    shell.run("%jaxlint off")
    assert shell.run(f"{IMPORTS}\na = jnp.zeros(3)\na[0] = 1") == []
    shell.run("%jaxlint on")
    assert shell.run("b = 1") == []
    assert firsts(shell.run("a[1] = 1")) == ["JAX301 Cell In[6], line 1"]


def test_why(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run("%load_ext jaxlint")
    shell.run(f"{IMPORTS}\n@jax.jit\ndef f(x):\n    y = x.shape\n    return y")
    (told,) = shell.run("%jaxlint why f")
    assert told.startswith("Cell In[2], line 4: def f(x):")
    assert "x: traced array" in told
    (told,) = shell.run("%jaxlint why 2:5")
    assert told.startswith("Cell In[2], line 5: y = x.shape")
    assert shell.run("%jaxlint why nothing") == []
    assert "jaxlint: no cell that has run defines nothing" in capsys.readouterr().err
    assert shell.run("%jaxlint what") == []
    assert "jaxlint: usage: %jaxlint on|off" in capsys.readouterr().err


def test_settings_are_those_of_the_folder(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX301"]\n')
    shell.run("%load_ext jaxlint")
    assert shell.run(f"{IMPORTS}\na = jnp.zeros(3)\na[0] = 1") == []


def test_settings_that_are_none_are_a_line(shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["nothing"]\n')
    shell.run("%load_ext jaxlint")
    assert shell.run(f"{IMPORTS}\na = 1") == []
    (line,) = capsys.readouterr().err.splitlines()[-1:]
    assert line.startswith("jaxlint: ")
    assert "nothing" in line
    assert shell.shell.user_ns["a"] == 1


def test_modules_of_the_folder_are_known(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text("import jax\n\n\n@jax.jit\ndef step(x):\n    return x\n")
    (tmp_path / "json.py").write_text("raise SystemExit\n")  # not what the checker is to import
    shell.run("%load_ext jaxlint")
    assert firsts(shell.run("import steps\nx = steps.step(1.0)\nx[0] = 1")) == ["JAX301 Cell In[2], line 3"]


def test_a_checker_that_ends_costs_a_line(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run("%load_ext jaxlint")
    shell.run(IMPORTS)
    process = extension(shell).client._process
    assert process is not None
    process.kill()
    process.wait()
    assert firsts(shell.run("a = jnp.zeros(3)\na[0] = 1")) == ["JAX301 Cell In[3], line 2"]


def test_nobody_waits_for_ever(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client, "_CODE", "import sys; sys.stdin.read()")
    monkeypatch.setattr(client, "PATIENCE", 0.1)
    shell.run("%load_ext jaxlint")
    shell.run("a = 1")
    (line,) = capsys.readouterr().err.splitlines()  # and not one for each cell
    assert line.startswith("jaxlint: no answer in ")
    monkeypatch.undo()
    extension(shell).client.stop()
    assert firsts(shell.run(f"{IMPORTS}\na = jnp.zeros(3)\na[0] = 1")) == ["JAX301 Cell In[3], line 4"]


def test_an_interrupt_ends_the_wait(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.run("%load_ext jaxlint")
    with monkeypatch.context() as patch:
        patch.setattr(extension(shell).client, "tell", interrupted)
        assert shell.run("a = 1") == []
    assert firsts(shell.run(f"{IMPORTS}\na = jnp.zeros(3)\na[0] = 1")) == ["JAX301 Cell In[3], line 4"]


def interrupted(request: object) -> int:
    raise KeyboardInterrupt


def test_an_error_in_the_extension_breaks_no_cell(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run("%load_ext jaxlint")
    monkeypatch.setattr(extension(shell), "history", None)
    shell.run("a = 1")
    assert shell.shell.user_ns["a"] == 1
    assert len([line for line in capsys.readouterr().err.splitlines() if line.startswith("jaxlint: ")]) == 1


def test_unloaded_it_is_gone(shell: Shell) -> None:
    shell.run("%load_ext jaxlint")
    shell.run("%unload_ext jaxlint")
    assert shell.run(f"{IMPORTS}\na = jnp.zeros(3)\na[0] = 1") == []
    assert "jaxlint" not in shell.shell.magics_manager.magics["line"]
