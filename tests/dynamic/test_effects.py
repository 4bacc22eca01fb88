"""Host effects under a trace: only the project's own, text only where it shows a tracer."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from jaxlint.dynamic.observations import Kind

EFFECTS = [
    ("print(x)", Kind.PRINT),
    ("print('loss', [x])", Kind.PRINT),
    ("print('shape', x.shape)", None),
    ("log.info('x is %s', x)", Kind.LOG),
    ("log.info('traced')", None),
    ("y = f'{x}'", Kind.FORMAT),
    ("y = '%s' % x", Kind.FORMAT),
    ("y = '{}'.format(x)", Kind.FORMAT),
    ("y = f'{x.shape}'", None),
    ("y = time.time()", Kind.TIME),
    ("y = clock()", Kind.TIME),
    ("y = random.random()", Kind.RANDOM),
    ("y = np.random.normal()", Kind.RANDOM),
    ("y = np.random.default_rng(0)", None),
    ("y = os.urandom(2)", Kind.RANDOM),
    ("y = uuid.uuid4()", Kind.RANDOM),
    ("y = os.environ['PATH']", Kind.ENVIRON),
    ("y = os.environ.get('PATH')", Kind.ENVIRON),
    ("y = os.getenv('PATH')", Kind.ENVIRON),
    ("open(os.devnull).close()", Kind.FILE),
    ("y = sorted([2, 1])", None),
]


@pytest.mark.parametrize(("line", "kind"), EFFECTS, ids=[case[0] for case in EFFECTS])
def test_an_effect_is_seen_on_its_line(program: Any, line: str, kind: Kind | None) -> None:
    it = program(f"""
        import logging
        import os
        import random
        import time
        import uuid
        from time import perf_counter as clock

        import jax
        import numpy as np

        log = logging.getLogger("effects")


        @jax.jit
        def f(x):
            {line}
            return x


        {line.replace("x.shape", "0").replace("x)", "0)").replace("% x", "% 0").replace("{x}", "").replace("[x]", "")}
        """)
    seen = it.trace("f", jax.ShapeDtypeStruct((3,), "float32")).observations
    assert [(each.kind, each.at.line, each.traced_by) for each in seen] == ([(kind, 16, ("jit",))] if kind else [])


def test_what_a_library_does_is_not_the_projects(program: Any) -> None:
    it = program("""
        import tempfile

        def f(x):
            with tempfile.TemporaryFile() as file:
                file.write(b"")
            return x
        """)
    assert it.trace("f", jax.ShapeDtypeStruct((3,), "float32")).observations == []
