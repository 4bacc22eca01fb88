"""What JAX801 and JAX802 report in a module, and what they leave alone."""

from __future__ import annotations

import ast
import textwrap

import pytest

from jaxlint.checks.versions import check_module, findings
from jaxlint.settings.jax_version import JaxVersions
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Severity


def check(source: str, versions: JaxVersions | None = None, project: frozenset[str] = frozenset()) -> list[Finding]:
    tree = ast.parse(textwrap.dedent(source))
    references = check_module(tree, "package.module", project.__contains__, versions)
    return list(findings(references, lambda node: Location("module.py", node.lineno, node.col_offset + 1), versions))


def names(source: str, versions: JaxVersions | None = None) -> list[str]:
    """`line code name` of each finding; the name is the first one in backquotes."""
    found = check(source, versions)
    return [f"{finding.location.line} {finding.code} {finding.message.split('`')[1]}" for finding in found]


def test_a_finding_says_what_happens_since_when_and_what_to_write() -> None:
    (finding,) = check("""
        import jax

        class Model:
            def init(self, tree):
                return jax.tree_map(abs, tree)
    """)
    assert finding.message == "`jax.tree_map` was removed in JAX 0.6.0: AttributeError; use `jax.tree.map`"
    assert finding.severity is Severity.ERROR
    assert finding.certainty is Certainty.CERTAIN
    assert finding.definition == "Model.init"
    assert (finding.location.line, finding.location.column) == (6, 16)


def test_a_deprecated_name_is_a_warning_that_says_when_it_ends() -> None:
    (finding,) = check("import jax\nd = jax.core.DropVar", JaxVersions((0, 10, 2), (0, 10, 2)))
    assert finding.code == "JAX802"
    assert finding.severity is Severity.WARNING
    assert finding.message.startswith("`jax.core.DropVar` is deprecated since JAX 0.10.0 and is gone in JAX 0.11.0")


@pytest.mark.parametrize(
    ("versions", "certainty"),
    [
        (JaxVersions(minimum=(0, 10, 0)), Certainty.CERTAIN),
        (JaxVersions((0, 10, 2), (0, 10, 2)), Certainty.POSSIBLE),
        (JaxVersions((0, 10, 0), (0, 11)), Certainty.CERTAIN),
        (JaxVersions((0, 10, 0), (0, 11), implied=True), Certainty.POSSIBLE),
    ],
)
def test_who_keeps_to_a_jax_that_has_a_name_need_not_hurry(versions: JaxVersions, certainty: Certainty) -> None:
    (finding,) = check("import jax\nd = jax.core.pytype_aval_mappings", versions)
    assert (finding.code, finding.certainty) == ("JAX802", certainty)


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        (None, []),
        (JaxVersions((0, 7, 1), (0, 7, 1)), ["2 JAX802 jax.interpreters.ad.backward_pass"]),
        (JaxVersions((0, 8, 2), (0, 8, 2)), ["2 JAX801 jax.interpreters.ad.backward_pass"]),
        (JaxVersions((0, 11, 0), (0, 11, 0)), ["2 JAX801 jax.interpreters.ad.backward_pass"]),
        (JaxVersions((0, 11, 1), (0, 11, 1)), []),
        (JaxVersions((0, 9, 0)), []),
    ],
)
def test_a_name_that_jax_took_back_is_gone_in_between_only(versions: JaxVersions | None, expected: list[str]) -> None:
    assert names("from jax.interpreters import ad\nad.backward_pass(f)", versions) == expected


@pytest.mark.parametrize(
    ("newest", "error"), [((0, 10, 2), "NotImplementedError"), ((0, 11, 0), "TypeError"), ((0, 12, 0), "TypeError")]
)
def test_an_argument_may_be_refused_in_another_way_at_first(newest: tuple[int, ...], error: str) -> None:
    (finding,) = check("import jax\njax.checkpoint(f, concrete=True)", JaxVersions(newest, newest))
    assert (finding.code, error in finding.message) == ("JAX801", True)


@pytest.mark.parametrize(
    "source",
    [
        "import jax\njax.tree_map(f, x)",
        "import jax as j\nj.tree_map(f, x)",
        "import jax\nmapped = jax.tree_map",
        "import jax\nj = jax\nj.tree_map(f, x)",
        "import jax.numpy\njax.tree_map(f, x)",
    ],
)
def test_spellings_of_the_module(source: str) -> None:
    (name,) = names(source)
    assert name.endswith("JAX801 jax.tree_map")


def test_every_use_of_an_attribute_is_reported_and_each_import_once() -> None:
    assert names("""
        import jax
        from jax import tree_leaves, tree_structure as structure, numpy as jnp

        a = tree_leaves(x), structure(x), tree_leaves(y)
        b = jax.tree_map(f, jax.tree_map(g, x))
        c = jnp.trapz(y)
    """) == [
        "3 JAX801 jax.tree_leaves",
        "3 JAX801 jax.tree_structure",
        "6 JAX801 jax.tree_map",
        "6 JAX801 jax.tree_map",
        "7 JAX801 jax.numpy.trapz",
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from jax.config import config\nconfig.update('a', 1)", "1 JAX801 jax.config"),
        ("import jax.config", "1 JAX801 jax.config"),
        ("from jax.experimental import maps\nmaps.xmap(f)", "1 JAX801 jax.experimental.maps"),
        ("from jax.experimental.maps import xmap, Mesh\nxmap(f)", "1 JAX801 jax.experimental.maps"),
        ("import jax.experimental.maps as m\nm.xmap(f)", "1 JAX801 jax.experimental.maps"),
        ("import jax.experimental.maps\njax.experimental.maps.xmap(f)", "1 JAX801 jax.experimental.maps"),
        ("from jax.experimental.host_callback import id_tap", "1 JAX801 jax.experimental.host_callback"),
    ],
)
def test_a_missing_module_is_reported_where_it_is_imported(source: str, expected: str) -> None:
    assert names(source) == [expected]


def test_the_config_attribute_is_here_to_stay() -> None:
    assert names("import jax\nfrom jax import config\njax.config.update('a', 1)\nconfig.update('a', 1)") == []


@pytest.mark.parametrize(
    "source",
    [
        "import jax.numpy as jnp\njnp.clip(x, a_min=0)",
        "from jax.numpy import clip\nclip(x, a_min=0)",
        "import functools, jax.numpy as jnp\nfunctools.partial(jnp.clip, a_min=0)",
    ],
)
def test_removed_arguments(source: str) -> None:
    (finding,) = check(source)
    assert finding.message == "The argument `a_min` of `jax.numpy.clip` was removed in JAX 0.10.0: TypeError; use `min`"


def test_an_argument_that_may_be_none_is_not_reported() -> None:
    """`jax.jit(f, backend=None)` is what wrappers of jit write; only a value warns."""
    assert names("import jax\njax.jit(f, backend=backend, device=None)") == []
    assert names("import jax\njax.jit(f, backend='cpu')") == ["2 JAX802 backend"]


@pytest.mark.parametrize(
    "source",
    [
        "from numpy import product, trapz",
        "import numpy as jnp\njnp.product(x), jnp.clip(x, a_min=0, a_max=1)",
        "from .jax import tree_map",
        "from . import jax\njax.tree_map(f, x)",
        "import jaxlib\njaxlib.tree_map(f, x)",
        "import jax\n'jax.tree_map'\n# jax.tree_map",
        "def f(jax):\n    return jax.tree_map(g, x)",
        "import jax\ndef f(jax):\n    return jax.tree_map(g, x)",
        "import jax\n[jax.tree_map for jax in backends]",
        "import jax\nclass jax:\n    tree_map = 1\njax.tree_map",
        "import jax\njax.tree_util.tree_map(f, x)\njax.tree.map(f, x)",
        "try:\n    import jax.numpy as np\nexcept ImportError:\n    import numpy as np\nnp.product(x)",
    ],
)
def test_the_same_spelling_of_something_else(source: str) -> None:
    assert names(source) == []


def test_a_failed_import_set_to_none_is_still_jax_where_it_is_used() -> None:
    assert names("""
        try:
            import jax
        except ImportError:
            jax = None

        def f(x):
            return jax.tree_map(abs, x)
    """) == ["8 JAX801 jax.tree_map"]


@pytest.mark.parametrize(
    "source",
    [
        """
        try:
            from jax.config import config
        except ImportError:
            from jax import config
        """,
        """
        try:
            tree_map = jax.tree.map
        except AttributeError:
            tree_map = jax.tree_map
        """,
        """
        if hasattr(jax, "tree"):
            tree_map = jax.tree.map
        else:
            tree_map = jax.tree_map
        """,
        """
        tree_map = jax.tree.map if jax.__version_info__ >= (0, 4, 26) else jax.tree_map
        """,
        """
        from packaging import version
        OLD = version.parse(jax.__version__) < version.parse("0.4.26")
        tree_map = jax.tree_map if OLD else jax.tree.map
        """,
        """
        HAS_TREE = hasattr(jax, "tree")
        if not HAS_TREE:
            leaves = jax.tree_leaves(x)
        """,
        """
        try:
            import jax.tree
            NEW = True
        except ImportError:
            NEW = False

        def leaves(x):
            if NEW:
                return jax.tree.leaves(x)
            return jax.tree_leaves(x)
        """,
        """
        def leaves(x):
            if hasattr(jax, "tree"):
                return jax.tree.leaves(x)
            return jax.tree_leaves(x)
        """,
        """
        hasattr(jax, "tree_map") and jax.tree_map(f, x)
        """,
        """
        backend = jax

        def leaves(x):
            if hasattr(backend, "tree"):
                return backend.tree.leaves(x)
            return jax.tree_leaves(x)
        """,
        """
        from compat import features
        if not getattr(features, "trees", False):
            leaves = jax.tree_leaves(x)
        """,
        """
        with contextlib.suppress(AttributeError):
            jax.tree_map(f, x)
        """,
        """
        def test_removed():
            with pytest.raises(AttributeError):
                jax.tree_map(f, x)
        """,
        """
        @pytest.mark.skipif(jax.__version__ >= "0.6", reason="removed")
        def test_old():
            jax.tree_map(f, x)
        """,
        """
        jax.tree_map = jax.tree.map
        jax.tree_map(f, x)
        """,
        """
        if TYPE_CHECKING:
            from jax.random import KeyArray
        """,
    ],
)
def test_code_that_asks_first(source: str) -> None:
    assert names("import jax\n" + textwrap.dedent(source)) == []


def test_a_broad_handler_around_a_whole_program_is_no_question() -> None:
    program = """
        import jax
        try:
            a = load()
            b = prepare(a)
            c = jax.tree_map(f, b)
            save(c)
        except Exception:
            log()
    """
    assert names(program) == ["6 JAX801 jax.tree_map"]


def test_annotations_count_where_python_evaluates_them() -> None:
    source = """
        import jax
        key: jax.random.KeyArray

        def f(key: jax.random.KeyArray, other: "jax.random.KeyArray") -> jax.random.KeyArray:
            local: jax.random.KeyArray = key
            return local
    """
    assert [name.split()[0] for name in names(source)] == ["3", "5", "5"]
    assert names("from __future__ import annotations" + textwrap.dedent(source)) == []


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        (None, ["2 JAX801 jax.tree_map"]),
        (JaxVersions(), ["2 JAX801 jax.tree_map"]),
        (JaxVersions(minimum=(0, 4, 20)), ["2 JAX801 jax.tree_map"]),
        (JaxVersions((0, 6, 0), (0, 6, 0)), ["2 JAX801 jax.tree_map"]),
        (JaxVersions((0, 4, 20), (0, 6)), ["2 JAX802 jax.tree_map"]),  # `<0.6`: removed in the release excluded.
        (JaxVersions((0, 5, 3), (0, 5, 3)), ["2 JAX802 jax.tree_map"]),
        (JaxVersions((0, 4, 20), (0, 4, 20)), []),
    ],
)
def test_the_newest_jax_a_project_declares_decides(versions: JaxVersions | None, expected: list[str]) -> None:
    assert names("import jax\njax.tree_map(f, x)", versions) == expected


def test_a_branch_that_cannot_be_reached_is_told_of_where_it_begins() -> None:
    source = """
        import jax
        from jax.interpreters import ad

        def transpose(eqn, a):
            if eqn.primitive in ad.reducing_transposes:
                return ad.reducing_transposes[eqn.primitive](a), jax.tree_map(abs, a)
            elif a is None and type(a) is jax.core.DShapedArray:
                return jax.core.Var
            elif a is None or type(a) is jax.core.DShapedArray:
                return jax.core.Var
            elif isinstance(a, jax.core.Var):
                return jax.core.Literal
            return jax.tree_map(abs, a)
    """
    assert names(source) == [
        "6 JAX801 jax.interpreters.ad.reducing_transposes",
        "8 JAX801 jax.core.DShapedArray",
        "10 JAX801 jax.core.DShapedArray",
        "11 JAX801 jax.core.Var",
        "12 JAX801 jax.core.Var",
        "13 JAX801 jax.core.Literal",
        "14 JAX801 jax.tree_map",
    ]


def test_the_successor_of_a_module_may_have_lost_the_name_as_well() -> None:
    (finding,) = check("import jax\njax.xla.translations[p] = f")
    assert finding.message.startswith("`jax.xla.translations` was removed in JAX ")
    assert finding.message.endswith("use `jax.interpreters.mlir.register_lowering`")
    (finding,) = check("import jax\njax.xla.canonicalize_dtype(f)", JaxVersions((0, 7, 0), (0, 7, 2)))
    assert finding.message.endswith("use `jax.interpreters.xla`")


def test_jax_itself_is_exempt() -> None:
    assert check("import jax\njax.tree_map(f, x)", project=frozenset({"jax"})) == []


def test_a_guarded_reference_is_known_though_it_is_no_finding() -> None:
    tree = ast.parse("import jax\nif hasattr(jax, 'tree_map'):\n    jax.tree_map(f, x)")
    (reference,) = check_module(tree, "module", lambda name: False)
    assert reference.guarded
    assert reference.gone


def test_names_that_stand_for_each_other_are_no_problem() -> None:
    steps = "\n".join(["node = node.next", "a = b.c", "b = a.c"] * 100)
    assert names(f"import jax\n{steps}\nnode.tree_map, a.tree_map\njax.tree_map") == ["303 JAX801 jax.tree_map"]


def test_deeply_nested_code_is_no_problem() -> None:
    terms = " + ".join(["x"] * 900)
    assert names(f"import jax\ny = {terms} + jax.tree_map(f, x)") == ["2 JAX801 jax.tree_map"]


def test_what_an_object_has_says_nothing_about_jax() -> None:
    source = """
        import jax

        class Loss:
            def __call__(self, params):
                weight = getattr(self.config, "weight", 0.0)
                if weight > 0 and hasattr(params, "items"):
                    return jax.tree_leaves(params)
                return jax.tree_map(abs, params)
    """
    assert names(source) == ["8 JAX801 jax.tree_leaves", "9 JAX801 jax.tree_map"]
