"""Whether a function leaves a key alone that it is given, or draws from it, told from its text: for calls that are
not followed.

A parameter is left alone if it is never read, or read only where nothing can be drawn from it: its shape, a test for
None or for a type, an argument that the function called there leaves alone in turn, or that each method of the program
does whose name is called there on an object of which nothing is known, as wrappers call theirs.  What cannot be
looked up, and what goes into another variable, a container or a result, is not left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import (
    NONE,
    ClassValue,
    Const,
    External,
    Function,
    Instance,
    Method,
    ModuleScope,
    Opaque,
    Transformed,
    Value,
)
from jaxlint.flow.limits import MOST_CALLS, MOST_METHODS
from jaxlint.flow.models.names.imports import resolve
from jaxlint.flow.models.objects import classes, instances
from jaxlint.flow.port import EVERY, Interpreter
from jaxlint.flow.source.modules import ModuleText, calls_in, is_abstract, parameters
from jaxlint.flow.source.trees import FunctionNode, children, descendants
from jaxlint.semantics import libraries
from jaxlint.semantics.array_members import STATIC_ATTRIBUTES
from jaxlint.semantics.model import KeyEffect
from jaxlint.semantics.random import KEY_FUNCTIONS

_OF_BUILTINS = frozenset(name for kind in (list, dict, set, str) for name in dir(kind))
_HARMLESS = frozenset(
    f"builtins.{name}" for name in "isinstance len type repr str print id hasattr callable issubclass".split()
)
_MAPS = frozenset(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"))
_MODULE = "flax.linen.Module"
_APPLIES = (("attr", "apply"), ("attr", "apply_fn"))
"""What flax calls `apply` of a module, and where a `TrainState` keeps it."""
_LIBRARIES: dict[str, frozenset[str]] = {}
"""Names of methods that use keys, each with the packages of which objects have it."""
for _method in libraries.KEY_METHODS:
    _package, _name = _method.partition(".")[0], _method.rpartition(".")[2]
    _LIBRARIES[_name] = _LIBRARIES.get(_name, frozenset()) | {_package}


def leaves_alone(it: Interpreter, function: Value, args: Arguments, value: Value, method: str = "") -> bool:
    """Whether none of the functions that a call may run draws from one of its arguments; no if one is not known.

    The receiver of a function that is known is among the arguments.  ``method`` is the name by which an object is asked
    for what it does not have, as far as its class tells: one of a class derived from that has it.
    """
    if args.open_ended:
        return False
    scope = it.frame.scope
    shift, found = _may_run(it, scope, function, args)
    name = _of_unknown(it, scope, function) or method
    if not found and name:
        found = _methods_of_unknown(it, scope, name)
    if not found and isinstance(function, Opaque) and function.selector in _APPLIES:
        shift, found = 0, _applied(it, function, args)
    asked = [(one, place) for one in found for place in _places(args, value)]
    return bool(asked) and all(_leaves(it, one, shift, place) for one, place in asked)


def draw_from(it: Interpreter, scope: ModuleScope, function: Value, args: Arguments, value: Value) -> bool:
    """Whether each function that a call in ``scope`` may run draws from one of its arguments, on some path."""
    shift, found = _may_run(it, scope, function, args)
    places = _places(args, value)
    return bool(found) and all(any(_draws(it, one, shift, place) for place in places) for one in found)


def some_draw(it: Interpreter, name: str, args: Arguments, value: Value) -> bool:
    """Whether a method of that name, of some class of the program, draws from one of the arguments on some path."""
    members = (classes.find_member(it, cls, name) for cls in it.all_classes())
    methods = [member for member in members if isinstance(member, Function)]
    return any(_draws(it, one, 1, place) for one in methods for place in _places(args, value))


def _may_run(it: Interpreter, scope: ModuleScope, function: Value, args: Arguments) -> tuple[int, list[Function]]:
    """The functions that a call may run, and how many of their parameters are not among its arguments."""
    if isinstance(function, Function):
        return 0, _versions(it, function)
    if isinstance(function, Method):
        return 0, _applied(it, function.receiver, args)
    return 1, _named_alike(it, scope, function)


def _places(args: Arguments, value: Value) -> list[Given]:
    positions = [number for number, given in enumerate(args.positional) if given is value]
    return [*positions, *(name for name, given in args.named.items() if given is value)]


Given: TypeAlias = "int | str"
"""Where an argument stands in a call: its position, or its name."""
Look: TypeAlias = "Callable[[_Reader], bool]"


def _versions(it: Interpreter, function: Function) -> list[Function]:
    """The function, or the methods that replace it where it is abstract."""
    if not _is_abstract(function):
        return [function]
    return _overrides(it, function.owner, function.name) if function.owner is not None else []


def _named_alike(it: Interpreter, scope: ModuleScope, function: Value) -> list[Function]:
    """The methods that a call of ``x.name`` may run, when nothing is known of x: those in reach of the module."""
    name = _of_unknown(it, scope, function)
    return methods_in_reach(it, scope, name) if name else []


def _of_unknown(it: Interpreter, scope: ModuleScope, function: Value) -> str:
    """The name of the method if a call is one of an object of which nothing is known; empty also where a library that
    the module names has such a method."""
    if not isinstance(function, Opaque) or not isinstance(function.selector, tuple) or function.selector[0] != "attr":
        return ""
    name: str = function.selector[1]
    return "" if _a_library_has(it, scope, name) else name


def _a_library_has(it: Interpreter, scope: ModuleScope, name: str) -> bool:
    packages = _LIBRARIES.get(name)
    if packages is None:
        return False
    return it.ask_text(scope, names_one_of, packages)


def names_one_of(scope: ModuleText, packages: frozenset[str]) -> bool:
    """Whether a text names one of some packages."""
    return any(package in scope.module.document.text for package in packages)


def _applied(it: Interpreter, module: Value, args: Arguments) -> list[Function]:
    """The methods of flax modules of the project that ``module.apply(variables, …)`` may run: where the variables are
    in the call, they have ``self``."""
    method = args.named.get("method", NONE)
    if isinstance(method, Function):
        return _versions(it, method)
    name = (method.value or "__call__") if isinstance(method, Const) else None
    if not isinstance(name, str):
        return []
    if isinstance(module, Instance):
        return _plain_methods(it, (module.cls,), name)
    modules = [cls for cls in it.all_classes() if _MODULE in classes.external_bases(cls)]
    return _plain_methods(it, (cls for cls in modules if classes.find_member(it, cls, name) is not None), name)


def _is_abstract(function: Function) -> bool:
    return is_abstract(function.node)


def _overrides(it: Interpreter, owner: ClassValue, name: str) -> list[Function]:
    """The methods of that name in a class and in those derived from it; nothing if one of them is not a plain one."""
    derived = (cls for cls in it.all_classes(owner) if cls is not owner and owner in classes.linearized(cls))
    return _plain_methods(it, (owner, *derived), name)


def _plain_methods(it: Interpreter, of: Iterable[ClassValue], name: str) -> list[Function]:
    found: dict[ast.AST, Function] = {}
    for cls in of:
        if instances.library_knows(it, cls, name):
            return []
        member = classes.find_member(it, cls, name)
        while isinstance(member, Transformed):
            member = member.function
        if not isinstance(member, Function) or member.kind == "property" or len(found) > MOST_METHODS.value:
            return []
        it.note_function(member)
        if not _is_abstract(member):
            found[member.node] = member
    return list(found.values())


def methods_in_reach(it: Interpreter, scope: ModuleScope, name: str) -> list[Function]:
    """The methods of that name of the classes that a module defines or imports, and of those derived from them."""
    it.note_global(scope, EVERY)
    if it.keeps_notes or scope.state != "done":
        return _find_methods(it, scope, name)
    asked = scope, name
    if asked in it.in_reach:
        it.note_again(("in_reach", asked))
    else:
        with it.finding(("in_reach", asked)):
            it.in_reach[asked] = _find_methods(it, scope, name)
    return it.in_reach[asked]


def _methods_of_unknown(it: Interpreter, scope: ModuleScope, name: str) -> list[Function]:
    """The methods that ``x.name`` may run when nothing tells what x is: all of that name in the program, if one of
    them does more than to call that of another object, as wrappers do."""
    if name in _OF_BUILTINS or _a_library_has(it, scope, name):
        return []
    if it.keeps_notes or scope.state != "done":
        return _find_in_program(it, name)
    asked = name, len(it.classes)
    if asked in it.in_program:
        it.note_again(("in_program", asked))
    else:
        with it.finding(("in_program", asked)):
            it.in_program[asked] = _find_in_program(it, name)
    return it.in_program[asked]


def _find_in_program(it: Interpreter, name: str) -> list[Function]:
    known = [
        cls
        for cls in it.all_classes()
        if classes.find_member(it, cls, name) is not None or instances.library_knows(it, cls, name)
    ]
    methods = _plain_methods(it, known, name)
    return [] if all(_calls_namesake(it, one) for one in methods) else methods


def _calls_namesake(it: Interpreter, method: Function) -> bool:
    called = (call.func for call in calls_in(method.node, it.facts_of(method.node)))
    return any(isinstance(function, ast.Attribute) and function.attr == method.name for function in called)


def _find_methods(it: Interpreter, scope: ModuleScope, name: str) -> list[Function]:
    found: dict[ast.AST, Function] = {}
    for value in list(it.state.read(scope.frame).values()):
        cls = resolve(it, value)
        if isinstance(cls, ClassValue) and (
            classes.find_member(it, cls, name) is not None or instances.library_knows(it, cls, name)
        ):
            methods = _overrides(it, cls, name)
            if not methods:
                return []
            found.update((one.node, one) for one in methods)
    return list(found.values())


def _leaves(it: Interpreter, function: Function, shift: int, place: Given) -> bool:
    """Whether a function draws nothing from the argument at a place; ``shift``: it is called with so many before."""
    parameter = _parameter(function, shift, place)
    if parameter is None and isinstance(place, str):
        return _asks_for_others(it, function, place)
    return parameter is not None and _finds(it, function, parameter, _Reader.does_harm) is False


def _asks_for_others(it: Interpreter, function: Function, name: str) -> bool:
    """Whether a function takes an argument among its `**options`, of which it asks by name for others only."""
    options = function.node.args.kwarg
    if options is None:
        return False
    it.note_function(function)
    reads = {part for part in descendants(function.node) if isinstance(part, ast.Name) and part.id == options.arg}
    subscripts = (part for part in descendants(function.node) if isinstance(part, ast.Subscript))
    asked = {part.value for part in subscripts if _constant(part.slice) not in (None, name)}
    return reads <= asked


def _constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _draws(it: Interpreter, function: Function, shift: int, place: Given) -> bool:
    """Whether a function draws from the argument at a place, itself or by another that is called in it."""
    parameter = _parameter(function, shift, place)
    return parameter is not None and _finds(it, function, parameter, _Reader.draws) is True


def _finds(it: Interpreter, function: Function, parameter: str, look: Look) -> bool | None:
    """Whether a look at a function, or at one that it passes the parameter on to, finds something; None if nothing is
    found and some are too far."""
    asked = function.node, parameter, look
    if not it.keeps_notes and asked in it.found_of_keys:
        it.note_again(("found_of_keys", asked))
    else:
        with it.finding(("found_of_keys", asked)):
            it.found_of_keys[asked] = _search(it, function, parameter, look)
    return it.found_of_keys[asked]


def _search(it: Interpreter, function: Function, parameter: str, look: Look) -> bool | None:
    """Looks at each function once, at those with fewer calls between first."""
    wave, seen = [(function, parameter)], set[tuple[FunctionNode, str]]()
    for _ in range(MOST_CALLS.value + 1):
        following = []
        for one, name in wave:
            if (one.node, name) in seen:
                continue
            seen.add((one.node, name))
            found, passed_on = _looked(it, one, name, look)
            if found:
                return True
            following += passed_on
        if not following:
            return False
        wave = following
    return None


def _looked(it: Interpreter, function: Function, parameter: str, look: Look) -> tuple[bool, list[tuple[Function, str]]]:
    """What a look at one function finds, and which functions get the parameter from it, as which."""
    it.note_function(function)
    asked = function.node, parameter, look
    known = it.looks_at_keys.get(asked) if not it.keeps_notes else None
    if known is not None:
        it.note_again(("looks_at_keys", asked))
        return known
    with it.finding(("looks_at_keys", asked)):
        reader = _Reader(it, function, parameter)
        known = it.looks_at_keys[asked] = look(reader), reader.passed_on
    return known


def _parameter(function: Function, shift: int, place: Given) -> str | None:
    """The parameter that takes an argument; None if it is not one of its own.  ``shift``: the function is called with
    so many arguments before."""
    if isinstance(place, str):
        return place if any(place == parameter.arg for parameter in parameters(function.node)) else None
    names = [parameter.arg for parameter in (*function.node.args.posonlyargs, *function.node.args.args)]
    number = place if function.kind == "static" else place + shift
    return names[number] if number < len(names) else None


def _given(node: ast.Call) -> Iterator[tuple[Given, ast.expr]]:
    """The arguments of a call with their places."""
    yield from enumerate(node.args)
    yield from ((keyword.arg or "", keyword.value) for keyword in node.keywords)


class _Reader:
    """Reads a function for what it does with one of its parameters.

    ``passed_on`` are the functions of the project that were found to get it, with their parameters for it.
    """

    def __init__(self, it: Interpreter, function: Function, parameter: str) -> None:
        self.it = it
        self.function = function
        self.parameter = parameter
        self.passed_on: list[tuple[Function, str]] = []

    def does_harm(self) -> bool:
        body = self.function.node.body
        return not all(map(self.is_harmless, body if isinstance(body, list) else [body]))

    def draws(self) -> bool:
        node = self.function.node
        return any(self._draws_in(call) for call in calls_in(node, self.it.facts_of(node)))

    def _draws_in(self, node: ast.Call) -> bool:
        passed = [place for place, value in _given(node) if self._is_read(value)]
        if not passed or any(isinstance(part, ast.Starred) for part in node.args):
            return False
        shift, found = self._called(node.func)
        if isinstance(found, External):
            package, _, short = found.name.rpartition(".")
            effect = KEY_FUNCTIONS[short].effect if package == "jax.random" and short in KEY_FUNCTIONS else None
            return effect in (KeyEffect.DRAW, KeyEffect.SPLIT) and bool({0, "key", "seed"}.intersection(passed))
        self._pass_on(found, shift, passed)
        return False

    def is_harmless(self, node: ast.AST) -> bool:
        if self._is_read(node):
            return False
        if isinstance(node, ast.Call):
            return self._is_harmless_call(node)
        if isinstance(node, ast.Attribute) and node.attr in STATIC_ATTRIBUTES:
            return self._is_read(node.value) or self.is_harmless(node.value)
        if isinstance(node, ast.Compare) and all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            return all(self._is_read(part) or self.is_harmless(part) for part in (node.left, *node.comparators))
        if isinstance(node, ast.FormattedValue) and self._is_read(node.value):
            return True
        return all(map(self.is_harmless, children(node)))

    def _is_read(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in (self.parameter, "locals") and isinstance(node.ctx, ast.Load)

    def _is_harmless_call(self, node: ast.Call) -> bool:
        given = list(_given(node))
        passed = [place for place, value in given if self._is_read(value)]
        rest = [node.func, *(value for _, value in given if not self._is_read(value))]
        if not all(map(self.is_harmless, rest)):
            return False
        return not passed or (
            not any(isinstance(part, ast.Starred) for part in node.args) and self._spares(node, passed)
        )

    def _spares(self, node: ast.Call, passed: list[Given]) -> bool:
        """Whether what is called draws nothing from the arguments at some places."""
        shift, found = self._called(node.func)
        if isinstance(found, External) and found.name in _MAPS and 0 not in passed:
            passed = [place - 1 if isinstance(place, int) else place for place in passed]
            shift, found = self._called(node.args[0])
        if isinstance(found, External):
            return found.name in _HARMLESS
        if not found and isinstance(node.func, ast.Attribute):
            shift, found = 1, _methods_of_unknown(self.it, self.function.scope, node.func.attr)
        return bool(found) and self._pass_on(found, shift, passed)

    def _pass_on(self, found: list[Function], shift: int, passed: list[Given]) -> bool:
        """Notes the parameters that get the arguments at some places; no if one of them cannot be told."""
        asked = [(one, _parameter(one, shift, at)) for one in found for at in passed]
        self.passed_on += [(one, name) for one, name in asked if name is not None]
        return all(name is not None for _, name in asked)

    def _called(self, node: ast.expr) -> tuple[int, External | list[Function]]:
        """What an expression that is called may be, and how many parameters of it are not among the arguments."""
        method = self._method(node)
        if method is not None and method.owner is not None:
            return 1, _overrides(self.it, method.owner, method.name)
        found = self._named(node)
        if isinstance(found, Function):
            return int(found.receiver is not None), [found]
        return 0, found if isinstance(found, External) else []

    def _method(self, node: ast.expr) -> Function | None:
        """The method that `self.name` is."""
        function, spec = self.function, self.function.node.args
        if function.owner is None or function.kind == "static" or not spec.args or not isinstance(node, ast.Attribute):
            return None
        if not isinstance(node.value, ast.Name) or node.value.id != spec.args[0].arg:
            return None
        found = classes.find_member(self.it, function.owner, node.attr)
        return found if isinstance(found, Function) and found.owner is not None else None

    def _named(self, node: ast.expr) -> Value | None:
        """What an expression in the function means if all of it comes from outside."""
        function, root = self.function, node
        while isinstance(root, ast.Attribute):
            root = root.value
        own = {parameter.arg for parameter in parameters(function.node)} | self.it.facts_of(function.node).stored.keys()
        if isinstance(root, ast.Lambda) or (isinstance(root, ast.Name) and root.id not in own):
            return self.it.eval_annotation(node, function)
        return None
