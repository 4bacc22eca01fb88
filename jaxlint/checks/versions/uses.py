"""Where a module may use names of jax, statement by statement, so that most of it stays when the module is edited."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jaxlint.checks.versions import questions
from jaxlint.checks.versions.questions import Known
from jaxlint.checks.versions.scopes import Scope, bind_targets, parameter_names
from jaxlint.flow.source.trees import children


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a name of jax may be used: an import, a dotted chain, or a call with keywords."""

    node: ast.Import | ast.ImportFrom | ast.Attribute | ast.Call
    scope: Scope
    guarded: bool
    definition: str
    tests: tuple[ast.expr, ...]


@dataclass(slots=True)
class _Context:
    """What holds for all of a block: its scope, whether it is guarded, the definition it is in, the conditions that let
    it run."""

    scope: Scope
    guarded: bool
    definition: str
    tests: tuple[ast.expr, ...] = ()

    def within(
        self, scope: Scope | None = None, guarded: bool = False, name: str = "", test: ast.expr | None = None
    ) -> _Context:
        definition = ".".join(part for part in (self.definition, name) if part)
        tests = self.tests if test is None else (*self.tests, test)
        return _Context(scope or self.scope, self.guarded or guarded, definition, tests)


class ModuleUses:
    """The places in one module, found anew only in statements that were not there, or not so, the last time."""

    def __init__(self) -> None:
        self._scope = Scope(None, "module")
        self._asked: dict[ast.stmt, _Asked] = {}
        self._walked: dict[tuple[ast.stmt, bool], _Walk] = {}
        self._situation: tuple[Known, bool] | None = None

    def forget(self, changed: Iterable[ast.stmt]) -> None:
        """These statements of the module are gone, or have another text."""
        for statement in changed:
            self._asked.pop(statement, None)
            for guarded in (False, True):
                self._walked.pop((statement, guarded), None)

    def of(self, module: ast.Module) -> list[Use]:
        """All of them, but for names that the module itself puts something under."""
        situation = self._known(module), _has_lazy_annotations(module)
        if situation != self._situation:
            self._walked.clear()
        self._situation = situation
        walks = list(self._walks(module, *situation))
        self._scope.begin()
        for walk in walks:
            self._scope.take(walk.bound)
        patched = {scope.resolve_chain(target) for walk in walks for target, scope in walk.patches} - {None}
        uses = [use for walk in walks for use in walk.uses]
        return [use for use in uses if not _is_patched(use, patched)] if patched else uses

    def _known(self, module: ast.Module) -> Known:
        asked = [self._asked.setdefault(statement, _Asked()) for statement in module.body]
        imported = frozenset[str]().union(*map(_Asked.imports, asked, module.body))
        answers = frozenset[str]().union(*(one.answers(at, imported) for one, at in zip(asked, module.body)))
        return Known(answers, imported)

    def _walks(self, module: ast.Module, known: Known, lazy_annotations: bool) -> Iterator[_Walk]:
        """One for each statement: after ``if <old jax>: raise`` the rest is guarded as well."""
        guarded = False
        for statement in module.body:
            if (statement, guarded) not in self._walked:
                self._walked[statement, guarded] = _Walk(statement, guarded, self._scope, known, lazy_annotations)
            yield self._walked[statement, guarded]
            guarded = guarded or questions.decides_rest(statement, known)


class _Asked:
    """What a statement of a module imports, and which names tell of questions, found out once."""

    def __init__(self) -> None:
        self._imported: frozenset[str] | None = None
        self._answers: tuple[frozenset[str], frozenset[str]] | None = None

    def imports(self, statement: ast.stmt) -> frozenset[str]:
        if self._imported is None:
            self._imported = questions.imported_in(statement)
        return self._imported

    def answers(self, statement: ast.stmt, imported: frozenset[str]) -> frozenset[str]:
        """Those among the names that it binds, in a module that imports these names."""
        if self._answers is None or self._answers[0] != imported:
            self._answers = imported, questions.answers_in(statement, imported)
        return self._answers[1]


def _has_lazy_annotations(module: ast.Module) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in module.body
    )


class _Walk:
    """One pass over a statement that builds the scopes and collects the places to judge.

    ``bound`` is what it binds in the module, and ``patches`` are the attributes that it sets.  A worklist instead of
    recursion: expressions may be nested deeper than Python's stack.
    """

    def __init__(self, statement: ast.stmt, guarded: bool, module: Scope, known: Known, lazy_annotations: bool) -> None:
        self.uses: list[Use] = []
        self.patches: list[tuple[ast.Attribute, Scope]] = []
        self._known = known
        self._lazy_annotations = lazy_annotations
        scope = Scope(None, "module")
        self._pending: list[tuple[ast.AST, _Context]] = [(statement, _Context(scope, guarded, ""))]
        while self._pending:
            node, context = self._pending.pop()
            self._visit(node, context)
        self.bound = scope.stand_for(module)

    def _visit(self, node: ast.AST, context: _Context) -> None:
        handler = getattr(self, f"_visit_{type(node).__name__}", None)
        if handler is not None:
            handler(node, context)
        else:
            self._children(node, context)

    def _children(self, node: ast.AST, context: _Context) -> None:
        self._pending += [(child, context) for child in children(node)]

    def _push(self, context: _Context, *nodes: ast.AST | None) -> None:
        self._pending += [(node, context) for node in nodes if node is not None]

    def _block(self, body: Sequence[ast.stmt], context: _Context) -> None:
        """Statements in order: after `if <old jax>: return` the rest is guarded as well."""
        for statement in body:
            self._pending.append((statement, context))
            if questions.decides_rest(statement, self._known):
                context = context.within(guarded=True)

    def _use(self, node: ast.Import | ast.ImportFrom | ast.Attribute | ast.Call, context: _Context) -> None:
        self.uses.append(Use(node, context.scope, context.guarded, context.definition, context.tests))

    # Imports and names

    def _visit_Import(self, node: ast.Import, context: _Context) -> None:
        for alias in node.names:
            if alias.asname:
                context.scope.import_name(alias.asname, alias.name)
            else:
                root = alias.name.split(".")[0]
                context.scope.import_name(root, root)
        self._use(node, context)

    def _visit_ImportFrom(self, node: ast.ImportFrom, context: _Context) -> None:
        for alias in node.names:
            name = alias.asname or alias.name
            if node.level or not node.module:
                context.scope.opaque.add(name)
            else:
                context.scope.import_name(name, f"{node.module}.{alias.name}")
        if not node.level:
            self._use(node, context)

    def _visit_Attribute(self, node: ast.Attribute, context: _Context) -> None:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            self._push(context, root)
        elif isinstance(node.ctx, ast.Load):
            self._use(node, context)
        else:
            self.patches.append((node, context.scope))

    def _visit_Call(self, node: ast.Call, context: _Context) -> None:
        if node.keywords:
            self._use(node, context)
        self._children(node, context)

    def _visit_Assign(self, node: ast.Assign, context: _Context) -> None:
        bind_targets(context.scope, node.targets, node.value)
        self._children(node, context)

    def _visit_AnnAssign(self, node: ast.AnnAssign, context: _Context) -> None:
        bind_targets(context.scope, [node.target], node.value)
        # Python evaluates the annotations of variables in modules and classes, not those in functions.
        evaluated = not self._lazy_annotations and context.scope.kind != "function"
        self._push(context, node.target, node.value, node.annotation if evaluated else None)

    def _visit_AugAssign(self, node: ast.AugAssign, context: _Context) -> None:
        bind_targets(context.scope, [node.target], None)
        self._children(node, context)

    def _visit_NamedExpr(self, node: ast.NamedExpr, context: _Context) -> None:
        bind_targets(context.scope, [node.target], node.value)
        self._push(context, node.value)

    def _visit_For(self, node: ast.For | ast.AsyncFor, context: _Context) -> None:
        bind_targets(context.scope, [node.target], None)
        self._push(context, node.target, node.iter)
        self._block(node.body, context)
        self._block(node.orelse, context)

    _visit_AsyncFor = _visit_For

    def _visit_While(self, node: ast.While, context: _Context) -> None:
        self._push(context, node.test)
        self._block(node.body, context)
        self._block(node.orelse, context)

    def _visit_With(self, node: ast.With | ast.AsyncWith, context: _Context) -> None:
        for item in node.items:
            if item.optional_vars is not None:
                bind_targets(context.scope, [item.optional_vars], None)
        self._push(context, *node.items)
        self._block(node.body, context.within(guarded=questions.expects_failure(node.items)))

    _visit_AsyncWith = _visit_With

    def _visit_match_case(self, node: ast.match_case, context: _Context) -> None:
        for pattern in ast.walk(node.pattern):
            if (name := getattr(pattern, "name", None) or getattr(pattern, "rest", None)) is not None:
                context.scope.opaque.add(name)
        self._push(context, node.pattern, node.guard)
        self._block(node.body, context)

    # Code that asks first

    def _visit_If(self, node: ast.If, context: _Context) -> None:
        self._push(context, node.test)
        is_asked = questions.asks(node.test, self._known)
        self._block(node.body, context.within(guarded=is_asked, test=node.test))
        self._block(node.orelse, context.within(guarded=is_asked))

    def _visit_IfExp(self, node: ast.IfExp, context: _Context) -> None:
        self._push(context, node.test)
        self._push(context.within(guarded=questions.asks(node.test, self._known)), node.body, node.orelse)

    def _visit_BoolOp(self, node: ast.BoolOp, context: _Context) -> None:
        for value in node.values:
            self._push(context, value)
            context = context.within(guarded=questions.asks(value, self._known))

    def _visit_Try(self, node: ast.Try, context: _Context) -> None:
        inner = context.within(guarded=questions.is_fallback(node))
        for block in (node.body, node.orelse):
            self._block(block, inner)
        for handler in node.handlers:
            if handler.name:
                context.scope.opaque.add(handler.name)
            self._push(context, handler.type)
            self._block(handler.body, inner)
        self._block(node.finalbody, context)

    _visit_TryStar = _visit_Try

    # Scopes

    def _visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, context: _Context) -> None:
        context.scope.opaque.add(node.name)
        asked = any(questions.asks(decorator, self._known) for decorator in node.decorator_list)
        inner = context.within(Scope(context.scope), asked, node.name)
        inner.scope.opaque.update(parameter_names(node.args))
        self._push(context, *node.decorator_list)
        self._signature(node.args, context.within(guarded=asked), node.returns)
        self._block(node.body, inner)

    _visit_AsyncFunctionDef = _visit_FunctionDef

    def _visit_Lambda(self, node: ast.Lambda, context: _Context) -> None:
        inner = context.within(Scope(context.scope))
        inner.scope.opaque.update(parameter_names(node.args))
        self._signature(node.args, context, None)
        self._push(inner, node.body)

    def _visit_ClassDef(self, node: ast.ClassDef, context: _Context) -> None:
        context.scope.opaque.add(node.name)
        asked = any(questions.asks(decorator, self._known) for decorator in node.decorator_list)
        self._push(context, *node.decorator_list, *node.bases, *node.keywords)
        self._block(node.body, context.within(Scope(context.scope, "class"), asked, node.name))

    def _visit_ListComp(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, context: _Context
    ) -> None:
        inner = context.within(Scope(context.scope))
        for generator in node.generators:
            bind_targets(inner.scope, [generator.target], None)
        self._children(node, inner)

    _visit_SetComp = _visit_GeneratorExp = _visit_DictComp = _visit_ListComp

    def _signature(self, arguments: ast.arguments, context: _Context, returns: ast.expr | None) -> None:
        self._push(context, *arguments.defaults, *arguments.kw_defaults)
        if not self._lazy_annotations:
            parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            parameters += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
            self._push(context, returns, *(parameter.annotation for parameter in parameters))


def _is_patched(use: Use, patched: set[str | None]) -> bool:
    """Whether the module itself puts something under the name it uses: ``jax.tree_map = jax.tree.map``."""
    chain: ast.expr = use.node if isinstance(use.node, ast.Attribute) else ast.Constant(None)
    while isinstance(chain, ast.Attribute):
        if use.scope.resolve_chain(chain) in patched:
            return True
        chain = chain.value
    return False
