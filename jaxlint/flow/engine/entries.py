"""Where the analysis starts: every module body, every transformed function, every other function once.

Entry points are independent of each other and visited in the order of the files, so that the findings of a
file do not depend on which files were asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from jaxlint.flow.domain.contexts import EAGER, Context
from jaxlint.flow.domain.met import Failure
from jaxlint.flow.domain.state import State
from jaxlint.flow.domain.values import Function, ModuleScope, Transformed, innermost
from jaxlint.flow.engine.machine import Machine
from jaxlint.flow.models.jax.roots import enter
from jaxlint.flow.models.names import imports
from jaxlint.flow.models.random.unseen import enter_unknown
from jaxlint.vocabulary.work import FUNCTIONS, MODULES, SILENT, Work


class Engine:
    """Runs an interpreter over its program, or over some of its ``modules`` (by name) and what they import."""

    def __init__(self, interpreter: Machine, modules: Collection[str] | None = None) -> None:
        self.it = interpreter
        self.modules = modules
        self.transforms = 0
        self._functions = 0
        self._work = SILENT

    def run(self, work: Work = SILENT) -> None:
        """Analyses the program; the interpreter's listeners get the events, and ``work`` how far it is."""
        self._work = work
        work.stage(MODULES, len(self.it.program.modules))
        self._load_modules()
        # A program that calls its own functions hides nothing in them: their nested functions are looked at again.
        self.it.analysed.clear()
        work.stage(FUNCTIONS)
        self._enter_transforms()
        self._enter_functions()

    def _load_modules(self) -> None:
        for done, name in enumerate(self.it.program.modules):
            self._work.at(done, len(self.it.program.modules), name)
            if self._leaves_out(name):
                continue
            scope = imports.scope_of(self.it, name)
            if scope is not None and scope.tree is not None:
                with self._contained(scope, scope.tree, "the module"):
                    imports.load(self.it, scope)

    def _enter_transforms(self) -> None:
        """Functions that a transform was applied to, as the transform will run them."""
        while self.transforms < len(self.it.deferred):
            made, ctx = self.it.deferred[self.transforms]
            self.transforms += 1
            self._enter(made, ctx)

    def _enter(self, made: Transformed, ctx: Context) -> None:
        function, _, _ = innermost(made)
        self._tell(function)
        if function is None or self._leaves_out(made.scope.name):
            return
        self.it.entered.add(function.node)
        with (
            self._contained(function.scope, function.node, f"`{function.name}`"),
            self.it.isolated(State(self.it.base), ctx, made.scope),
        ):
            enter(self.it, made)

    def _enter_functions(self) -> None:
        """Every other function, as an eager caller would run it; nested ones run with their enclosing one, unless it
        has handed them out to a module."""
        while self._functions < len(self.it.functions):
            function = self.it.functions[self._functions]
            self._functions += 1
            if function.node in self.it.entered:
                continue
            if function.frame is not None and function not in self.it.handed_out:
                continue
            if self._leaves_out(function.scope.name):
                continue
            self.it.entered.add(function.node)
            self._tell(function)
            self._enter_eagerly(function)
            self._enter_transforms()

    def _enter_eagerly(self, function: Function) -> None:
        with (
            self._contained(function.scope, function.node, f"`{function.name}`"),
            self.it.isolated(State(self.it.base), EAGER, function.scope),
        ):
            enter_unknown(self.it, function)

    def _tell(self, function: Function | None) -> None:
        done = self.transforms + self._functions
        name = "" if function is None else f"{function.scope.name}.{function.name}"
        self._work.at(done, len(self.it.deferred) + len(self.it.functions), name)

    def _leaves_out(self, module: str) -> bool:
        return module in self.it.program.foreign or (self.modules is not None and module not in self.modules)

    @contextmanager
    def _contained(self, scope: ModuleScope, node: ast.AST, what: str) -> Iterator[None]:
        """A defect of the analysis costs the findings of one entry point, and is said."""
        try:
            yield
        except Exception as error:
            self.it.note_failure(Failure(scope, node, what, error))
        self.it.forget_calls()
