"""Of an operator jaxlint runs the method that Python calls, and no other."""

from __future__ import annotations

import pytest

from jaxlint.api import lint_source

METHODS = {
    "made + 3": "__add__", "3 + made": "__radd__", "made - 3": "__sub__", "3 - made": "__rsub__",
    "made * 3": "__mul__", "3 * made": "__rmul__", "made @ 3": "__matmul__", "3 @ made": "__rmatmul__",
    "made / 3": "__truediv__", "3 / made": "__rtruediv__", "made // 3": "__floordiv__", "3 // made": "__rfloordiv__",
    "made % 3": "__mod__", "3 % made": "__rmod__", "made ** 3": "__pow__", "3 ** made": "__rpow__",
    "made << 3": "__lshift__", "3 << made": "__rlshift__", "made >> 3": "__rshift__", "3 >> made": "__rrshift__",
    "made & 3": "__and__", "3 & made": "__rand__", "made | 3": "__or__", "3 | made": "__ror__",
    "made ^ 3": "__xor__", "3 ^ made": "__rxor__", "-made": "__neg__", "+made": "__pos__", "~made": "__invert__",
    "made == 3": "__eq__", "3 == made": "__eq__", "made != 3": "__ne__", "3 != made": "__ne__",
    "made < 3": "__lt__", "3 < made": "__gt__", "made <= 3": "__le__", "3 <= made": "__ge__",
    "made > 3": "__gt__", "3 > made": "__lt__", "made >= 3": "__ge__", "3 >= made": "__le__",
    "made[3]": "__getitem__", "3 in made": "__contains__", "len(made)": "__len__", "list(made)": "__iter__",
    "next(made)": "__next__",
}  # fmt: skip
PROGRAM = """
import jax

class Made:
    def __init__(self, x):
        self.x = x

    def {method}(self, *others):
        print(self.x)
        return {result}

@jax.jit
def run(x):
    made = Made(x)
    {expression}
    return x
"""
RESULTS = {"__len__": "3", "__iter__": "iter(())"}


@pytest.mark.parametrize(("expression", "method"), METHODS.items(), ids=METHODS)
def test_what_python_calls_is_run(expression: str, method: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = PROGRAM.format(method=method, expression=expression, result=RESULTS.get(method, "True"))
    names: dict[str, object] = {}
    exec(text, names)
    names["run"](1.0)  # type: ignore[operator]
    assert "Tracer" in capsys.readouterr().out
    assert [finding.code for finding in lint_source(text)] == ["JAX101"]
