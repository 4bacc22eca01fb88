"""All that is known of one libcst module: what its expressions are, its keys, and what is found in it."""

from __future__ import annotations

import ast
import os
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import Generic, TypeVar

import libcst as cst
from libcst.metadata import CodePosition, CodeRange, MetadataWrapper, PositionProvider

from jaxlint.checks.run import analyse
from jaxlint.checks.seen import Kind, Seen, Under, View, shortest
from jaxlint.project.concern import imports_jax
from jaxlint.project.documents import Document, document_of_python
from jaxlint.project.program import Program, load_program
from jaxlint.project.roots import program_root
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.resolved import Settings
from jaxlint.syntax.pairs import DifferentText, Pairs, pairs
from jaxlint.vocabulary.findings import Finding, Location, Reason

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Tracing:
    """What a node is to JAX.

    ``views`` has one entry for each way of being evaluated that differs from the others; it is empty for what is no
    expression, or never evaluated.  ``contexts`` are the transforms that the code runs under (of a function its body),
    innermost first, one entry a way; an empty one says that it runs eagerly.
    """

    views: tuple[View, ...] = ()
    contexts: tuple[Under, ...] = ()

    @property
    def is_traced(self) -> bool:
        """Whether it is a tracer, or holds one, on some way."""
        return any(view.kind is Kind.TRACED for view in self.views)

    @property
    def is_static(self) -> bool:
        """Whether it is Python that tracing never touches, on every way that is known."""
        return self.kind is Kind.STATIC

    @property
    def is_concrete(self) -> bool:
        """Whether it is an array with its numbers, on every way that is known."""
        return self.kind is Kind.CONCRETE

    @property
    def kind(self) -> Kind:
        """What it is on all ways, `Kind.MIXED` where they differ, `Kind.UNKNOWN` where nothing is known."""
        kinds = {view.kind for view in self.views}
        return Kind.UNKNOWN if not kinds else kinds.pop() if len(kinds) == 1 else Kind.MIXED

    @property
    def since(self) -> Reason:
        """Why it is traced, by the shortest way, oldest step first; empty where it is not."""
        ways = [view.since for view in self.views if view.kind is Kind.TRACED]
        return shortest(ways)

    @property
    def what(self) -> str:
        """In words what it is, as `jaxlint why` says it."""
        return "; ".join(dict.fromkeys(view.what for view in self.views)) or "unknown"

    @property
    def name(self) -> str:
        """The qualified name of a function, class or module outside of the program, such as `jax.lax.scan`."""
        names = {view.name for view in self.views}
        return names.pop() if len(names) == 1 else ""

    @property
    def under(self) -> frozenset[str]:
        """All transforms that the code runs under, on any way."""
        return frozenset(name for context in self.contexts for name in context)


NOTHING_KNOWN = Tracing()


@dataclass
class Knowledge:
    """What an analysis tells of a file of ``program``; places in it are those in the text of ``document``.

    ``found`` are all findings of the program, whatever their certainty and before comments or settings drop any.
    """

    program: Program
    document: Document
    seen: Seen
    found: list[Finding] = field(default_factory=list)

    def about(self, module: cst.Module) -> About:
        """The same by the nodes of a module that has the file's text.  Raises DifferentText."""
        tree = self.document.tree
        return About(self, module, {} if tree is None else pairs(module, tree))


_FUNCTIONS = (cst.FunctionDef, cst.Lambda)


class About:
    """What is known of the nodes of one module."""

    def __init__(self, knowledge: Knowledge, module: cst.Module, pairs: Pairs) -> None:
        self.knowledge = knowledge
        self.module = module
        self.pairs = pairs

    def tracing(self, node: cst.CSTNode) -> Tracing:
        """What a node is to JAX.  Raises KeyError for one that is not in the module."""
        counterpart = self.pairs.get(node)
        views = self.knowledge.seen.views(counterpart) if counterpart is not None else ()
        if views:
            return Tracing(views, tuple(dict.fromkeys(view.under for view in views)))
        function = self.pairs.get(node if isinstance(node, _FUNCTIONS) else self._around[node][0])
        return Tracing((), self.knowledge.seen.contexts(function) if function is not None else ())

    def views(self, node: cst.CSTNode) -> tuple[View, ...]:
        """What an expression is, on each way.  Raises KeyError for a node that is not in the module."""
        return self.tracing(node).views

    def location(self, node: cst.CSTNode) -> Location:
        """Where a node is in the text; of a function or a class where its name is."""
        counterpart = self.pairs.get(node)
        document = self.knowledge.document
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return self.location(node.name)
        if isinstance(counterpart, _PLACED) and not _is_part(node, counterpart):
            return document.location(counterpart)
        place = self._positions[node]
        start, end = place.start, place.end
        return Location(document.path, start.line, start.column + 1, end.line, end.column + 1)

    def at(self, place: Location) -> cst.CSTNode:
        """The innermost node with a place of the text: that which spans it, or else the smallest around it."""
        wanted = self._bytes(place)
        found = self._by_span.get(wanted)
        if found is not None:
            return found
        start = CodePosition(place.line, place.column - 1)
        end = CodePosition(place.end_line, place.end_column - 1) if place.end_line else start
        around = [
            (_size(where), number, node)
            for number, (node, where) in enumerate(self._positions.items())
            if _key(where.start) <= _key(start) and _key(end) <= _key(where.end)
        ]
        return min(around)[2] if around else self.module

    def _bytes(self, place: Location) -> Span:
        """A place as `ast` counts it."""
        lines = self.knowledge.document.lines

        def column(line: int, characters: int) -> int:
            text = lines[line - 1] if 1 <= line <= len(lines) else ""
            return characters - 1 if text.isascii() else len(text[: characters - 1].encode("utf-8", "surrogatepass"))

        end = (place.end_line, place.end_column) if place.end_line else (place.line, place.column)
        return place.line, column(place.line, place.column), end[0], column(*end)

    @cached_property
    def _by_span(self) -> Mapping[Span, cst.CSTNode]:
        """The innermost node of each place, as `ast` counts it."""
        found: dict[Span, cst.CSTNode] = {}
        for node, counterpart in self.pairs.items():
            if isinstance(counterpart, _PLACED) and not _is_part(node, counterpart):
                end = counterpart.end_lineno or 0, counterpart.end_col_offset or 0
                found.setdefault((counterpart.lineno, counterpart.col_offset, *end), node)
        return found

    def definition(self, node: cst.CSTNode) -> str:
        """The qualified name of the function or class that a node is in; empty at module level."""
        return self._around[node][1]

    def nodes(self) -> Collection[cst.CSTNode]:
        """All nodes of the module."""
        return self._around

    @cached_property
    def _around(self) -> Mapping[cst.CSTNode, tuple[cst.CSTNode, str]]:
        """For every node of the module the function that it is run in, or else the module, and the definition."""
        found: dict[cst.CSTNode, tuple[cst.CSTNode, str]] = {}
        waiting: list[tuple[cst.CSTNode, cst.CSTNode, str]] = [(self.module, self.module, "")]
        while waiting:
            node, around, definition = waiting.pop()
            found[node] = around, definition
            is_function = isinstance(node, _FUNCTIONS)
            inner = definition
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                inner = f"{definition}.{node.name.value}".lstrip(".")
            for name in _fields(type(node)):
                part = getattr(node, name)
                inside = node if is_function and name in ("body", "params") else around
                within = inner if name == "body" else definition
                if isinstance(part, cst.CSTNode):
                    waiting.append((part, inside, within))
                elif isinstance(part, (list, tuple)):
                    waiting += [(each, inside, within) for each in part if isinstance(each, cst.CSTNode)]
        return found

    @cached_property
    def _positions(self) -> Mapping[cst.CSTNode, CodeRange]:
        return MetadataWrapper(self.module, unsafe_skip_copy=True).resolve(PositionProvider)


Span = tuple[int, int, int, int]
_PLACED = (ast.expr, ast.stmt, ast.arg, ast.keyword, ast.alias, ast.excepthandler, ast.pattern)


def _key(position: CodePosition) -> tuple[int, int]:
    return position.line, position.column


def _size(place: CodeRange) -> tuple[int, int]:
    return place.end.line - place.start.line, place.end.column - place.start.column


def _is_part(node: cst.CSTNode, counterpart: ast.AST) -> bool:
    """Whether a name is only a part of what it stands for."""
    return isinstance(node, cst.Name) and isinstance(counterpart, (ast.Attribute, ast.arg))


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


class Answers(Mapping[cst.CSTNode, Answer], Generic[Answer]):
    """The answers for all nodes of a module, each found when it is asked for."""

    def __init__(self, about: About) -> None:
        self.about = about

    def answer(self, node: cst.CSTNode) -> Answer:
        """What is said of a node.  Raises KeyError for one that is not in the module."""
        raise NotImplementedError

    def __getitem__(self, node: cst.CSTNode) -> Answer:
        return self.answer(node)

    def __iter__(self) -> Iterator[cst.CSTNode]:
        return iter(self.about.nodes())

    def __len__(self) -> int:
        return len(self.about.nodes())


_LATEST: OrderedDict[object, tuple[object, Knowledge]] = OrderedDict()
_KEPT = 2


def of_text(text: str, settings: Settings | None = None) -> Knowledge:
    """What is known of a text that is a program of its own."""
    document = document_of_python(os.path.join(os.getcwd(), "<string>"), text)
    program = Program(os.getcwd(), settings or Settings(), [document], [document.path])
    return of_program(program, document)


def of_file(path: str, text: str | None = None, settings: Settings | None = None) -> Knowledge:
    """What is known of a file among those of its program, with ``text`` in its place if there is one.

    Raises ConfigurationError.
    """
    path = os.path.abspath(path)
    root = program_root(path, [])
    documents = {} if text is None else {os.path.realpath(path): document_of_python(path, text)}
    chosen = Configuration(os.getcwd(), fixed=settings).settings_for(root)
    program = load_program(root, chosen, [path], documents)
    module = program.at(path)
    assert module is not None
    # Who asks for one file of a program often asks for the next: as long as no text has changed nothing is found out.
    texts = tuple(one.document.fingerprint() for one in program.modules.values())
    key, known = _LATEST.get(root, (None, None))
    if known is None or key != (texts, chosen) or known.program.at(path) is None:
        known = of_program(program, module.document)
        _LATEST[root] = ((texts, chosen), known)
        _LATEST.move_to_end(root)
        if len(_LATEST) > _KEPT:
            _LATEST.popitem(last=False)
    found = known.program.at(path)
    assert found is not None
    return Knowledge(known.program, found.document, known.seen, known.found)


def of_program(program: Program, document: Document) -> Knowledge:
    """What is known of a program, told of one of its documents."""
    seen = Seen([module.path for module in program.modules.values()])
    concerns_jax = any(imports_jax(program, module.document.text) for module in program.modules.values())
    found = analyse(program, program.settings, watch=seen.watch) if concerns_jax else []
    return Knowledge(program, document, seen, found)


def of_module(module: cst.Module, path: str | None = None, settings: Settings | None = None) -> About:
    """What is known of a module: of the file ``path``, which it may differ from, or a program of its own.

    Raises ConfigurationError.
    """
    if path is None:
        return of_text(module.code, settings).about(module)
    try:
        return of_file(path, settings=settings).about(module)
    except DifferentText:
        return of_file(path, module.code, settings).about(module)
