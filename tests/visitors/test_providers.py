"""What libcst visitors are told of nodes, and findings on nodes."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path

import libcst as cst
import pytest
from libcst import matchers as m
from libcst.metadata import FullRepoManager, MetadataWrapper, PositionProvider

from jaxlint.cst import FindingProvider, KeyProvider, KeyView, Kind, Linter, Settings, Tracing, TracingProvider, wrap
from tests.visitors.documented import blocks

SOURCE = """\
import jax
import jax.numpy as jnp
import numpy as np

size = jnp.ones(3)


@jax.jit
def step(x, key, n=3):
    "é"; y = (x + size) * 2
    rows = x.shape[0]
    return helper(y) + jax.random.normal(key, (rows,))


def helper(v):
    return jnp.sin(v)


def slope(w):
    return jax.grad(lambda u: helper(u) ** 2)(w)


def host(x):
    table = np.zeros(3)
    jax.debug.callback(lambda value: print(value), x)
    if x:
        raise ValueError(table)
"""


class Module:
    """A module, and what is said of the nodes with a certain text."""

    def __init__(self, source: str) -> None:
        self.wrapper = MetadataWrapper(cst.parse_module(source))
        self.module = self.wrapper.module
        self.tracing = self.wrapper.resolve(TracingProvider)
        self.keys = self.wrapper.resolve(KeyProvider)

    def nodes(self, text: str) -> Sequence[cst.CSTNode]:
        # A parameter and its name have one text, as do many nodes and what wraps them.
        found = m.findall(self.module, m.MatchIfTrue(lambda node: isinstance(node, cst.BaseExpression)))
        return [node for node in found if self.module.code_for_node(node) == text]

    def of(self, text: str, number: int = 0) -> Tracing:
        return self.tracing[self.nodes(text)[number]]

    def key(self, text: str, number: int = 0) -> KeyView | None:
        return self.keys[self.nodes(text)[number]]


@pytest.fixture(scope="module")
def module() -> Module:
    return Module(SOURCE)


def test_traced_since_where_and_why(module: Module) -> None:
    (x, *_) = module.nodes("x")
    tracing = module.tracing[x]
    assert (tracing.is_traced, tracing.is_static, tracing.is_concrete) == (True, False, False)
    steps = [(step.location.line, step.message) for step in tracing.since]
    assert steps == [(8, "`jax.jit` is applied here"), (9, "parameter `x` is traced by `jit`")]
    assert tracing.contexts == (("jax.jit",),)
    assert module.of("(x + size) * 2").is_traced


def test_static_concrete_and_functions_by_their_names(module: Module) -> None:
    assert module.of("rows").is_static
    assert module.of("x.shape[0]").what == "static: read off an array's shape or dtype"
    assert module.of("size").is_concrete
    assert module.of("np.zeros(3)").kind is Kind.CONCRETE
    assert module.of("jax.random.normal").name == "jax.random.normal"
    assert module.of("jnp.sin").name == "jax.numpy.sin"


def test_a_function_that_is_called_in_several_ways(module: Module) -> None:
    v = module.of("v", 1)
    assert v.kind is Kind.MIXED
    assert v.under == {"jax.jit", "jax.grad"}
    assert [view.knows_value for view in v.views if "jax.grad" in view.under] == [True]
    assert not any(view.since for view in v.views if not view.under)
    assert len(v.since) == 2


def test_keys_and_their_uses() -> None:
    module = Module(
        "import jax\nkey = jax.random.key(0)\na, b = jax.random.split(key)\n"
        "def f(a):\n    x = jax.random.normal(a)\n    return x + jax.random.uniform(a) + 1\n"
    )
    made = module.key("key", 2)
    assert made is not None
    assert (made.made is not None and made.made.line, made.constant, made.before) == (2, True, ())
    assert [(use.how, use.location.line, use.callee) for use in made.uses] == [("split", 3, "jax.random.split")]
    used = module.key("a", 3)
    assert used is not None
    assert [(use.how, use.location.line) for use in used.before] == [("draw", 5)]
    assert [(use.how, use.location.line) for use in used.uses] == [("draw", 5), ("draw", 6)]
    assert module.key("x") is None


def test_every_node_has_an_answer(module: Module) -> None:
    class All(cst.CSTVisitor):
        METADATA_DEPENDENCIES = (TracingProvider, KeyProvider, FindingProvider)

        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        def on_visit(self, node: cst.CSTNode) -> bool:
            for provider in (TracingProvider, KeyProvider, FindingProvider):
                self.get_metadata(provider, node)
            self.count += 1
            return True

    visitor = All()
    module.wrapper.visit(visitor)
    assert visitor.count == len(module.tracing) == len(set(module.tracing))
    with pytest.raises(KeyError):
        module.tracing[cst.Name("x")]
    (comma, *_) = m.findall(module.module, m.FunctionDef(name=m.Name("step")))
    assert module.tracing[comma].contexts == (("jax.jit",),)
    (statement, *_) = m.findall(module.module, m.Return())
    assert module.tracing[statement].contexts == (("jax.jit",),)
    assert module.tracing[statement].kind is Kind.UNKNOWN
    (test,) = m.findall(module.module, m.If())
    assert module.tracing[test].contexts == ((),)


def test_a_lambda_that_leaves_the_trace() -> None:
    module = Module("import jax\n@jax.jit\ndef f(x):\n    jax.debug.callback(lambda v: print(v), x)\n")
    assert module.of("print(v)").contexts == (("a host callback",),)
    assert not module.of("v").is_traced


@pytest.mark.parametrize(
    "source",
    [
        "x = 1\n",
        "",
        "# nothing\n",
        "import jax\r\n\r\n@jax.jit\r\ndef f(x):\r\n\treturn 'ü', x\r\n",
        "import jax\n\x0c\ndef f(x): return (yield x)",
    ],
)
def test_any_module_can_be_asked(source: str) -> None:
    wrapper = MetadataWrapper(cst.parse_module(source))
    assert wrapper.resolve(TracingProvider)[wrapper.module].views == ()
    assert wrapper.resolve(KeyProvider)[wrapper.module] is None


# -- files of a program -----------------------------------------------------------------------------


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "helper.py").write_text("def check(x):\n    if x:\n        return 1\n    return x\n")
    (tmp_path / "train.py").write_text("import jax\nfrom helper import check\nstep = jax.jit(check)\n")
    return tmp_path


def is_test_traced(wrapper: MetadataWrapper) -> bool:
    (node,) = m.findall(wrapper.module, m.If())
    assert isinstance(node, cst.If)
    return wrapper.resolve(TracingProvider)[node.test].is_traced


def test_a_file_is_seen_among_the_others_of_its_program(program: Path) -> None:
    assert not is_test_traced(MetadataWrapper(cst.parse_module((program / "helper.py").read_text())))
    assert is_test_traced(wrap(program / "helper.py"))
    manager = FullRepoManager(program, ["helper.py", "train.py"], [TracingProvider])
    assert is_test_traced(manager.get_metadata_wrapper_for_path("helper.py"))


def test_a_module_may_be_newer_than_its_file(program: Path) -> None:
    manager = FullRepoManager(program, ["helper.py"], [TracingProvider])
    newer = cst.parse_module("def check(y, z=1):\n    if y.sum() > 0:\n        return 1\n    return y\n")
    assert is_test_traced(MetadataWrapper(newer, cache=manager.get_cache_for_path("helper.py")))


def test_what_cannot_be_read_says_so(program: Path) -> None:
    with pytest.raises(FileNotFoundError):
        wrap(program / "gone.py")
    (program / "broken.py").write_text("def f(:\n")
    with pytest.raises(cst.ParserSyntaxError):
        wrap(program / "broken.py")


# -- findings ---------------------------------------------------------------------------------------

BAD = """\
import jax
import jax.numpy as jnp
from jax import tree_map


@jax.jit
def f(x, y: jax.Array):
    print("é", x); y[0] = 1.0  # jaxlint: ignore[JAX999]
    if (x > 0):
        return x
    return y
"""


def test_the_linter_flags_nodes(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD, encoding="utf-8")
    wrapper = wrap(tmp_path / "bad.py")
    linter = Linter()
    wrapper.visit(linter)
    code = wrapper.module.code_for_node
    flagged = [(finding.code, type(node).__name__, code(node).strip()) for node, finding in linter.flagged]
    assert flagged == [
        ("JAX801", "ImportAlias", "tree_map"),
        ("JAX101", "Call", 'print("é", x)'),
        ("JAX301", "Subscript", "y[0]"),
        ("JAX003", "Comment", "# jaxlint: ignore[JAX999]"),
        ("JAX201", "Comparison", "(x > 0)"),
    ]


def test_a_codemod_reacts_to_findings() -> None:
    class Silence(cst.CSTTransformer):
        METADATA_DEPENDENCIES = (FindingProvider,)

        def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
            codes = [finding.code for finding in self.get_metadata(FindingProvider, original_node)]
            return cst.Name("None") if "JAX101" in codes else updated_node

    module = cst.parse_module(BAD)
    assert "None; y[0] = 1.0" in wrap(module).visit(Silence()).code
    only = wrap(module, Settings(select=("JAX301",)))
    assert 'print("é", x)' in only.visit(Silence()).code


# -- the page ---------------------------------------------------------------------------------------


def test_what_the_page_shows_is_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.py").write_text(BAD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = [text for language, text in blocks() if language == "text"]
    programs = [text for language, text in blocks() if language == "python" and not text.startswith("# file: ")]
    printed = []
    for program in programs:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(program, {})
        printed.append(output.getvalue())
    assert printed[0] == shown[0]
    assert printed[1].startswith("ImportAlias JAX801 ")


def test_places_are_those_of_libcst() -> None:
    wrapper = wrap(cst.parse_module(BAD))
    linter = Linter()
    wrapper.visit(linter)
    places = wrapper.resolve(PositionProvider)
    for node, finding in linter.flagged:
        if not getattr(node, "lpar", ()):
            place, where = finding.location, places[node]
            assert (place.line, place.column - 1) == (where.start.line, where.start.column)
