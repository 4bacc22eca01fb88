"""Values of every kind, and paths that part and leave them in variables and objects: what the laws are tried on."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

from jaxlint.flow.domain.contexts import Context, Provenance, Why
from jaxlint.flow.domain.order import leq
from jaxlint.flow.domain.state import Cell, Guard, State, Use
from jaxlint.flow.domain.values import (
    ABSTRACT,
    ANY,
    CONCRETE,
    GRAD,
    ITEMS,
    Array,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Frame,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    KeyId,
    Method,
    Opaque,
    Partial,
    Slice,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.semantics.model import Abstracts, Wrapper

Item = TypeVar("Item")
Draw = Callable[[st.SearchStrategy[Item]], Item]

JIT = Wrapper(Abstracts.ALL)
NODES = ast.parse("lambda: 0\nlambda: 1\nclass A: pass\n", mode="exec").body
LAMBDAS: list[Any] = [node.value for node in NODES[:2] if isinstance(node, ast.Expr)]
SCOPE: Any = None
"""No module is needed to compare values."""

KINDS = ("", "int", "float", "bool")
LEVELS = (CONCRETE, GRAD, ABSTRACT)
HOWS = ("draw", "split", "handed")
TRACED = Provenance(Why.APPLIED, (), SCOPE, LAMBDAS[0])
OUTER = Context(None, "jax.jit", TRACED, tracing=True)
INNER = Context(OUTER, "jax.vmap", TRACED, tracing=True)
BESIDE = Context(OUTER, "jax.vmap", TRACED, tracing=True)
BIRTHS = (None, OUTER, INNER, BESIDE)
NAMES = ("x", "y", "z")
PARTS = (("k", "a"), ("k", "b"))

NUMBERS = st.sampled_from((None, True, False, 0, 1, 2, 1.0, "", "train")).map(Const)
STATICS = st.builds(
    Static,
    st.sampled_from(KINDS),
    of_shape=st.booleans(),
    tainted=st.sampled_from((None, Array(ABSTRACT, TRACED))),
    concrete_if=st.sampled_from((None, True, False)),
    least=st.sampled_from((None, 0, 1)),
)
ARRAYS = st.builds(
    Array,
    st.sampled_from(LEVELS),
    st.just(TRACED),
    kind=st.sampled_from(KINDS),
    ndim=st.sampled_from((None, 0, 1)),
    of_statics=st.booleans(),
    sized=st.booleans(),
    declared=st.booleans(),
)
TREES = st.builds(
    Tree,
    st.sampled_from(LEVELS),
    st.just(TRACED),
    st.sampled_from(("", "x")),
    sure=st.booleans(),
    array_like=st.booleans(),
    holds=st.sampled_from(("", "mapping", "mapping ", "mapping sequence")),
)
HOST_ARRAYS = st.builds(HostArray, st.booleans(), st.sampled_from(KINDS), st.sampled_from(BIRTHS))
OPAQUES = st.builds(
    Opaque,
    holds=st.sampled_from(("", "mapping", "mapping ", "mapping sequence")),
    derived=st.sampled_from((None, TRACED)),
)
SIMPLE = (NUMBERS, STATICS, ARRAYS, TREES, HOST_ARRAYS, OPAQUES)
"""Values that are all there is to know: nothing of them is in a state."""


class World:
    """What there was before paths parted: each path may hold it, change what is in it, or spend it."""

    def __init__(self) -> None:
        self.frame = Frame(SCOPE)
        body = Frame(SCOPE)
        self.classes = [ClassValue(ast.ClassDef(name, [], [], [], []), SCOPE, body, (), None) for name in "AB"]
        self.keys = [KeyId(text, (SCOPE, LAMBDAS[0]), known=True) for text in ("one", "other")]
        self.functions = [Function(node, SCOPE, None, "f") for node in LAMBDAS]
        self.external = External("jax.numpy.sin")
        self.unknown = Opaque("config")
        self.objects = [Container("list"), Container("dict"), Instance(self.classes[0])]
        self.guards = [Guard("flag", (self.unknown,), holds) for holds in (True, False)]
        anything: Cell = {ANY: Opaque("an element")}
        self.start = State({self.objects[0]: anything, self.objects[1]: {}, self.objects[2]: {"a": Const(1)}})

    def value(self, draw: Draw[Any], state: State, depth: int = 2) -> Value:
        """Any value; what it holds is in the state."""
        kinds = (*_FLAT, *_NESTED) if depth else _FLAT
        return draw(st.sampled_from(kinds))(self, draw, state, depth - 1)

    def condition(self, draw: Draw[Any]) -> frozenset[Guard]:
        """What is known to hold, or nothing."""
        return draw(st.sampled_from((frozenset(), *(frozenset((guard,)) for guard in self.guards))))

    def change(self, draw: Draw[Any], state: State) -> None:
        """What may happen on a path: a variable is bound, an object is changed, a key is spent."""
        for _ in range(draw(st.integers(0, 3))):
            draw(st.sampled_from((_bind, _refine, _fill, _store, _spend)))(self, draw, state)


def _simple(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    return draw(st.one_of(SIMPLE))


def _known(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    return draw(st.sampled_from([*world.functions, *world.objects, *world.classes, world.external, world.unknown]))


def _key(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    ident = draw(st.sampled_from([*world.keys, KeyId("new", (SCOPE, LAMBDAS[1]), known=True)]))
    size, typed = draw(st.sampled_from((None, 2))), draw(st.sampled_from((None, True, False)))
    return Key(
        ident, draw(st.booleans()), size, draw(st.sampled_from(LEVELS)), TRACED, typed, ranked=draw(st.booleans())
    )


def _tuple(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    return Tuple(_several(world, draw, state, depth))


def _several(world: World, draw: Draw[Any], state: State, depth: int) -> tuple[Value, ...]:
    return tuple(world.value(draw, state, depth) for _ in range(draw(st.integers(0, 2))))


def _list(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    made = Container(draw(st.sampled_from(("list", "set"))), draw(st.sampled_from(BIRTHS)))
    made.older_if = world.condition(draw)
    _fill_list(world, draw, state, made, depth)
    return made


def _fill_list(world: World, draw: Draw[Any], state: State, target: Container, depth: int) -> None:
    cell = state.write(target)
    cell.clear()
    if draw(st.booleans()):
        cell[ITEMS] = Tuple(_several(world, draw, state, depth))
    else:
        cell[ANY] = world.value(draw, state, depth)


def _dict(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    made = Container("dict", draw(st.sampled_from(BIRTHS)))
    state.write(made).update({part: world.value(draw, state, depth) for part in PARTS if draw(st.booleans())})
    return made


def _instance(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    made = Instance(draw(st.sampled_from(world.classes)), draw(st.sampled_from(BIRTHS)), draw(st.booleans()))
    made.level, made.older_if = draw(st.sampled_from(LEVELS)), world.condition(draw)
    state.write(made).update({name: world.value(draw, state, depth) for name in "ab" if draw(st.booleans())})
    return made


def _union(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    options = (Const(None), world.value(draw, state, 0), draw(st.sampled_from(world.functions)))
    guards = tuple(frozenset((guard,)) for guard in (*world.guards, world.guards[0]))
    return Union(options, guards if draw(st.booleans()) else ())


def _made_of_others(world: World, draw: Draw[Any], state: State, depth: int) -> Value:
    """Functions, methods and iterators, which have other values in them."""
    function, value = draw(st.sampled_from(world.functions)), world.value(draw, state, depth)
    return draw(
        st.sampled_from(
            (
                function.bind(value),
                Partial(function, (value,), {}),
                Transformed(JIT, "jax.jit", function, {"static": value}, SCOPE, LAMBDAS[0]),
                Method(value, "append"),
                Iterator(value, birth=OUTER),
                Slice(Const(None), value, Const(None)),
                ExternalInstance("optax.sgd", (value,), birth=OUTER),
            )
        )
    )


_Maker = Callable[[World, Draw[Any], State, int], Value]
_FLAT: tuple[_Maker, ...] = (_simple, _known, _key)
_NESTED: tuple[_Maker, ...] = (_tuple, _list, _dict, _instance, _union, _made_of_others)


def _bind(world: World, draw: Draw[Any], state: State) -> None:
    state.write(world.frame)[draw(st.sampled_from(NAMES))] = world.value(draw, state)


def _refine(world: World, draw: Draw[Any], state: State) -> None:
    name = draw(st.sampled_from(NAMES[:2]))
    value, told = state.read(world.frame)[name], world.value(draw, state)
    if isinstance(value, Tree) and not value.holds:  # what is declared a container is no array
        told = Array(value.level, value.provenance)
    elif not leq(told, state, value, state):
        return
    state.refine(world.frame, name, value, told)


def _fill(world: World, draw: Draw[Any], state: State) -> None:
    _fill_list(world, draw, state, world.objects[0], 1)  # type: ignore[arg-type]


def _store(world: World, draw: Draw[Any], state: State) -> None:
    owners = ((world.objects[1], PARTS), (world.objects[2], ("a", "b")), (world.unknown, (("attr", "x"),)))
    owner, names = draw(st.sampled_from(owners))
    state.write(owner)[draw(st.sampled_from(names))] = world.value(draw, state, 1)


def _spend(world: World, draw: Draw[Any], state: State) -> None:
    key, how = draw(st.sampled_from(world.keys)), draw(st.sampled_from(HOWS))
    use = Use(how, SCOPE, draw(st.sampled_from(LAMBDAS)), "f", state.guards)
    state.uses[key] = (*state.uses.get(key, ()), use)


@st.composite
def paths(draw: Draw[Any], number: int) -> tuple[World, list[State], int]:
    """Paths that part in one place: what each of them leaves, below a condition or not, with a value of one kind in a
    variable of all, and the number of the first key made after that."""
    world = World()
    for name in NAMES[:2]:
        world.start.write(world.frame)[name] = world.value(draw, world.start)
    world.change(draw, world.start)
    alike = draw(st.sampled_from((*_FLAT, *_NESTED)))
    ends = [world.start.fork() for _ in range(number)]
    for end in ends:
        end.guards = world.condition(draw)
        end.write(world.frame)[NAMES[2]] = alike(world, draw, end, 1)
        world.change(draw, end)
    return world, ends, KeyId("").serial


def _counted(part: Value, number: int) -> Value:
    return Const(number)


def _lengthened(part: Value, number: int) -> Value:
    return Tuple((part,) * number)


def _nested(part: Value, number: int) -> Value:
    return part if number == 0 else Tuple((_nested(part, number - 1),))


def _kept(part: Value, number: int) -> Value:
    return part


@st.composite
def neighbours(draw: Draw[Any]) -> tuple[Value, Value, State]:
    """Two values that are alike but for one thing, or for what they hold, under some condition or under none."""
    world, state = World(), State({})
    state.guards = world.condition(draw)
    maker = draw(st.sampled_from((*_FLAT, *_NESTED)))
    value, other = maker(world, draw, state, 1), maker(world, draw, state, 1)
    near = copy.copy(value)
    if type(value) is type(other):
        name = draw(st.sampled_from(type(value).__slots__))
        setattr(near, name, getattr(other, name))
    state.write(near).update(state.read(draw(st.sampled_from((value, value, other)))))
    return value, near, state


COUNTED = (_counted,)
GROWING = (_counted, _lengthened, _nested, _kept)


@st.composite
def passes(
    draw: Draw[Any], number: int, growing: tuple[Callable[[Value, int], Value], ...] = GROWING
) -> tuple[World, list[State], int]:
    """Passes of a loop, one after the other: what each of them leaves, where some of it grows, and the number of the
    first key made after them."""
    world, state = World(), State({})
    parts = [world.value(draw, state) for _ in NAMES]
    grow = [draw(st.sampled_from(growing)) for _ in NAMES]
    ends = []
    for step in range(number):
        values = [one(part, step) for one, part in zip(grow, parts)]
        made = Container("list")
        state.write(made)[ITEMS] = Tuple((values[0],))
        state.write(world.frame).update(zip(NAMES, (Tuple((values[0],)), values[1], made)))
        state.write(world.objects[1])[PARTS[0]] = values[2]
        ends.append(state)
        state = state.fork()
    return world, ends, KeyId("").serial
