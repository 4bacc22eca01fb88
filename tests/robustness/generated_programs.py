"""Small random programs full of JAX idioms: syntactically right, otherwise as odd as chance makes them.

Names come from a small pool, so that programs shadow, rebind, recurse and pass things where they do not belong.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

NAMES = ("x", "y", "key", "state", "f", "g", "step", "self", "params", "i", "carry", "jnp", "total")
FUNCTIONS = ("f", "g", "step", "body", "cond", "helper")
CLASSES = ("Model", "State", "Base")
IMPORTS = (
    "import jax",
    "import jax.numpy as jnp",
    "import jax.numpy as np",
    "import numpy as np",
    "from jax import lax, random",
    "from functools import partial",
    "import flax.linen as nn",
    "import equinox as eqx",
    "from jax import *",
    "from . import sibling",
    "from .. import *",
    "import jax.random as random, time, os",
)
DECORATORS = (
    "jax.jit",
    "jax.vmap",
    "jax.grad",
    "jax.checkpoint",
    "partial(jax.jit, static_argnums=(0, -1))",
    "partial(jax.jit, static_argnames='key', donate_argnums=0)",
    "functools.partial(jax.vmap, in_axes=(None, 0))",
    "jax.custom_vjp",
    "functools.lru_cache",
    "property",
    "staticmethod",
    "classmethod",
    "eqx.filter_jit",
    "nn.compact",
    "dataclasses.dataclass",
    "(lambda h: h)",
    "f",
    "undefined.decorator(1)",
)
CALLEES = (
    *("jnp.sum", "jnp.where", "jnp.zeros", "jnp.array", "jnp.nonzero", "np.sin", "np.asarray", "float", "int", "bool"),
    *(
        "print",
        "len",
        "range",
        "isinstance",
        "max",
        "sorted",
        "zip",
        "enumerate",
        "map",
        "list",
        "super",
        "type",
        "getattr",
    ),
    *("jax.random.split", "jax.random.normal", "jax.random.PRNGKey", "jax.random.fold_in", "random.uniform"),
    *(
        "jax.jit",
        "jax.vmap",
        "jax.grad",
        "jax.value_and_grad",
        "jax.debug.print",
        "jax.tree.map",
        "partial",
        "time.time",
    ),
    *("lax.scan", "lax.cond", "lax.while_loop", "lax.fori_loop", "lax.switch", "jax.lax.map", "jax.pure_callback"),
    *FUNCTIONS,
    *CLASSES,
)
ATTRIBUTES = ("shape", "at", "T", "rng", "key", "apply", "sum", "append", "item", "set", "replace", "items", "dtype")
OPERATORS = ("+", "-", "*", "/", "//", "%", "@", "**", "&", "|", "^", "<<", ">>")
COMPARISONS = ("<", ">", "==", "!=", "is", "is not", "in", "not in", "<=")
CONSTANTS = (
    "(0)",
    "(1)",
    "-1",
    "(2.5)",
    "None",
    "True",
    "'x'",
    "b'y'",
    "...",
    "(1j)",
    "(10**400)",
    "'{}'",
    "()",
    "[]",
    "{}",
)


def random_program(random: Random, statements: int = 60) -> str:
    """A module of about so many statements at most; the same ``random`` state gives the same text."""
    return _Writer(random, statements).module()


class _Writer:
    def __init__(self, random: Random, statements: int) -> None:
        self.random = random
        self.budget = random.randint(1, statements)  # statements left; a program ends soon after they are used up

    def module(self) -> str:
        lines = [*self.random.sample(IMPORTS, self.random.randint(2, 6))]
        while self.budget > 0:
            lines += self.statement(in_function=False, in_loop=False, depth=0)
        return "\n".join(lines) + "\n"

    def pick(self, choices: tuple[str, ...]) -> str:
        return self.random.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # Statements, as lists of lines.

    def statement(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        self.budget -= 1
        if depth < 4 and self.chance(0.45):
            compound = self.random.choice(_COMPOUND if depth else (*_COMPOUND, _Writer.function, _Writer.function))
            return compound(self, in_function, in_loop, depth)
        return [self.simple(in_function, in_loop)]

    def block(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(in_function, in_loop, depth + 1)
        return ["    " + line for line in lines]

    def simple(self, in_function: bool, in_loop: bool) -> str:
        choices: list[Callable[[], str]] = [
            lambda: f"{self.target()} = {self.expression()}",
            lambda: f"{self.target()} = {self.target()} = {self.expression()}",
            lambda: f"{self.pick(NAMES)}, *{self.pick(NAMES)} = {self.expression()}",
            lambda: f"key, sub = jax.random.split({self.pick(NAMES)})",
            lambda: f"{self.place()} {self.pick(OPERATORS)}= {self.expression()}",
            lambda: f"{self.pick(NAMES)}: {self.expression(1)} = {self.expression()}",
            lambda: self.expression(),
            lambda: f"assert {self.expression()}, {self.expression()}",
            lambda: f"del {self.place()}",
            lambda: f"raise {self.expression(1)} from {self.expression(1)}",
            lambda: f"{self.random.choice(('global', 'nonlocal') if in_function else ('global',))} {self.pick(NAMES)}",
            lambda: self.pick(IMPORTS),
        ]
        if in_function:
            choices += [lambda: f"return {self.expression()}", lambda: "return", lambda: f"yield {self.expression()}"]
        if in_loop:
            choices += [lambda: "break", lambda: "continue"]
        return self.random.choice(choices)()

    def function(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        decorators = [f"@{self.pick(DECORATORS)}" for _ in range(self.random.choice((0, 1, 1, 2)))]
        star = self.random.choice(("async def", "def", "def", "def", "def"))
        header = f"{star} {self.pick(FUNCTIONS)}({self.parameters()}):"
        return [*decorators, header, *self.block(True, False, depth)]

    def class_(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        decorators = [f"@{self.pick(DECORATORS)}" for _ in range(self.random.choice((0, 0, 1)))]
        bases = self.pick(
            ("", "(Base)", "(Model)", "(nn.Module)", "(eqx.Module)", "(NamedTuple)", "(f(x), metaclass=g)")
        )
        return [*decorators, f"class {self.pick(CLASSES)}{bases}:", *self.block(False, False, depth)]

    def if_(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        lines = [f"if {self.expression()}:", *self.block(in_function, in_loop, depth)]
        if self.chance(0.3):
            lines += [f"elif {self.expression()}:", *self.block(in_function, in_loop, depth)]
        if self.chance(0.5):
            lines += ["else:", *self.block(in_function, in_loop, depth)]
        return lines

    def loop(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        header = self.random.choice((f"for {self.target()} in {self.expression()}:", f"while {self.expression()}:"))
        lines = [header, *self.block(in_function, True, depth)]
        if self.chance(0.2):
            lines += ["else:", *self.block(in_function, in_loop, depth)]
        return lines

    def try_(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        handler = self.pick(("except:", "except ValueError as error:", "except (f, g) as x:"))
        lines = ["try:", *self.block(in_function, in_loop, depth), handler, *self.block(in_function, in_loop, depth)]
        if self.chance(0.3):
            lines += ["else:", *self.block(in_function, in_loop, depth)]
        if self.chance(0.3):
            lines += ["finally:", *self.block(in_function, in_loop, depth)]
        return lines

    def with_(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        return [f"with {self.expression()} as {self.target()}:", *self.block(in_function, in_loop, depth)]

    def match_(self, in_function: bool, in_loop: bool, depth: int) -> list[str]:
        patterns = ("1", "[x, *_]", "{'key': key, **x}", "State(key=y)", "x if x > 0", "'a' | None", "(x, y) as carry")
        lines = [f"match {self.expression()}:"]
        for pattern in self.random.sample(patterns, self.random.randint(1, 3)):
            lines += [f"    case {pattern}:", *("    " + line for line in self.block(in_function, in_loop, depth))]
        return lines

    def parameters(self) -> str:
        names = self.random.sample(NAMES, self.random.randint(0, 4))
        plain = [name if self.chance(0.7) else f"{name}: {self.pick(NAMES)}" for name in names]
        defaults = [f"d{n}={self.expression(1)}" for n in range(self.random.choice((0, 0, 1, 2)))]
        return ", ".join([*plain, *defaults, *self.random.choice(([], [], ["*args"], ["*", "z=1"], ["**kw"]))])

    # Expressions, as text.

    def target(self) -> str:
        return self.random.choice(
            (self.pick(NAMES), self.pick(NAMES), self.place(), "x, y", "[key, *x]", "(x, (y, key))")
        )

    def place(self) -> str:
        return self.random.choice(
            (self.pick(NAMES), f"self.{self.pick(ATTRIBUTES)}", f"{self.pick(NAMES)}[{self.index()}]")
        )

    def index(self) -> str:
        return self.random.choice(
            (self.expression(1), f"{self.pick(NAMES)}:", f":{self.expression(2)}", "::-1", "...", "None, :", "'rng'")
        )

    def expression(self, depth: int = 0) -> str:
        if depth > 3 or self.chance(0.2 + 0.15 * depth):
            return self.random.choice((self.pick(NAMES), self.pick(NAMES), self.pick(CONSTANTS)))
        return "(" + self.random.choice(_EXPRESSIONS)(self, depth + 1) + ")"

    def call(self, depth: int) -> str:
        arguments = [self.argument(depth) for _ in range(self.random.randint(0, 4))]
        keywords = self.random.choice(([], [], ["axis=0"], ["key=key"], ["**params"], [f"length={self.expression(3)}"]))
        return f"{self.pick(CALLEES)}({', '.join([*arguments, *keywords])})"

    def argument(self, depth: int) -> str:
        return self.random.choice(
            (
                self.expression(depth),
                self.expression(depth),
                f"*{self.pick(NAMES)}",
                self.pick(FUNCTIONS),
                f"lambda c, x: ({self.expression(depth + 1)}, {self.expression(depth + 1)})",
            )
        )

    def operation(self, depth: int) -> str:
        return f"{self.expression(depth)} {self.pick((*OPERATORS, *COMPARISONS, 'and', 'or'))} {self.expression(depth)}"

    def prefix(self, depth: int) -> str:
        return f"{self.pick(('-', 'not ', '~', '+'))}{self.expression(depth)}"

    def attribute(self, depth: int) -> str:
        return f"{self.expression(depth)}.{self.pick(ATTRIBUTES)}"

    def subscript(self, depth: int) -> str:
        return f"{self.expression(depth)}[{self.index()}]"

    def update(self, depth: int) -> str:
        return f"{self.pick(NAMES)}.at[{self.index()}].{self.pick(('set', 'add', 'get'))}({self.expression(depth)})"

    def ternary(self, depth: int) -> str:
        return f"{self.expression(depth)} if {self.expression(depth)} else {self.expression(depth)}"

    def comprehension(self, depth: int) -> str:
        clause = f"for {self.pick(NAMES)} in {self.expression(depth)} if {self.expression(depth)}"
        element = self.expression(depth)
        return self.random.choice((f"[{element} {clause}]", f"{{{element}: 1 {clause}}}", f"{element} {clause}"))

    def display(self, depth: int) -> str:
        a, b = self.expression(depth), self.expression(depth)
        return self.random.choice((f"[{a}, *{b}]", f"{{{a}: {b}, **params}}", f"{{{a}, {b}}}", f"{a}, {b}"))

    def text(self, depth: int) -> str:
        return f"f'{{{self.pick(NAMES)}!r:>{{{self.pick(NAMES)}}}}} {{{self.pick(NAMES)}=:.2f}}'"

    def walrus(self, depth: int) -> str:
        return f"{self.pick(NAMES)} := {self.expression(depth)}"

    def lambda_(self, depth: int) -> str:
        return f"lambda x, *y, key=1: {self.expression(depth)}"


_COMPOUND = (
    *(_Writer.function, _Writer.function, _Writer.class_, _Writer.if_, _Writer.if_),
    *(_Writer.loop, _Writer.loop, _Writer.try_, _Writer.with_, _Writer.match_),
)
_EXPRESSIONS = (
    *(_Writer.call, _Writer.call, _Writer.call, _Writer.call, _Writer.operation, _Writer.operation, _Writer.prefix),
    *(_Writer.attribute, _Writer.subscript, _Writer.update, _Writer.ternary, _Writer.comprehension, _Writer.display),
    *(_Writer.text, _Writer.walrus, _Writer.lambda_),
)
