"""Edits of a program that mean nothing: one function a kind, in the table ``EDITS``.

Each changes the trees of a program wherever it may, and leaves out a place by a fact of the code there, never by whose
code it is.  What runs afterwards is the same in the same order, for JAX and so for what there is to say of it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import takewhile

from tests.robustness.edited import Function, Trees, functions_in
from tests.robustness.extracted import extracted_helpers
from tests.robustness.scopes import (
    bound_within,
    is_plain,
    is_stub,
    is_test,
    locals_of,
    looks_at_names,
    names_bound,
    names_in,
    own_nodes,
    parameters,
    top_level_names,
)

MANY_LINES = 150
MANY_CALLERS = 30
Edit = Callable[[Trees], None]


def printed_anew(trees: Trees) -> None:
    """Nothing: without comments, and with every statement on one line."""


def long_functions(trees: Trees) -> None:
    """Many assignments of names that nobody reads, at the start of each function."""
    for function in list(trees.functions()):
        if not is_stub(function):
            name = trees.fresh("unread")
            lines = [_parsed(f"{name}_{number} = {number}") for number in range(MANY_LINES)]
            _after_docstring(function.body, lines)


def passes_and_docstrings(trees: Trees) -> None:
    """A docstring for each function without one, and a `pass` before the first statement of each block."""
    for function in list(trees.functions()):
        if not is_stub(function):
            if ast.get_docstring(function) is None:
                function.body.insert(0, _parsed("'''What it does.'''"))
            for node in own_nodes(*function.body):
                if isinstance(node, ast.If | ast.For | ast.While | ast.With):
                    node.body.insert(0, ast.Pass())
            _after_docstring(function.body, [ast.Pass()])


def dead_code(trees: Trees) -> None:
    """An import that nobody uses, a branch that is never taken in each function, and one nobody calls.

    No function where nothing is defined: who has a function to give may be imported, who has nothing is only run.
    """
    for function in list(trees.functions()):
        if not is_stub(function):
            _after_docstring(function.body, [_parsed(f"if False:\n    {trees.fresh('never')} = 0")])
    for tree in trees.files.values():
        tree.body.insert(_start(tree), _parsed(f"import itertools as {trees.fresh('unused')}"))
        if _defines(tree):
            tree.body.append(_parsed(f"def {trees.fresh('uncalled')}(first, second):\n    return first + second"))


def _defines(tree: ast.Module) -> bool:
    """Whether a file binds something for others, and not imports alone."""
    bound = [one for one in tree.body if not isinstance(one, ast.Import | ast.ImportFrom)]
    return bool(top_level_names(ast.Module(bound, [])))


def renamed_locals(trees: Trees) -> None:
    """Another name for each variable that is bound in one function only, and by assignments alone.

    A name such as `_` says that the value is dropped, and one that the function around has says which was meant.
    """
    functions = list(trees.functions())
    around: dict[Function, set[str]] = {function: set() for function in functions}
    for function in functions:
        for inner in functions_in(function):
            around[inner] |= set(locals_of(function)) if inner is not function else set()
    for function in functions:
        if not looks_at_names(function):
            names = [name for name in _variables(function) if name not in around[function]]
            _rename(function, {name: trees.fresh("variable") for name in names})


def _variables(function: Function) -> Iterator[str]:
    own = list(own_nodes(*function.body))
    stored = [node for node in own if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    everywhere = bound_within(function)
    for name, times in names_bound(*stored).items():
        if times == everywhere[name] and not name.startswith("_"):
            yield name


def _rename(function: Function, names: dict[str, str]) -> None:
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)


def renamed_functions(trees: Trees) -> None:
    """Another name for each global function, and for the parameters of these, in a program of one file.

    Not for what may be found by its name: there is an attribute or a keyword of that name, or a text with the word.
    """
    if len(trees.files) > 1:
        return
    for tree in trees.files.values():
        said = _said_elsewhere(tree)
        once = top_level_names(tree)
        every = bound_within(tree)
        functions = [one for one in tree.body if isinstance(one, Function) and not is_test(one)]
        names = {
            one.name: trees.fresh("renamed")
            for one in functions
            if one.name not in said and once[one.name] == every[one.name] == 1 and one.name != "main"
        }
        for one in functions:
            one.name = names.get(one.name, one.name)
            if not looks_at_names(one):
                _rename_parameters(trees, one, said)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)


def _said_elsewhere(tree: ast.Module) -> set[str]:
    """The names that are attributes, keywords or words of texts somewhere in a module."""
    said = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                said.add(name)
            case ast.Constant(value=str(text)):
                said.update(re.findall(r"\w+", text))
    return said


def _rename_parameters(trees: Trees, function: Function, said: set[str]) -> None:
    """Other names for the parameters that nothing else in the function has the name of."""
    bound = bound_within(function)
    args = [*function.args.posonlyargs, *function.args.args]
    names = {one.arg: trees.fresh("parameter") for one in args if one.arg not in said and bound[one.arg] == 1}
    for one in args:
        one.arg = names.get(one.arg, one.arg)
    _rename(function, names)


def split_statements(trees: Trees) -> None:
    """A variable for the first argument of a call that makes up a statement: it is what is evaluated first."""
    for function in list(trees.functions()):
        for block in list(_blocks(function)):
            block[:] = [part for statement in block for part in _split(trees, function, statement)]


def _split(trees: Trees, function: Function, statement: ast.stmt) -> Iterator[ast.stmt]:
    match statement:
        case ast.Assign(value=ast.Call() as call) | ast.Return(value=ast.Call() as call):
            first = call.args[0] if call.args else None
            root = call.func
            while isinstance(root, ast.Attribute):
                root = root.value
            # What is called is looked up first: that must come to the same before and after.
            known = isinstance(root, ast.Name) and root.id not in locals_of(function)
            if known and isinstance(first, ast.Call | ast.BinOp):
                name = trees.fresh("part")
                part = ast.Assign([ast.Name(name, ast.Store())], first)
                yield trees.place(part, first)
                call.args[0] = trees.place(ast.Name(name, ast.Load()), first)
    yield statement


def _blocks(function: Function) -> Iterator[list[ast.stmt]]:
    """The lists of statements that are in a function's own scope."""
    yield function.body
    for node in own_nodes(*function.body):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block:
                    yield block


def inlined_helpers(trees: Trees) -> None:
    """What a function returns, for calls with names and constants of a global that does nothing but return it."""
    for tree in trees.files.values():
        once = top_level_names(tree)
        helpers = {
            one.name: returned
            for one in tree.body
            if isinstance(one, ast.FunctionDef) and once[one.name] == 1 and (returned := _returned(one)) is not None
        }
        defined = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
        for function in functions_in(tree):
            inline = _Inline(trees, function, {name: (defined[name], value) for name, value in helpers.items()})
            function.body = [inline.visit(statement) for statement in function.body]


def _returned(function: ast.FunctionDef) -> ast.expr | None:
    """The expression that makes up a function's body, if it has no scope of its own in it."""
    args = function.args
    if args.vararg or args.kwarg or args.kwonlyargs or not is_plain(function) or looks_at_names(function):
        return None
    match function.body:
        case [*rest, ast.Return(value=ast.expr() as value)] if len(rest) == (ast.get_docstring(function) is not None):
            kinds = (
                ast.Lambda,
                ast.Yield,
                ast.YieldFrom,
                ast.Await,
                ast.NamedExpr,
                ast.GeneratorExp,
                ast.comprehension,
            )
            return None if any(isinstance(node, kinds) for node in ast.walk(value)) else value
    return None


class _Inline(ast.NodeTransformer):
    def __init__(self, trees: Trees, function: Function, helpers: dict[str, tuple[ast.FunctionDef, ast.expr]]) -> None:
        self.trees = trees
        self.helpers = helpers
        self.bound = set(bound_within(function))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node  # a function of its own

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Call(self, call: ast.Call) -> ast.expr:
        self.generic_visit(call)
        if not isinstance(call.func, ast.Name) or call.func.id not in self.helpers or call.func.id in self.bound:
            return call
        helper, value = self.helpers[call.func.id]
        names = parameters(helper)
        simple = all(isinstance(one, ast.Name | ast.Constant) for one in call.args)
        free = names_in(value) - set(names)
        if call.keywords or not simple or len(call.args) != len(names) or free & self.bound:
            return call
        given = dict(zip(names, call.args, strict=True))
        inlined: ast.expr = _Filled(self.trees, given, call).visit(self.trees.copied(value, call))
        return inlined


class _Filled(ast.NodeTransformer):
    def __init__(self, trees: Trees, given: dict[str, ast.expr], call: ast.Call) -> None:
        self.trees, self.given, self.call = trees, given, call

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.trees.copied(self.given[node.id], self.call, node) if node.id in self.given else node


def made_by_factories(trees: Trees) -> None:
    """Each global function is made by another one, which is called once and at once."""
    for statement in _wrapped(trees):
        make = trees.fresh("make")
        outer = _function(make, "", [statement, _parsed(f"return {statement.name}")])
        _replace(trees, statement, [outer, _parsed(f"{statement.name} = {make}()")])


def static_methods(trees: Trees) -> None:
    """Each global function is a static method that the global's name stands for."""
    for statement in _wrapped(trees):
        name = trees.fresh("Holder")
        statement.decorator_list.insert(0, trees.place(ast.Name("staticmethod", ast.Load()), statement))
        holder = ast.ClassDef(name, [], [], [statement], [])
        _replace(trees, statement, [holder, _parsed(f"{statement.name} = {name}.{statement.name}")])


def _wrapped(trees: Trees) -> list[Function]:
    """The global functions that are bound once, and that nobody finds by the form of their names."""
    found = []
    for path, tree in trees.files.items():
        if not _is_for_tests(path):
            once = top_level_names(tree)
            functions = [one for one in tree.body if isinstance(one, Function) and not is_test(one)]
            found += [one for one in functions if once[one.name] == 1 and not looks_at_names(one)]
    return found


def _is_for_tests(path: str) -> bool:
    """Whether pytest looks for functions in the file by their names."""
    *folders, name = path.split("/")
    return "tests" in folders or "test" in name or name == "conftest.py"


def other_modules(trees: Trees) -> None:
    """Global functions that lean on imports and on each other only are imported from a module of their own."""
    for path, tree in list(trees.files.items()):
        moved = [] if "/" in path or _is_for_tests(path) else _movable(tree)
        if moved:
            module = trees.fresh("parts")
            imports = [trees.copied(one) for one in _imports_at_head(tree)]
            for one in moved:
                _replace(trees, one, [_parsed(f"from {module} import {one.name}")])
            trees.files = {f"{module}.py": ast.Module([*imports, *moved], []), **trees.files}


def _imports_at_head(tree: ast.Module) -> list[ast.stmt]:
    """The imports that run before anything else does: they may run once more there."""
    kinds = (ast.Import, ast.ImportFrom)
    return list(takewhile(lambda one: isinstance(one, kinds), tree.body[_start(tree) :]))


def _movable(tree: ast.Module) -> list[Function]:
    once = top_level_names(tree)
    known = {name for name in bound_within(ast.Module(_imports_at_head(tree), [])) if once[name] == 1}
    moved = [one for one in tree.body if isinstance(one, Function) and once[one.name] == 1 and not looks_at_names(one)]
    moved = [one for one in moved if not any(_names_a_global(node, once) for node in ast.walk(one))]
    while True:
        there = known | {one.name for one in moved}
        stay = [one for one in moved if (names_in(one) & set(once)) - there or "*" in once]
        if not stay:
            return moved
        moved = [one for one in moved if one not in stay]


def _names_a_global(node: ast.AST, names: Container[str]) -> bool:
    """Whether a node declares a global, or may be the text of an annotation that names one."""
    return isinstance(node, ast.Global) or (isinstance(node, ast.Constant) and node.value in names)


def reordered_definitions(trees: Trees) -> None:
    """Global functions stand behind the imports, the last one first, where nothing runs when they are defined."""
    for tree in trees.files.values():
        once = top_level_names(tree)
        early = [one for one in tree.body if isinstance(one, Function) and once[one.name] == 1 and is_plain(one)]
        rest = [one for one in tree.body if one not in early]
        start = _start(tree)
        imports = list(takewhile(lambda one: isinstance(one, ast.Import | ast.ImportFrom), rest[start:]))
        start += len(imports)
        tree.body = [*rest[:start], *reversed(early), *rest[start:]]


def unrelated_callers(trees: Trees) -> None:
    """A function that has nothing to do with the program, and many callers of it with other constants.

    Not where nothing is defined, see `dead_code`.
    """
    for tree in filter(_defines, trees.files.values()):
        name, caller = trees.fresh("unrelated"), trees.fresh("calls_unrelated")
        tree.body.append(_parsed(f"def {name}(value, mode):\n    return value * mode"))
        for number in range(MANY_CALLERS):
            tree.body.append(_parsed(f"def {caller}_{number}(value):\n    return {name}(value, {number})"))


def callers_with_other_constants(trees: Trees) -> None:
    """Many more callers, outside of traces, of functions that are given numbers: each gives another number.

    Not where a function asks which number it is, or hands it on: there it may mean something.
    """
    for tree in trees.files.values():
        once = top_level_names(tree)
        for function in [one for one in tree.body if isinstance(one, ast.FunctionDef)]:
            if once[function.name] == 1 and is_plain(function) and (given := _numbers(tree, function)):
                caller = trees.fresh("calls")
                others = [name for name in parameters(function) if name not in given]
                for number in range(MANY_CALLERS):
                    args = [*(f"{one}={one}" for one in others), *(f"{one}={number + 100}" for one in given)]
                    text = f"def {caller}_{number}({', '.join(others)}):\n    return {function.name}({', '.join(args)})"
                    tree.body.append(_parsed(text))


def _numbers(tree: ast.Module, function: ast.FunctionDef) -> list[str]:
    """The parameters that calls give numbers, if the function has them in sums and products only."""
    args = function.args
    if args.vararg or args.kwarg or args.posonlyargs:
        return []
    names = [one.arg for one in args.args]
    given = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function.name:
            pairs = [*zip(names, call.args), *((one.arg or "", one.value) for one in call.keywords)]
            given |= {name for name, value in pairs if isinstance(value, ast.Constant) and type(value.value) is int}
    sums = [node for node in ast.walk(function) if isinstance(node, ast.BinOp)]
    counted = Counter(side.id for node in sums for side in (node.left, node.right) if isinstance(side, ast.Name))
    used = Counter(node.id for node in ast.walk(function) if isinstance(node, ast.Name))
    return [name for name in names if name in given and used[name] == counted[name]]


EDITS: dict[str, Edit] = {
    "printed anew": printed_anew,
    "long functions": long_functions,
    "passes and docstrings": passes_and_docstrings,
    "dead code": dead_code,
    "renamed locals": renamed_locals,
    "split statements": split_statements,
    "extracted helpers": extracted_helpers,
    "inlined helpers": inlined_helpers,
    "made by factories": made_by_factories,
    "static methods": static_methods,
    "other modules": other_modules,
    "reordered definitions": reordered_definitions,
    "unrelated callers": unrelated_callers,
    "callers with other constants": callers_with_other_constants,
    "renamed functions": renamed_functions,
}


def _parsed(text: str) -> ast.stmt:
    (statement,) = ast.parse(text).body
    return statement


def _function(name: str, signature: str, body: list[ast.stmt]) -> ast.FunctionDef:
    made = _parsed(f"def {name}({signature}):\n    pass")
    assert isinstance(made, ast.FunctionDef)
    made.body = body
    return made


def _replace(trees: Trees, statement: ast.stmt, others: Iterable[ast.stmt]) -> None:
    """Other statements, which stand for its lines, in the place of a global one."""
    for tree in trees.files.values():
        if statement in tree.body:
            at = tree.body.index(statement)
            tree.body[at : at + 1] = [trees.place(one, statement) for one in others]


def _after_docstring(body: list[ast.stmt], statements: list[ast.stmt]) -> None:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *_]:
            body[1:1] = statements
        case _:
            body[:0] = statements


def _start(tree: ast.Module) -> int:
    """Where the first statement is that is no docstring and no import from the future."""
    for at, one in enumerate(tree.body):
        future = isinstance(one, ast.ImportFrom) and one.module == "__future__"
        if not future and not (at == 0 and ast.get_docstring(tree) is not None):
            return at
    return len(tree.body)
