"""Probes count what watched spans evaluate to, report writes to outer state, and change nothing else."""

from __future__ import annotations

import ast
import sys
import traceback
from pathlib import Path
from typing import Any

import jax
import pytest

from jaxlint.dynamic import oracle, probes
from jaxlint.dynamic.observations import Kind, Span, Visit
from jaxlint.dynamic.recording import RECORDER


def array(*shape: int, dtype: str = "float32") -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, dtype)


def counts(visit: Visit) -> tuple[int, int, int, int, int]:
    return visit.traced, visit.concrete, visit.eager, visit.callback, visit.assumed


WATCHED = '''"""What the module is for."""

from __future__ import annotations

import dataclasses
import functools

import jax


@dataclasses.dataclass
class Options:
    """What the class is for."""

    depth: int = 2


def keep(f):
    return functools.wraps(f)(lambda *args: f(*args))


@keep
def f(x, é="ü"):
    """What the function is for."""
    text = é + f"{x.ndim:>{3}}"
    if x.ndim == 1 and len(text) > 2:
        y = x[0] > 0
    match x.ndim:
        case 1:
            pass
    for i in range(x.shape[0]):
        y = y & (x[i] > i)
    z = y if x.shape else x
    if z:
        return x
    return x


def host(x):
    return x + 1


def g(x):
    jax.debug.callback(lambda value: host(value), x)
    return x
'''


def test_visits_of_expressions_statements_heads_patterns_and_functions(program: Any) -> None:
    it = program(WATCHED)
    spans = {
        "test": (it.at("x.ndim == 1"), (0, 2, 0, 0, 0)),
        "head": (it.at("if x.ndim == 1 and len(text) > 2:"), (0, 2, 0, 0, 0)),
        "value": (it.at("x[0] > 0"), (2, 0, 0, 0, 0)),
        "statement": (it.at("y = x[0] > 0"), (2, 0, 0, 0, 0)),
        "after a letter of two bytes": (it.at('é + f"{x.ndim:>{3}}"'), (0, 2, 0, 0, 0)),
        "formatted": (it.within("{x.ndim:>{3}}", "x.ndim"), (0, 2, 0, 0, 0)),
        "pattern": (it.within("case 1:", "1"), (0, 2, 0, 0, 0)),
        "loop": (it.at("for i in range(x.shape[0]):"), (0, 2, 0, 0, 0)),
        "body": (it.at("y & (x[i] > i)"), (6, 0, 0, 0, 0)),
        "function": (Span(it.path, it.at("def f(x").line), (0, 2, 0, 0, 0)),
        "traced test": (it.within("if z:", "z"), (2, 0, 0, 0, 0)),
        "branch": (it.at("return x\n    return"), (1, 0, 0, 0, 1)),
    }  # fmt: skip
    it.load(*(span for span, _ in spans.values()))
    seen = {visit.at: counts(visit) for visit in it.trace("f", array(3)).visits}
    if sys.version_info < (3, 12):
        spans.pop("formatted")  # parts of f-strings have no places of their own
    assert {name: seen.get(span) for name, (span, _) in spans.items()} == {
        name: expected for name, (_, expected) in spans.items()
    }


def test_rewriting_leaves_no_trace(program: Any) -> None:
    it = program(WATCHED)
    module = it.load(it.at("x[0] > 0"))
    assert module.__doc__ == "What the module is for."
    assert module.Options.__doc__ == "What the class is for."
    assert module.f.__doc__ == "What the function is for."
    assert module.f.__wrapped__.__code__.co_firstlineno == it.at("@keep\n").line
    assert module.Options.__annotations__ == {"depth": "int"}
    assert module.__file__ == it.path
    assert not list(Path(it.path).parent.rglob(f"{Path(it.path).stem}*.pyc"))


def test_eager_and_callback_visits(program: Any) -> None:
    it = program(WATCHED)
    module = it.load(it.at("x + 1"))
    with oracle.online([it.path]) as traced:
        module.host(1)
        jax.jit(module.g)(1.0).block_until_ready()
        jax.effects_barrier()
    [visit] = traced.visits
    assert (visit.traced, visit.concrete) == (0, 0)
    assert (visit.eager, visit.callback) == (1, 1)


WRITES = [
    ("global COUNT; COUNT += 1", Kind.GLOBAL_WRITE),
    ("global COUNT; COUNT = x.shape", Kind.GLOBAL_WRITE),
    ("global FRESH; FRESH = 1", None),
    ("LOG.append(1)", Kind.OUTER_WRITE),
    ("TABLE['k'] = 1", Kind.OUTER_WRITE),
    ("TABLE.update(k=1)", Kind.OUTER_WRITE),
    ("TABLE['rows'].append(1)", Kind.OUTER_WRITE),
    ("del TABLE['rows']", Kind.OUTER_WRITE),
    ("MODEL.steps += 1", Kind.OUTER_WRITE),
    ("MODEL.rows['a'] = 1", Kind.OUTER_WRITE),
    ("Model.total = 1", Kind.OUTER_WRITE),
    ("setattr(MODEL, 'steps', 1)", Kind.OUTER_WRITE),
    ("BUFFER[0] = 1.0", Kind.OUTER_WRITE),
    ("BUFFER.fill(0.0)", Kind.OUTER_WRITE),
    ("own = []; own.append(x)", None),
    ("own = {}; own['k'] = x", None),
    ("own = Model(); own.steps = 1", None),
    ("own = list(LOG); own.append(1)", None),
    ("COUNT = 3", None),
    ("len(LOG), TABLE.get('k'), MODEL.steps", None),
]


@pytest.mark.parametrize(("line", "kind"), WRITES, ids=[case[0] for case in WRITES])
def test_writes_to_what_existed_before(program: Any, line: str, kind: Kind | None) -> None:
    it = program(f"""
        import numpy as np


        class Model:
            total = 0

            def __init__(self):
                self.steps = 0
                self.rows = {{}}


        COUNT, LOG, TABLE, MODEL, BUFFER = 0, [], {{"rows": []}}, Model(), np.zeros(3)


        def f(x):
            {line}
            return x
        """)
    seen = [each for each in it.trace("f", array(3)).observations if each.kind is not Kind.STATE]
    assert [(each.kind, each.at) for each in seen] == ([(kind, it.at(line.split("; ")[-1]))] if kind else [])


def test_what_is_outer_depends_on_the_innermost_trace(program: Any) -> None:
    it = program("""
        import jax

        def f(x):
            rows, total = [], 0
            rows.append(1)
            def body(carry, item):
                nonlocal total
                total = total + 1
                rows.append(1)
                own = []
                own.append(item)
                return carry, item
            return jax.lax.scan(body, 0, x)[1]
        """)
    seen = {each.at.line: (each.kind, each.traced_by) for each in it.trace("f", array(3)).observations}
    assert seen == {8: (Kind.GLOBAL_WRITE, ("scan",)), 9: (Kind.OUTER_WRITE, ("scan",))}


def test_writes_outside_a_trace_and_under_plain_grad_are_none(program: Any) -> None:
    it = program("""
        import jax

        LOG = []

        def f(x):
            LOG.append(1)
            return x

        LOG.append(0)
        """)
    module = it.load()
    with oracle.online([it.path]) as traced:
        module.f(1.0)
        jax.grad(module.f)(1.0)
        assert traced.observations == []
        jax.jit(module.f)(1.0)
        assert [each.at.line for each in traced.observations] == [6]


def test_a_leak_is_at_the_line_that_stores_the_tracer(program: Any) -> None:
    it = program("""
        import jax.numpy as jnp

        SEEN = []

        def f(x):
            SEEN.append(jnp.sin(x))
            return x

        def g(x):
            own = []
            own.append(jnp.sin(x))
            return own[0]
        """)
    seen = it.trace("f", array(3)).observations
    assert {(each.kind, each.at.line) for each in seen} == {(Kind.OUTER_WRITE, 6), (Kind.LEAK, 6)}
    assert it.trace("g", array(3)).observations == []


def test_what_a_finished_trace_prints_is_no_leak(program: Any) -> None:
    """`jax.checking_leaks` raises there: the trace of the derivative keeps the operands of its effects itself."""
    it = program("""
        import jax

        def printing(carry, x):
            jax.debug.print("{}", carry * x)
            return carry * x

        def f(x):
            def body(carry, x):
                return carry, jax.jit(printing)(carry, x)

            return jax.grad(lambda x: jax.lax.scan(body, x, x)[1].sum())(x)
        """)
    assert it.trace("f", array(3)).observations == []


def test_of_several_names_only_the_one_that_gets_the_tracer_leaves_it(program: Any) -> None:
    it = program("""
        COUNT = LAST = None

        def f(x):
            global COUNT
            COUNT, y = 1, x
            return y

        def g(x):
            global LAST
            y, LAST = 1, x
            return y
        """)
    (counted,) = it.trace("f", array(3)).observations
    (kept, *_) = it.trace("g", array(3)).observations
    assert [seen.kind for seen in (counted, kept)] == [Kind.GLOBAL_WRITE, Kind.GLOBAL_WRITE]
    assert ["leaves a tracer" in seen.detail for seen in (counted, kept)] == [False, True]


@pytest.mark.parametrize("path", sorted(Path(ast.__file__).parent.glob("[a-d]*.py"))[:40], ids=lambda path: path.stem)
def test_any_file_can_be_rewritten(path: Path) -> None:
    """Files of the standard library, with a probe on every expression and every statement."""
    text = path.read_text(encoding="utf-8")
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.expr, ast.stmt))][:1500]
    spans = [
        Span(str(path), node.lineno, node.col_offset + 1, node.end_lineno or 0, (node.end_col_offset or 0) + 1)
        for node in nodes
    ]
    code = probes.compiled(str(path), text, spans, probes.Probes(RECORDER))
    assert code.co_filename == str(path)


def test_an_exception_keeps_its_line_also_where_jax_makes_tracebacks_anew(program: Any) -> None:
    made = program(
        """
        import jax

        def fill(row):
            row = row + 1
            row[0] = 1.0
            return row

        def run(x):
            return jax.lax.fori_loop(0, 2, lambda i, row: fill(row), x)
        """
    )
    module = made.load()
    with oracle.online([made.path]) as traced, pytest.raises(TypeError) as caught:
        module.run(jax.numpy.zeros(2))
    lines = [frame.lineno for frame in traceback.extract_tb(caught.value.__traceback__) if frame.filename == made.path]
    assert lines == [9, 9, 5]
    assert next((seen.kind, seen.at.line) for seen in traced.observations) == (Kind.ITEM_STORE, 5)


def test_what_project_code_is_prepared_for_is_no_error(program: Any) -> None:
    made = program(
        """
        def risky(x):
            raise ValueError("no")

        def careful(x):
            try:
                return risky(x)
            except ValueError:
                return x
        """
    )
    module = made.load()
    with oracle.online([made.path]) as traced:
        module.careful(1)
    assert traced.observations == []
    with oracle.online([made.path]) as traced, pytest.raises(ValueError, match="no"):
        module.risky(1)
    assert [(seen.kind, seen.at.line) for seen in traced.observations] == [(Kind.ERROR, 2)]


def test_an_eager_key_is_used_twice_in_one_call_of_the_project(program: Any) -> None:
    made = program(
        """
        import jax

        def twice(key):
            first = jax.random.normal(key)
            return first + jax.random.uniform(key)

        def once(key):
            return jax.random.normal(key)
        """
    )
    module, key = made.load(), jax.random.key(3)
    with oracle.online([made.path]) as traced:
        module.once(key)
        module.once(key)
    assert traced.observations == []
    with oracle.online([made.path]) as traced:
        module.twice(key)
    (seen,) = traced.observations
    assert (seen.kind, seen.at.line, [at.line for at, _ in seen.related]) == (Kind.KEY_REUSE, 5, [4])


def test_a_key_that_a_compiled_function_spends_is_spent_for_the_code_around_it(program: Any) -> None:
    made = program(
        """
        import jax

        @jax.jit
        def noisy(key):
            return jax.random.normal(key)

        @jax.jit
        def folded(key, i):
            return jax.random.normal(jax.random.fold_in(key, i))

        @jax.jit
        def handed_on(key):
            return key, 1.0

        @jax.jit
        def of_a_part(keys):
            return jax.random.normal(keys[0])

        def twice(key):
            return noisy(key) + jax.random.uniform(key)

        def once(key):
            first, second = jax.random.split(key)
            key, one = handed_on(second)
            return noisy(first) + folded(key, 0) + folded(key, 1) + jax.random.uniform(key)

        def parts(key):
            keys = jax.random.split(key)
            return of_a_part(keys) + jax.random.normal(keys[1])
        """
    )
    module, key = made.load(), jax.random.key(3)
    with oracle.online([made.path]) as traced:
        module.once(key)
        module.parts(key)
    assert traced.observations == []
    with oracle.online([made.path]) as traced:
        module.twice(jax.random.PRNGKey(0))  # what was compiled before is found by JAX alone: this is another type
    (seen,) = traced.observations
    assert (seen.kind, seen.at.line, [at.line for at, _ in seen.related]) == (Kind.KEY_REUSE, 20, [20])
