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

from jaxlint.flow.rng_collections import ASKED, Collections
from jaxlint.flow.trees import descendants
from jaxlint.semantics import libraries
from jaxlint.semantics.model import Abstracts, HigherOrder, Wrapper

if TYPE_CHECKING:
    from jaxlint.flow.modules import ModuleScope
    from jaxlint.flow.rows import Rows
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

    def __init__(self, program: Program, rows: Rows) -> None:
        self.told = rows.shorts()
        self.names = closure(_all_functions(program))
        self.traced = _transformed_names(program)
        self.makers: dict[ast.AST, bool] = {}
        self.inits = Inits(program)
        self.collections = Collections(program)

    def collections_asked_for(self) -> frozenset[str] | None:
        """The rng collections that the program's flax modules draw from, by name; None if that is not known."""
        return self.collections.names()

    def run_by_init(self, classes: tuple[str, ...], name: str) -> bool | None:
        """Whether ``init`` of a module runs the method of that name: ``classes`` are the names of its class and of the
        classes that this derives from.  None if it may."""
        return self.inits.runs(classes, name)

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
        if _HAZARDS.search(text) is not None:
            return True
        called = frozenset(_CALLS.findall(text))
        if self.told and not self.told.isdisjoint(_WORD.findall(text)):
            return True
        roots = {root for name in called & _TRACERS.keys() for root in _TRACERS[name]}
        return not self.traced.isdisjoint(called) or any(_imports(scope.lines, root) for root in roots)


def _tracers() -> dict[str, frozenset[str]]:
    """The libraries that have a function which traces another one, by the last part of its name."""
    rows: dict[str, Wrapper | HigherOrder] = {**libraries.WRAPPERS, **libraries.HIGHER_ORDER}
    found: dict[str, frozenset[str]] = {}
    for name, row in rows.items():
        if row.abstracts is not Abstracts.NOTHING:
            short, root = name.rpartition(".")[2], name.partition(".")[0]
            found[short] = found.get(short, frozenset()) | {root}
    return found


_TRACERS = _tracers()


def _imports(lines: list[str], root: str) -> bool:
    return any(re.match(rf"\s*(?:import|from)\s.*\b{root}\b", line) for line in lines)


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

    def __init__(self, program: Program, rows: Rows, note: Callable[[str], None]) -> None:
        self.note = note
        self.told = rows.shorts()
        self.makers = {}
        self.inits = Inits(program)
        self.collections = Collections(program)
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

    def run_by_init(self, classes: tuple[str, ...], name: str) -> bool | None:
        self.note(name)
        return super().run_by_init(classes, name)

    def collections_asked_for(self) -> frozenset[str] | None:
        self.note(ASKED)
        return super().collections_asked_for()

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


@dataclass(slots=True)
class _Method:
    """What a function mentions, ``own`` being attributes of its first argument; ``owner`` is the class it is in."""

    owner: str
    name: str
    own: frozenset[str]
    words: frozenset[str]


@dataclass(slots=True)
class _Mentions:
    """The methods that a module says ``init`` runs: ``called`` by another name than `__call__`, ``named`` as its
    ``method``."""

    called: frozenset[str]
    named: frozenset[str]
    functions: tuple[_Method, ...]


class Inits:
    """Which methods ``init`` of a module runs, over all modules of a program.  It is found out when asked for.

    It runs `__call__`, or else what it is told as its ``method``; `setup`; and what these mention in turn.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._modules: dict[str, _Mentions] = {}
        self._answers: dict[tuple[tuple[str, ...], str], bool | None] = {}

    def runs(self, classes: tuple[str, ...], name: str) -> bool | None:
        """The answer of ``Relevance.run_by_init``."""
        asked = (classes, name)
        if asked not in self._answers:
            self._answers[asked] = self._find(classes, name)
        return self._answers[asked]

    def update(self, module: Module) -> frozenset[str]:
        """The module has another text: returns the names whose answer is another now, of those that were asked for."""
        self._modules.pop(module.name, None)
        old, self._answers = self._answers, {}
        return frozenset(asked[1] for asked, answer in old.items() if self.runs(*asked) is not answer)

    def _find(self, classes: tuple[str, ...], name: str) -> bool | None:
        said = [self._said(module) for key, module in self._program.modules.items() if key not in self._program.foreign]
        called = {"__call__"}.union(*(part.called for part in said))
        named = frozenset().union(*(part.named for part in said))
        methods = [method for part in said for method in part.functions]
        ours = {method.name for method in methods if method.owner in classes}
        own = [(method.name, method.own) for method in methods if method.owner in classes]
        told = named & ours
        if told and name in _reached({"setup", *told}, own):
            return True
        if name in _reached({"setup", *called}, own):
            return None if told else True
        anyone = [(method.name, method.words) for method in methods]
        if name not in _reached({"setup", *called, *named}, anyone):
            return False
        owners = {method.owner for method in methods if method.name == name and method.owner}
        return True if owners <= set(classes) and not told else None

    def _said(self, module: Module) -> _Mentions:
        known = self._modules.get(module.name)
        if known is None:
            known = self._modules[module.name] = _mentions_in(module)
        return known


def _reached(roots: Iterable[str], mentions: list[tuple[str, frozenset[str]]]) -> set[str]:
    """The names that functions of some names mention, and functions of these names in turn."""
    by_name: dict[str, set[str]] = {}
    for name, words in mentions:
        by_name.setdefault(name, set()).update(words)
    found, pending = set[str](), list(roots)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending.extend(by_name.get(name, ()))
    return found


def _mentions_in(module: Module) -> _Mentions:
    tree, text = module.document.tree, module.document.text
    if tree is None:
        return _Mentions(frozenset(), frozenset(), ())
    called, named = set[str](), set[str]()
    functions = tuple(_method(owner, function) for owner, function in _owned_functions(tree.body, "", called))
    if "init" in text:
        for node in descendants(tree):
            if isinstance(node, ast.Call) and _runs_init(node):
                named.update(_named_in([*node.args[:1], *(k.value for k in node.keywords if k.arg == "method")]))
    return _Mentions(frozenset(called), frozenset(named), functions)


def _owned_functions(
    body: list[ast.stmt], owner: str, called: set[str]
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every def below a list of statements with the class it is a method of; ``called`` takes what a class calls
    `__call__`."""
    for statement in body:
        inside = owner
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield owner, statement
            inside = ""
        elif isinstance(statement, ast.ClassDef):
            inside = statement.name
        elif isinstance(statement, ast.Assign) and owner:
            if any(isinstance(target, ast.Name) and target.id == "__call__" for target in statement.targets):
                called.update(_named_in([statement.value]))
        for part in ("body", "orelse", "finalbody"):
            yield from _owned_functions(getattr(statement, part, []), inside, called)
        for handler in getattr(statement, "handlers", ()):
            yield from _owned_functions(handler.body, inside, called)


def _method(owner: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> _Method:
    first = next((parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)), "")
    own, words = set[str](), set[str]()
    for node in descendants(function):
        if isinstance(node, ast.Attribute):
            words.add(node.attr)
            if (isinstance(node.value, ast.Name) and node.value.id == first) or _is_super(node.value):
                own.add(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            words.add(node.func.id)
            if node.func.id == first:
                own.add("__call__")
    return _Method(owner, function.name, frozenset(own), frozenset(words))


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


_INITS = frozenset(("init", "init_with_output", "lazy_init"))


def _runs_init(call: ast.Call) -> bool:
    """`model.init(…)`, `partial(model.init, …)` and `jit(model.init)(…)`."""
    told = [*call.args[:1], *descendants(call.func)]
    return any(isinstance(node, ast.Attribute) and node.attr in _INITS for node in told)


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
