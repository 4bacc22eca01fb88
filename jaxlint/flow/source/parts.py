"""A module's text in parts: what its body does, and what stands in each of its functions.

Who looks at a module from outside seldom depends on all of it.  A name leads to what the body has bound it to, a call
to what one function does; that another function was edited, or one added which nobody asks for, is nothing to them.
A part is told from others by a digest of its text, wherever it stands in the file, and a `Change` leads from a line to
where the same part stands in another text.
"""

from __future__ import annotations

import ast
import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jaxlint.flow.source.modules import ModuleText, mutated_globals
from jaxlint.flow.source.places import set_places
from jaxlint.flow.source.trees import descendants
from jaxlint.project.documents import Document
from jaxlint.project.edits import TreeEdit
from jaxlint.semantics import libraries
from jaxlint.semantics.compiling import NOT_FOUND_AGAIN

TEXT = ""
"""The part that is all of the text."""
FRAME = "/"
"""The part that running the module's body depends on: all but what functions do once they are called, and but for the
functions at the top of the module that are only bound to a name."""


IMPORTS = "^"
"""The part that is all imports, those in functions too."""


def binding(name: str) -> str:
    """The part that says what a global name is bound to, beside the frame, or an item of it; of `self.x`, whether that
    is set."""
    return f"={name.partition('[')[0]}"


def word(text: str) -> str:
    """The part that says whether a word is anywhere in the text."""
    return f"~{text}"


def place(name: str) -> str:
    """The part that says whether the module sets an attribute or item of a global."""
    return f"+{name}"


def answering(question: str, scope: ModuleText, about: Sequence[Any]) -> Iterable[str | int]:
    """The parts of a module on which the answer to a question about its text depends, by name or by a line in one."""
    known = _ANSWERING.get(question)
    return (TEXT,) if known is None else known(scope.module.document.text, *about)


_EXPECTING = ("aises", "contextmanager", "__exit__")  # of what says that a block fails
_ANSWERING: dict[str, Callable[..., Iterable[str | int]]] = {
    "is_only_timed": lambda text, function: (TEXT if "timeit" in text else word("timeit"),),
    "expected_of": lambda text, function: (
        (TEXT,) if any(one in text for one in _EXPECTING) else tuple(map(word, _EXPECTING))
    ),
    "forgets": lambda text: (
        (TEXT,) if any(one in text for one in NOT_FOUND_AGAIN) else tuple(map(word, NOT_FOUND_AGAIN))
    ),
    "looks_through_results": lambda text: (TEXT if "jax_debug_" in text else word("jax_debug_"),),
    "names_one_of": lambda text, packages: map(word, packages),
    "is_set": lambda text, name: (place(name),),
    "is_never_read": lambda text, made: (made.lineno,),
    "attributes_of": lambda text, function: (function.lineno,),
    "imported_modules": lambda text: (IMPORTS,),
    "names_taken": lambda text: (IMPORTS,),
    "names_function": lambda text, name, function: (name.lineno, function.lineno),
    "set_in_methods": lambda text, cls, makers: (part.lineno for part in cls.body),
    "updates_in_vain": lambda text, root, update: (getattr(root, "lineno", TEXT),),
}
"""By the name of the question; of all others the whole text."""
_WORDS = frozenset(
    (
        "timeit",
        *_EXPECTING,
        *NOT_FOUND_AGAIN,
        "jax_debug_",
        *(method.partition(".")[0] for method in libraries.KEY_METHODS),
    )
)


class Untouched:
    """The functions of a module, and the methods of its classes, that an edit has left as they were."""

    def __init__(self, edit: TreeEdit) -> None:
        document, end = edit.document, max(edit.end + edit.delta, edit.start)
        is_read = document.layout is None and not document.has_cells and document.tree is not None
        spans = [_lines_of(one) for one in _functions(document.tree)] if is_read and document.tree is not None else []
        above = [one for one in spans if one[1] < edit.start][:-1]  # the last may have lost its end
        below = [one for one in spans if one[0] >= end][1:]  # and the first its decorator
        self._spans = [*above, *below]
        self._firsts = [first for first, _ in self._spans]

    def decides(self, question: str, scope: ModuleText, about: Sequence[Any]) -> bool:
        """Whether the answer to a question depends on nothing but these."""
        return all(isinstance(part, int) and self._has(part) for part in answering(question, scope, about))

    def _has(self, line: int) -> bool:
        at = bisect_right(self._firsts, line) - 1
        return at >= 0 and line <= self._spans[at][1]


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for statement in tree.body:
        for one in statement.body if isinstance(statement, ast.ClassDef) else (statement,):
            if isinstance(one, _Function):
                yield one


class Span(NamedTuple):
    """Lines that stay together, and what is the same in another text."""

    first: int
    last: int
    key: str


class Parts:
    """The parts of one module: their digests by name, and where they are.  What has none is not there.

    They are data, which an earlier run may have read in the same text.
    """

    def __init__(self, digests: Mapping[str, str], spans: Sequence[Span]) -> None:
        self.digests = digests
        self.spans = spans
        self._firsts = [span.first for span in spans]

    @staticmethod
    def of(document: Document) -> Parts:
        """Reads the parts of a document."""
        reading = _Reading(document)
        digests = {TEXT: text_of(document)}
        digests.update((key, _digest(texts)) for key, texts in reading.texts.items())
        return Parts(digests, reading.spans)

    def body_at(self, line: int) -> str:
        """The part that is the function which a line is in; the whole text if it is in none of those."""
        at = bisect_right(self._firsts, line) - 1
        if at < 0 or self.spans[at].last < line or self.spans[at].key.startswith(_OF_FRAME):
            return TEXT
        return self.spans[at].key


def text_of(document: Document) -> str:
    """The digest of all of a document: where it is the same, so are all parts."""
    return document.fingerprint().hex()


class _Reading:
    """The texts of the parts of one document, by name, and where they are."""

    def __init__(self, document: Document) -> None:
        self.spans: list[Span] = []
        self.texts: dict[str, list[str]] = {FRAME: []}
        if document.layout is None and document.tree is not None:
            self._lines = document.lines
            self._read(document.tree)

    def _read(self, tree: ast.Module) -> None:
        frame = self.texts[FRAME]
        for statement in tree.body:
            here = f"{_OF_FRAME}{len(frame)}"
            if isinstance(statement, _Function):
                key, head = self._add_function(statement, statement.name), _head(statement, self._lines)
                if _only_binds(statement):
                    self.texts.setdefault(binding(statement.name), []).append(f"{len(frame)} {head}")
                else:
                    frame.append(head)
                self._add_writes(statement, key)
            elif isinstance(statement, ast.ClassDef):
                self._add_class(statement, here)
                self._add_writes(statement, here)
            else:
                self.spans.append(Span(*_lines_of(statement), here))
                frame.append(_text(statement, self._lines))
        text = "\n".join(self._lines)
        said = [binding(f"self.{name}") for name in _SET_ON_SELF.findall(text)]
        said += [word(one) for one in _WORDS if one in text]
        said += [place(name) for name in set_places(tree)]
        imports = (part for part in descendants(tree) if isinstance(part, (ast.Import, ast.ImportFrom)))
        self.texts[IMPORTS] = [_text(part, self._lines).strip() for part in imports]
        self.texts.update((key, []) for key in said)

    def _add_class(self, cls: ast.ClassDef, here: str) -> None:
        """A class's methods are parts, the rest of it is of the frame."""
        self.texts[FRAME] += frame_of(cls, self._lines)
        self.spans.append(Span(*_lines_of(cls), here))
        for number, statement in enumerate(cls.body if _has_lines(cls) else ()):
            if isinstance(statement, _Function):
                self._add_function(statement, f"{cls.name}.{statement.name}")
            else:
                self.spans.append(Span(*_lines_of(statement), f"{here}.{number}"))

    def _add_function(self, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> str:
        key, count = name, 1
        while key in self.texts:
            count += 1
            key = f"{name}~{count}"
        self.texts[key] = [_text(function, self._lines)]
        self.spans.append(Span(*_lines_of(function), key))
        return key

    def _add_writes(self, statement: ast.stmt, key: str) -> None:
        """What functions bind or set of the module's globals is a matter of those who read them."""
        text = _text(statement, self._lines)
        names = {name.strip() for found in _GLOBAL.findall(text) for name in found.split(",")}
        if _SETS_ITEM.search(text):
            names |= mutated_globals(statement).keys()
        for where in {binding(name) for name in names}:
            self.texts.setdefault(where, []).append(f"{key} {text}")


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)
_OF_FRAME = "@"
_SET_ON_SELF = re.compile(r"\bself\.(\w+) =(?!=)")
_GLOBAL = re.compile(r"^[ \t]+global ([^#\n]+)", re.MULTILINE)
_SETS_ITEM = re.compile(r"\] *(?:[-+*/|&^%@]|//|\*\*|<<|>>)?=(?!=)")
_SIMPLE = (ast.Constant, ast.Name, ast.Attribute, ast.UnaryOp, ast.Tuple)


def frame_of(cls: ast.ClassDef, lines: Sequence[str]) -> list[str]:
    """What a class at the top of a module is made of, without the bodies of its methods."""
    if not _has_lines(cls):
        return [_text(cls, lines)]
    found = [_head(cls, lines)]
    for statement in cls.body:
        found.append(_head(statement, lines) if isinstance(statement, _Function) else _text(statement, lines))
    return found


def _has_lines(cls: ast.ClassDef) -> bool:
    """Whether a class does not begin its body on its own line, as in `class A: x = 1`."""
    return _lines_of(cls.body[0])[0] > cls.lineno


def _head(node: _Definition, lines: Sequence[str]) -> str:
    """A function or class down to where its body begins; all of it, if that is on the same line."""
    first, last = _lines_of(node)
    begin = _lines_of(node.body[0])[0]
    return _between(lines, first, begin - 1 if begin > node.lineno else last)


def _text(node: ast.stmt, lines: Sequence[str]) -> str:
    return _between(lines, *_lines_of(node))


def _between(lines: Sequence[str], first: int, last: int) -> str:
    return "\n".join(lines[first - 1 : last])


def _only_binds(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a definition does nothing but bind a name: it has no decorator, and no default that is computed."""
    spec = function.args
    defaults = [*spec.defaults, *(default for default in spec.kw_defaults if default is not None)]
    parts = (part for default in defaults for part in descendants(default))
    return not function.decorator_list and all(isinstance(part, _SIMPLE) for part in parts)


def _lines_of(node: ast.stmt) -> tuple[int, int]:
    """The first and the last line of a statement, with its decorators."""
    decorators = getattr(node, "decorator_list", ())
    return min([node.lineno, *(one.lineno for one in decorators)]), node.end_lineno or node.lineno


def _digest(texts: Iterable[str]) -> str:
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class Change:
    """What became of one module: the parts that have ``changed``, and where the others are now."""

    def __init__(self, before: Parts, now: Parts) -> None:
        digests = before.digests
        self.changed: set[str] = set()
        if before is now:
            return
        self.changed = digests.keys() ^ now.digests.keys()
        self.changed |= {key for key, digest in digests.items() if now.digests.get(key, digest) != digest}
        self._spans = before.spans
        self._firsts = [span.first for span in before.spans]
        self._now = {span.key: span.first for span in now.spans}
        kept = [self._now[span.key] for span in before.spans if span.key in self._now]
        if kept != sorted(kept):  # what stands above what may matter
            self.changed = digests.keys() | now.digests.keys()

    def line(self, line: int) -> int:
        """Where a line is now.  Raises KeyError where it is not as it was."""
        at = bisect_right(self._firsts, line) - 1
        span = self._spans[at] if at >= 0 else None
        if span is None or span.last < line or (FRAME if span.key.startswith(_OF_FRAME) else span.key) in self.changed:
            raise KeyError(line)
        return line - span.first + self._now[span.key]
