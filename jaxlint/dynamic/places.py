"""Where in the project something happens: frames, tracebacks and stacks of transforms as spans of source files."""

from __future__ import annotations

import ast
import builtins
import contextlib
import dis
import inspect
import itertools
import linecache
import os
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FrameType, TracebackType
from typing import Any

from jaxlint.dynamic.observations import EVERY_ROUND, Span

_TRANSFORMS = {
    "api.py": "grad_f value_and_grad_f jacfun vmap_f pmap_f jvp vjp linearize eval_shape make_jaxpr_f".split(),
    "pjit.py": ["cache_miss"],
    "loops.py": "scan while_loop fori_loop map associative_scan".split(),
    "conditionals.py": "cond _cond _cond_with_per_branch_args switch".split(),
    "ad_checkpoint.py": "fun_remat checkpoint_wrapper".split(),
    "custom_derivatives.py": ["__call__", "custom_gradient"],
    "shard_map.py": ["wrapped"],
    "callback.py": "pure_callback io_callback".split(),
}
"""The functions of JAX that run user code under a trace, by the last part of the file's path."""

_TRIES: tuple[type[ast.Try], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))

_NAMES = {
    "grad_f": "grad",
    "value_and_grad_f": "value_and_grad",
    "jacfun": "jacobian",
    "vmap_f": "vmap",
    "pmap_f": "pmap",
    "make_jaxpr_f": "make_jaxpr",
    "cache_miss": "jit",
    "_cond": "cond",
    "_cond_with_per_branch_args": "cond",
    "fun_remat": "checkpoint",
    "checkpoint_wrapper": "checkpoint",
    "__call__": "custom derivative",
    "custom_gradient": "custom derivative",
    "wrapped": "shard_map",
}

_MADE_OF = {
    "grad": {"value_and_grad", "vjp"},
    "value_and_grad": {"vjp"},
    "jacobian": {"jvp", "vjp", "vmap", "linearize"},
    "fori_loop": {"while_loop", "scan"},
    "map": {"scan"},
    "make_jaxpr": {"jit"},
    "eval_shape": {"jit"},
    "switch": {"cond"},
    "cond": {"switch", "cond"},
    "linearize": {"jvp"},
}
"""What JAX builds a transform of: these steps of its stack are no transforms that the user applied."""


STAGING = frozenset(
    "jit scan while_loop fori_loop map associative_scan cond switch checkpoint make_jaxpr eval_shape shard_map pmap"
    .split()
)  # fmt: skip
"""Transforms that trace their function into a jaxpr of its own; Python runs once for it, not once a call."""


_NAMED = re.compile(r"(?<!\S)(\S+\.py):(\d+)")


class Sources:
    """The project's files, and which frames run code of them."""

    def __init__(self, paths: Collection[str] = ()) -> None:
        self.paths = frozenset(os.path.realpath(path) for path in paths)
        self._known: dict[str, str] = {}

    def path_of(self, code: CodeType) -> str:
        """The real path of the project file that ``code`` was compiled from; empty for other code."""
        name = code.co_filename
        if (path := self._known.get(name)) is None:
            real = os.path.realpath(name)
            path = self._known[name] = real if real in self.paths else ""
        return path

    def innermost(self, frame: FrameType | None) -> FrameType | None:
        """The first frame from ``frame`` outwards that runs project code."""
        while frame is not None and not self.path_of(frame.f_code):
            frame = frame.f_back
        return frame

    def span(self, frame: FrameType) -> Span:
        """What a project frame is evaluating right now."""
        return self.instruction(frame.f_code, frame.f_lasti, frame.f_lineno or 0)

    def raised_at(self, traceback: TracebackType | None) -> Span | None:
        """The innermost project line of a traceback."""
        place = None
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if self.path_of(code):
                # in a traceback that JAX has filtered, the instruction is the one that the frame is at now
                is_of_line = _line_of(code, traceback.tb_lasti) == traceback.tb_lineno
                place = self.instruction(code, traceback.tb_lasti if is_of_line else -1, traceback.tb_lineno)
            traceback = traceback.tb_next
        return place

    def raised_by(self, traceback: TracebackType | None) -> bool:
        """Whether it is project code itself that raised."""
        while traceback is not None and traceback.tb_next is not None:
            traceback = traceback.tb_next
        return traceback is not None and bool(self.path_of(traceback.tb_frame.f_code))

    def created(self, error: BaseException) -> tuple[tuple[Span, str], ...]:
        """Where the tracer came from that JAX complains of, and the function around that place."""
        named = _NAMED.findall(str(error)) if type(error).__name__ == "UnexpectedTracerError" else []
        found = [(os.path.realpath(path), int(line)) for path, line in named if os.path.realpath(path) in self.paths]
        if not found:
            return ()
        path, line = found[-1]
        return ((Span(path, line, 0, line, 0), "the tracer was made here"), *defined_around(path, line))

    def definition(self, function: Any) -> Span | None:
        """The line that a project function's definition starts on."""
        code = getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
        if code is None or not (path := self.path_of(code)):
            return None
        return Span(path, code.co_firstlineno, 0, code.co_firstlineno, 0)

    def handled(self, frame: FrameType | None, error: BaseException | None = None, *, modules: bool = True) -> bool:
        """Whether project code on the stack from ``frame`` outwards would catch ``error``, or anything where None.

        What catches it are `except` clauses and `contextlib.suppress`; without ``modules`` those in functions only.
        """
        while (frame := self.innermost(frame)) is not None:
            path, line = self.path_of(frame.f_code), frame.f_lineno or 0
            if modules or frame.f_code.co_name != "<module>":
                if any(line in each.lines and each.catches(error, frame) for each in _tried(path)):
                    return True
            frame = frame.f_back
        return False

    def instruction(self, code: CodeType, instruction: int, line: int) -> Span:
        """The expression that an instruction of project code belongs to; on Python 3.10 its line."""
        path = self.path_of(code)
        if sys.version_info >= (3, 11) and instruction >= 0:
            first, last, start, end = _positions(code)[instruction // 2]
            if first and last and start is not None and end is not None:
                return Span(path, first, column(path, first, start), last, column(path, last, end))
        return Span(path, line, 0, line, 0)


def column(path: str, line: int, offset: int) -> int:
    """The 1-based column in characters of a 0-based offset in UTF-8 bytes."""
    text = linecache.getline(path, line)
    if text.isascii():
        return offset + 1
    return len(text.encode()[:offset].decode(errors="replace")) + 1


def excerpt(at: Span) -> str:
    """The source text of a span, shortened to one line."""
    text = linecache.getline(at.path, at.line).rstrip("\n")
    if not at.column:
        return text.strip()
    if at.end_line == at.line:
        return text[at.column - 1 : at.end_column - 1]
    return text[at.column - 1 :] + " …"


def transforms(frame: FrameType | None, entry: CodeType | None = None) -> tuple[str, ...]:
    """The JAX transforms whose functions are on the stack, outermost first, from ``entry``'s frame inwards."""
    codes: list[CodeType] = []
    while frame is not None and frame.f_code is not entry:
        codes.append(frame.f_code)
        frame = frame.f_back
    return named_transforms(codes)


def named_transforms(codes: Sequence[CodeType]) -> tuple[str, ...]:
    """The transforms among the functions of a stack, given innermost first, named outermost first."""
    names: list[str] = []
    for code in codes:
        if name := _transform(code):
            while names and names[-1] in _MADE_OF.get(name, ()):
                names.pop()
            names.append(name)
        elif names and names[-1] and "jax" not in code.co_filename:
            names.append("")  # user code between two transforms: the outer is not made of the inner
    return tuple(name for name in reversed(names) if name)


def of_jax(frame: FrameType) -> bool:
    """Whether a frame runs JAX's own code."""
    return f"{os.sep}jax{os.sep}" in frame.f_code.co_filename


def parting(one: Sequence[Span], other: Sequence[Span]) -> tuple[Span, Span, str]:
    """Where two stacks of project lines part, of each, and what to say where they never do.

    Equal stacks are rounds of a loop: then it is the innermost line that stands in one, or else the last line.
    """
    for mine, theirs in zip(one, other):
        if mine != theirs:
            return mine, theirs, ""
    if len(one) != len(other):
        return one[-1], other[-1], ""
    at = next((span for span in reversed(one) if _is_looped(span)), one[-1])
    return at, at, f", {EVERY_ROUND}"


def _is_looped(at: Span) -> bool:
    """Whether a loop repeats what stands at a place, which on Python 3.10 is a line."""
    if not at.column:
        return any(each.line <= at.line <= each.end_line for each in _repeated(at.path))
    return any(
        (each.line, each.column) <= (at.line, at.column)
        and (at.end_line, at.end_column) <= (each.end_line, each.end_column)
        for each in _repeated(at.path)
    )


@lru_cache(maxsize=256)
def _repeated(path: str) -> list[Span]:
    """What the loops of a file repeat: all but what the first `for` of each goes through."""
    parts: list[ast.AST] = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            parts += node.body
        elif isinstance(node, ast.While):
            parts += [node.test, *node.body]
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            parts += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            parts += [test for generator in node.generators for test in generator.ifs]
            parts += [generator.iter for generator in node.generators[1:]]
    return [span_of(path, part) for part in parts]


def boundary(frame: FrameType | None) -> FrameType | None:
    """The frame of the innermost transform on the stack: what lies outside it existed before its trace."""
    while frame is not None and not _transform(frame.f_code):
        frame = frame.f_back
    return frame


def is_staging(boundary: FrameType) -> bool:
    """Whether the transform of a frame makes a jaxpr of its own."""
    return _transform(boundary.f_code) in STAGING


def frames(frame: FrameType | None) -> Iterator[FrameType]:
    """``frame`` and its callers."""
    while frame is not None:
        yield frame
        frame = frame.f_back


@lru_cache(maxsize=4096)
def _transform(code: CodeType) -> str:
    folder, name = os.path.split(code.co_filename)
    if f"{os.sep}jax{os.sep}" not in folder or code.co_name not in _TRANSFORMS.get(name, ()):
        return ""
    return _NAMES.get(code.co_name, code.co_name)


@lru_cache(maxsize=1024)
def _positions(code: CodeType) -> list[tuple[int | None, int | None, int | None, int | None]]:
    found = list(code.co_positions())  # type: ignore[attr-defined,unused-ignore]
    if sys.version_info[:2] == (3, 11):
        # It gives the jumps of nested `and` and `or` the place of whatever was compiled last.  A jump asks for the
        # value that the instruction before it has left, unless others jump here with theirs.
        everything = list(dis.get_instructions(code))
        targets = [each.offset for each in everything if each.is_jump_target]
        instructions = [each for each in everything if each.opname != "EXTENDED_ARG"]  # before a jump that is long
        for before, jump in itertools.pairwise(instructions):
            if "JUMP" in jump.opname and "_IF_" in jump.opname:
                others_come = any(before.offset < target <= jump.offset for target in targets)
                if not others_come and "JUMP" not in before.opname and "STORE" not in before.opname:
                    found[jump.offset // 2] = found[before.offset // 2]
    return found


def _line_of(code: CodeType, instruction: int) -> int | None:
    """The line that Python itself gives to an instruction."""
    return next((line for start, end, line in code.co_lines() if start <= instruction < end), None)


def tested(at: Span) -> Span:
    """The condition of a statement or an expression: Python gives some of its jumps the place of the whole."""
    return _conditions(at.path).get(at, at)


def asked(at: Span) -> str:
    """What is asked for its truth at a place: for `not x` that is x, and for `x and y` it cannot be told which."""
    node = _logic(at.path).get(at)
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    text = f"`{excerpt(at if node is None else span_of(at.path, node))}`"
    return f"a part of {text}" if isinstance(node, ast.BoolOp) else text


def defined_around(path: str, line: int) -> tuple[tuple[Span, str], ...]:
    """The header of the innermost function around a line, and what to say of it."""
    functions = [
        node
        for node in ast.walk(tree_of(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not functions:
        return ()
    first = max(node.lineno for node in functions)
    return ((Span(path, first, 0, first, 0), "in this function"),)


def made(at: Span) -> Span:
    """The whole class for a place in its decorators or its header: what is raised there is about what it holds."""
    for node in ast.walk(tree_of(at.path)):
        if isinstance(node, ast.ClassDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first <= at.line < node.body[0].lineno:
                return Span(at.path, first, 0, node.end_lineno or first, 0)
    return at


def field(at: Span, name: str) -> Span:
    """The statement of the class that is made at a place which declares a field."""
    whole = made(at)
    for node in ast.walk(tree_of(at.path)):
        if isinstance(node, ast.ClassDef) and node.end_lineno == whole.end_line and whole.line <= node.lineno:
            for each in node.body:
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id == name:
                    return span_of(at.path, each)
    return whole


@dataclass(frozen=True, slots=True)
class _Tried:
    """Lines that exceptions of some classes do not leave; ``by`` is the context manager that sees to it."""

    lines: range
    classes: tuple[ast.expr | None, ...]
    by: ast.expr | None = None

    def catches(self, error: BaseException | None, frame: FrameType) -> bool:
        """Whether it would; where a name cannot be looked up it is as if it would."""
        if self.by is not None and _object(self.by, frame) is not contextlib.suppress:
            return False
        if error is None or None in self.classes:
            return True
        return any(_is_of(error, _object(each, frame)) for each in self.classes if each is not None)


def _is_of(error: BaseException, kind: Any) -> bool:
    try:
        return isinstance(error, kind)
    except TypeError:
        return True


def _object(node: ast.expr, frame: FrameType) -> Any:
    """What a dotted name or a tuple of them stands for in a frame's module; None where that is something else."""
    if isinstance(node, ast.Tuple):
        kinds = [_object(each, frame) for each in node.elts]
        return None if None in kinds else tuple(kinds)
    if isinstance(node, ast.Name):
        return frame.f_globals.get(node.id, vars(builtins).get(node.id))
    if isinstance(node, ast.Attribute):
        try:
            return getattr(_object(node.value, frame), node.attr, None)
        except Exception:  # a module's own __getattr__
            return None
    return None


@lru_cache(maxsize=256)
def _tried(path: str) -> list[_Tried]:
    """The bodies of a file's `try` statements with handlers, and of its `with` statements that may suppress."""
    found = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, _TRIES) and node.handlers:
            found.append(_Tried(_lines(node.body), tuple(each.type for each in node.handlers)))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
            found += [_Tried(_lines(node.body), tuple(call.args), call.func) for call in calls]
    return found


def _lines(body: list[ast.stmt]) -> range:
    return range(body[0].lineno, (body[-1].end_lineno or body[-1].lineno) + 1)


_CONDITIONAL = (ast.Assert, ast.IfExp, ast.If, ast.While)


@lru_cache(maxsize=256)
def _conditions(path: str) -> dict[Span, Span]:
    nodes = (node for node in ast.walk(tree_of(path)) if isinstance(node, _CONDITIONAL))
    return {span_of(path, node): span_of(path, node.test) for node in nodes}


@lru_cache(maxsize=256)
def _logic(path: str) -> dict[Span, ast.expr]:
    """Where `not`, `and` and `or` stand in a file."""
    nodes = (node for node in ast.walk(tree_of(path)) if isinstance(node, (ast.BoolOp, ast.UnaryOp)))
    return {span_of(path, node): node for node in nodes if isinstance(getattr(node, "op", None), _LOGIC)}


_LOGIC = (ast.Not, ast.And, ast.Or)


@lru_cache(maxsize=64)
def tree_of(path: str) -> ast.Module:
    """The syntax tree of a file; an empty one where it has none."""
    try:
        return ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def span_of(path: str, node: Any) -> Span:
    """Where a node of a file's syntax tree stands."""
    last = node.end_lineno
    end = column(path, last, node.end_col_offset)
    return Span(path, node.lineno, column(path, node.lineno, node.col_offset), last, end)
