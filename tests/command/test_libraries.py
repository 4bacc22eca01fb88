"""What a project, or a package, says of functions that jaxlint cannot see: rows in a file of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import jax
import pytest

from jaxlint.semantics.rows import EFFECTS, OF_RESULTS, OF_RUNS, UNDER
from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

SETTINGS = 'libraries = ["jaxlint/*.toml"]\n[transforms]\n"house.fast" = "jax.jit"\n"house.fold" = "jax.lax.scan"\n'

ROWS = """
[functions."foolib.compile"]
signature = "(fn=None, *, static=(), donate=())"
like = "jax.jit(fn, static_argnums=static, donate_argnums=donate)"

[functions."foolib.lanes"]
signature = "(fn, xs, axes=0)"
like = "jax.vmap(fn, in_axes=axes)(xs)"

[functions."foolib.slope"]
signature = "(wrt, fn)"
like = "jax.grad(fn, argnums=wrt)"

[functions."foolib.choose"]
signature = "(x, p, yes, no)"
like = "jax.lax.cond(p, yes, no, x)"

[functions."foolib.each_of"]
signature = "(fn, *args)"
like = "jax.jit(fn)(*args)"

[functions."foolib.fold"]
signature = "(init, xs, body)"
runs = "init = body(each(xs), init)"
returns = "init"

[functions."foolib.sweep"]
signature = "(body, xs, *, carry, key)"
runs = ["carry, out = body(index(), carry, x=each(xs), mode=static(), key=key(), same=same(xs))"]
returns = "(carry, stacked(out), keys())"

[functions."foolib.either"]
signature = "(p, a, b, x)"
runs = "y = a(x) or b(x)"
returns = "y"

[functions."foolib.minimise"]
signature = "(loss, start)"
runs = "loss(...)"
under = "grad"
returns = "array()"

[functions."foolib.arrays_only"]
signature = "(step, state, n)"
runs = "state = step(state, n)"
under = "filter_jit"
returns = "state"

[functions."foolib.report"]
signature = "(fn, *args)"
runs = "fn(...)"
under = "host"
returns = "None"

[functions."foolib.noise"]
signature = "(shape, key)"
keys = { key = "draw" }
returns = "array()"

[functions."foolib.derive"]
signature = "(key, name)"
keys = { key = "fold" }
returns = "key()"

[functions."foolib.several"]
signature = "(key, n)"
keys = { key = "split" }
returns = "keys()"

[functions."foolib.save"]
signature = "(path, key)"
keys = { key = "ignore" }
returns = "None"

[functions."foolib.normal"]
signature = "(shape, *, rng)"
like = "jax.random.normal(rng, shape)"

[functions."foolib.smooth"]
signature = "(x, width=3)"
static = ["width"]
returns = "array()"

[functions."foolib.rank"]
returns = "static()"

[functions."foolib.fit"]
returns = "host()"

[functions."project.native.fold"]
signature = "(body, init)"
runs = "init = body(init)"
returns = "init"

[functions."project.helpers.traced"]
signature = "(fn)"
like = "jax.jit(fn)"

[methods."foolib.Noise.sample"]
signature = "(self, n, key)"
keys = { key = "draw" }

[aliases]
"foolib._src.loops" = "foolib"
"""

PROGRAMS = {
    "a decorator, plain and with options": """
from foolib import compile

@compile
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

@compile(static=(1,))
def g(x, n):
    return x if n else -x

@foolib.compile(static=0)
def h(n, x):
    return x if x > n else -x  # JAX201

@functools.partial(foolib.compile, static=(0,))
def i(n, x):
    return x if n else float(x)  # JAX211
""",
    "a transform, and a call of what it returns": """
def f(xs):
    return foolib.lanes(lambda x: x if x > 0 else -x, xs)  # JAX201

def g(xs):
    return foolib.lanes(lambda x: x if x > 0 else -x, xs, axes=None)  # JAX707

def h(x, n):
    return foolib.slope(1, lambda n, x: float(x) * n)(n, x)  # JAX211

def i(x, n):
    return foolib.slope(fn=lambda n, x: float(n) * x, wrt=1)(n, x)

def j(x, y):
    return foolib.each_of(lambda a, b: a if b > 0 else -a, x, y)  # JAX201
""",
    "arguments in another order": """
def f(p, x):
    return foolib.choose(x, p, lambda v: v if v > 0 else -v, lambda v: v)  # JAX201

def g(p, x):
    return foolib.choose(p=p, x=x, no=lambda v: v, yes=lambda v: float(v))  # JAX211

def h(p, x):
    return foolib.choose(x, p, lambda v: jnp.where(v > 0, v, -v), lambda v: v)

def i(p, x, *more):
    return foolib.choose(*more)
""",
    "a loop of its own": """
def f(xs):
    def body(x, total):
        if x > 0:  # JAX201
            return total
        return total + x
    return foolib.fold(0.0, xs, body)

def g(xs, key):
    return foolib.fold(key, xs, body=lambda x, key: jax.random.split(key)[0])

def h(xs, key):
    return foolib.fold(0.0, xs, lambda x, total: total + jax.random.normal(key))  # JAX403

def i(xs):
    total = foolib.fold(0.0, xs, lambda x, total: total + x)
    return total if total > 0 else -total

@jax.jit
def j(xs):
    total = foolib.fold(xs=xs, init=0.0, body=lambda x, total: total + x)
    return total if total > 0 else -total  # JAX201

def k(xs):
    from foolib._src.loops import fold
    return fold(0.0, xs, lambda x, total: total if x > 0 else x)  # JAX201
""",
    "what each parameter is given": """
def f(xs, start, key):
    def body(i, carry, x, mode, key, same):
        if mode:
            carry = carry + jax.random.normal(key)
        if same is not None and same.sum() > 0:
            carry = carry + 1
        if i > 3:  # JAX201
            return carry, x
        return carry, float(x)  # JAX211
    carry, outs, made = foolib.sweep(body, xs, carry=start, key=key)
    a, b = made
    return carry if carry > 0 else outs, jax.random.normal(a) + jax.random.normal(b)
""",
    "one or the other": """
def f(p, key):
    return foolib.either(p, lambda k: jax.random.normal(k), lambda k: jax.random.uniform(k), key)

def g(p, key):
    a = foolib.either(p, lambda k: jax.random.normal(k), lambda k: k[0] * 1.0, key)
    return a + jax.random.normal(key)  # JAX401
""",
    "tracers of another kind": """
def f(start):
    def loss(w):
        if w > 0:
            return w
        return float(w)  # JAX211
    return foolib.minimise(loss, start)

def g(state):
    return foolib.arrays_only(lambda s, n: s if n else -s, state, 3)

def h():
    return foolib.arrays_only(lambda s, n: s if s > n else -s, jnp.zeros(3), 3)  # JAX201
""",
    "a callback": """
@jax.jit
def f(x):
    foolib.report(lambda v: print(float(v)), x)
    return x
""",
    "keys by position and by name": """
def f(key):
    return foolib.noise((3,), key) + foolib.noise(key=key, shape=(3,))  # JAX401

def g(rng):
    a = foolib.normal((3,), rng=rng)
    return a + jax.random.normal(rng)  # JAX401

def h(key):
    a = jax.random.normal(foolib.derive(key, "a"))
    return a + jax.random.normal(foolib.derive(key, "b"))

def i(key):
    a, b = foolib.several(key, 2)
    return jax.random.normal(a) + jax.random.normal(b)

def j(key):
    a, b = foolib.several(key, 2)
    return jax.random.normal(key)  # JAX401

def k(key):
    foolib.save("here", key)
    return jax.random.normal(key)

def m(key):
    dist = foolib.Noise(3)
    first = dist.sample(3, key)
    return first + dist.sample(n=3, key=key)  # JAX401

def n(dist: foolib.Noise, key):
    one, two = jax.random.split(key)
    return dist.sample(3, one) + dist.sample(3, key=two)

class Mine(foolib.Noise):
    def twice(self, key):
        return self.sample(3, key) + self.sample(3, key)  # JAX401
""",
    "what comes back": """
@jax.jit
def f(x):
    y = foolib.smooth(x, 3)
    if foolib.rank(x) > 2:
        return y
    if y.sum() > 0:  # JAX201
        return y
    return foolib.fit(x)  # JAX213

def g(x):
    y = foolib.smooth(x)
    if y.sum() > 0:
        y[0] = 1  # JAX301
    return foolib.fit(x)
""",
    "what must be static": """
@jax.jit
def f(x, n):
    return foolib.smooth(x, n)  # JAX223

@jax.jit
def g(x, n):
    return foolib.smooth(x, width=x.shape[0]) + foolib.smooth(n)

def h(x, n):
    return foolib.smooth(x, n)
""",
    "transforms that the settings declare": """
import house
from house import fold

@house.fast
def f(x):
    return x if x > 0 else -x  # JAX201

@functools.partial(house.fast, static_argnums=0)
def g(n, x):
    return x if n else -x

def h(xs):
    return fold(lambda c, x: (c if x > 0 else -c, None), 0.0, xs)  # JAX201

def i(xs):
    return house.other(lambda x: x if x > 0 else -x)

def j():
    @house.fast
    def inner(x):
        return x if x > 0 else -x  # JAX201
    return inner

class Model:
    def fold(self, f, init, xs):
        return f

    def forward(self, xs):
        return self.fold(lambda c, x: c if x > 0 else -c, 0.0, xs)
""",
    "code of the project that is compiled, or said to be another": """
from project import native
from project.helpers import traced

def f(x):
    return native.fold(lambda c: c if c > 0 else -c, x)  # JAX201

@traced
def g(x):
    return x if x > 0 else -x  # JAX201
""",
    "another function of the same name": """
import barlib
from barlib import fold, noise

def f(xs):
    return fold(0.0, xs, lambda x, total: x if x > 0 else total)

def g(xs):
    return barlib.compile(lambda x: x if x > 0 else -x)(xs)

def compile(fn):
    return fn

@compile
def h(x):
    return x if x > 0 else -x
""",
}

PRELUDE = "import functools\n\nimport foolib\nimport jax\nimport jax.numpy as jnp\n"


def marks(text: str) -> list[str]:
    """`line code` of each mark."""
    lines = enumerate(text.splitlines(), 1)
    return [f"{number} {code}" for number, line in lines for code in re.findall(r"# (JAX\d+)", line)]


@pytest.mark.parametrize("title", PROGRAMS)
def test_rows_of_the_project(jaxlint: Jaxlint, write: Write, title: str) -> None:
    text = PRELUDE + PROGRAMS[title]
    helpers = "def traced(fn):\n    return lambda *args: fn(*args)\n"
    write({"jaxlint.toml": SETTINGS, "jaxlint/foolib.toml": ROWS, "project/__init__.py": "", "a.py": text})
    write({"project/helpers.py": helpers})
    outcome = jaxlint("a.py", "--output-format", "concise")
    assert outcome.err == ""
    assert [found.removeprefix("a.py:") for found in outcome.found] == marks(text)


def test_nothing_is_known_without_rows(jaxlint: Jaxlint, write: Write) -> None:
    texts = {f"{number}.py": PRELUDE + text for number, text in enumerate(PROGRAMS.values())}
    write({"project/__init__.py": "", "project/helpers.py": "def traced(fn):\n    return fn\n", **texts})
    assert not jaxlint().found
    told = jaxlint("--certainty", "possible", "--output-format", "concise").found
    assert any(one.endswith(" JAX402") for one in told)  # keys that are passed twice in one function


MISTAKES = {
    '[functons."a.b"]': "unknown table `functons`, did you mean `functions`?",
    "functions = 3": "functions: expected a table, found 3",
    "[functions.fold]": 'functions: expected a qualified name in quotes, such as "foolib.fold", found `fold`',
    '[functions]\n"a.b" = 3': 'functions."a.b": expected a table, found 3',
    '[functions."a.b"]': 'functions."a.b": the row says nothing',
    "": 'the file says nothing: it has no table such as [functions."foolib.fold"]',
    "a = [": "not TOML: ",
    '[aliases]\n"x.y" = "z"\n[functions."a.b"]\nreturns = "array()"': 'aliases."x.y": no row is about `z` or anything',
    '[aliases]\n"a.b" = "a.c"\n[functions."a.b"]\nreturns = "array()"\n[functions."a.c"]\nreturns = "key()"': (
        'aliases."a.b": there is a row for `a.b` already'
    ),
}

ROW_MISTAKES = {
    'return = "array()"': "unknown key `return`, did you mean `returns`?",
    'returns = "arry()"': "returns: `arry` is no word of this language, did you mean `array`?",
    'returns = "stacked()"': "returns: `stacked` takes one name, found `stacked()`",
    'returns = "x"': "returns: `x` is no parameter of the signature",
    'signature = "x"': "signature: expected the parameters as a `def` has them",
    'signature = "(x): pass"': "signature: expected the parameters as a `def` has them",
    'signature = "(f, **kw)"\nlike = "jax.jit(f)"': "signature: `**kw` cannot be said",
    'signature = "(f)"\nreturns = "array()"': "`signature` would not be read: nothing names a parameter",
    'like = "jax.jitt"': "like: `jax.jitt` is no function that jaxlint knows",
    "like = 3": "like: expected a text such as",
    'signature = "(fun)"\nlike = "jax.jit(fn)"': "like: `fn` is no parameter of the signature, did you mean `fun`?",
    'signature = "(f)"\nlike = "f(3)"': "like: `f` is no function that jaxlint knows",
    'signature = "(f)"\nlike = "jax.jit(f)"\nreturns = "array()"': "`returns` would not be read: `like` says it all",
    'signature = "(key)"\nkeys = { kye = "draw" }': "keys: 'kye' is no parameter of the signature, did you mean `key`?",
    'signature = "(key)"\nkeys = { key = "drow" }': "keys: expected draw, split, fold, keep or ignore, found 'drow'",
    'signature = "(x)"\nstatic = ["y"]': "static: 'y' is no parameter of the signature",
    'signature = "(init, f)"\nruns = "int = f(init)"\nreturns = "init"': "runs: `int` is not read, neither by a run",
    'signature = "(x, f)"\nruns = "f(eech(x))"': "runs: `eech` is no word of this language, did you mean `each`?",
    'signature = "(f)"\nruns = "g(...)"': "runs: `g` is no parameter of the signature",
    'signature = "(f)"\nruns = "f(..., 3)"': "runs: `...` stands for all that the callable is given",
    'signature = "(f)"\nruns = "f(3).x"': "runs: expected a call such as",
    'signature = "(f)"\nruns = "f(...)"\nunder = "jitt"': "under: expected jit, filter_jit, vmap, grad, eager or host",
    'signature = "(f)"\nunder = "jit"\nreturns = "f"': "`under` would not be read: nothing is run",
    'signature = "(f)"\nruns = "x = f(...)"\nunder = "host"\nreturns = "x"': "runs: of what runs on the host nothing",
}
MISTAKES |= {f'[functions."a.b"]\n{text}': f'functions."a.b": {line}' for text, line in ROW_MISTAKES.items()}


@pytest.mark.parametrize(("text", "line"), MISTAKES.items(), ids=[text.replace("\n", " ") for text in MISTAKES])
def test_a_mistake_is_one_line_that_names_file_and_table(jaxlint: Jaxlint, write: Write, text: str, line: str) -> None:
    write({"a.py": "", "jaxlint.toml": 'libraries = ["rows.toml"]', "rows.toml": text})
    outcome = jaxlint()
    assert (outcome.code, outcome.out) == (2, "")
    assert f"jaxlint.toml: libraries: rows.toml: {line}" in outcome.err
    assert outcome.err.count("\n") == 1


def test_mistakes_of_several_files(jaxlint: Jaxlint, write: Write) -> None:
    row = '[functions."a.b"]\nreturns = "array()"\n'
    write({"a.py": "", "one.toml": row, "two.toml": row, "jaxlint.toml": 'libraries = ["one.toml", "two.toml"]'})
    assert "libraries: `a.b` is in one.toml and in two.toml" in jaxlint().err
    write({"jaxlint.toml": 'libraries = ["jaxlint/*.toml"]'})
    assert "libraries: no file matches 'jaxlint/*.toml'" in jaxlint().err
    write({"jaxlint.toml": 'libraries = ["\\u0000", ""]'})
    assert "libraries: no file matches '\\x00'" in jaxlint().err
    write({"folder.toml/a.toml": row, "jaxlint.toml": 'libraries = ["folder.toml"]'})
    assert "libraries: folder.toml: cannot be read: Is a directory" in jaxlint().err
    write({"jaxlint.toml": 'libraries = ["one.toml"]\n[transforms]\n"a.b" = "jax.jit"'})
    assert "transforms: `a.b` is in one.toml as well" in jaxlint().err
    write({"jaxlint.toml": '[transforms]\n"a.b" = "jax.jitt"'})
    assert "transforms: `jax.jitt` is no function that jaxlint knows" in jaxlint().err


def test_rows_of_a_folder_with_an_odd_name(jaxlint: Jaxlint, write: Write) -> None:
    row = '[functions."foolib.compile"]\nlike = "jax.jit"\n'
    write({"[x]*/jaxlint.toml": 'libraries = ["../rows/**/*.toml"]', "rows/deep/a.toml": row, "[x]*/a.py": USER})
    assert jaxlint("--output-format", "concise").found == ["[x]*/a.py:6 JAX101"]


def test_why_names_the_file_of_a_row(jaxlint: Jaxlint, write: Write) -> None:
    write({"jaxlint.toml": SETTINGS, "jaxlint/foolib.toml": ROWS, "a.py": PRELUDE + "x = foolib.rank(jnp.ones(3))\n"})
    assert "  jaxlint/foolib.toml says what it does" in jaxlint("why", "a.py:6").out.splitlines()


# -- rows that a package ships ----------------------------------------------------------------------------------

USER = """\
import foolib


@foolib.compile
def f(x):
    print(x)
    return x
"""
SHIPPED = '[functions."foolib.compile"]\nlike = "jax.jit"\n'


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages, with one that ships rows."""
    site = tmp_path_factory.mktemp("site")
    (site / "foolib").mkdir()
    (site / "foolib" / "__init__.py").write_text("raise RuntimeError('nobody imports it')\n")
    (site / "foolib" / "jaxlint.toml").write_text(SHIPPED)
    (site / "foolib-1.0.dist-info").mkdir()
    (site / "foolib-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: foolib\nVersion: 1.0\n")
    entry = "[console_scripts]\nfoo = foolib:main\n\n[jaxlint.libraries]\nfoolib = foolib:jaxlint.toml\n"
    (site / "foolib-1.0.dist-info" / "entry_points.txt").write_text(entry)
    return site


@pytest.fixture
def run(project: Path, site: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command in a process that has the folder on its path."""

    def run(*arguments: str, places: str = str(site)) -> subprocess.CompletedProcess[str]:
        root = str(Path(__file__).parents[2])
        paths = os.pathsep.join((root, places))
        command = [sys.executable, "-m", "jaxlint", *arguments, "--output-format", "concise"]
        environment = {**os.environ, "PYTHONPATH": paths}
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    return run


def test_a_package_ships_rows(write: Write, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    write({"a.py": USER, "b.py": "import barlib\n\n\n@barlib.compile\ndef f(x):\n    print(x)\n"})
    assert run().stdout.splitlines()[0].startswith("a.py:6:5: JAX101 ")
    assert run("b.py").stdout == "All checks passed!\n"
    assert run(places="").stdout == "All checks passed!\n"


def test_a_package_that_lies_elsewhere(
    write: Write,
    run: Callable[..., subprocess.CompletedProcess[str]],
    site: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    source = tmp_path_factory.mktemp("source")
    (site / "foolib").rename(source / "foolib")
    write({"a.py": USER})
    assert run(places=f"{site}{os.pathsep}{source}").stdout.startswith("a.py:6:5: JAX101 ")
    finder = f"""\
import sys
from importlib.machinery import PathFinder


class Finder:
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [{str(source)!r}]) if name == "foolib" else None


sys.meta_path.append(Finder)
"""
    (site / "sitecustomize.py").write_text(finder)  # as the hook of an editable installation does
    assert run().stdout.startswith("a.py:6:5: JAX101 ")


def test_the_project_wins_over_a_package(write: Write, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    row = '[functions."foolib.compile"]\nsignature = "(fn)"\nruns = "fn(...)"\nunder = "host"\n'
    write({"a.py": USER, "rows.toml": row, "jaxlint.toml": 'libraries = ["rows.toml"]'})
    assert run().stdout == "All checks passed!\n"


def test_a_package_is_not_told_about_itself(write: Write, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    write({"a.py": "import jax\n" + USER, "foolib/__init__.py": "def compile(fn):\n    return fn\n"})
    assert run().stdout == "All checks passed!\n"


@pytest.mark.parametrize(
    ("text", "line"),
    {
        "": "the file says nothing",
        SHIPPED.replace("foolib", "barlib"): "`barlib.compile` is not in foolib: a package speaks of its own functions",
    }.items(),
)
def test_a_mistake_of_a_package_is_a_warning(
    write: Write, run: Callable[..., subprocess.CompletedProcess[str]], site: Path, text: str, line: str
) -> None:
    write({"a.py": USER})
    (site / "foolib" / "jaxlint.toml").write_text(text)
    outcome = run()
    assert (outcome.returncode, outcome.stdout) == (0, "All checks passed!\n")
    assert line in outcome.stderr
    assert outcome.stderr.count("\n") == 1


def test_a_file_that_a_package_lacks(
    write: Write, run: Callable[..., subprocess.CompletedProcess[str]], site: Path
) -> None:
    write({"a.py": USER})
    (site / "foolib" / "jaxlint.toml").unlink()
    assert "cannot be read: No such file or directory" in run().stderr


# -- the page -----------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "libraries.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(toml|python)\n(.*?)```", PAGE, re.DOTALL)
ROW_FILES = [text for kind, text in BLOCKS if kind == "toml" and text.startswith("# jaxlint/")]
EXAMPLES = [text for kind, text in BLOCKS if kind == "python"]


@pytest.mark.parametrize(("rows", "text"), zip(ROW_FILES, EXAMPLES, strict=True), ids=["like", "runs", "keys"])
def test_examples_of_the_page(jaxlint: Jaxlint, write: Write, rows: str, text: str) -> None:
    write({"jaxlint.toml": 'libraries = ["jaxlint/*.toml"]', "jaxlint/rows.toml": rows, "a.py": text})
    outcome = jaxlint("--output-format", "concise")
    assert outcome.err == ""
    assert [found.removeprefix("a.py:") for found in outcome.found] == marks(text)


def test_the_page_has_every_word() -> None:
    said = set(re.findall(r"`\"?(\w+)(?:\([\w ]*\))?\"?`", PAGE))
    assert {*OF_RUNS, *OF_RESULTS, *EFFECTS, *UNDER} <= said


FOOLIB = '''
"""What the page's rows say, in JAX."""

import functools
import types

import jax
import jax.numpy as jnp
import numpy as np


def compile(fn=None, *, static=()):
    if fn is None:
        return functools.partial(compile, static=static)
    return jax.jit(fn, static_argnums=static)


rng = types.SimpleNamespace(normal=lambda shape, *, key: jax.random.normal(key, shape))


def fold(init, xs, body):
    return jax.lax.scan(lambda carry, x: (body(x, carry), None), init, xs)[0]


def sweep(step, start, xs, *, key):
    def body(carry, args):
        i, x, key = args
        return step(i, carry, x=x, key=key)

    n = len(xs)
    return jax.lax.scan(body, start, (jnp.arange(n), xs, jax.random.split(key, n)))


def minimise(loss, start):
    return jax.lax.fori_loop(0, 3, lambda i, x: x - jax.grad(loss)(x), start)


def report(fn, *args):
    jax.debug.callback(fn, *args)


def dropout(x, rate, key=None):
    return x * jax.random.bernoulli(key, 1 - rate, x.shape)


def derive(key, name):
    return jax.random.fold_in(key, len(name))


def smooth(x, width=3):
    return jnp.convolve(x, jnp.ones(width) / width)


def score(y):
    return np.sort(np.asarray(y))


class Noise:
    def sample(self, n, key):
        return jax.random.normal(key, (n,))
'''

XS, KEY = "jax.numpy.ones(3)", "jax.random.key(0)"
CALLS = [
    {"relu(1.0)": "JAX201", "power(2.0, 3)": "", f"noise({KEY})": "reuse"},
    {f"longest({XS})": "JAX201", f"walk({XS}, {KEY})": "", "train(1.0)": "JAX211"},
    {f"apply({XS}, {KEY})": "", f"apply_twice({XS}, {KEY})": "reuse", f"evaluate({XS}, 2)": "JAX223"},
]


@pytest.mark.parametrize(("text", "calls"), zip(EXAMPLES, CALLS, strict=True), ids=["like", "runs", "keys"])
def test_jax_does_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, calls: dict[str, str]
) -> None:
    foolib = types.ModuleType("foolib")
    exec(FOOLIB, foolib.__dict__)
    monkeypatch.setitem(sys.modules, "foolib", foolib)
    scope: dict[str, object] = {}
    exec(compile(text, "page.py", "exec"), scope)
    scope["jax"] = jax
    lines = text.splitlines()
    for call, wrong in calls.items():
        if wrong == "reuse":
            with jax.debug_key_reuse(True), pytest.raises(jax.errors.KeyReuseError):
                eval(call, scope)
        elif not wrong:
            eval(call, scope)
        else:
            with pytest.raises(TypeError) as raised:  # what all errors about tracers are
                eval(call, scope)
            where = [entry.lineno for entry in raised.traceback if str(entry.path).endswith("page.py")]
            assert any(f"# {wrong}" in lines[line] for line in where)
