"""Stand-ins for third-party modules that are not installed, so that a project can be imported without them.

A stand-in can be imported, called, subclassed, subscripted and used as a decorator; it computes nothing.  Whatever
touches one is noted, because what is seen afterwards depends on it.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from jaxlint.dynamic.inputs.usage import parsed

_touched: set[str] = set()
_defining: set[str] = set()


@contextlib.contextmanager
def touched() -> Iterator[set[str]]:
    """The stubbed modules that are touched while the block runs."""
    global _touched
    before, _touched = _touched, set()
    try:
        yield _touched
    finally:
        before |= _touched
        _touched = before


def shaping() -> tuple[str, ...]:
    """The stubbed modules that something was called or subclassed of so far: they shaped what the modules define."""
    return tuple(sorted(_defining))


def install(own: Collection[str]) -> None:
    """From now on a missing top-level module is a stand-in, unless it is in ``own`` or the import may fail.

    ``own`` are the project's own top-level names: for those a missing module is an error of the project.
    """
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder(frozenset(own)))


class _Finder:
    """Last on `sys.meta_path`: it is asked only for what nobody else has, and only by imports themselves."""

    makes_up = True  # whoever asks all finders what there is leaves this one out

    def __init__(self, own: frozenset[str]) -> None:
        self.own = own | sys.stdlib_module_names | {"jax", "jaxlib", "numpy"}
        self.stubbed: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        top = name.partition(".")[0]
        if top in self.own or ("." in name and top not in self.stubbed) or _may_fail():
            return None
        self.stubbed.add(top)
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _StubModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__.update({"__path__": [], "__all__": [], "__version__": "0"})


class _StubModule(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _touched.add(self.__name__.partition(".")[0])
        value = Stub(f"{self.__name__}.{name}")
        setattr(self, name, value)
        return value


class StubBase:
    """What a class that derives from a stand-in derives from."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass


class Stub:
    """Anything that a missing module has."""

    def __init__(self, name: str) -> None:
        self.__dict__.update(__name__=name.rpartition(".")[2], __qualname__=name, __module__=name.rpartition(".")[0])

    def _touch(self) -> str:
        name = str(self.__dict__["__qualname__"])
        _touched.add(name.partition(".")[0])
        return name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub(f"{self._touch()}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = self._touch()
        _defining.add(name.partition(".")[0])
        if len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)):
            return args[0]  # used as a decorator
        return Stub(f"{name}()")

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        _defining.add(self._touch().partition(".")[0])
        return () if StubBase in bases else (StubBase,)

    def __getitem__(self, item: Any) -> Stub:
        return Stub(f"{self._touch()}[]")

    def __instancecheck__(self, instance: Any) -> bool:
        self._touch()
        return False

    def __iter__(self) -> Iterator[Any]:
        self._touch()
        return iter(())

    def __enter__(self) -> Stub:
        self._touch()
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def __or__(self, other: Any) -> Stub:
        return self

    __ror__ = __or__

    def __repr__(self) -> str:
        return f"<stub of {self.__dict__['__qualname__']}>"


# ----------------------------------------------------------------------------------- imports that may fail


def _may_fail() -> bool:
    """Whether the code that imports is prepared for the module to be missing: then it is missing."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None:
        path = frame.f_code.co_filename
        if path.endswith("importlib/util.py") or path == "<frozen importlib.util>":
            return True  # find_spec asks whether it is there
        if "importlib" not in path:
            return frame.f_lineno in _guarded_lines(path)
        frame = frame.f_back
    return False


@functools.lru_cache(maxsize=256)
def _guarded_lines(path: str) -> frozenset[int]:
    """The lines inside a `try` that catches a failed import, or inside `suppress`."""
    tree = parsed(path)
    lines: set[int] = set()
    for node in ast.walk(tree) if tree else ():
        caught = isinstance(node, ast.Try) and any(_catches(handler.type) for handler in node.handlers)
        suppressed = isinstance(node, ast.With) and any(_catches(item.context_expr) for item in node.items)
        if isinstance(node, (ast.Try, ast.With)) and (caught or suppressed):
            lines.update(range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1))
    return frozenset(lines)


def _catches(node: ast.expr | None) -> bool:
    names = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
    return node is None or any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))
