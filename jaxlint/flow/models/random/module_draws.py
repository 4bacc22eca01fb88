"""Whether a method of a flax module may ask for a key of its `rngs`, told from its text.

Keys that nothing asks for are used by nobody: `apply` draws only by `make_rng`, which dropout and attention call.  What
the method mentions of its module is looked up in the class, what it mentions besides as where haiku's functions draw
(`ambient_draws.py`).  One of which nothing is known may ask for a key.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import NONE, ClassValue, Const, External, Function, Instance, ModuleValue, Opaque, Value
from jaxlint.flow.models.names.imports import resolve
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.declared import ARRAY_TYPES
from jaxlint.flow.models.random.ambient_draws import bound_in, chains, root_of
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.bound_nowhere import is_bound_nowhere
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.semantics import libraries
from jaxlint.semantics.array_members import ARRAY_METHODS
from jaxlint.semantics.keyless import knows_no_keys


def asks_for_no_key(it: Interpreter, module: Instance, args: Arguments) -> bool:
    """Whether the method that `module.apply(…)` runs leaves all of `rngs` alone."""
    method = args.named.get("method", NONE)
    if isinstance(method, Function) and method.owner in classes.linearized(module.cls):
        method = Const(method.name)
    if not isinstance(method, Const) or args.open_ended:
        return False
    first = classes.find_member(it, module.cls, method.value or "__call__")
    return isinstance(first, Function) and first.owner is not None and _Reading(it).finds_none(module.cls, first)


class _Reading:
    """What is read for one answer: each function, class and attribute once."""

    def __init__(self, it: Interpreter) -> None:
        self.it = it
        self.pending: list[tuple[Function, ClassValue | None]] = []
        self.seen = set[ast.AST]()
        self.asked = set[tuple[ClassValue, str]]()  # attributes: what they are set to may mention them

    def finds_none(self, cls: ClassValue, method: Function) -> bool:
        self.pending.append((method, cls))
        while self.pending:
            function, owner = self.pending.pop()
            if function.node not in self.seen:
                self.seen.add(function.node)
                self.it.note_function(function)
                if not all(self._is_quiet(function, part, owner) for part in _run_in(function.node)):
                    return False
        return True

    def _is_quiet(self, function: Function, part: ast.AST, cls: ClassValue | None) -> bool:
        """Whether a part of a function asks for no key itself; what it mentions is read later."""
        own = next((parameter.arg for parameter in parameters(function.node)), None) if cls is not None else None
        return _calls_known(function.node, own) and all(
            self._leads_to_none(function, chain, own, cls) for chain in chains(part)
        )

    def _leads_to_none(self, function: Function, chain: ast.expr, own: str | None, cls: ClassValue | None) -> bool:
        root = root_of(chain)
        assert isinstance(root, ast.Name)
        if root.id == own and cls is not None:
            return isinstance(chain, ast.Attribute) and self._is_quiet_member(cls, _first_attribute(chain))
        if root.id in bound_in(function.node):
            return True
        value = resolve(self.it, self.it.eval_annotation(root, function))
        if isinstance(value, (External, ModuleValue)):
            value = resolve(self.it, self.it.eval_annotation(chain, function))
        if isinstance(value, Opaque) and self._is_missing(function, root.id):
            return True
        return self._may_be_used(value)

    def _is_missing(self, function: Function, name: str) -> bool:
        """Whether Python finds nothing of that name, and raises."""
        self.it.note_global(function.scope, name)
        bound = self.it.state.read(function.scope.frame).get(name)
        return bound is None and self.it.ask_text(function.scope, is_bound_nowhere, name)

    def _may_be_used(self, value: Value) -> bool:
        if isinstance(value, External):
            return _is_quiet_name(value.name)
        if isinstance(value, Function) and value.receiver is None:
            self.pending.append((value, None))
            return True
        return isinstance(value, Const) or (isinstance(value, ClassValue) and self._is_quiet_class(value))

    def _is_quiet_class(self, cls: ClassValue) -> bool:
        """Whether all methods that objects of a class have may be run."""
        if cls.node in self.seen:
            return True
        self.seen.add(cls.node)
        for part in classes.linearized(cls):
            self.it.note_class(part)
            members = self.it.state.read(part.frame).values()
            self.pending += [(member, cls) for member in members if isinstance(member, Function)]
        return all(map(_is_quiet_name, classes.external_bases(cls)))

    def _is_quiet_member(self, cls: ClassValue, name: str) -> bool:
        """Whether an attribute of the module asks for no key when it is called: a method, or what methods set it to."""
        if name in _OF_MODULES or (cls, name) in self.asked:
            return True
        self.asked.add((cls, name))
        member = classes.find_member(self.it, cls, name)
        if isinstance(member, Function) and member.owner is not None:
            self.pending.append((member, cls))
            return True
        field = classes.field_node(cls, name)
        if field is not None:
            return self._holds_data(*field)
        made = list(self._stored(cls, name))
        return bool(made) and all(self._is_quiet(function, value, cls) for function, value in made)

    def _holds_data(self, cls: ClassValue, field: ast.AnnAssign) -> bool:
        """Whether a field is declared to be a number, an array or a key, which asks for nothing."""
        if isinstance(field.annotation, ast.Name) and field.annotation.id in _NUMBERS:
            return True
        named = resolve(self.it, self.it.eval_annotation(field.annotation, cls))
        return isinstance(named, External) and named.name in _ARRAYS

    def _stored(self, cls: ClassValue, name: str) -> Iterator[tuple[Function, ast.expr]]:
        """What the methods of a class set an attribute of their object to."""
        for part in classes.linearized(cls):
            self.it.note_class(part)
            for member in self.it.state.read(part.frame).values():
                if isinstance(member, Function):
                    for node in descendants(member.node):
                        if isinstance(node, ast.Assign) and any(_is_named(target, name) for target in node.targets):
                            yield member, node.value


_OF_MODULES = frozenset(
    "param variable sow perturb get_variable put_variable has_variable is_initializing is_mutable_collection has_rng "
    "name path variables init init_with_output lazy_init apply".split()
)
"""What every flax module has and that draws nothing where there are parameters, or only from keys that it is given."""

_NUMBERS = frozenset(("int", "float", "bool", "str"))
_ARRAYS = ARRAY_TYPES | {"jax.random.PRNGKey"}
"""What fields with arrays and keys are declared to be; the last is no type, and says what is meant all the same."""


def _run_in(function: FunctionNode) -> list[ast.AST]:
    """The parts of a function that run: all but its annotations."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    defaults = (*function.args.defaults, *(default for default in function.args.kw_defaults if default is not None))
    return [*function.decorator_list, *defaults, *function.body]


def _is_named(target: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == name for part in descendants(target))


def _first_attribute(chain: ast.Attribute) -> str:
    while isinstance(chain.value, ast.Attribute):
        chain = chain.value
    return chain.attr


def _calls_known(function: ast.AST, own: str | None) -> bool:
    """Whether a function calls nothing that it is given, nor a method of that which arrays do not have."""
    given = {part.arg for part in descendants(function) if isinstance(part, ast.arg)} - {own}
    for part in descendants(function):
        if isinstance(part, ast.Call):
            root = root_of(part.func)
            if isinstance(root, ast.Name) and (root.id == "super" or root.id in given):
                if not isinstance(part.func, ast.Attribute) or part.func.attr not in ARRAY_METHODS:
                    return False
    return True


def _is_quiet_name(name: str) -> bool:
    """Whether a function or class of a library asks for no key by itself."""
    if any(draws.rpartition(".")[0] == name for draws in _ASKING):
        return False
    return name.startswith(("jax.", "flax.linen.", "flax.core.")) or knows_no_keys(name)


_ASKING = frozenset(name for name, use in libraries.KEY_METHODS.items() if use.noise and name.startswith("flax.linen."))
"""What flax's own modules draw from `rngs` for when they are called: dropout."""
