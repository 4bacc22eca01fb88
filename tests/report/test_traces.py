"""What is traced by what: the calls under each root, as `jaxlint report --format json` has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jaxlint.command.cli import main


def traces(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str) -> list[Any]:
    (folder / "jaxlint.toml").write_text("")
    (folder / "m.py").write_text("import functools\nimport jax\nimport jax.numpy as jnp\n" + text)
    monkeypatch.chdir(folder)
    assert main(["report", "--format", "json", "-o", "-"]) == 0
    found: list[Any] = json.loads(capsys.readouterr().out)["traces"]
    return found


def drawn(found: list[Any]) -> dict[str, list[str]]:
    """`jit of f` to `f -> g`, `f -scan-> g` and so on."""

    def short(names: list[str]) -> str:
        return ".".join(name.rpartition(".")[2] for name in names)

    def arrow(call: Any) -> str:
        return f"-{short(call['transforms'])}->" if call["transforms"] else "->"

    return {
        f"{short(root['transforms'])} of {root['function']['name']}": [
            f"{call['caller']['name']} {arrow(call)} {call['callee']['name']}" for call in root["calls"]
        ]
        for root in found
    }


PROGRAMS = {
    "helpers of helpers, once each": (
        """
def low(x): return x
def mid(x): return low(x) + low(x)
@jax.jit
def top(x): return mid(x) + low(x)
""",
        {"jit of top": ["top -> low", "top -> mid", "mid -> low", "mid -> low"]},
    ),
    "transforms inside a trace": (
        """
def loss(w, x): return w * x
@functools.partial(jax.jit, static_argnames="n")
def fit(w, xs, n):
    def body(w, x): return w - jax.grad(loss)(w, x), None
    return jax.lax.scan(body, w, xs)
""",
        {"jit of fit": ["fit -scan-> fit.body", "fit.body -grad-> loss"]},
    ),
    "one function under two roots, replayed from its summary": (
        """
def low(x): return x
def mid(x): return low(x)
@jax.jit
def one(x): return mid(x)
@jax.jit
def two(x): return mid(x)
""",
        {"jit of one": ["one -> mid", "mid -> low"], "jit of two": ["two -> mid", "mid -> low"]},
    ),
    "a transform of a transform is one root": (
        """
def f(x): return x
g = jax.jit(jax.vmap(f))
""",
        {"jit.vmap of f": []},
    ),
    "out of the trace again": (
        """
def show(x): print(x)
@jax.jit
def f(x):
    jax.debug.callback(show, x)
    return x
""",
        {"jit of f": ["f -callback-> show"]},
    ),
    "closures belong to the root that made them": (
        """
def scaled(f): return lambda x: f(x)
def a(x): return x
def b(x): return x
one = jax.jit(scaled(a))
two = jax.vmap(scaled(b))
""",
        {
            "jit of scaled.<lambda>": ["scaled.<lambda> -> a"],
            "vmap of scaled.<lambda>": ["scaled.<lambda> -> b"],
        },
    ),
    "what only traced code applies is no root": (
        """
def loss(w, x): return w * x
def update(w, x): return w - jax.grad(loss)(w, x), None
fit = jax.jit(lambda w, xs: jax.lax.scan(update, w, xs))
""",
        {"jit of <lambda>": ["<lambda> -scan-> update", "update -grad-> loss"]},
    ),
    "methods": (
        """
class Model:
    @jax.jit
    def __call__(self, x): return self.act(x)
    def act(self, x): return x
""",
        {"jit of Model.__call__": ["Model.__call__ -> Model.act"]},
    ),
    "eager calls are none": ("def low(x): return x\ndef top(x): return low(x)\ntop(jnp.ones(3))\n", {}),
    "recursion ends": (
        """
@jax.jit
def f(x): return f(x)
""",
        {"jit of f": ["f -jit-> f"]},
    ),
}


@pytest.mark.parametrize(("text", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_calls_under_each_root(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    expected: dict[str, list[str]],
) -> None:
    assert drawn(traces(tmp_path, monkeypatch, capsys, text)) == expected


def test_where_calls_are_not_followed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heads = "".join(f"{' ' * n}def f{n}(x):\n" for n in range(12))
    calls = "".join(f"{' ' * n}return f{n}(x)\n" for n in range(11, 0, -1))
    (root,) = traces(
        tmp_path, monkeypatch, capsys, f"{heads}{' ' * 12}return x\n{calls}jax.jit(lambda x: f0(x))(1.0)\n"
    )
    followed = {call["callee"]["name"]: call["followed"] for call in root["calls"] if call["callee"]["name"][0] == "f"}
    outermost, *_, innermost = sorted(followed, key=len)
    assert followed[outermost]
    assert not followed[innermost]


def test_a_root_says_where_it_is_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (root,) = traces(tmp_path, monkeypatch, capsys, "def f(x): return x\ng = jax.jit(f)\n")
    assert (root["location"], root["transforms"]) == ({"row": 5, "column": 5}, ["jax.jit"])
    assert root["function"]["location"] == {"row": 4, "column": 1}
    assert root["filename"] == str(tmp_path / "m.py")
