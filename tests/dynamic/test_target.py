"""A job's module is imported and its functions are traced, with inputs from the best source there is."""

from __future__ import annotations

import itertools
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jaxlint.dynamic import effects, fences, probes, target
from jaxlint.dynamic.observations import Job, Kind, Origin, Outcome, Result, Span
from jaxlint.dynamic.recording import RECORDER

NUMBERS = itertools.count()


class Project:
    """A module written for one test, loaded as a worker does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f"written_{next(NUMBERS)}"  # modules of one name would meet in sys.modules

    def load(self, code: str, watch: str = "", **fields: Any) -> tuple[ModuleType | None, Result]:
        path = self.folder / f"{self.name}.py"
        path.write_text(textwrap.dedent(code))
        spans = tuple(_spans(path, watch)) if watch else ()
        self.job = Job(self.name, str(path), (str(self.folder),), (), spans, (str(path),), **fields)
        self.module, result = target.load(self.job)
        return self.module, result

    def trace(self, qualname: str) -> Result:
        assert self.module is not None
        return target.trace(self.job, self.module, qualname)


def _spans(path: Path, text: str) -> Iterator[Span]:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if text in line:
            start = line.index(text) + 1
            yield Span(str(path), number, start, number, start + len(text))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    path, finders, main = list(sys.path), list(sys.meta_path), sys.modules["__main__"]
    yield Project(tmp_path)
    sys.path[:], sys.meta_path[:], sys.modules["__main__"] = path, finders, main
    effects.uninstall()
    probes.uninstall()


def kinds(result: Result) -> set[tuple[Kind, int]]:
    return {(seen.kind, seen.at.line) for traced in result.traced for seen in traced.observations}


def visited(result: Result) -> list[tuple[int, int]]:
    return [(visit.traced, visit.concrete) for traced in result.traced for visit in traced.visits]


def test_a_made_up_call_finds_the_branch_and_says_what_was_made_up(project: Project) -> None:
    project.load(
        """
        def step(x):
            if x.sum() > 0:
                return x
            return -x
        """
    )
    result = project.trace("step")
    assert result.outcome is Outcome.DONE
    assert (Kind.BOOL, 3) in kinds(result)
    assert result.traced[0].inputs == "step(x: float32[3])"
    assert result.traced[0].origin is Origin.SYNTHESISED
    assert result.traced[0].assumptions == ("x is float32[3]",)


def test_a_question_is_placed_at_the_condition_and_not_at_what_it_guards(project: Project) -> None:
    project.load(
        """
        def step(x, n: int):
            if 0 < x.sum() < 3:
                if n > 2:
                    return x
            while x[0] > 1:
                x = x - int(n)
            return -x
        """
    )
    places = {seen.at for traced in project.trace("step").traced for seen in traced.observations if not traced.error}
    assert {(at.line, at.column, at.end_line) for at in places} >= {(3, 8, 3), (6, 11, 6)}
    assert all(at.line == at.end_line for at in places)


def test_annotations_are_better_than_guesses(project: Project) -> None:
    project.load(
        """
        from typing import NamedTuple
        import jax
        from jaxtyping import Array, Float, Int
        class State(NamedTuple):
            mean: Float[Array, "n"]
            count: Int[Array, ""]
        def update(state: State, x: Float[Array, "batch n"]):
            return state.mean @ x.T + state.count
        """
    )
    result = project.trace("update")
    assert [one.origin for one in result.traced] == [Origin.ANNOTATED]
    assert result.traced[0].inputs == "update(state: State(mean=float32[3], count=int32[]), x: float32[2,3])"
    assert not result.traced[0].assumptions


def test_the_rank_that_is_asserted_is_the_rank_that_is_passed(project: Project) -> None:
    project.load(
        """
        import chex
        def loss(logits, label):
            chex.assert_rank([logits, label], [2, 0])
            chex.assert_type(label, int)
            return logits[0, label]
        """
    )
    result = project.trace("loss")
    assert [one.inputs for one in result.traced] == ["loss(logits: float32[3,3], label: int32[])"]


def test_static_arguments_of_a_jitted_function_get_values(project: Project) -> None:
    project.load(
        """
        from functools import partial
        import jax, jax.numpy as jnp
        @partial(jax.jit, static_argnames=("count", "mode"))
        def fill(x, count, mode):
            if mode == "twice":
                count = 2 * count
            return [x * i for i in range(count)]
        """,
        watch="range(count)",
    )
    result = project.trace("fill")
    assert result.traced[0].inputs == "fill(x: float32[3], count=2, mode='twice')"
    assert not kinds(result)
    assert visited(result)[0] == (0, 1)


def test_a_number_that_looks_static_is_tried_both_ways(project: Project) -> None:
    project.load(
        """
        def repeat(x, n):
            for _ in range(n):
                x = x + 1
            return x
        """
    )
    result = project.trace("repeat")
    assert [one.inputs for one in result.traced] == [
        "repeat(x: float32[3], n=2)",
        "repeat(x: float32[3], n: int32[])",
    ]
    assert kinds(result) == {(Kind.INDEX, 3)}
    assert "n is int32[] (traced)" in result.traced[1].assumptions


def test_a_bound_of_a_slice_is_a_number_and_jax_refuses_a_traced_one(project: Project) -> None:
    """JAX has no exception of its own for that: an IndexError, in the words of the version."""
    project.load(
        """
        import jax
        @jax.jit
        def window(x, start):
            return x[start : start + 2]
        """
    )
    (traced,) = project.trace("window").traced
    assert traced.inputs == "window(x: float32[3], start=2)"
    assert [(seen.at.line, seen.exception) for seen in traced.observations] == [(5, "IndexError")]


def test_a_bound_that_no_integer_was_made_up_for_is_no_evidence(project: Project) -> None:
    """A float is refused as a bound whether it is traced or not."""
    project.load(
        """
        import jax
        @jax.jit
        def tail(x, weights):
            return x[weights.sum() :]
        """
    )
    assert not any("weights: float32" in traced.inputs for traced in project.trace("tail").traced)


def test_failures_of_made_up_calls_are_no_evidence(project: Project) -> None:
    project.load(
        """
        def strange(thing):
            return thing.first.second.third(thing) @ thing.tensor["x"]
        """
    )
    result = project.trace("strange")
    assert result.outcome is Outcome.NO_INPUTS
    assert not result.traced
    assert "calls tried, the first strange(" in result.detail


def test_functions_that_touch_files_are_never_made_up(project: Project) -> None:
    project.load("def save_model(x): open('a', 'w'); return x")
    result = project.trace("save_model")
    assert result.outcome is Outcome.NO_INPUTS
    assert "touches files" in result.detail


def test_what_was_seen_before_the_time_was_up_is_kept(project: Project) -> None:
    project.load(
        """
        def step(x):
            if x.ndim == 2:
                while True:
                    pass
            if x.ndim == 3:
                return -x
            return x
        """,
        watch="-x",
    )
    with fences.deadline(2.0):
        result = project.trace("step")
    assert result.outcome is Outcome.DONE
    assert [one.inputs for one in result.traced] == ["step(x: float32[3])", "step(x: float32[])"]
    assert "in time" in result.detail


def test_declared_inputs_are_used(project: Project) -> None:
    project.load(
        """
        def strange(thing, n):
            return thing["x"] * n
        """,
        declared=(("strange", '(n=3, thing: {"x": float32[7,2]})'),),
    )
    result = project.trace("strange")
    assert [(one.origin, one.inputs) for one in result.traced] == [
        (Origin.DECLARED, "strange(thing: {'x': float32[7,2]}, n=3)")
    ]


def test_constants_at_call_sites_are_used(project: Project) -> None:
    project.load(
        """
        import jax, jax.numpy as jnp
        def strange(x, kind):
            return {"mean": jnp.mean, "sum": jnp.sum}[kind](x, axis=1)
        if __name__ == "__main__":
            strange(jnp.zeros((5, 4)), "mean")
        """
    )
    result = project.trace("strange")
    assert [(one.origin, one.inputs) for one in result.traced] == [
        (Origin.CALL_SITE, "strange(x: float32[5,4], kind='mean')")
    ]


def test_closures_are_reached_through_their_factory(project: Project) -> None:
    project.load(
        """
        from typing import NamedTuple
        import jax.numpy as jnp
        class Optimizer(NamedTuple):
            init: object
            update: object
        def sgd(lr, decay):
            def init(params):
                return {"momentum": jnp.zeros_like(params)}
            def update(grads, state):
                if state["momentum"].sum() > 0:
                    return grads, state
                return grads * lr, state
            return Optimizer(init, update)
        """,
        watch='state["momentum"].sum() > 0',
    )
    result = project.trace("sgd.<locals>.update")
    assert (Kind.BOOL, 11) in kinds(result)
    traced = result.traced[-1]
    assert traced.origin is Origin.FACTORY
    assert traced.inputs.startswith("sgd(")
    assert ".update(grads: float32[3], state: {'momentum': float32[3]})" in traced.inputs


def test_environments_are_stepped_from_their_reset(project: Project) -> None:
    project.load(
        """
        import jax, jax.numpy as jnp
        def make(size: int):
            class Env:
                def reset(self, key):
                    state = {"position": jax.random.uniform(key, (size,))}
                    return state["position"], state
                def step(self, key, state, action):
                    if state["position"][0] > 1:
                        return state
                    return {"position": state["position"] + action}
            return Env()
        """,
        watch='state["position"][0] > 1',
    )
    result = project.trace("make.<locals>.Env.step")
    assert (Kind.BOOL, 9) in kinds(result), result.detail
    assert result.traced[-1].inputs.startswith("make(size=2).step(key: uint32[2], state: {'position': float32[2]}")


def test_methods_get_an_object_of_their_class(project: Project) -> None:
    project.load(
        """
        import equinox as eqx, jax, jax.numpy as jnp
        class Layer(eqx.Module):
            weight: jax.Array
            def __init__(self, size: int, *, key):
                self.weight = jax.random.normal(key, (size, size))
            def __call__(self, x):
                if jnp.any(self.weight > 0):
                    return self.weight @ x
                return x
        """
    )
    result = project.trace("Layer.__call__")
    assert (Kind.BOOL, 8) in kinds(result)
    assert "weight=float32[2,2]" in result.traced[0].inputs


def test_an_abstract_class_is_entered_through_a_subclass(project: Project) -> None:
    project.load(
        """
        import abc

        class Bijector(abc.ABC):
            def __init__(self, scale=None, log_scale=None):
                if (scale is None) == (log_scale is None):
                    raise ValueError("one of scale and log_scale")
                self.scale = scale

            def check(self, x):
                if x.sum() > 0:
                    return x
                return -x

            @abc.abstractmethod
            def forward(self, x): ...

        class Affine(Bijector):
            def forward(self, x):
                return x * self.scale
        """,
        watch="(scale is None) == (log_scale is None)",
    )
    assert (Kind.BOOL, 11) in kinds(result := project.trace("Bijector.check"))
    assert result.traced[0].assumptions[0].startswith("Affine is made as")
    assert (0, 1) in visited(project.trace("Bijector.__init__"))


def test_what_cannot_be_called_is_reached_through_its_callers(project: Project) -> None:
    project.load(
        """
        class Options:
            twice = True

        def _scaled(options, x):
            if not isinstance(options, Options):
                raise TypeError("no options")
            return x * 2 if x.ndim == 1 else x

        def public(x):
            return _scaled(Options(), x)
        """,
        watch="x.ndim == 1",
    )
    result = project.trace("_scaled")
    assert [traced.inputs for traced in result.traced] == ["public(x: float32[3])"]
    assert visited(result) == [(0, 1)]


def test_a_method_gets_what_init_returned(project: Project) -> None:
    project.load(
        """
        import jax, jax.numpy as jnp
        from typing import NamedTuple

        class State(NamedTuple):
            iteration: int
            best: object

        class Solver:
            def __init__(self, fun):
                self.fun = fun

            def init_state(self, init_params):
                return State(jnp.int32(0), {"inner": init_params})

            def update(self, params, state):
                if state.best["inner"].ndim == 1:
                    return params
                return -params
        """,
        watch='state.best["inner"].ndim == 1',
    )
    result = project.trace("Solver.update")
    assert (0, 1) in visited(result)
    assert "State(iteration: int32[]" in result.traced[-1].inputs or "iteration=int32[]" in result.traced[-1].inputs


def test_a_call_without_arrays_is_assumed_to_run_under_a_trace(project: Project) -> None:
    project.load(
        """
        CALLED = []

        def configure(verbose=False):
            CALLED.append(verbose)
        """
    )
    (traced,) = project.trace("configure").traced
    assert (Kind.OUTER_WRITE, 5) in {(seen.kind, seen.at.line) for seen in traced.observations}
    assert traced.assumptions == ("it runs under a trace",)


@pytest.mark.parametrize("kind", ["haiku", "haiku function", "linen", "nnx"])
def test_modules_run_inside_their_framework(project: Project, kind: str) -> None:
    code, name = FRAMEWORKS[kind]
    project.load(code)
    result = project.trace(name)
    assert Kind.BOOL in {one.kind for traced in result.traced for one in traced.observations}, result.detail


FRAMEWORKS = {
    "haiku": (
        """
        import haiku as hk, jax
        class Net(hk.Module):
            def __init__(self, hidden_size: int, name=None):
                super().__init__(name=name)
                self.hidden_size = hidden_size
            def __call__(self, x):
                y = hk.Linear(self.hidden_size)(x)
                return y if y.sum() > 0 else -y
        """,
        "Net.__call__",
    ),
    "haiku function": (
        """
        import haiku as hk
        def forward(x):
            y = hk.Linear(4)(x)
            return y if y.sum() > 0 else -y
        """,
        "forward",
    ),
    "linen": (
        """
        import flax.linen as nn
        class Net(nn.Module):
            features: int
            @nn.compact
            def __call__(self, x):
                y = nn.Dense(self.features)(x)
                return y if y.sum() > 0 else -y
        """,
        "Net.__call__",
    ),
    "nnx": (
        """
        from flax import nnx
        class Net(nnx.Module):
            def __init__(self, features: int, rngs: nnx.Rngs):
                self.linear = nnx.Linear(3, features, rngs=rngs)
            def __call__(self, x):
                y = self.linear(x)
                return y if y.sum() > 0 else -y
        """,
        "Net.__call__",
    ),
}


def test_a_missing_module_is_stood_in_for_and_named(project: Project) -> None:
    _, result = project.load(
        """
        import wandb_that_is_not_installed as wandb
        def step(x):
            wandb.log({"x": 1})
            return x
        def pure(x):
            return x
        """
    )
    assert result.outcome is Outcome.DONE
    assert project.trace("step").traced[0].stubs == ("wandb_that_is_not_installed",)


def test_an_optional_import_stays_optional(project: Project) -> None:
    module, _ = project.load(
        """
        try:
            import torch_that_is_not_installed as torch
        except ImportError:
            torch = None
        """
    )
    assert module is not None
    assert module.torch is None


def test_a_module_that_fails_says_why_in_a_line(project: Project) -> None:
    text = "def step(x): return x\nraise RuntimeError('no data\\nat all')\ndef late(x): return x"
    module, result = project.load(text)
    assert module is not None
    assert result.detail == "RuntimeError: no data"
    assert hasattr(module, "step")
    assert hasattr(module, "late")
    assert kinds(result) == {(Kind.ERROR, 2)}


def test_a_circle_of_imports_is_entered_where_it_can_be(project: Project) -> None:
    other = f"{project.name}_user"
    (project.folder / f"{other}.py").write_text(f"from {project.name} import step\n")
    module, result = project.load(f"import {other}\ndef step(x):\n    return x\n")
    assert result.outcome is Outcome.DONE
    assert result.detail == ""
    assert module is sys.modules[project.name]
    assert module.step is sys.modules[other].step


def test_a_module_that_cannot_be_compiled_is_not_importable(project: Project) -> None:
    module, result = project.load("def step(x) return x")
    assert module is None
    assert result.outcome is Outcome.NOT_IMPORTABLE
    assert result.detail.startswith("SyntaxError")


def test_relative_imports_and_src_layouts(project: Project) -> None:
    package = project.folder / "src" / f"pkg_{project.name}"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "helpers.py").write_text("def double(x):\n    return 2 * x\n")
    (package / "main.py").write_text("from .helpers import double\ndef step(x):\n    return double(x)\n")
    sources = tuple(str(path) for path in package.iterdir())
    job = Job(f"{package.name}.main", str(package / "main.py"), (str(package.parent),), (), (), sources)
    module, result = target.load(job)
    assert module is not None, result.detail
    assert target.trace(job, module, "step").outcome is Outcome.DONE


def test_a_script_runs_as_main_under_the_probes(project: Project) -> None:
    _, result = project.load(
        """
        import jax
        @jax.jit
        def step(x):
            return float(x)
        if __name__ == "__main__":
            step(1.0)
        """,
        run_as_main=True,
    )
    assert result.detail.startswith("ConcretizationTypeError")
    assert kinds(result) == {(Kind.FLOAT, 5)}


def test_a_script_that_exits_well_is_done(project: Project) -> None:
    module, result = project.load("import sys\nsys.exit(0)", run_as_main=True)
    assert module is not None
    assert result.outcome is Outcome.DONE


def test_methods_of_what_cannot_be_made_are_looked_at_under_that_assumption(project: Project) -> None:
    """The constructor wants a data set that is not here; what the method reads is made up from how it is used."""
    project.load(
        """
        import jax

        class Problem:
            def __init__(self, name, network):
                self.images = open(name).read()
                self.network, self.batch_size = network, 4

            def sample(self, key, x, y):
                x = jax.random.choice(key, x, (self.batch_size,))
                y = jax.random.choice(key, y, (self.batch_size,))
                return self.network.apply(x), y
        """
    )
    result = project.trace("Problem.sample")
    (seen,) = (seen for traced in result.traced[:1] for seen in traced.observations)
    assert (seen.kind, seen.at.line) == (Kind.KEY_REUSE, 11)
    assumed = result.traced[0].assumptions
    assert assumed[0].startswith("a Problem is there, whose constructor failed")
    assert "its batch_size is 2" in assumed


def test_an_object_is_made_as_the_project_makes_it(project: Project) -> None:
    """What a registry writes down is kept, what it hands on from around is left to its default."""
    project.load(
        """
        import jax

        class World:
            def __init__(self, width, table):
                self.shape = {"small": 2, "large": 9}[table], width

            @classmethod
            def create(cls, width, table, scale=1.0, **kwargs):
                return cls(width, table)

            def reset(self, key):
                return jax.random.uniform(key, self.shape) + jax.random.normal(key, self.shape)

        class Other:
            @classmethod
            def create(cls, width, table):
                raise RuntimeError

        WORLDS = {
            "small": lambda *args, **kwargs: World.create(
                width=4, table="small", scale=kwargs.pop("scale", 2.0), *args, **kwargs
            ),
        }
        """
    )
    result = project.trace("World.reset")
    assert result.outcome is Outcome.DONE
    assert (Kind.KEY_REUSE, 13) in kinds(result)
    assert all(not traced.origin.observed for traced in result.traced)
    assert project.trace("Other.create").outcome is Outcome.NO_INPUTS


def test_a_statement_that_fails_is_left_out_and_the_import_goes_on(project: Project) -> None:
    module, result = project.load(
        """
        import jax
        key = jax.random.key(0)
        jax.random.normal(key)
        keys = [key]
        key, other = undefined(key)
        jax.random.normal(key)
        keys[0], jax.of_no_module = undefined(key)
        jax.random.normal(keys[0])

        def step(x):
            if x.sum() > 0:
                return other
            return -x
        """
    )
    assert module is not None
    assert not hasattr(module, "key")
    # What the statement would have bound is missing: the second draw from `key` is no reuse.
    assert {seen.exception for traced in result.traced for seen in traced.observations} == {"NameError"}
    assert result.detail == "NameError: name 'undefined' is not defined"
    traced = project.trace("step").traced[0]
    assert (Kind.BOOL, 12) in kinds(project.trace("step"))
    assert f"`key, other = undefined(key)` is left out, which raises {result.detail}" in traced.assumptions


def test_what_code_is_prepared_for_is_not_left_out(project: Project) -> None:
    other = project.folder / "prepared.py"
    other.write_text("raise ImportError('not here')\n")
    RECORDER.know([str(other)])
    module, result = project.load(
        """
        try:
            import prepared
        except ImportError:
            prepared = None
        """
    )
    assert module is not None
    assert module.prepared is None
    assert not result.detail


def test_a_dataclass_with_arrays_as_defaults_is_made_with_factories(project: Project) -> None:
    module, result = project.load(
        """
        import dataclasses
        import jax.numpy as jnp

        @dataclasses.dataclass
        class Stats:
            reward: object = jnp.zeros(3)
            length: object = jnp.zeros(3)
        """
    )
    assert module is not None
    assert module.Stats().length.shape == (3,)
    told = [(seen.detail.split("field ")[1].split()[0], seen.assumptions) for seen in result.traced[0].observations]
    assert told == [
        ("reward", ()),
        ("length", ("the default of `Stats.reward` is made by a factory",)),
    ]


def test_a_class_that_leaves_methods_open_is_made_as_one_that_fills_them_in(project: Project) -> None:
    project.load(
        """
        import dataclasses
        import jax

        class Environment:
            def reset(self, key):
                raise NotImplementedError("reset")

        class Room(Environment):
            def reset(self, key):
                return jax.random.normal(key)

        @dataclasses.dataclass
        class State:
            env: Environment
            rng: jax.Array

        jax.tree_util.register_dataclass(State, ["rng"], ["env"])

        def train(state: State):
            start = state.env.reset(state.rng)
            return start + jax.random.normal(state.rng)
        """
    )
    result = project.trace("train")
    assert result.outcome is Outcome.DONE
    assert (Kind.KEY_REUSE, 22) in kinds(result)
