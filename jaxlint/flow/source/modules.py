"""What the text of a module tells: of its globals, and what the functions in it look like."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from jaxlint.flow.source.flags import handled_parts
from jaxlint.flow.source.flattened import Flattened
from jaxlint.flow.source.places import set_places
from jaxlint.flow.source.registering import registered_classes, registering_functions, registers, registrations
from jaxlint.flow.source.seen_failing import expects_failures, seen_failing
from jaxlint.flow.source.swallowed import expecting_managers
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, children, descendants
from jaxlint.flow.source.walked import Walked
from jaxlint.project.lifted import counted_names, lifted
from jaxlint.semantics.array_members import (
    ARRAY_ATTRIBUTES,
    ARRAY_METHODS,
    CONCRETIZING_METHODS,
    STATIC_ATTRIBUTES,
    UNAVAILABLE_ATTRIBUTES,
)
from jaxlint.semantics.inplace import INPLACE_METHODS

if TYPE_CHECKING:
    from jaxlint.project.program import Module
    from jaxlint.vocabulary.findings import Location

_Read = TypeVar("_Read")
_READ_OFF = (
    *"lines mutated set_on_self names_read set_places registered registering".split(),
    *"uses_references mentions_numpyro may_hold_keys seen_failing handled_parts lifted words".split(),
)
"""What is found out of a module's text at most once."""
_REFERENCES = re.compile(r"pallas|\bnew_ref\b|\barray_ref\b|\bmutable_array\b|\bhijax\b|\bjax\.Ref\b")
_SET_ON_SELF = re.compile(r"\bself\.(\w+) =(?!=)")
_WORD = re.compile(r"\w+")


class ModuleText:
    """What is read off the text of one module.

    ``rebound`` maps global names bound in more than one place to the later bindings; ``replaced`` are those that are
    bound to different things one after the other, with the line of the last one.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.name: str = module.name
        self.is_package: bool = module.is_package
        self.rebound: dict[str, list[ast.AST]] = {}
        self.replaced: dict[str, int] = {}
        self.bodies: dict[ast.AST, Any] = {}  # what `meant` has found out
        self.unread: dict[tuple[ast.AST, Any], tuple[Any, ...]] = {}  # what `unread` has found out
        self._walked: dict[ast.AST | None, Walked] = {}
        self._parts: dict[ast.AST, dict[Hashable, Any]] = {}
        self._once: dict[tuple[Hashable, ...], Any] = {}
        self.runs_again: dict[tuple[ast.AST, ast.Name], bool] = {}  # what `runs_again.runs_after` has found out

    @functools.cached_property
    def mutated(self) -> dict[str, ast.AST]:
        """Global names whose items a function sets, with the statement."""
        found: dict[str, ast.AST] = {}
        for statement in reversed(self.tree.body if self.tree is not None else ()):
            for name, node in self.part(mutated_globals, statement).items():
                found.setdefault(name, node)
        return found

    @functools.cached_property
    def seen_failing(self) -> dict[ast.AST, frozenset[str]]:
        """Functions that are called only where it is expected that they fail, with the names of the exceptions."""
        if self.tree is None:
            return {}
        text = self.module.document.text
        may_have = "contextmanager" in text or "__exit__" in text
        found = self.parts(expecting_managers) if may_have else ()
        managers = {name: made for known in found for name, made in known.items()}
        if not managers and not any(self.part(expects_failures, one) for one in self.tree.body):
            return {}
        return seen_failing(self.tree, self.lifted, managers)

    @functools.cached_property
    def lifted(self) -> list[ast.stmt]:
        """The statements of the module, where functions stand that only get their names there, see `lifted`."""
        return lifted(self.tree.body, functools.partial(self.part, counted_names)) if self.tree is not None else []

    @functools.cached_property
    def handled_parts(self) -> frozenset[str]:
        """The attributes and items that are asked for more than their truth."""
        return handled_parts(self.tree) if self.tree is not None else frozenset()

    @functools.cached_property
    def registered(self) -> frozenset[str] | None:
        """The classes that the module registers as pytrees; None: any that it names may be one."""
        if not registers(self.module.document.text):
            return frozenset()
        return registered_classes(self.parts(registrations)) if self.tree is not None else None

    @functools.cached_property
    def registering(self) -> frozenset[ast.AST]:
        """The functions in its text that name a function of JAX which registers classes."""
        if not registers(self.module.document.text):
            return frozenset()
        return frozenset[ast.AST]().union(*self.parts(registering_functions))

    @functools.cached_property
    def set_places(self) -> frozenset[str]:
        """Attributes and items of globals that the module sets."""
        return frozenset[str]().union(*self.parts(set_places))

    def read_again(self, changed: Iterable[ast.stmt]) -> None:
        """The module has another text, in which these of its old statements changed."""
        for name in _READ_OFF:
            self.__dict__.pop(name, None)
        self.unread.clear()
        self.bodies.clear()
        self._walked.clear()
        self._once.clear()
        body = set(self.tree.body) if self.tree is not None else set()
        body.difference_update(changed)
        self._parts = {node: found for node, found in self._parts.items() if node in body}

    def once(self, read: Callable[..., _Read], *about: Hashable) -> _Read:
        """What ``read`` reads off the text, for all questions that go by it."""
        asked = (read, *about)
        if asked not in self._once:
            self._once[asked] = read(self, *about)
        found: _Read = self._once[asked]
        return found

    def part(self, read: Callable[..., _Read], statement: ast.AST, *about: Hashable) -> _Read:
        """What ``read`` reads off one statement of the module, kept while others are edited: nodes, but no lines, which
        move."""
        known, asked = self._parts.setdefault(statement, {}), (read, *about)
        if asked not in known:
            known[asked] = read(statement, *about)
        found: _Read = known[asked]
        return found

    def parts(self, read: Callable[..., _Read]) -> list[_Read]:
        """What ``read`` reads off each statement of the module."""
        return [self.part(read, statement) for statement in (self.tree.body if self.tree is not None else ())]

    def mentions(self, statement: ast.AST) -> frozenset[str]:
        """The names that a statement of the module's body reads."""
        return self.part(_names_read, statement)

    def walked(self, function: ast.AST | None = None) -> Walked:
        """What is written in a function of the module, or in all of it, found out once."""
        body = function or self.tree
        if body not in self._walked:
            self._walked[body] = Walked(parts=self.parts(Walked)) if function is None else Walked(function)
        return self._walked[body]

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """All that is written in the module's text, comments included."""
        return frozenset(map(sys.intern, _WORD.findall(self.module.document.text)))

    @functools.cached_property
    def set_on_self(self) -> set[str]:
        """The attributes that methods in the module's text set on their objects."""
        return set(_SET_ON_SELF.findall(self.module.document.text))

    @functools.cached_property
    def names_read(self) -> set[str]:
        """The names and attributes that the module reads, and what it imports by another name.  Where a function is
        `lifted`, that is no reading of its name."""
        return set[str]().union(*(self.part(_names_in, statement) for statement in self.lifted))

    @functools.cached_property
    def uses_references(self) -> bool:
        """Whether the module has to do with references, which look like arrays and dicts and may be changed."""
        return _REFERENCES.search(self.module.document.text) is not None

    @functools.cached_property
    def mentions_numpyro(self) -> bool:
        return "numpyro" in self.module.document.text

    @functools.cached_property
    def lines(self) -> list[str]:
        return self.module.document.text.splitlines()

    @functools.cached_property
    def may_hold_keys(self) -> bool:
        """Whether `rng` here most likely means a JAX key: jax is used, NumPy's generators are not."""
        text = self.module.document.text
        return "jax" in text and not any(name in text for name in ("default_rng", "RandomState", "np.random.Generator"))

    @property
    def tree(self) -> ast.Module | None:
        return self.module.document.tree

    def location(self, node: ast.AST) -> Location:
        return self.module.document.location(node)

    def __repr__(self) -> str:
        return f"<module {self.name}>"


def _names_read(statement: ast.AST) -> frozenset[str]:
    names = (node for node in descendants(statement) if isinstance(node, ast.Name))
    return frozenset(node.id for node in names if isinstance(node.ctx, ast.Load))


def _names_in(statement: ast.AST) -> set[str]:
    """The names and attributes in a statement, and what it imports by another name."""
    nodes = list(descendants(statement))
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return attributes | names | {node.name for node in nodes if isinstance(node, ast.alias) and node.asname}


@dataclass(slots=True)
class FunctionFacts:
    """What one walk over a function's body tells, cached for the run."""

    globals: frozenset[str] = frozenset()
    nonlocals: frozenset[str] = frozenset()
    generator: bool = False
    stored: dict[str, list[ast.AST]] = field(default_factory=dict)  # local name -> places that bind it
    container_names: frozenset[str] = frozenset()  # names used as a dict, list or object somewhere in the body
    sequence_names: frozenset[str] = frozenset()  # names that are enumerated or zipped, as lists are
    mapping_names: frozenset[str] = frozenset()  # those of the containers that are used as a dict
    array_names: frozenset[str] = frozenset()  # names whose shape is read, or a method that arrays have
    restored: frozenset[str] = frozenset()  # names and attributes in its ``finally`` blocks, and after a yield
    beyond_calls: Counter[str] | None = None  # how often a name is read, less how often it is called
    calls: list[ast.Call] | None = None  # all of them, those of functions inside too
    loops: list[ast.AST] | None = None  # see `loops_in`
    names: frozenset[str] | None = None  # see `names_in`
    in_vain: frozenset[ast.AST] | None = None  # see `values_in_vain`
    free: frozenset[str] | None = None  # names that it does not bind itself, also of functions inside
    attributes: dict[str, frozenset[str]] | None = None  # of names that nothing else is read of, those that are
    conditions: dict[str, ast.expr | None] = field(
        default_factory=dict
    )  # what `conditions` has found names to stand for
    operands: frozenset[tuple[str, str]] | None = None  # see `operands_of`
    handled: frozenset[str] | None = None  # see `handled.handled`
    straight: bool | None = None  # see `straight.is_straight`
    bound_again: frozenset[str] | None = None  # variables with several values, once somebody has asked
    flattened: tuple[Flattened | None] | None = None  # what it says as a `tree_flatten`, once somebody has asked


def may_restore(node: FunctionNode, facts: FunctionFacts) -> bool:
    """Whether a decorator may make a context manager of a generator, which may undo anything by other functions."""
    if not facts.generator or isinstance(node, ast.Lambda):
        return False
    return any(not isinstance(part, ast.Name) or part.id not in _OF_CLASSES for part in node.decorator_list)


_OF_CLASSES = ("staticmethod", "classmethod")


def operands_of(node: FunctionNode, facts: FunctionFacts) -> frozenset[tuple[str, str]]:
    """The names that a function hands to operators of numbers, with "", or to other functions, with what it calls."""
    if facts.operands is None:
        facts.operands = frozenset(
            (operand.id, callee)
            for part in descendants(node)
            for operands, callee in [_handed_on(part)]
            for operand in operands
            if isinstance(operand, ast.Name)
        )
    return facts.operands


def _handed_on(node: ast.AST) -> tuple[list[ast.expr], str]:
    if isinstance(node, ast.Call):
        return node.args, dotted(node.func)
    if isinstance(node, ast.BinOp):
        return [*_chosen(node.left), *_chosen(node.right)], ""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        return [node.left, *node.comparators], ""
    if isinstance(node, ast.BoolOp) and any(_is_number(value) for value in node.values):
        return node.values, ""
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return [node.operand], ""
    return [node.value] if isinstance(node, ast.AugAssign) else [], ""


def _chosen(node: ast.expr) -> list[ast.expr]:
    """What an operand may be: any of those of `a or b`."""
    return node.values if isinstance(node, ast.BoolOp) else [node]


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def reads_beyond_calls(node: FunctionNode, facts: FunctionFacts) -> Counter[str]:
    """How often each name in a function is read for anything but a call of it."""
    if facts.beyond_calls is None:
        facts.beyond_calls = Counter()
        for part in descendants(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                facts.beyond_calls[part.func.id] -= 1
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                facts.beyond_calls[part.id] += 1
    return facts.beyond_calls


def free_names(node: FunctionNode, facts: FunctionFacts) -> frozenset[str]:
    """The names in a function, and in those inside it, that it does not bind itself."""
    if facts.free is None:
        spec = node.args
        own = {parameter.arg for parameter in (*parameters(node), spec.vararg, spec.kwarg) if parameter is not None}
        own |= facts.stored.keys() - facts.nonlocals
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        names = {part.id for statement in body for part in descendants(statement) if isinstance(part, ast.Name)}
        facts.free = frozenset(names - own) | facts.nonlocals
    return facts.free


def attributes_read(node: FunctionNode, facts: FunctionFacts) -> dict[str, frozenset[str]]:
    """Of the names in a function, and in those inside it, of which nothing but attributes is read, these attributes."""
    if facts.attributes is None:
        read: dict[str, set[str]] = {}
        parts = list(descendants(node))
        owners = {part.value: part.attr for part in parts if _reads_attribute(part)}
        for part in parts:
            if isinstance(part, ast.Name):
                read.setdefault(part.id, set()).add(owners.get(part, ""))
        facts.attributes = {name: frozenset(found) for name, found in read.items() if "" not in found}
    return facts.attributes


def _reads_attribute(part: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load)


def called_with_all(node: FunctionNode, facts: FunctionFacts) -> frozenset[str]:
    """The variables that a function calls with all that it is given beyond its own parameters: `f(*args, **kwargs)`."""
    own = {parameter.arg for parameter in (node.args.vararg, node.args.kwarg) if parameter is not None}
    if not own:
        return frozenset()
    return frozenset(
        call.func.id for call in calls_in(node, facts) if isinstance(call.func, ast.Name) and own <= _unpacked(call)
    )


def _unpacked(call: ast.Call) -> set[str]:
    starred = [argument.value for argument in call.args if isinstance(argument, ast.Starred)]
    unpacked = [*starred, *(keyword.value for keyword in call.keywords if keyword.arg is None)]
    return {value.id for value in unpacked if isinstance(value, ast.Name)}


def calls_in(node: FunctionNode, facts: FunctionFacts) -> list[ast.Call]:
    """The calls in a function."""
    if facts.calls is None:
        facts.calls = [part for part in descendants(node) if isinstance(part, ast.Call)]
    return facts.calls


def names_in(node: FunctionNode, facts: FunctionFacts) -> frozenset[str]:
    """The names and attributes that stand in a function, also in those inside."""
    if facts.names is None:
        found = (getattr(part, "id", None) or getattr(part, "attr", None) for part in descendants(node))
        facts.names = frozenset(name for name in found if name is not None)
    return facts.names


def loops_in(node: FunctionNode, facts: FunctionFacts) -> list[ast.AST]:
    """The statements in a function that loop, without those of functions inside."""
    if facts.loops is None:
        facts.loops, pending = [], list(children(node))
        while pending:
            part = pending.pop()
            if isinstance(part, (ast.For, ast.AsyncFor, ast.While)):
                facts.loops.append(part)
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)) and not isinstance(part, _DEFINITIONS):
                pending += children(part)
    return facts.loops


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def only_changes(node: FunctionNode, change: ast.AST) -> bool:
    """Whether a function gives nothing and calls nothing for its effect but what makes a ``change``: it is there for
    that, where it is that change's own function."""
    parts = list(descendants(node))
    called = [part.value for part in parts if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call)]
    gives = any(isinstance(part, (ast.Return, ast.Yield, ast.YieldFrom)) and part.value is not None for part in parts)
    return change in parts and not gives and all(call is change for call in called)


def values_in_vain(node: FunctionNode, facts: FunctionFacts) -> frozenset[ast.AST]:
    """The expressions in a function whose values only get names that it reads nowhere, or none."""
    if facts.in_vain is None:
        parts = list(descendants(node))
        read = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        read |= facts.globals | facts.nonlocals
        found = [part.value for part in parts if isinstance(part, ast.Expr)]
        for part in parts:
            if isinstance(part, ast.Assign) and all(isinstance(t, ast.Name) and t.id not in read for t in part.targets):
                found.append(part.value)
        facts.in_vain = frozenset(found)
    return facts.in_vain


def parameters(node: FunctionNode) -> list[ast.arg]:
    """The parameters that have one value each, as a call names them."""
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def reads_no_parameter(node: FunctionNode) -> bool:
    """Whether a function has parameters and never looks at one, nor asks which lane of a map it is in."""
    more = [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
    names = {parameter.arg for parameter in (*parameters(node), *more)}
    body = node.body if isinstance(node.body, list) else [node.body]
    parts = [part for top in body for part in (top, *descendants(top))]
    read = {getattr(part, "id", None) or getattr(part, "attr", None) for part in parts}
    return bool(names) and names.isdisjoint(read) and "axis_index" not in read


_CONTAINER_METHODS = frozenset("pop append extend insert replace _replace _asdict index count".split())
_DICT_METHODS = frozenset("items keys values get update setdefault popitem".split())
_OF_ARRAYS = (
    STATIC_ATTRIBUTES
    | ARRAY_ATTRIBUTES
    | ARRAY_METHODS
    | CONCRETIZING_METHODS.keys()
    | UNAVAILABLE_ATTRIBUTES.keys()
    | INPLACE_METHODS.keys()
    | {"at", "flat", "strides", "base"}
)
_OF_ANY_OBJECT = frozenset("copy format clone traceback device platform".split())


def function_facts(node: FunctionNode) -> FunctionFacts:
    """Walks ``node`` once, without entering nested functions for bindings and yields."""
    facts = FunctionFacts()
    globals_: set[str] = set()
    nonlocals: set[str] = set()
    yields: list[int] = []
    noted = _Noted()
    for parameter in parameters(node):
        _note_annotation(parameter, noted)
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    stack = [(child, True) for child in body]
    while stack:
        current, own = stack.pop()
        kind = type(current)
        if kind is ast.Name:
            if own and not isinstance(current.ctx, ast.Load):  # type: ignore[attr-defined]
                facts.stored.setdefault(current.id, []).append(current)  # type: ignore[attr-defined]
        elif kind is ast.Global and own:
            globals_.update(current.names)  # type: ignore[attr-defined]
        elif kind is ast.Nonlocal and own:
            nonlocals.update(current.names)  # type: ignore[attr-defined]
        elif kind in (ast.Yield, ast.YieldFrom) and own:
            facts.generator = True
            yields.append(current.lineno)  # type: ignore[attr-defined]
        elif kind is ast.Try and current.finalbody:  # type: ignore[attr-defined]
            facts.restored |= _mentioned(current.finalbody)  # type: ignore[attr-defined]
        elif kind in _USES:
            _USES[kind](current, noted)
        below = children(current)
        if below:
            inner = own and kind not in _SCOPES
            stack += [(child, inner) for child in below]
    if yields:
        facts.restored |= _mentioned(body, after=min(yields))
    facts.globals = frozenset(globals_)
    facts.nonlocals = frozenset(nonlocals)
    noted.mappings.update(_indexed_by_names(noted, facts.stored, {parameter.arg for parameter in parameters(node)}))
    facts.container_names = frozenset(noted.containers | noted.mappings)
    noted.sequences.update(_read_at_a_number(noted, facts.stored))
    facts.sequence_names = frozenset(noted.sequences)
    facts.mapping_names = frozenset(noted.mappings)
    facts.array_names = frozenset(noted.arrays)
    return facts


def _mentioned(body: Iterable[ast.AST], after: int = 0) -> set[str]:
    """The names and attributes in some statements, on the lines ``after`` one."""
    parts = (part for statement in body for part in descendants(statement))
    return {dotted(part) for part in parts if isinstance(part, (ast.Name, ast.Attribute)) and part.lineno > after}


@dataclass(slots=True)
class _Noted:
    """Names by what the code takes them for; what is a text, and which name is indexed with which other one."""

    containers: set[str] = field(default_factory=set)
    mappings: set[str] = field(default_factory=set)
    sequences: set[str] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)
    texts: set[str | ast.expr] = field(default_factory=set)  # declared parameters, and places that bind a name to one
    numbers: set[ast.expr] = field(default_factory=set)  # places that bind a name to one
    indexed: set[tuple[str, str]] = field(default_factory=set)
    read: set[tuple[str, str]] = field(default_factory=set)  # those of the indexed that are not only written
    iterated: set[tuple[str, str]] = field(default_factory=set)  # with the name of the items


def _indexed_by_names(noted: _Noted, stored: dict[str, list[ast.AST]], given: set[str]) -> Iterator[str]:
    """What is indexed with a text, or with its own items: no array is, so it is a dict."""
    for owner, index in noted.indexed:
        is_bound = index in stored or index in noted.texts
        is_text = is_bound and all(place in noted.texts for place in stored.get(index, ()))
        if (owner, index) in noted.iterated or (is_text and (index in noted.texts or index not in given)):
            yield owner


def _read_at_a_number(noted: _Noted, stored: dict[str, list[ast.AST]]) -> Iterator[str]:
    """What is read with a name that always stands for a number that is written out: as good as with the number."""
    for owner, index in noted.read:
        places = stored.get(index)
        if places and all(place in noted.numbers for place in places):
            yield owner


def _is_text(node: ast.expr) -> bool:
    """Whether an expression can be seen to make a string."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Mod)) and (_is_text(node.left) or _is_text(node.right))
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute):
            return function.attr in ("format", "join") and _is_text(function.value)
        return isinstance(function, ast.Name) and function.id == "str"
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _note_annotation(parameter: ast.arg, noted: _Noted) -> None:
    annotation = parameter.annotation
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    name = dotted(annotation).rpartition(".")[2].lower() if annotation is not None else ""
    if name in _MAPPING_TYPES:
        noted.mappings.add(parameter.arg)
    elif name in _SEQUENCE_TYPES:
        noted.containers.add(parameter.arg)
    elif name == "str":
        noted.texts.add(parameter.arg)


_MAPPING_TYPES = frozenset("dict mapping mutablemapping defaultdict ordereddict".split())
_SEQUENCE_TYPES = frozenset("list tuple sequence mutablesequence".split())


def _note_attribute(node: ast.Attribute, noted: _Noted) -> None:
    if isinstance(node.value, ast.Name):
        if node.attr in _DICT_METHODS:
            noted.mappings.add(node.value.id)
        elif node.attr in _CONTAINER_METHODS or node.attr not in _OF_ARRAYS:
            noted.containers.add(node.value.id)
        elif node.attr not in _OF_ANY_OBJECT:
            noted.arrays.add(node.value.id)


def _note_subscript(node: ast.Subscript, noted: _Noted) -> None:
    if not isinstance(node.value, ast.Name):
        return
    if _is_text(node.slice):
        noted.mappings.add(node.value.id)
    elif isinstance(node.slice, ast.Name):
        noted.indexed.add((node.value.id, node.slice.id))
        if isinstance(node.ctx, ast.Load):
            noted.read.add((node.value.id, node.slice.id))
    elif isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int) and isinstance(node.ctx, ast.Load):
        noted.sequences.add(node.value.id)


def _note_comparison(node: ast.Compare, noted: _Noted) -> None:
    asked = node.comparators[0]
    if isinstance(node.ops[0], (ast.In, ast.NotIn)) and isinstance(asked, ast.Name) and _is_text(node.left):
        noted.containers.add(asked.id)


def _note_loop(node: ast.For | ast.comprehension, noted: _Noted) -> None:
    call = node.iter
    if isinstance(call, ast.Name) and isinstance(node.target, ast.Name):
        noted.iterated.add((call.id, node.target.id))
    elif isinstance(call, (ast.Tuple, ast.List)) and call.elts and all(map(_is_text, call.elts)):
        noted.texts.add(node.target)
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "sorted" and call.args:
        if isinstance(call.args[0], ast.Name):
            noted.mappings.add(call.args[0].id)


def _note_assign(node: ast.Assign, noted: _Noted) -> None:
    if _is_text(node.value):
        noted.texts.update(node.targets)
    if isinstance(node.value, ast.Constant) and type(node.value.value) is int:
        noted.numbers.update(node.targets)
    if isinstance(node.targets[0], ast.Subscript) and isinstance(node.targets[0].value, ast.Name):
        if _is_updated(node.targets[0], node.value):
            noted.containers.add(node.targets[0].value.id)
    if isinstance(node.value, ast.Name) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
        noted.containers.add(node.value.id)


def _is_updated(item: ast.Subscript, value: ast.expr) -> bool:
    """Whether an item becomes what `.at` makes of it, as in `x[k] = x[k].at[i].set(v)`: it is an array, and who knows
    that arrays are not written to does not write to one."""
    items = (part.value for part in ast.walk(value) if isinstance(part, ast.Attribute) and part.attr == "at")
    return any(isinstance(one, ast.Subscript) and ast.unparse(one) == ast.unparse(item) for one in items)


def _note_call(node: ast.Call, noted: _Noted) -> None:
    for argument in node.args:
        if isinstance(argument, ast.Starred) and isinstance(argument.value, ast.Name):
            noted.containers.add(argument.value.id)
    for keyword in node.keywords:
        if keyword.arg is None and isinstance(keyword.value, ast.Name):
            noted.mappings.add(keyword.value.id)
    if isinstance(node.func, ast.Name) and node.func.id in _SEQUENCE_BUILTINS:
        noted.sequences.update(argument.id for argument in node.args if isinstance(argument, ast.Name))


_SEQUENCE_BUILTINS = frozenset(("enumerate", "zip", "reversed", "list"))

_USES: dict[type, Callable[[Any, _Noted], None]] = {
    ast.Attribute: _note_attribute,
    ast.Subscript: _note_subscript,
    ast.Compare: _note_comparison,
    ast.For: _note_loop,
    ast.comprehension: _note_loop,
    ast.Assign: _note_assign,
    ast.Call: _note_call,
}
"""What each kind of node tells about the names in it: used as a container, or as a sequence."""

_SCOPES = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))


def rebound_globals(tree: ast.Module, declares_globals: bool) -> dict[str, list[ast.AST]]:
    """Global names that are bound in more than one place, with the places after the first.

    Bindings in the two arms of one ``if`` or ``try`` count as one place, and so do those to what is written alike.
    """
    first: dict[str, tuple[int, ...]] = {}
    bound: dict[str, ast.stmt] = {}
    again: dict[str, list[ast.AST]] = {}

    def bind(name: str, node: ast.AST, path: tuple[int, ...], statement: ast.stmt) -> None:
        if name not in first:
            first[name], bound[name] = path, statement
        elif _is_written_alike(bound[name], statement):
            pass
        elif path == () or path != first[name]:
            if not (path and first[name] and path[0] == first[name][0]):
                again.setdefault(name, []).append(node)

    def visit(body: list[ast.stmt], path: tuple[int, ...]) -> None:
        for statement in body:
            for target in _targets(statement):
                for name in descendants(target):
                    if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                        bind(name.id, name, path, statement)
            if isinstance(statement, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
                here = path or (id(statement),)
                visit(statement.body, here)
                visit(getattr(statement, "orelse", []), here)
                for handler in getattr(statement, "handlers", []):
                    visit(handler.body, here)
                visit(getattr(statement, "finalbody", []), here)

    visit(tree.body, ())
    for function in descendants(tree) if declares_globals else ():  # elsewhere `global` says nothing
        for node in descendants(function) if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) else ():
            if isinstance(node, ast.Global):
                for name in node.names:
                    if node not in again.setdefault(name, []):
                        again[name].append(node)
    return again


def _is_written_alike(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether two statements bind the same names to the same expression, `size = len(names)`, which calls nothing but
    that and reads none of these names."""
    if not (isinstance(one, ast.Assign) and isinstance(other, ast.Assign) and ast.dump(one) == ast.dump(other)):
        return False
    bound = {part.id for target in one.targets for part in descendants(target) if isinstance(part, ast.Name)}
    parts = list(descendants(one.value))
    called = (part.func for part in parts if isinstance(part, ast.Call))
    read = {part.id for part in parts if isinstance(part, ast.Name)}
    return bound.isdisjoint(read) and all(isinstance(part, ast.Name) and part.id == "len" for part in called)


def is_exported(tree: ast.Module, name: str) -> bool:
    """Whether ``from module import *`` brings a public name that the module binds: it has no `__all__`, or has it
    there, as far as that is written out."""
    written = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "__all__"]
    if not written:
        return True
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(target in written for target in targets) and isinstance(statement.value, (ast.List, ast.Tuple)):
                if any(isinstance(item, ast.Constant) and item.value == name for item in statement.value.elts):
                    return True
    return False


def replaced_globals(tree: ast.Module) -> dict[str, int]:
    """Global names that are bound to different things one after the other, with the line of the last binding.

    What a function above that line reads depends on when it is called.  What stands in one ``if`` or ``try`` are
    alternatives.
    """
    bound: dict[str, list[tuple[ast.stmt, ast.AST, str]]] = {}
    for statement in tree.body:
        for name, node, thing in _bindings_of(statement):
            bound.setdefault(name, []).append((statement, node, thing))
    return {
        name: max(getattr(node, "lineno", 0) for _, node, _ in places)
        for name, places in bound.items()
        if len({statement for statement, _, _ in places}) > 1
        and len({thing or ast.dump(node) for _, node, thing in places}) > 1
    }


def _bindings_of(statement: ast.stmt) -> Iterator[tuple[str, ast.AST, str]]:
    """The names that a statement of a module binds, each with where, and to which thing of another module."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name, statement, ""
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            for name in descendants(target):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    yield name.id, statement, ""
    else:
        for node in _imports_in(statement):
            source = "." * node.level + (node.module or "") + "." if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                yield alias.asname or alias.name, node, source + alias.name


def _imports_in(statement: ast.stmt) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run with the module's body."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield statement
    elif isinstance(statement, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
        for node in ast.iter_child_nodes(statement):
            for inner in node.body if isinstance(node, ast.ExceptHandler) else [node]:
                if isinstance(inner, ast.stmt):
                    yield from _imports_in(inner)


def item_name(name: str, key: object) -> str:
    """How an item of a global is called where names of globals are kept."""
    return f"{name}[{key!r}]"


def mutated_globals(statement: ast.stmt) -> dict[str, ast.AST]:
    """Global names of which a function sets an item to a number: buffers and settings that change at run time; and
    the items of a known name that a function sets to anything."""
    found: dict[str, ast.AST] = {}
    for function in descendants(statement):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        stored = function_facts(function).stored
        parameters = {parameter.arg for parameter in descendants(function.args) if isinstance(parameter, ast.arg)}
        for node in descendants(function):
            if not isinstance(node, (ast.Assign, ast.AugAssign)):
                continue
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
                continue
            name, value = target.value.id, node.value
            if name in stored or name in parameters:
                continue
            if isinstance(value, (ast.Constant, ast.BinOp)):
                found.setdefault(name, node)
            if isinstance(target.slice, ast.Constant):
                found.setdefault(item_name(name, target.slice.value), node)
    return found


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        return [statement.target] if getattr(statement, "value", None) is not None else []
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return [statement.target]
    return []


def is_abstract(node: FunctionNode) -> bool:
    """A body that only documents, raises NotImplementedError, passes or is an ellipsis."""
    if isinstance(node, ast.Lambda):
        return False
    for statement in node.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, (ast.Pass, ast.Delete)):
            continue
        if not isinstance(statement, ast.Raise):
            return False
        names = {part.id for part in descendants(statement) if isinstance(part, ast.Name)}
        return not names.isdisjoint(("NotImplementedError", "NotImplemented"))
    return True
