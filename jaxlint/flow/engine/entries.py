"""Where the analysis starts: every module body, every transformed function, every other function once.

First all modules are read as if they were imported.  Then each is a *unit* of work: what it does as a script, the
transforms that its code has placed, and its other functions, as an eager caller would run them.  Units share what is
known of calls, and nothing else that decides: what one finds does not depend on which others are run, nor on their
order.  So they may be run in several processes.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from jaxlint.flow.domain.contexts import EAGER, Context
from jaxlint.flow.domain.met import Failure
from jaxlint.flow.domain.state import State
from jaxlint.flow.domain.values import Function, ModuleScope, Transformed, innermost
from jaxlint.flow.engine.machine import Machine
from jaxlint.flow.models.jax.roots import enter
from jaxlint.flow.models.names import imports
from jaxlint.flow.models.objects.classes import linearized
from jaxlint.flow.models.random.unseen import enter_eagerly
from jaxlint.project.reach import Importers
from jaxlint.vocabulary.work import FUNCTIONS, MODULES, SILENT, Work


class Engine:
    """Runs an interpreter over its program, or over some of its ``modules`` (by name) and what they import."""

    def __init__(self, interpreter: Machine, modules: Collection[str] | None = None) -> None:
        self.it = interpreter
        self.modules = modules
        self.importers = Importers(interpreter.program)
        self._work = SILENT
        self._functions: dict[str, list[Function]] = {}  # of module bodies, by the module
        self._transforms: dict[ModuleScope | None, list[tuple[Transformed, Context]]] = {}  # that bodies have placed
        self._entered: set[ast.AST] = set()  # as an eager caller would

    def run(self, work: Work = SILENT) -> None:
        """Analyses the program; the interpreter's listeners get the events, and ``work`` how far it is."""
        names = self.read_modules(work)
        work.stage(FUNCTIONS, len(names))
        for done, name in enumerate(names):
            work.at(done, len(names), name)
            self.run_units([name])

    def read_modules(self, work: Work = SILENT) -> list[str]:
        """Runs the bodies of modules, but for what only a script does.  Returns the names of the units."""
        self.it.imports_only = True
        self.it.scripts = self.importers.scripts()
        names = [name for name in self.it.program.modules if not self._leaves_out(name)]
        work.stage(MODULES, len(names))
        for done, name in enumerate(names):
            work.at(done, len(names), name)
            scope = imports.scope_of(self.it, name)
            if scope is not None and scope.tree is not None:
                with self._contained(scope, scope.tree, "the module"):
                    imports.load(self.it, scope)
        for function in self.it.functions:
            self._functions.setdefault(function.scope.name, []).append(function)
        for made, ctx, home in self.it.deferred:
            self._transforms.setdefault(home, []).append((made, ctx))
        return names

    def may_be_run_with(self, names: Collection[str]) -> set[str] | None:
        """The modules whose importers may run the code of some that were read: these, and those of which they extend
        classes.  None if that may be any, since a body has put something into another module."""
        scopes = [self.it.scopes[name] for name in names if name in self.it.scopes]
        if any(scope.reaches_out for scope in scopes):
            return None
        own = [cls for cls in self.it.classes.values() if cls.scope in scopes]
        return {*names, *(base.scope.name for cls in own for base in linearized(cls))}

    def run_units(self, names: Iterable[str]) -> None:
        """Runs some of the modules that ``read_modules`` has named."""
        for name in names:
            scope = self.it.scopes.get(name)
            if scope is not None and scope.tree is not None:
                with self.it.at_home_in(scope):
                    self._run_unit(scope, scope.tree)

    def _run_unit(self, scope: ModuleScope, tree: ast.Module) -> None:
        unit = _Unit(self.it)
        self._entered.clear()
        with self._contained(scope, tree, "the module"):
            imports.run_as_script(self.it, scope)
        # A program that calls its own functions hides nothing in them: their nested functions are looked at again.
        self.it.analysed.clear()
        for made, ctx in self._transforms.get(scope, ()):
            self._enter(made, ctx)
        self._enter_all(unit.transforms())
        for function in (*self._functions.get(scope.name, ()), *unit.functions()):
            if self._is_to_be_entered(function):
                self._entered.add(function.node)
                self._enter_eagerly(function)
                self._enter_all(unit.transforms())

    def _enter_all(self, transforms: Iterable[tuple[Transformed, Context]]) -> None:
        for made, ctx in transforms:
            self._enter(made, ctx)

    def _enter(self, made: Transformed, ctx: Context) -> None:
        """Runs a transformed function as the transform will run it."""
        function, _, _ = innermost(made)
        if function is None or self._leaves_out(made.scope.name):
            return
        with (
            self._contained(function.scope, function.node, f"`{function.name}`"),
            self.it.isolated(State(self.it.base), ctx, made.scope),
        ):
            enter(self.it, made)

    def _is_to_be_entered(self, function: Function) -> bool:
        """Whether a function is run as by somebody nobody knows: none that a transform of this unit runs, and nested
        ones, which run with those around them, only if they were handed out to a module."""
        if function.node in self._entered or function.node in self.it.transformed.get(self.it.home, ()):
            return False
        if function.frame is not None and function not in self.it.handed_out:
            return False
        return not self._leaves_out(function.scope.name)

    def _enter_eagerly(self, function: Function) -> None:
        state = State(self.it.base)
        if function.node in function.scope.globals_timed:
            state.write(function.scope.frame).update(function.scope.globals_timed[function.node])
        with (
            self._contained(function.scope, function.node, f"`{function.name}`"),
            self.it.isolated(state, EAGER, function.scope),
        ):
            enter_eagerly(self.it, function)

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


class _Unit:
    """What comes up while a unit runs: transforms that are placed and functions that are made, each given once."""

    def __init__(self, interpreter: Machine) -> None:
        self.it = interpreter
        self._transforms = len(interpreter.deferred)
        self._functions = len(interpreter.functions)

    def transforms(self) -> Iterator[tuple[Transformed, Context]]:
        while self._transforms < len(self.it.deferred):
            made, ctx, _ = self.it.deferred[self._transforms]
            self._transforms += 1
            yield made, ctx

    def functions(self) -> Iterator[Function]:
        while self._functions < len(self.it.functions):
            self._functions += 1
            yield self.it.functions[self._functions - 1]
