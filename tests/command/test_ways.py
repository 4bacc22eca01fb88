"""A finding that several ways lead to: one finding, the shortest way with it, and the others where there is room."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from jaxlint.flow.engine.entries import Engine
from jaxlint.flow.limits import MOST_REASONS
from jaxlint.vocabulary.work import Work
from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

HELPER = """\
import jax


def sign(x):
    if x > 0:
        return 1
    return -1
"""

JITTED = """

@jax.jit
def {name}({parameter}):
    return sign({parameter})
"""

INSIDE = """

@jax.jit
def step(c):
    return jax.vmap(lambda row: sign(row))(c)
"""

FIRST = JITTED.format(name="first", parameter="a")
SECOND = JITTED.format(name="second", parameter="b")


Lines = list[int]


def ways(jaxlint: Jaxlint) -> list[Lines]:
    """The lines of the steps of each way to the only finding, the one that is shown first."""
    (row,) = jaxlint("--output-format", "json").rows
    return [[step["location"]["row"] for step in way] for way in (row["related"], *row["other_reasons"])]


def test_the_report_says_that_there_is_another_way(jaxlint: Jaxlint, write: Write) -> None:
    write({"model.py": HELPER + FIRST + SECOND})
    outcome = jaxlint("model.py")
    notes = [line for line in outcome.out.splitlines() if line.startswith("note: ")]
    assert notes == [
        "note: `jax.jit` is applied here",
        "note: parameter `a` is traced by `jit`",
        "note: 1 other way leads here",
    ]
    assert "Found 1 error." in outcome.out


def test_where_there_is_one_way_nothing_is_said_of_others(jaxlint: Jaxlint, write: Write) -> None:
    write({"model.py": HELPER + FIRST})
    assert "lead" not in jaxlint("model.py").out
    (row,) = jaxlint("model.py", "--output-format", "json").rows
    assert (row["other_reasons"], row["other_reasons_left_out"]) == ([], 0)


def test_json_has_all_ways(jaxlint: Jaxlint, write: Write) -> None:
    write({"model.py": HELPER + FIRST + SECOND})
    (row,) = jaxlint("model.py", "--output-format", "json").rows
    assert [step["location"]["row"] for step in row["related"]] == [10, 11]
    (other,) = row["other_reasons"]
    assert [(step["location"]["row"], step["message"]) for step in other] == [
        (15, "`jax.jit` is applied here"),
        (16, "parameter `b` is traced by `jit`"),
    ]
    assert other[0].keys() == row["related"][0].keys()


@pytest.mark.parametrize("callers", [INSIDE + FIRST, FIRST + INSIDE], ids=["found-last", "found-first"])
def test_the_shortest_way_is_the_one_that_is_shown(jaxlint: Jaxlint, write: Write, callers: str) -> None:
    write({"model.py": HELPER + callers})
    (row,) = jaxlint("model.py", "--output-format", "json").rows
    assert [step["message"] for step in row["related"]] == [
        "`jax.jit` is applied here",
        "parameter `a` is traced by `jit`",
    ]
    assert [len(other) for other in row["other_reasons"]] == [3]


def test_of_ways_of_one_length_the_first_in_the_file_is_shown(jaxlint: Jaxlint, write: Write) -> None:
    """Whichever of the modules comes first in the run."""
    uses = {name: f"import jax\nfrom helper import sign{text}" for name, text in (("z.py", FIRST), ("a.py", SECOND))}
    write({"helper.py": HELPER, **uses, "pyproject.toml": ""})
    (row,) = jaxlint("--output-format", "json").rows
    assert {step["filename"].rpartition("/")[2] for step in row["related"]} == {"a.py"}
    (other,) = row["other_reasons"]
    assert {step["filename"].rpartition("/")[2] for step in other} == {"z.py"}


def test_a_call_that_looks_like_an_earlier_one_is_a_way_of_its_own(jaxlint: Jaxlint, write: Write) -> None:
    """The helper is evaluated for the first of them only."""
    callers = "".join(JITTED.format(name=name, parameter="x") for name in ("first", "second"))
    write({"model.py": HELPER + callers + SECOND.replace("sign(b)", "sign(b * 2)")})
    assert ways(jaxlint) == [[10, 11], [15, 16], [20, 21]]


def test_each_call_has_the_reason_of_the_argument_that_counts(jaxlint: Jaxlint, write: Write) -> None:
    """In the first call both arguments are tracers for one reason."""
    between = "\n\ndef hand_on(scale, x):\n    return scale * sign(x)\n"
    first = "\n\n@jax.jit\ndef first(a):\n    return hand_on(a * 2, a * 3)\n"
    second = "\n\n@jax.jit\ndef second(b, c):\n    return hand_on(b * 2, c * 3)\n"
    write({"model.py": HELPER + between + first + second})
    (row,) = jaxlint("--output-format", "json").rows
    assert [step["message"] for step in row["related"]][1] == "parameter `a` is traced by `jit`"
    assert [other[1]["message"] for other in row["other_reasons"]] == ["parameter `c` is traced by `jit`"]


def test_the_ways_do_not_depend_on_what_is_looked_at_first(
    jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closure and a helper, each called for several reasons."""
    closure = "\n\ndef inside(y):\n    def body(row):\n        return sign(row + y)\n    return jax.vmap(body)\n"
    callers = "".join(
        f"\n\n@jax.jit\ndef {name}({a}, {b}):\n    return inside({a} * 2)({b}), sign({b} * 3)\n"
        for name, a, b in (("first", "a", "b"), ("second", "c", "c"), ("third", "a", "b"))
    )
    write({"model.py": HELPER + closure + callers})
    forward = jaxlint("--output-format", "json").rows
    read = Engine.read_modules

    def backwards(self: Engine, work: Work) -> list[str]:
        names = read(self, work)
        for placed in self._transforms.values():
            placed.reverse()
        return names

    monkeypatch.setattr(Engine, "read_modules", backwards)
    assert jaxlint("--output-format", "json").rows == forward
    (row,) = forward
    assert len(row["other_reasons"]) >= 5


def test_a_transform_in_a_helper_has_a_way_for_each_of_its_callers(jaxlint: Jaxlint, write: Write) -> None:
    between = "\n\ndef by_row(x):\n    return jax.vmap(sign)(x)\n"
    callers = "".join(JITTED.format(name=name, parameter="x") for name in ("first", "second"))
    write({"model.py": HELPER + between + callers.replace("sign(x)", "by_row(x * 2)")})
    assert ways(jaxlint) == [[11, 4], [14, 11, 4], [19, 11, 4]]


def test_what_a_call_is_told_of_without_a_tracer_is_told_once(jaxlint: Jaxlint, write: Write) -> None:
    reuse = "import jax\n\n\ndef draw(key):\n    return jax.random.normal(key) + jax.random.uniform(key)\n"
    callers = "\n\ndef {0}(seed):\n    return draw(jax.random.key(seed))\n"
    write({"model.py": reuse + callers.format("first") + callers.format("second")})
    assert ways(jaxlint) == [[5]]


def test_more_ways_than_are_told_are_counted(jaxlint: Jaxlint, write: Write) -> None:
    names = [f"caller{number:02}" for number in range(MOST_REASONS.value + 3)]
    write({"model.py": HELPER + "".join(JITTED.format(name=name, parameter=f"of_{name}") for name in names)})
    (row,) = jaxlint("model.py", "--output-format", "json").rows
    assert (len(row["other_reasons"]), row["other_reasons_left_out"]) == (MOST_REASONS.value, 2)
    assert f"note: {MOST_REASONS.value + 2} other ways lead here\n" in jaxlint("model.py").out
    assert jaxlint("why", "model.py:5").out.count("`jax.jit` is applied here") >= MOST_REASONS.value + 1


def test_why_tells_all_ways(jaxlint: Jaxlint, write: Write) -> None:
    write({"model.py": HELPER + FIRST + SECOND})
    lines = jaxlint("why", "model.py:5").out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("JAX201"))
    assert lines[start + 1 : start + 6] == [
        "  model.py:10: `jax.jit` is applied here",
        "  model.py:11: parameter `a` is traced by `jit`",
        "  1 other way leads here:",
        "  - model.py:15: `jax.jit` is applied here",
        "    model.py:16: parameter `b` is traced by `jit`",
    ]


def test_each_way_is_a_code_flow_of_the_log(jaxlint: Jaxlint, write: Write) -> None:
    write({"model.py": HELPER + FIRST + SECOND})
    log = json.loads(jaxlint("model.py", "--output-format", "sarif").out)
    (result,) = log["runs"][0]["results"]
    flows = [flow["threadFlows"][0]["locations"] for flow in result["codeFlows"]]
    lines = [[step["location"]["physicalLocation"]["region"]["startLine"] for step in flow] for flow in flows]
    assert lines == [[10, 11, 5], [15, 16, 5]]
