"""Random small JAX programs, from the tables of `program_tables`: the same seed gives the same program.

A program's `rate` says how often what JAX objects to is drawn: many programs have nothing bad in them, and few have
much.
"""

from __future__ import annotations

import ast
import random
import re
import textwrap
from dataclasses import dataclass, field

from tests.dynamic.program_tables import (
    ANNOTATIONS,
    ATOMS,
    BAD,
    BAD_STATEMENTS,
    DECORATORS,
    ENTRIES,
    ENTRY,
    FINE,
    HEADER,
    HELPERS_BY_TYPE,
    NESTED,
    STATEMENTS,
    Shape,
)

_BRACES = str.maketrans("«»", "{}")
_HOLE = re.compile(r"\{(\w+)([+=]?)\}")
_DEFINITION = re.compile(r"^( *)\{definition\}", re.MULTILINE)
_HAS_BLOCKS = re.compile(r"(for|while|if|try|with|match)\b")


@dataclass
class _Scope:
    """The variables that can be read, and those of the function that can be assigned to, by type."""

    known: list[tuple[str, str]] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    spent: set[str] = field(default_factory=set)
    result: str = "vec"

    def inner(self, function: bool = False) -> _Scope:
        """What a block sees; a function's own variables start empty, and another trace advances no generator."""
        known = [pair for pair in self.known if not (function and pair[1] == "draws")]
        return _Scope(known, set() if function else set(self.own), set(self.spent), self.result)

    def names(self, kind: str) -> list[str]:
        return [name for name, known in self.known if known == kind]


def program(seed: int) -> str:
    """The program of a seed, laid out as `ast.unparse` does."""
    tree = ast.parse(_Writer(random.Random(seed)).text())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            _declare_first(node)
    return ast.unparse(tree)


def _declare_first(function: ast.FunctionDef) -> None:
    """Moves the `global` statements of a function to its start, where there may be one for each name."""
    names: set[str] = set()
    waiting: list[ast.AST] = [function]
    while waiting:
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            body = getattr(node := waiting[-1], name, [])
            if isinstance(body, list):
                names |= {each for item in body if isinstance(item, ast.Global) for each in item.names}
                body[:] = [item for item in body if not isinstance(item, ast.Global)]
                waiting[:0] = [item for item in body if not isinstance(item, ast.FunctionDef)]
        waiting.remove(node)
    if names:
        function.body.insert(0, ast.Global(sorted(names)))


def _declared(parameters: str) -> list[tuple[str, str, str]]:
    """The name, the type and the default of each parameter."""
    parts = [part.partition(": ") for part in parameters.split(", ") if part]
    return [(label, *rest.partition(" = ")[::2]) for label, _, rest in parts]


def _set_into(around: str, definition: str) -> str:
    """A definition in its place in what belongs to it, indented as it stands there."""
    return _DEFINITION.sub(lambda match: textwrap.indent(definition, match[1]), around)


class _Writer:
    """Draws one program."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.rate = draw.choice([0.0, 0.01, 0.02, 0.04, 0.1])
        self.count = 0
        self.callables: dict[str, list[str]] = {}
        self.size = 0

    def text(self) -> str:
        draw = self.draw
        parts = [HEADER, self._model()]
        for _ in range(draw.randint(0, 2)):
            shapes, kind = draw.choice(HELPERS_BY_TYPE)
            shape, name = draw.choice(shapes), self._name("helper")
            static = any(word in shape.parameters for word in (": n", ": b", ": f", "fun"))
            decorator = "" if static or shape.around != Shape.around else draw.choice(DECORATORS)
            parts.append(f"{decorator}\n{self._function(name, shape, _Scope())}")
            self.callables.setdefault(kind, []).append(shape.use.replace("{name}", name))
        entry = Shape(ENTRY, draw.choice(["{vec}", "({vec}, {scal})", "{scal}", "{state}"]), "")
        definition = self._function("main", entry, _Scope(), size=draw.randint(2, 6))
        return "\n".join([*parts, draw.choice(ENTRIES).replace("{definition}", definition)])

    def _model(self) -> str:
        apply = self._function(
            "apply", Shape("self, v: vec, t: scal", "{vec}", ""), _Scope(known=[("self.scale", "f")]), size=2
        )
        self.callables["vec"] = ["MODEL.apply({vec}, {scal})", "jax.jit(MODEL.apply)({vec}, {scal})"]
        self.callables["fun"] = ["functools.partial(MODEL.apply, t={scal})"]
        lines = [
            "def __init__(self, scale):",
            "    self.scale = scale",
            "    self.count = 0",
            "    self.last = None",
            *apply.split("\n"),
        ]
        return "\n".join(["class Model:", *("    " + line for line in lines), "MODEL = Model(2.0)"])

    def _function(self, name: str, shape: Shape, outer: _Scope, size: int | None = None) -> str:
        """A function of this shape, with what belongs to it."""
        scope = outer.inner(function=True)
        scope.result = shape.result
        for known, kind, _ in _declared(shape.knows):
            scope.known.append((known, kind))
        names = []
        for label, kind, default in _declared(shape.parameters):
            note = f": {ANNOTATIONS[label]}" if name == "main" and label in ANNOTATIONS else ""
            names.append(f"{label}={default}" if default else label + note)
            bare = label.lstrip("*")
            scope.known = [(known, of) for known, of in scope.known if known != bare]
            if kind:
                scope.known.append((bare, kind))
                scope.own.add(bare)
        lines = self._statement(shape.before, scope).split("\n") if shape.before else []
        lines += self._block(scope, size or self.draw.randint(1, 3))
        lines.append(f"{shape.ends} {self._filled(shape.result, scope, 2)}")
        text = "\n".join([f"def {shape.called}({', '.join(names)}):", *("    " + line for line in lines)])
        return _set_into(shape.around, text).replace("{name}", name).translate(_BRACES)

    def _block(self, scope: _Scope, size: int) -> list[str]:
        return [line for _ in range(size) for line in self._one(scope).split("\n")]

    def _one(self, scope: _Scope) -> str:
        self.size += 1
        if self.size < 16 and self.draw.random() < 0.2:
            shape, name = self.draw.choice(NESTED), self._name("inner")
            if self._possible(shape.use, scope) and self._ends(shape):
                definition = self._function(name, shape, scope)
                return f"{definition}\n{self._statement(shape.use.replace('{name}', name), scope)}"
        for _ in range(20):
            bad = self.draw.random() < self.rate * 2
            template = self.draw.choice(BAD_STATEMENTS if bad else STATEMENTS)
            if self._possible(template, scope) and ("{block}" not in template or self.size < 14):
                return self._statement(template, scope)
        return "pass"

    def _ends(self, shape: Shape) -> bool:
        """Whether it does not lead back to the method that is being written."""
        return bool(self.callables) or "(Model)" not in shape.around

    def _possible(self, template: str, scope: _Scope) -> bool:
        """Whether the scope has the variables that a template cannot do without."""
        for kind, mark in _HOLE.findall(template):
            if kind in ("key", "keys", "draws") and not mark and not self._fresh(scope):
                return False
            if kind == "keep" and not mark and not self._kept(scope):
                return False
            if kind == "spent" and not scope.spent:
                return False
            if mark == "=" and not any(name in scope.own for name in scope.names(kind)):
                return False
            if kind == "result" and not self._possible(scope.result, scope):
                return False
        return True

    def _statement(self, template: str, scope: _Scope) -> str:
        """A filled statement; what it binds is known to its own blocks, and afterwards unless it is a loop."""
        inner = scope.inner() if _HAS_BLOCKS.match(template) or "\nfor" in template else scope
        bound: list[tuple[str, str]] = []
        kept: dict[str, str] = {}

        def fill(match: re.Match[str]) -> str:
            kind, mark = match.groups()
            if kind == "block":
                known = inner.inner()
                known.known += bound
                known.own |= {name for name, of in bound if of != "counter"}
                indent = "\n" + " " * (match.start() - template.rfind("\n", 0, match.start()) - 1)
                return indent.join(self._block(known, self.draw.randint(1, 2)))
            if kind == "last":
                return bound[-1][0] if bound[-1][1] != "n" else next(name for name, of in reversed(bound) if of != "n")
            if mark == "+":
                name = kept[kind] = self._name({"keep": "key"}.get(kind, kind)[0])
                bound.append((name, {"keep": "key", "index": "counter", "total": "scal"}.get(kind, kind)))
                return name
            if kind in ("index", "total"):
                return kept[kind]
            if kind == "keep":
                if kind not in kept:
                    kept[kind] = self.draw.choice(self._kept(inner))
                return kept[kind]
            if mark == "=":
                choices = [name for name in inner.names(kind) if name in inner.own]
                if kind not in kept:
                    kept[kind] = self.draw.choice(choices)
                return kept[kind]
            if kind == "result":
                return self._filled(scope.result, inner, 2)
            return self._expression(kind, inner, 2)

        text = _HOLE.sub(fill, template)
        if not template.startswith(("for", "if", "try", "match")):
            scope.known += [pair for pair in bound if pair[1] in FINE or pair[1] in ATOMS]
            scope.own |= {name for name, _ in bound}
        if inner is not scope:
            scope.spent |= inner.spent
        if "keep" in kept and not template.startswith("{keep+}"):
            scope.own.add(kept["keep"])
        return text.translate(_BRACES)

    def _filled(self, template: str, scope: _Scope, depth: int) -> str:
        text = _HOLE.sub(lambda match: self._expression(match[1], scope, depth), template)
        return text.translate(_BRACES)

    def _expression(self, kind: str, scope: _Scope, depth: int) -> str:
        draw = self.draw
        if kind in ("key", "spent"):
            return self._key(kind, scope, depth)
        if kind == "keep":
            return draw.choice(self._kept(scope) or self._fresh(scope) or scope.names("key"))
        names = scope.names(kind)
        if depth <= 0 or (names and draw.random() < 0.45):
            if names:
                return draw.choice(names[-4:] if draw.random() < 0.7 else names)
            if kind in ATOMS:
                return self._filled(ATOMS[kind], scope, 0)
        if kind == "opt" and draw.random() < 0.6:
            return draw.choice(names or ["None"])
        table = BAD.get(kind, []) if draw.random() < self.rate else FINE[kind] + self.callables.get(kind, []) * 3
        for _ in range(10):
            template = draw.choice(table or FINE[kind])
            if self._possible(template, scope):
                text = self._filled(template, scope, depth - 1)
                return f"({text})" if " " in template or template[0] in "-~" else text
        return self._filled(ATOMS.get(kind, "None"), scope, 0)

    def _key(self, kind: str, scope: _Scope, depth: int) -> str:
        """A key that nothing has drawn from, in a program that is careful; ``spent``: one that something has."""
        if kind == "spent":
            return self.draw.choice(sorted(scope.spent))
        if depth > 0 and self.draw.random() < 0.3:
            template = self.draw.choice(BAD["key"] if self.draw.random() < self.rate else FINE["key"])
            if self._possible(template, scope):
                return self._filled(template, scope, depth - 1)
        fresh = self._fresh(scope) or scope.names("key")
        name = self.draw.choice(fresh[-3:])
        scope.spent.add(name)
        return name

    def _fresh(self, scope: _Scope) -> list[str]:
        return [name for name in scope.names("key") if name not in scope.spent]

    def _kept(self, scope: _Scope) -> list[str]:
        """Fresh keys that the function may rebind."""
        return [name for name in self._fresh(scope) if name in scope.own]

    def _name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"
