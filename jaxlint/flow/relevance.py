"""Which functions can have to do with PRNG keys, directly or through what they call: by name, over all modules.

Outside traces a call is followed for the keys it may spend.  Following every method of every object would
cost far more than it finds, so a function is followed there only if its text, or that of a function of a
name it calls, mentions something random.  Likewise a function is analysed as an entry point of its own only
if its text has anything that can go wrong outside a trace.  Both answers err on the side of looking.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.flow.trees import descendants

if TYPE_CHECKING:
    from jaxlint.flow.modules import ModuleScope
    from jaxlint.flow.values import FunctionNode
    from jaxlint.project.program import Module, Program

_MENTIONS = re.compile(
    r"rng|prng|random|fold_in|(?<![.\w])keys?\b(?!\s*(?:in\b|,\s*\w+\s+in\b))|_keys?\b", re.IGNORECASE
)
_HAZARDS = re.compile(
    r"""
    key\b | keys\b | rng | prng | random | seed                                     # keys
    | jit\b | vmap | pmap | grad | scan | cond\b | while_loop | fori | checkpoint | remat | shard_map | switch
    | callback | transform | \bmap\b | eval_shape | linearize | [jv]vp\b | jac | hessian | vectorize | pallas
    | \]\s*(?:[-+*/%@&|^]|//|\*\*|>>|<<)?=(?!=) | \bdel\b                          # item assignment
    | \.at\b | \bout= | fill_diagonal | \.(?:sort|fill|resize|put|partition|itemset|setflags)\(
    | \.(?:shape|dtype)\s*=(?!=) | \bdtype\s+(?:is|in|not)\b | \btype\( | \bhash\( | argm(?:ax|in) | cache
    | debug\. | LinAlgError | ZeroDivisionError | stream | Ref\b
    | ^[ \t]*(?:jnp|lax|jax|optax|np|numpy)\.[\w.]+\(                                # a call for its effect
    | ^[ \t]*(?!print\b|super\b|assert\b|if\b|return\b|raise\b)[a-z_]\w*\(          # a call for its effect
    | [-+*/]= | \bput\( | place\( | \bclass\b | jaxpr
    """,
    re.VERBOSE | re.MULTILINE,
)
_CALLS = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


class Relevance:
    """Names of functions that may touch keys, found once for a program."""

    def __init__(self, program: Program) -> None:
        self.names = closure(_all_functions(program))
        self.traced = _transformed_names(program)
        self.makers: dict[ast.AST, bool] = {}
        self.inits = Inits(program)

    def run_by_init(self, name: str) -> bool:
        """Whether ``init`` of a module may run methods of this name: every module's `__call__`, what is named as its
        ``method``, and what these mention in turn."""
        return name in self.inits.names()

    def may_touch_keys(self, scope: ModuleScope, node: FunctionNode) -> bool:
        name = getattr(node, "name", None)
        return name is None or name in self.names or name in ("__init__", "__call__", "__post_init__")

    def makes_function(self, node: FunctionNode) -> bool:
        """Whether the function returns one it defines, or calls an entry of a table: a trace may run the result."""
        found = self.makers.get(node)
        if found is None:
            found = self.makers[node] = not isinstance(node, ast.Lambda) and _makes_function(node.body)
        return found

    def worth_entering(self, scope: ModuleScope, node: FunctionNode) -> bool:
        """Whether running the function eagerly could show anything: it makes a trace, touches keys or changes
        something.  What it computes for others is seen when they call it."""
        if getattr(node, "name", None) in self.names:
            return True
        text = "\n".join(scope.lines[node.lineno - 1 : node.end_lineno])
        return _HAZARDS.search(text) is not None or not self.traced.isdisjoint(_CALLS.findall(text))


def _makes_function(body: list[ast.stmt]) -> bool:
    defined = {statement.name for statement in body if isinstance(statement, ast.FunctionDef)}
    returned = body[-1].value if isinstance(body[-1], ast.Return) else None
    if isinstance(returned, ast.Call):
        return isinstance(returned.func, ast.Subscript)
    return isinstance(returned, ast.Lambda) or (isinstance(returned, ast.Name) and returned.id in defined)


Named = tuple[str, frozenset[str] | None]
"""A function's name, and the names it calls; None if its text mentions something random."""


def functions_in(body: list[ast.stmt], lines: list[str]) -> Iterator[Named]:
    """What the names of the functions in some statements of a module say."""
    for function in _functions(body):
        text = "\n".join(lines[function.lineno - 1 : function.end_lineno])
        yield function.name, None if _MENTIONS.search(text) else frozenset(_CALLS.findall(text))


def _all_functions(program: Program) -> Iterator[Named]:
    for module in program.modules.values():
        tree = None if module.name in program.foreign else module.document.tree
        if tree is not None:
            yield from functions_in(tree.body, module.document.text.splitlines())


def closure(functions: Iterable[Named]) -> frozenset[str]:
    """The names of functions that mention something random or call one that does."""
    found: set[str] = set()
    calls: dict[str, set[str]] = {}
    for function, called in functions:
        if called is None:
            found.add(function)
        else:
            calls.setdefault(function, set()).update(called)
    callers: dict[str, set[str]] = {}
    for name, callees in calls.items():
        for callee in callees:
            callers.setdefault(callee, set()).add(name)
    pending = list(found)
    while pending:
        for name in callers.get(pending.pop(), ()):
            if name not in found:
                found.add(name)
                pending.append(name)
    return frozenset(found)


_TRANSFORM = re.compile(
    r"\b(?:jit|vmap|pmap|grad|checkpoint|remat|shard_map|jac\w+|hessian|vectorize|jit_\w+|\w+_jit)\b"
)
_WORD = re.compile(r"\w+")


def _transformed_names(program: Program) -> frozenset[str]:
    """Names that a module gives to a transformed function: who calls one passes arguments into a trace."""
    found: set[str] = set()
    for name, module in program.modules.items():
        if name not in program.foreign:
            found |= transformed_in(module.document.text)
    return frozenset(found)


def transformed_in(text: str) -> set[str]:
    """Names that a piece of a module gives to transformed functions."""
    found: set[str] = set()
    decorated = False
    for line in text.splitlines():
        code = line.lstrip()
        if code.startswith("@"):
            decorated = decorated or _TRANSFORM.search(code) is not None
            continue
        if decorated and code.startswith(("def ", "async def ")):
            found.add(_WORD.findall(code.partition("(")[0])[-1])
        decorated = decorated and not code
        target, equals, value = code.partition("=")
        if equals and _TRANSFORM.search(value) is not None:
            found.update(_WORD.findall(target)[-1:])
    return found


def _functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every def below a list of statements, without looking into expressions."""
    stack = list(body)
    while stack:
        statement = stack.pop()
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield statement
        for part in ("body", "orelse", "finalbody"):
            stack.extend(getattr(statement, part, ()))
        for handler in getattr(statement, "handlers", ()):
            stack.extend(handler.body)


@dataclass(slots=True)
class _Said:
    """What one statement of a module says of names."""

    functions: tuple[Named, ...]
    traced: frozenset[str]


class KeptRelevance(Relevance):
    """The same for a program whose modules change.  ``note`` is told each name that is asked for."""

    def __init__(self, program: Program, note: Callable[[str], None]) -> None:
        self.note = note
        self.makers = {}
        self.inits = Inits(program)
        self._modules: dict[str, dict[ast.stmt, _Said]] = {}
        for name, module in program.modules.items():
            if name not in program.foreign:
                self._modules[name] = _said_in(module, {})
        self.names, self.traced = self._all_names(), self._all_traced()

    def may_touch_keys(self, scope: ModuleScope, node: FunctionNode) -> bool:
        name = getattr(node, "name", None)
        if name is not None:
            self.note(name)
        return super().may_touch_keys(scope, node)

    def run_by_init(self, name: str) -> bool:
        self.note(name)
        return super().run_by_init(name)

    def update(self, module: Module, changed: Iterable[ast.stmt]) -> tuple[frozenset[str], bool]:
        """These statements of a module are new or have another text.

        Returns the names whose answer is another now, and whether a name was given to, or taken from, a transform.
        """
        known = self._modules.get(module.name)
        if known is None:
            return frozenset(), False
        old = [said for statement in changed if (said := known.pop(statement, None)) is not None]
        self._modules[module.name] = now = _said_in(module, known)
        new = [said for statement, said in now.items() if statement not in known]
        names, traced = self.names, self.traced
        if self._matters(
            [one for said in old for one in said.functions], [one for said in new for one in said.functions]
        ):
            self.names = self._all_names()
        if {name for said in old for name in said.traced} != {name for said in new for name in said.traced}:
            self.traced = self._all_traced()
        return names ^ self.names, traced != self.traced

    def _matters(self, old: list[Named], new: list[Named]) -> bool:
        """Whether names can mean something else when these functions are in place of those."""
        gone = any(one not in new and one[0] in self.names for one in old)
        return gone or any(
            name not in self.names and (calls is None or not self.names.isdisjoint(calls))
            for name, calls in new
            if (name, calls) not in old
        )

    def _all_names(self) -> frozenset[str]:
        return closure(
            function for module in self._modules.values() for said in module.values() for function in said.functions
        )

    def _all_traced(self) -> frozenset[str]:
        return frozenset().union(*(said.traced for module in self._modules.values() for said in module.values()))


def _said_in(module: Module, known: dict[ast.stmt, _Said]) -> dict[ast.stmt, _Said]:
    """What each statement of the module says, as far as it is not known."""
    tree = module.document.tree
    found: dict[ast.stmt, _Said] = {}
    if tree is None:
        return found
    lines = module.document.text.splitlines()
    end = 0
    for statement in tree.body:
        said = known.get(statement)
        if said is None:
            text = "\n".join(lines[end : statement.end_lineno])
            said = _Said(tuple(functions_in([statement], lines)), frozenset(transformed_in(text)))
        found[statement] = said
        end = statement.end_lineno or 0
    return found


_WORDS = re.compile(r"\.(\w+)|\b([A-Za-z_]\w*)\s*\(")
_CALLED_AS = re.compile(r"^[ \t]+__call__[ \t]*=(.*)$", re.MULTILINE)


@dataclass(slots=True)
class _Mentions:
    """The methods that a module's text says ``init`` runs, and the names that each of its functions mentions."""

    roots: frozenset[str]
    functions: tuple[tuple[str, frozenset[str]], ...]


class Inits:
    """Which methods ``init`` of a module may run, by name, over all modules.  It is found out when asked for."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._modules: dict[str, _Mentions] = {}
        self._names: frozenset[str] | None = None

    def names(self) -> frozenset[str]:
        if self._names is None:
            self._names = self._reached()
        return self._names

    def update(self, module: Module) -> frozenset[str]:
        """The module has another text: returns the names whose answer is another now, of those that were asked for."""
        self._modules.pop(module.name, None)
        old, self._names = self._names, None
        return frozenset() if old is None else old ^ self.names()

    def _reached(self) -> frozenset[str]:
        roots, mentions = {"__call__", "setup"}, dict[str, set[str]]()
        for name, module in self._program.modules.items():
            if name in self._program.foreign:
                continue
            said = self._modules.get(name)
            if said is None:
                said = self._modules[name] = _mentions_in(module)
            roots |= said.roots
            for function, words in said.functions:
                mentions.setdefault(function, set()).update(words)
        found, pending = set[str](), list(roots)
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending.extend(mentions.get(name, ()))
        return frozenset(found)


def _mentions_in(module: Module) -> _Mentions:
    tree, text = module.document.tree, module.document.text
    if tree is None:
        return _Mentions(frozenset(), ())
    lines = text.splitlines()
    functions = tuple(
        (function.name, _words("\n".join(lines[function.lineno - 1 : function.end_lineno])))
        for function in _functions(tree.body)
    )
    roots = {word for line in _CALLED_AS.findall(text) for word in re.findall(r"\w+", line)}
    if "init" in text:
        for node in descendants(tree):
            if isinstance(node, ast.Call) and _runs_init(node):
                roots.update(_named_in([*node.args[:1], *(k.value for k in node.keywords if k.arg == "method")]))
    return _Mentions(frozenset(roots), functions)


_INITS = frozenset(("init", "init_with_output", "lazy_init"))


def _runs_init(call: ast.Call) -> bool:
    """`model.init(…)`, `partial(model.init, …)` and `jit(model.init)(…)`."""
    told = [*call.args[:1], *descendants(call.func)]
    return any(isinstance(node, ast.Attribute) and node.attr in _INITS for node in told)


def _words(text: str) -> frozenset[str]:
    return frozenset(attribute or called for attribute, called in _WORDS.findall(text))


def _named_in(expressions: list[ast.expr]) -> Iterator[str]:
    """Attributes, names and strings: a method is given in any of these ways."""
    for expression in expressions:
        for node in descendants(expression):
            if isinstance(node, ast.Attribute):
                yield node.attr
            elif isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
